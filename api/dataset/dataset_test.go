package dataset_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/csv"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"flashdex/api/catalogue"
	"flashdex/api/dataset"
	"flashdex/api/figure"
	"flashdex/api/ranking"
	"flashdex/result"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the columns into docs/data.md, and append new ones to the kept list")

// cells writes one row as CSV and reads it back by the names of its columns, without the empty ones.
func cells[R any](t *testing.T, of *dataset.Of[R], row R) map[string]string {
	t.Helper()
	var file bytes.Buffer
	w := dataset.NewCSV(&file, &of.Table)
	if err := w.Write(of.Append(nil, &row)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
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

func TestFigureRow(t *testing.T) {
	t.Parallel()
	low, high := 6.0, 8.0
	module := catalogue.Module{Slug: "a", Vendor: "=1+1", Product: "A", CapacityGB: 16, Form: "sd",
		Classes: []string{"U1", "A1"}, KnownFrom: "source"}
	row := ranking.Row{
		Module: module, Method: "flashdex-1", Units: 4, Contributors: 3, Independent: 3, Days: 2, Boards: 2, Results: 5,
		Figures: figure.SetOf(map[string]figure.Figure{
			figure.RandWriteIOPS:     {Value: 7, Low: &low, High: &high, Confidence: 0.95},
			figure.SeqWriteCVPercent: {Value: 0}, // nothing varied, which differs from unknown
			figure.RandWriteP99MS:    {Value: math.NaN()},
		}),
		Prices: []figure.PriceMedian{{Amount: 9.99, Currency: "EUR", N: 3, On: "2026-10-31"},
			{Amount: 12.5, Currency: "USD", N: 1, On: "2026-09"}},
	}
	want := map[string]string{
		"module": "a", "name": "'" + module.Name(), "method": "flashdex-1", "rand_write_iops": "7",
		"rand_write_iops_low": "6", "rand_write_iops_high": "8",
		"rand_write_iops_confidence": "0.95", "seq_write_cv_percent": "0", "units": "4", "contributors": "3",
		"independent": "3", "days": "2", "boards": "2", "results": "5",
		"rank": "2", "rank_to": "5", "prices": "EUR 9.99 (3); USD 12.5 (1)",
		"prices_per_gb": "EUR 0.624 (3, 2026-10); USD 0.781 (1, 2026-09)",
	}
	if diff := cmp.Diff(want, cells(t, dataset.Figures,
		dataset.Figure{Row: row, Place: ranking.Place{First: 2, Last: 5}})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	want = map[string]string{"module": "a", "name": "'" + module.Name(), "vendor": "'=1+1", "product": "A",
		"capacity_gb": "16", "form": "sd", "classes": "U1 A1", "provisional": "false", "known_from": "source",
		"listed": "true"}
	if diff := cmp.Diff(want, cells(t, dataset.Modules, module)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestResultRow(t *testing.T) {
	t.Parallel()
	row := figure.Test{
		Result: "1", ReceivedOn: time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC), Method: "flashdex-1", Profile: "standard",
		Host: "@board", Client: "flashdex 1", Module: "a", ModuleName: "A",
		BusMode: "=mode", HostClass: "pi-4", BusMBPerS: 50, Variant: "'name\x1b[31m \u202eSL,16\"G",
		Figures: result.Figures{
			Test: "seq-write", BlockBytes: 1 << 20, MBPerS: 1e-7, MaxNS: new(int64), CVPercent: new(12.5),
			CliffMB: new(1234567.25),
		},
	}
	want := map[string]string{
		"result": "1", "module": "a", "name": "A", "method": "flashdex-1", "profile": "standard", "test": "seq-write",
		"mb_per_s": "0.0000001", "host": "'@board",
		"client": "flashdex 1", "date": "2026-11-21", "host_class": "pi-4", "bus_mode": "'=mode", "bus_mb_per_s": "50",
		"variant":     "''name[31m SL,16\"G",
		"block_bytes": "1048576", "max_ns": "0", "cv_percent": "12.5", "cliff_mb": "1234567.25",
	}
	if diff := cmp.Diff(want, cells(t, dataset.Results, row)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// sameJSON compares texts that hold JSON arrays by their values.
var sameJSON = cmp.Transformer("json", func(text dataset.RawJSON) (v any) {
	if text == "" {
		return nil
	}
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		return err
	}
	return v
})

// samplesOf decodes the samples of each test in a document.
func samplesOf(t *testing.T, document []byte) (samples []dataset.Sample) {
	t.Helper()
	var d struct {
		Tests []struct {
			result.Test
			Intervals json.RawMessage `json:"intervals"`
			Batches   json.RawMessage `json:"batches"`
			Latency   json.RawMessage `json:"latency"`
		}
		Target   result.Target
		Host     result.Host
		Identity result.Identity
		Spoilers []string
	}
	if err := json.Unmarshal(document, &d); err != nil {
		t.Fatal(err)
	}
	made := ""
	if sd, mmc := d.Identity.SD, d.Identity.MMC; sd != nil {
		made = sd.Date
	} else if mmc != nil {
		made = mmc.Date
	}
	for _, of := range d.Tests {
		samples = append(samples, dataset.Sample{
			Result: "id", Test: of.Name, Engine: of.Engine, Direct: of.Direct, BlockBytes: of.BlockBytes,
			AreaBytes: of.AreaBytes, Ops: of.Ops, Bytes: of.Bytes, DurationNS: of.DurationNS,
			WarmupOps: of.WarmupOps, WarmupNS: of.WarmupNS, OverheadNS: of.OverheadNS, DeviceBytes: of.DeviceBytes,
			Data: of.Data, Target: d.Target, CommandQueue: d.Host.CommandQueue, CardMade: made,
			Spoilers: strings.Join(d.Spoilers, " "),
		})
		last := &samples[len(samples)-1]
		for to, from := range map[json.Unmarshaler]json.RawMessage{
			&last.Intervals: of.Intervals, &last.Batches: of.Batches, &last.LatencyCounts: of.Latency,
		} {
			if err := to.UnmarshalJSON(from); err != nil {
				t.Fatal(err)
			}
		}
	}
	slices.SortFunc(samples, func(a, b dataset.Sample) int { return strings.Compare(a.Test, b.Test) })
	return samples
}

// A reader can tell linear tests with zeros from linear tests with random data.
func TestSamplesSayWhatWasWritten(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../result/testdata/valid/reference-2.json")
	if err != nil {
		t.Fatal(err)
	}
	_, got, err := dataset.ReadDocument("id", text)
	if err != nil {
		t.Fatal(err)
	}
	var zeros []string
	for i := range got {
		if cells(t, dataset.Samples, got[i])["data"] == result.Zeros {
			zeros = append(zeros, fmt.Sprint(got[i].Test, " ", got[i].BlockBytes))
		}
	}
	if diff := cmp.Diff([]string{"seq-rewrite 1048576", "seq-write 512"}, zeros); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A reader can tell which program, version and configuration was started, and how full and how trimmed a module was.
func TestSamplesSayWhatWasStartedAndWhere(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"startup-1": "java 5e2b6f0c8f3d4a1796c0d8e7b4a35f21 jre 47300000   ", "sd-card": "    83 on 1240000000",
	} {
		text, err := os.ReadFile("../../result/testdata/valid/" + name + ".json")
		if err != nil {
			t.Fatal(err)
		}
		_, samples, err := dataset.ReadDocument("id", text)
		if err != nil || len(samples) == 0 {
			t.Fatalf("%v, %d samples", err, len(samples))
		}
		for i := range samples {
			of := cells(t, dataset.Samples, samples[i])
			got := strings.Join([]string{of["program"], of["program_sum"], of["configuration"], of["program_bytes"],
				of["used_percent"], of["discards"], of["discarded_bytes"]}, " ")
			if got != want {
				t.Errorf("%s: %q, want %q", name, got, want)
			}
		}
	}
}

// Everything that an interval may hold is described.
func TestIntervalsAreDescribed(t *testing.T) {
	t.Parallel()
	for _, f := range dataset.Samples.Fields {
		if f.Name != "intervals" {
			continue
		}
		for of := range reflect.TypeFor[result.Interval]().Fields() {
			tag, _, _ := strings.Cut(of.Tag.Get("json"), ",")
			if !regexp.MustCompile(`\b` + tag + `\b`).MatchString(f.Description) {
				t.Errorf("%s is not in the description %q", tag, f.Description)
			}
		}
	}
}

// The data set publishes the day of a result, and no time.
func TestDocumentHasNoTime(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../result/testdata/valid/sd-card.json")
	if err != nil {
		t.Fatal(err)
	}
	var small bytes.Buffer
	if err := json.Compact(&small, text); err != nil {
		t.Fatal(err)
	}
	compact := small.String()
	const name, time = `"started_at"`, `"2026-11-21T09:30:00Z"`
	if !strings.Contains(compact, name+":"+time+",") {
		t.Fatal("the example has no time to take away")
	}
	want := strings.Replace(compact, name+":"+time+",", "", 1)
	const token = `"token":"AQAAAAAAAAAAAAAA",` // also holds the time
	withToken := strings.Replace(compact, name, token+name, 1)
	samples := samplesOf(t, text)
	for what, document := range map[string]string{
		"our client's": compact, "with lines": string(text), "with a token": withToken,
		"with a token of other letters": strings.Replace(withToken, "token", `tok\u0065n`, 1),
		"with a token and spaces":       strings.Replace(withToken, `"token":`, `"token" : `, 1),
		"escaped":                       strings.Replace(compact, name, `"started\u005fat"`, 1),
		"escaped in a test": strings.ReplaceAll(strings.ReplaceAll(compact, `"engine"`, `"\u0065ngine"`), `"ops"`,
			`"op\u0073"`), "with spaces": strings.ReplaceAll(compact, `,"`, `, "`),
		"in arrays of arrays": strings.Replace(compact, `"latency":[[`, `"latency":[ [`, 1),
		"at the end":          strings.TrimSuffix(want, "}") + "," + name + ":" + time + "}",
		"in a text":           strings.Replace(compact, `"board":"`, `"board":",\"started_at\":\"x\",`, 1),
	} {
		line, got, err := dataset.ReadDocument("id", []byte(document))
		want := want
		if what == "in a text" {
			want = strings.Replace(want, `"board":"`, `"board":",\"started_at\":\"x\",`, 1)
		}
		var wanted, written any
		if err != nil || strings.ContainsAny(line, "\r\n") || json.Unmarshal([]byte(want), &wanted) != nil ||
			json.Unmarshal([]byte(line), &written) != nil {
			t.Errorf("%s: %v, %q", what, err, line)
		}
		if diff := cmp.Diff(samples, got, sameJSON); diff != "" {
			t.Errorf("%s: samples (-want +got):\n%s", what, diff)
		}
		if diff := cmp.Diff(wanted, written); diff != "" {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
	}
}

// Later versions of the program reuse the files of months. They must know when they would write something else.
func TestMonthsForm(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/document.json") // an example that never changes
	if err != nil {
		t.Fatal(err)
	}
	hash := sha256.New()
	fmt.Fprintf(hash, "%s %v\n", dataset.Samples.Name, dataset.Samples.Key)
	for _, f := range dataset.Samples.Fields {
		fmt.Fprintln(hash, f.Name, f.Type)
	}
	samples := dataset.NewCSV(hash, &dataset.Samples.Table)
	line, rows, err := dataset.ReadDocument("id", text)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintln(hash, line)
	for i := range rows {
		if err := samples.Write(dataset.Samples.Append(nil, &rows[i])); err != nil {
			t.Fatal(err)
		}
	}
	if err := samples.Close(); err != nil {
		t.Fatal(err)
	}
	const path = "testdata/months.txt"
	now := fmt.Sprintf("%d %x\n", dataset.MonthsForm, hash.Sum(nil))
	kept, err := os.ReadFile(path)
	if err != nil && !*update {
		t.Fatal(err)
	}
	form, _, _ := strings.Cut(now, " ")
	switch {
	case now == string(kept):
	case strings.HasPrefix(string(kept), form+" "):
		t.Error("of the same documents, the files of a month would hold something else than before: " +
			"raise MonthsForm, and run go test ./api/dataset -run MonthsForm -update.")
	case *update:
		if err := os.WriteFile(path, []byte(now), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("%s is not of the form that is written now: run go test ./api/dataset -run MonthsForm -update", path)
	}
}

// Columns are appended, never renamed or removed.
func TestColumnsAreKept(t *testing.T) {
	t.Parallel()
	const path = "testdata/columns.txt"
	kept, err := os.ReadFile(path)
	if err != nil && !*update {
		t.Fatal(err)
	}
	columns := map[string][]string{}
	for line := range strings.Lines(string(kept)) {
		table, names, _ := strings.Cut(strings.TrimSpace(line), ": ")
		columns[table] = strings.Split(names, " ")
	}
	var now strings.Builder
	for _, table := range dataset.Tables {
		var names []string
		for _, f := range table.Fields {
			names = append(names, f.Name)
		}
		old := columns[table.Name]
		if len(names) < len(old) || strings.Join(names[:len(old)], " ") != strings.Join(old, " ") {
			t.Errorf("the columns of %s begin no longer with the published ones: columns are appended, and nothing else",
				table.Name)
		}
		delete(columns, table.Name)
		now.WriteString(table.Name + ": " + strings.Join(names, " ") + "\n")
	}
	if len(columns) > 0 {
		t.Errorf("tables are gone: %v", columns)
	}
	if *update && !t.Failed() {
		if err := os.WriteFile(path, []byte(now.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if now.String() != string(kept) {
		t.Errorf("%s lacks new columns: run go test ./api/dataset -run Columns -update", path)
	}
}

func TestColumnsAreDocumented(t *testing.T) {
	t.Parallel()
	const path, end = "../../docs/data.md", "<!-- end of tables -->"
	const begin = "<!-- tables: written by go test ./api/dataset -run Documented -update -->\n"
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(text), begin)
	_, after, foundEnd := strings.Cut(rest, end)
	if !found || !foundEnd {
		t.Fatalf("%s has no place for the tables", path)
	}
	var tables strings.Builder
	for _, table := range dataset.Tables {
		tables.WriteString("\n## " + table.Name + "\n\n" + table.Description + " Key: " + strings.Join(table.Key,
			", ") + ".\n\n" + table.Markdown())
	}
	page := before + begin + tables.String() + "\n" + end + after
	if *update {
		if err := os.WriteFile(path, []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if page != string(text) {
		t.Errorf("%s is not what the tables declare: run go test ./api/dataset -run Documented -update", path)
	}
}
