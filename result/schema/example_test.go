package schema_test

import (
	"errors"
	"fmt"
	"os"

	"flashdex/result/schema"
)

// A result document is read and checked, and its figures are derived from its samples.
func ExampleRead() {
	file, err := os.ReadFile("../testdata/valid/sd-card.json")
	if err != nil {
		panic(err)
	}
	doc, err := schema.Read(file)
	if err != nil {
		panic(err)
	}
	fmt.Println(doc.Module.Vendor, doc.Module.Product, "in", doc.Host.Board)
	for i := range doc.Tests {
		f := doc.Tests[i].Figures()
		if f.IOPS != nil {
			fmt.Printf("%s: %.0f IOPS, 95 %% interval %.0f to %.0f\n", f.Test, *f.IOPS, *f.IOPSLow, *f.IOPSHigh)
		} else {
			fmt.Printf("%s: %.1f MB/s\n", f.Test, f.MBPerS)
		}
	}
	for _, reason := range doc.NotRanked() {
		fmt.Println("not ranked:", reason)
	}
	// Output:
	// SanDisk Extreme in Raspberry Pi 4 Model B Rev 1.4
	// seq-write: 20.0 MB/s
	// rand-write: 100 IOPS, 95 % interval 100 to 100
	// seq-read: 40.0 MB/s
	// rand-read: 2000 IOPS, 95 % interval 2000 to 2000
	// not ranked: something else used the module during the test
	// not ranked: the system runs from the module
}

// A document that breaks a rule is refused, with the place of the fault.
func ExampleInvalidError() {
	_, err := schema.Read([]byte(`{"schema_version": 1, "id": "mine"}`))
	if invalid, ok := errors.AsType[*schema.InvalidError](err); ok {
		for _, fault := range invalid.Problems[:2] {
			fmt.Println(fault.Pointer, fault.Detail)
		}
	}
	// Output:
	// /client missing properties 'client', 'method', 'profile', 'started_at', 'module', 'tests', 'spoilers'
	// /id 'mine' does not match pattern '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$'
}
