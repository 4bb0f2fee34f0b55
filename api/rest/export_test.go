package rest_test

import (
	"bytes"
	"encoding/csv"
	"net/http"
	"slices"
	"strings"
	"testing"

	"flashdex/api/dataset"

	"github.com/google/go-cmp/cmp"
)

func TestResultsAreExportedAsATable(t *testing.T) {
	t.Parallel()
	b := start(t)
	id, body := example(t)
	b.do(b.upload(id, body)).json(t, http.StatusCreated)
	// One that waits for an operator is in no export.
	const held = "0198f2c4-7a3b-7c11-9d5e-3f2a1b0c9d8f"
	body = bytes.Replace(body, []byte(id), []byte(held), 1)
	body = bytes.Replace(body, []byte(`"capacity_gb": 32`), []byte(`"capacity_gb": 512`), 1)
	if got := b.do(b.upload(held, body)).json(t, http.StatusCreated); got["state"] != "quarantined" {
		t.Fatalf("the example with another capacity is %v", got["state"])
	}
	b.fold()
	answer := b.get("/v1/results.csv")
	if answer.status != http.StatusOK || !strings.HasPrefix(answer.header.Get("Content-Type"), "text/csv") {
		t.Fatalf("%d, %s", answer.status, answer.header.Get("Content-Type"))
	}
	rows, err := csv.NewReader(bytes.NewReader(answer.body)).ReadAll() // refuses rows of unequal length
	if err != nil {
		t.Fatal(err)
	}
	var head []string
	for _, f := range dataset.Results.Fields {
		head = append(head, f.Name)
	}
	if diff := cmp.Diff(head, rows[0]); diff != "" {
		t.Errorf("columns (-want +got):\n%s", diff)
	}
	class := slices.Index(head, "host_class")
	var tests []string
	for _, row := range rows[1:] {
		tests = append(tests, row[0]+" "+row[5]+" in "+row[class])
	}
	want := []string{id + " rand-read in usb-3", id + " rand-write in usb-3", id + " seq-read in usb-3", id + " seq-write in usb-3"}
	if diff := cmp.Diff(want, tests); diff != "" {
		t.Errorf("uploads (-want +got):\n%s", diff)
	}
}
