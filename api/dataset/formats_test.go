package dataset_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"flashdex/api/dataset"
	"flashdex/api/figure"
	"flashdex/result"

	"github.com/parquet-go/parquet-go"
)

// The writer checks the rules of columns, because SQLite is told not to.
func TestSQLiteTakesNothingAgainstTheRules(t *testing.T) {
	t.Parallel()
	for want, change := range map[string]func(*figure.Test){
		"":                           func(*figure.Test) {},
		"test can't be guess":        func(test *figure.Test) { test.Test = "guess" },
		"sync can't be maybe":        func(test *figure.Test) { test.Sync = "maybe" },
		"mb_per_s can't be -0.5":     func(test *figure.Test) { test.MBPerS = -0.5 },
		"block_bytes can't be -4096": func(test *figure.Test) { test.BlockBytes = -4096 },
		"host can't be unknown":      func(test *figure.Test) { test.Host = "" },
	} {
		test := figure.Test{Result: "id", Module: "a", Method: "flashdex-1", Host: "Board", HostClass: "pi-4",
			Figures: result.Figures{Test: "rand-read", BlockBytes: 4096, MBPerS: 1}}
		change(&test)
		db, err := dataset.NewSQLite(filepath.Join(t.TempDir(), "x.sqlite"), []*dataset.Table{&dataset.Results.Table})
		if err != nil {
			t.Fatal(err)
		}
		w, err := db.Table(&dataset.Results.Table)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Write(dataset.Results.Append(nil, &test)); (err != nil) != (want != "") ||
			err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
		_ = w.Close()
		if err := db.Close(nil); err != nil {
			t.Error(err)
		}
	}
}

// A Parquet file has bounds for the columns that readers filter by. It has none for other columns, because all bounds
// stay in memory until the file's end.
func TestParquetHasBounds(t *testing.T) {
	t.Parallel()
	var file bytes.Buffer
	w := dataset.NewParquet(&file, &dataset.Samples.Table)
	for _, id := range []string{"a", "b"} {
		sample := dataset.Sample{Result: id, Test: "rand-read", Engine: "flashdex", BlockBytes: 4096, AreaBytes: 1,
			Intervals: `[{"ops":1}]`, Batches: `[{"ops":1}]`, LatencyCounts: "[[1,2]]", Data: result.Zeros}
		sample.Target.Program, sample.Target.ProgramSum, sample.Target.Configuration = "java", "5e", "jre"
		sample.Target.ProgramBytes, sample.Target.UsedPercent = 1, 2
		sample.Target.Discards, sample.Target.DiscardedBytes = result.DiscardsOn, 3
		sample.RateBytesPerS, sample.DiscardOps, sample.CommandQueue = 4, 5, result.QueueOn
		sample.Target.WriteCache, sample.CardMade, sample.Spoilers = "write back", "10/2021", "kernel-errors"
		sample.RightAloneOps = 6
		if err := w.Write(dataset.Samples.Append(nil, &sample)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	read, err := parquet.OpenFile(bytes.NewReader(file.Bytes()), int64(file.Len()))
	if err != nil {
		t.Fatal(err)
	}
	for i, column := range read.Metadata().RowGroups[0].Columns {
		bounds := column.MetaData.Statistics
		want := dataset.Samples.Fields[i].Type != dataset.JSON
		if got := len(bounds.MinValue) > 0 && len(bounds.MaxValue) > 0; got != want {
			t.Errorf("%s: bounds %q to %q, want some: %v", dataset.Samples.Fields[i].Name, bounds.MinValue, bounds.MaxValue,
				want)
		}
		if name := dataset.Samples.Fields[i].Name; name == "result" &&
			(string(bounds.MinValue) != "a" || string(bounds.MaxValue) != "b") {
			t.Errorf("results from %q to %q", bounds.MinValue, bounds.MaxValue)
		}
	}
}

// Row groups grow with the file, which limits the memory for their index. Their pages wait in files that are removed at
// the end.
func TestParquetFileOfAnySize(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "samples.parquet")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	w := dataset.NewParquetFile(file, &dataset.Samples.Table, dir)
	const rows = 160
	text := strings.Repeat(" ", 4<<20)
	waited := 0
	for i := range rows {
		sample := dataset.Sample{Result: fmt.Sprintf("%03d", i), Test: "rand-read", Engine: "flashdex", BlockBytes: 4096,
			AreaBytes: 1, Intervals: dataset.RawJSON(text), Batches: "[]", LatencyCounts: "[]"}
		if err := w.Write(dataset.Samples.Append(nil, &sample)); err != nil {
			t.Fatal(err)
		}
		waiting, err := filepath.Glob(filepath.Join(dir, ".pages-*"))
		if err != nil {
			t.Fatal(err)
		}
		waited = max(waited, len(waiting))
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 1 || waited == 0 {
		t.Errorf("%d files waited, %v are left, %v", waited, left, err)
	}
	info, err := file.Stat()
	if err != nil {
		t.Fatal(err)
	}
	read, err := parquet.OpenFile(file, info.Size())
	if err != nil {
		t.Fatal(err)
	}
	groups := read.Metadata().RowGroups
	if first, last := groups[0].NumRows, groups[len(groups)-2].NumRows; last <= first || read.NumRows() != rows {
		t.Errorf("%d rows in %d groups, of %d at first and of %d in the end", read.NumRows(), len(groups), first, last)
	}
	for i, group := range groups {
		if bounds := group.Columns[0].MetaData.Statistics; i > 0 &&
			string(bounds.MinValue) <= string(groups[i-1].Columns[0].MetaData.Statistics.MaxValue) {
			t.Errorf("group %d begins with %s", i, bounds.MinValue)
		}
	}
}
