package dataset_test

import (
	"bytes"
	"encoding/csv"
	"testing"
	"time"

	"flashdex/api/catalogue"
	"flashdex/api/dataset"
	"flashdex/api/index"
	"flashdex/api/ranking"
	"flashdex/result"

	"github.com/google/go-cmp/cmp"
)

// cells writes one row and reads it back by the names of its columns, without the empty ones.
func cells(t *testing.T, head []dataset.Field, write func(*dataset.Writer)) map[string]string {
	t.Helper()
	var file bytes.Buffer
	w := dataset.NewWriter(&file, head)
	write(w)
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&file).ReadAll()
	if err != nil || len(rows) != 2 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	got := map[string]string{}
	for i, name := range rows[0] {
		if _, twice := got[name]; twice {
			t.Errorf("two columns are called %s", name)
		}
		if got[name] = rows[1][i]; rows[1][i] == "" {
			delete(got, name)
		}
	}
	return got
}

func TestModuleRow(t *testing.T) {
	t.Parallel()
	low, high := 6.0, 8.0
	row := ranking.Row{
		Method: "flashdex-1", Units: 4, Contributors: 3, Boards: 2, Results: 5,
		Figures: map[string]index.Estimate{
			index.RandWriteIOPS:        {Value: 7, Low: &low, High: &high, Confidence: 0.95},
			index.RandReadIOPS:         {Value: 700},
			index.SeqWriteCVPercent:    {Value: 0}, // nothing varied, which is not the same as unknown
			index.SeqWriteCliffMB:      {Value: 7, Low: &low, High: &high, Confidence: 0.75},
			index.SeqWriteCliffPercent: {Value: 40},
		},
		Prices: []index.PriceMedian{{Amount: 9.99, Currency: "EUR", N: 3}, {Amount: 12.5, Currency: "USD", N: 1}},
	}
	module := catalogue.Module{Slug: "a", Vendor: "=1+1", Product: "A", CapacityGB: 16, Form: "sd", Classes: []string{"U1", "A1"}, KnownFrom: "source"}
	want := map[string]string{
		"module": "a", "name": "'" + module.Name(), "vendor": "'=1+1", "product": "A", "capacity_gb": "16", "form": "sd", "classes": "U1 A1", "provisional": "false",
		"known_from": "source", "method": "flashdex-1", "rand_write_iops": "7", "rand_write_iops_low": "6", "rand_write_iops_high": "8", "rand_write_iops_confidence": "0.95",
		"rand_read_iops": "700", "seq_write_cv_percent": "0", "seq_write_cliff_mb": "7", "seq_write_cliff_mb_low": "6", "seq_write_cliff_mb_high": "8",
		"seq_write_cliff_mb_confidence": "0.75", "seq_write_cliff_percent": "40", "units": "4", "contributors": "3", "boards": "2", "results": "5",
		"rank": "2", "rank_to": "5", "prices": "EUR 9.99 (3); USD 12.5 (1)",
	}
	got := cells(t, dataset.ModuleFields, func(w *dataset.Writer) { w.Module(module, row, ranking.Place{First: 2, Last: 5}) })
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	disk := cells(t, dataset.ModuleFields, func(w *dataset.Writer) {
		w.Reference(catalogue.ReferenceDevice{Name: "disk", Source: "s", RandWriteIOPS: 90})
	})
	want = map[string]string{"name": "disk", "form": "reference", "provisional": "false", "known_from": "s", "rand_write_iops": "90", "not_ranked": "a line to compare with, not a module"}
	if diff := cmp.Diff(want, disk); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestUploadRow(t *testing.T) {
	t.Parallel()
	cv, cliff, after := 12.5, 31.0, 40.0
	sub := index.Submission{
		ID: "1", ReceivedAt: time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC), Method: "flashdex-1", Profile: "standard", Host: "@board", Client: "flashdex 1", ModuleSlug: "a",
		BusMode: "=mode", HostClass: "pi-4", BusMBPerS: 50, Variant: index.Variant{Bus: "sd", Manfid: "0x000003", OEMID: "0x5344", Name: "SL16G", Revision: "0x8 0x0"},
		Tests: []result.Figures{{Test: result.SeqWrite, MBPerS: 10, CVPercent: &cv, CliffMB: &cliff, CliffPercent: &after}},
	}
	want := map[string]string{
		"kind": "upload", "result": "1", "module": "a", "name": "A", "method": "flashdex-1", "profile": "standard", "test": "seq-write", "mb_per_s": "10", "host": "'@board",
		"client": "flashdex 1", "date": "2026-11-21", "host_class": "pi-4", "bus_mode": "'=mode", "bus_mb_per_s": "50", "variant": "manufacturer 0x03, OEM SD, name SL16G, revision 8.0",
		"cv_percent": "12.5", "cliff_mb": "31", "cliff_percent": "40",
	}
	if diff := cmp.Diff(want, cells(t, dataset.ResultFields, func(w *dataset.Writer) { w.Upload(sub, "A") })); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
