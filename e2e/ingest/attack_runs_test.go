package ingest

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"flashdex/api/submission/copies/copiestest"
	"flashdex/result"
)

// card is a module of the catalogue, with what the tests know about it.
type card struct {
	slug, vendor, product string
	gb                    float64
}

// reader is the document of a real run of the standard profile behind a USB reader: 75 random writes a second.
var reader = sync.OnceValue(func() []byte {
	text, err := os.ReadFile(filepath.Join(root, "api/submission/plausible/testdata/emulated-usb.json"))
	if err != nil {
		panic(err)
	}
	return text
})

// run draws an honest run of a card in somebody's reader, times as fast as reader.
func (c card) run(unit string, times float64) *result.Document {
	var doc result.Document
	if err := json.Unmarshal(reader(), &doc); err != nil {
		panic(err)
	}
	doc.ID, doc.UnitTag, doc.Client.Version = result.NewID(), unit, "0.1.0"
	doc.Module = result.Module{Vendor: c.vendor, Product: c.product, CapacityGB: c.gb, Form: "microsd"}
	doc.Identity.SizeBytes = int64(c.gb*1e9) / 4096 * 4096
	doc.Identity.USB.VendorID, doc.Identity.USB.ProductID = "05e3", "0764"
	doc.Identity.USB.Manufacturer, doc.Identity.USB.Product = "Generic", "USB3.0 Card Reader"
	doc.Identity.SCSI.Vendor, doc.Identity.SCSI.Model, doc.Identity.SCSI.Rev = "Generic", "MassStorageClass", "2402"
	doc.Host.Board, doc.Host.Kernel = "", fmt.Sprintf("6.1.%d-amd64", rand.Int())
	copiestest.Scale(1/times)(&doc, nil)
	copiestest.Again(&doc)
	for i := range doc.Tests {
		if t := &doc.Tests[i]; !t.IsRandom() {
			redraw(t)
		}
	}
	return &doc
}

// made returns a function that makes up the card's shortest ranked runs, each of another unit.
func (c card) made(times float64) func() *result.Document {
	return func() *result.Document { return only(result.RandWrite, c.run(unitOf(rand.Int()), times)) }
}

// redraw gives the intervals of a linear test new times, which differ by a tenth. It nearly keeps their sum.
func redraw(t *result.Test) {
	t.Intervals = slices.Clone(t.Intervals)
	perByte := float64(t.DurationNS) / float64(t.Bytes)
	t.DurationNS = 0
	for i := range t.Intervals {
		v := &t.Intervals[i]
		v.NS = int64(perByte * float64(v.Bytes) * math.Exp(0.1*rand.NormFloat64()))
		t.DurationNS += v.NS
	}
}

// copied returns the same document under another id.
func copied(doc *result.Document) *result.Document {
	return copiestest.Copy(doc, func(*result.Document, *rand.Rand) {}, nil)
}

// ordered makes the random tests show the order that the token decides.
func ordered(doc *result.Document) {
	for i := range doc.Tests {
		if t := &doc.Tests[i]; t.IsRandom() {
			all := result.BlockOrder(result.OrderSeed(doc.Token, t.Name, t.BlockBytes), t.AreaBytes/t.BlockBytes)
			t.Order = result.OrderSum(all[:t.Ops+t.WarmupOps])
		}
	}
}

// only leaves a run one test. Random writes alone are enough for a rank.
func only(test string, doc *result.Document) *result.Document {
	doc.Tests = slices.DeleteFunc(doc.Tests, func(t result.Test) bool { return t.Name != test })
	return doc
}

// unitOf returns the tag of a unit.
func unitOf(n int) string { return fmt.Sprintf("%032x", n+1) }

// took returns how old a document's token must be.
func took(doc *result.Document) (took time.Duration) {
	for i := range doc.Tests {
		t := &doc.Tests[i]
		ns := t.ElapsedNS()
		if t.Ended == result.Converged {
			ns = max(ns, result.StandardRule(0).MinNS)
		}
		took += time.Duration(ns)
	}
	return took
}
