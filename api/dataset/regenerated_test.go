package dataset_test

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"flashdex/api/catalogue"
	"flashdex/api/dataset"
	"flashdex/api/figure"
	"flashdex/data"

	gocmp "github.com/google/go-cmp/cmp"
)

// csvTable reads a CSV file of data/ as rows by column name. line is the row's in its file.
func csvTable(t *testing.T, name string) (rows []map[string]string) {
	t.Helper()
	f, err := data.FS.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := csv.NewReader(f)
	head, err := r.Read()
	for err == nil {
		var fields []string
		if fields, err = r.Read(); err == nil {
			line, _ := r.FieldPos(0)
			row := map[string]string{"line": strconv.Itoa(line)}
			for i, column := range head {
				row[column] = fields[i]
			}
			rows = append(rows, row)
		}
	}
	return rows
}

// printedRow is a row of published/ with what other tables of data/ say about it. All of it is worked out here a second
// time.
type printedRow struct {
	raw, tool                 map[string]string
	quality, unit, conditions string
	restated                  bool
	value, iops, ms           float64 // MB/s of linear rates; IOPS; milliseconds of times
	has                       bool    // a rate
}

// rePlaceholder matches what stands in place of an unknown author's name.
var rePlaceholder = regexp.MustCompile(`^(anonymous$|authors? (not|of)\b|reporters of\b|users of\b)`)

func printedRows(t *testing.T) (rows []printedRow) {
	t.Helper()
	sources := map[string]map[string]string{}
	for _, s := range csvTable(t, "sources.csv") {
		sources[s["source_key"]] = s
	}
	tools, notes := csvTable(t, "tool_methods.csv"), csvTable(t, "published_notes.csv")
	files, err := fs.Glob(data.FS, "published/*.csv")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		key := strings.TrimSuffix(path.Base(name), ".csv")
		open := map[string][]string{} // units of rows that nothing restates yet, by everything else
		for _, raw := range csvTable(t, name) {
			p := printedRow{raw: raw, quality: sources[key]["quality"]}
			for _, tool := range tools {
				if p.tool == nil && tool["source_key"] == key && tool["tool"] == raw["tool"] &&
					strings.Contains(raw["note"], tool["note_contains"]) &&
					strings.Contains(strings.ReplaceAll(raw["metric"], "_", "-"), strings.ReplaceAll(tool["metric_contains"], "_", "-")) {
					p.tool = tool
				}
			}
			text := raw["product"] + ", " + raw["host"] + ", " + raw["tool"] + ", " + raw["note"]
			said := ""
			for _, n := range notes {
				if n["source_key"] == key && strings.Contains(text, n["contains"]) {
					p.quality, p.unit, said = cmp.Or(n["quality"], p.quality), cmp.Or(p.unit, n["unit"]), said+n["condition"]
				}
			}
			p.conditions = p.tool["queue_depth"] + "|" + raw["host"] + "|" + raw["test_size_mb"] + "|" + raw["tool"] + "|" + said
			by := cmp.Or(p.tool["measured_by"], sources[key]["author"], key)
			if rePlaceholder.MatchString(by) { // another person in each source
				by = key
			}
			p.unit = by + "|" + p.unit
			same := fmt.Sprint(raw["vendor"], "|", raw["product"], "|", raw["capacity_gb"], "|", raw["form_factor"], "|",
				raw["speed_class_text"], "|", p.conditions, "|", raw["record_kb"], "|", raw["metric"], "|", raw["date"], "|", raw["note"])
			if i := slices.IndexFunc(open[same], func(u string) bool { return u != raw["unit"] }); i >= 0 {
				p.restated, open[same] = true, slices.Delete(open[same], i, i+1)
			} else {
				open[same] = append(open[same], raw["unit"])
			}
			number := func(in map[string]string, column string) float64 {
				v, _ := strconv.ParseFloat(in[column], 64)
				return v
			}
			bytes := map[string]float64{"IOPS": 1024 * number(raw, "record_kb"), "KB/s": number(p.tool, "kb_bytes"),
				"MB/s": number(p.tool, "mb_bytes")}[raw["unit"]] * number(raw, "value") // per second
			p.value, p.has = bytes/1e6, bytes > 0
			p.ms = map[string]float64{"s": 1000, "ms": 1, "us": 0.001}[raw["unit"]] * number(raw, "value")
			if raw["unit"] == "IOPS" {
				p.iops = number(raw, "value")
			} else if block := 1024 * number(raw, "record_kb"); block > 0 {
				p.iops = bytes / block
			}
			rows = append(rows, p)
		}
	}
	return rows
}

// near reports whether text is want to at least digits digits, without digits that only binary fractions cause.
func near(text string, want float64, digits int) bool {
	got, err := strconv.ParseFloat(text, 64)
	return err == nil && math.Abs(got-want) <= 0.51*math.Pow10(1-digits)*math.Abs(want) && len(text) <= 14
}

// This test works out every row of the table published, and every figure of a published method, again from the CSV
// files of data/, by other code than the server's. make check runs it: there must be no difference.
func TestPublishedFiguresAreRegeneratedFromTheCSVs(t *testing.T) {
	t.Parallel()
	c, err := catalogue.Load(data.FS)
	if err != nil {
		t.Fatal(err)
	}
	s := &figure.Overview{Modules: c.Modules, Published: c.Published, Calibrations: new(figure.Calibrations)}
	rows := printedRows(t)

	type cell struct{ module, method, figure string }
	type evidence struct {
		distance              float64
		values                []float64
		kinds, units, sources map[string]bool
	}
	cellsOf := map[cell]*evidence{}
	n, times, modules := 0, 0, map[string]bool{}
	if err := dataset.EachPublished(s, c, func(f *dataset.PublishedFigure) error {
		got, p := cells(t, dataset.Published, *f), rows[n]
		n++
		if f.ModuleSlug != "" { // not a reference device
			modules[f.ModuleSlug] = true
		}
		if p.ms > 0 {
			times++
		}
		at := p.raw["source_key"] + ":" + p.raw["line"]
		random := strings.HasPrefix(p.raw["metric"], "rand_")
		switch {
		case got["source"]+":"+got["source_line"] != at:
			t.Fatalf("row %d is of %s:%s, want %s", n, got["source"], got["source_line"], at)
		case got["method"] != p.tool["method"] || got["quality"] != p.quality || (got["restates"] != "") != p.restated:
			t.Errorf("%s: method %s, quality %s, restates %q; want %s, %s, %t", at, got["method"], got["quality"],
				got["restates"], p.tool["method"], p.quality, p.restated)
		case p.has && !near(got["mb_per_s"], p.value, 9) || !p.has && got["mb_per_s"] != "" && got["mb_per_s"] != "0":
			t.Errorf("%s: %s MB/s, want %v", at, got["mb_per_s"], p.value)
		case p.has && (random || p.raw["unit"] == "IOPS") && p.iops > 0 && !near(got["iops"], p.iops, 9):
			t.Errorf("%s: %s IOPS, want %v", at, got["iops"], p.iops)
		case p.ms > 0 && !near(got["ms"], p.ms, 9) || p.ms == 0 && got["ms"] != "" && got["ms"] != "0":
			t.Errorf("%s: %s ms, want %v", at, got["ms"], p.ms)
		case got["as_printed"] != strings.TrimSpace(p.raw["value"]+" "+p.raw["unit"]):
			t.Errorf("%s: printed %q", at, got["as_printed"])
		}
		if p.restated || p.quality == "C" || f.ModuleSlug == "" {
			return nil
		}
		kib, _ := strconv.ParseFloat(p.raw["record_kb"], 64)
		of, value, distance := cell{f.ModuleSlug, p.tool["method"], ""}, p.value, 0.0
		switch metric := p.raw["metric"]; {
		case metric == "rand_write" && kib == 4, metric == "rand_read" && kib == 4:
			of.figure, value = metric+"_iops", p.iops
		case metric == "seq_write", metric == "seq_read":
			buffered := slices.Contains([]string{"dd", "dd-buffered", "hdparm", "h2testw", "f3"}, p.tool["method"])
			if kib > 0 && kib < 512 && !buffered {
				return nil
			}
			if of.figure = metric + "_mb_per_s"; kib > 0 && !buffered {
				distance = math.Abs(kib - 1024)
			}
		default:
			return nil
		}
		if !p.has {
			return nil
		}
		e := cellsOf[of]
		if e == nil || distance < e.distance {
			e = &evidence{distance: distance, kinds: map[string]bool{}, units: map[string]bool{},
				sources: map[string]bool{}}
			cellsOf[of] = e
		}
		if distance == e.distance {
			e.values, e.kinds[p.conditions], e.units[p.unit] = append(e.values, value), true, true
			e.sources[p.raw["source_key"]] = true
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if n != len(rows) || n < 5200 || times < 600 {
		t.Errorf("%d rows of the table, %d of the files, want the same, and at least 5,200; %d times, want at least 600", n,
			len(rows), times)
	}

	figures := 0
	if err := dataset.EachFigure(s, c, func(f *dataset.Figure) error {
		if f.Reference != "" && len(f.Sources) == 0 {
			t.Errorf("%s is a yardstick, which nobody measured by %s", f.Reference, f.Method)
		}
		if f.Reference != "" || f.Method == catalogue.MethodExpected || len(f.Sources) == 0 {
			return nil
		}
		got := cells(t, dataset.Figures, *f)
		for key, measured := range f.Figures.All() {
			of := cell{f.Module.Slug, f.Method, key}
			e := cellsOf[of]
			delete(cellsOf, of)
			if figures++; e == nil {
				t.Errorf("%v is in no CSV file", of)
				continue
			}
			slices.Sort(e.values)
			least, greatest := e.values[0], e.values[len(e.values)-1]
			middle := (e.values[(len(e.values)-1)/2] + e.values[len(e.values)/2]) / 2
			one := len(e.kinds) == 1 || least == greatest
			if one && !(near(got[key], middle, 6) && got[key+"_low"] == "") ||
				!one && !(got[key] == "" && near(got[key+"_low"], least, 6) && near(got[key+"_high"], greatest, 6)) {
				t.Errorf("%v is %s (%s to %s), want the middle of %v, or its ends: %d kinds", of, got[key], got[key+"_low"],
					got[key+"_high"], e.values, len(e.kinds))
			}
			if measured.N != len(e.units) || got[key+"_published_n"] != strconv.Itoa(len(e.units)) {
				t.Errorf("%v has n %d and %s, want %d units", of, measured.N, got[key+"_published_n"], len(e.units))
			}
			sources := strings.Join(slices.Sorted(maps.Keys(e.sources)), " ")
			said := strings.Fields(got[key+"_published_sources"])
			slices.Sort(said)
			if !near(got[key+"_published_least"], least, 6) || !near(got[key+"_published_greatest"], greatest, 6) ||
				strings.Join(said, " ") != sources {
				t.Errorf("%v is %s to %s by %q, want %v to %v by %s", of, got[key+"_published_least"],
					got[key+"_published_greatest"], said, least, greatest, sources)
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	for of := range cellsOf {
		t.Errorf("%v has evidence in the CSV files, and no figure", of)
	}
	t.Logf("%d rows of %d modules and %d figures, no difference otherwise", n, len(modules), figures)
	if figures < 400 || len(modules) < 280 {
		t.Errorf("%d modules and %d figures: this tests too little", len(modules), figures)
	}
}

// The table rated has every promised figure of modules/ as it was typed there, and no other figures.
func TestRatedFiguresAreRegeneratedFromTheModules(t *testing.T) {
	t.Parallel()
	c, err := catalogue.Load(data.FS)
	if err != nil {
		t.Fatal(err)
	}
	files, err := fs.Glob(data.FS, "modules/*.json")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{} // by module, figure and source
	for _, name := range files {
		text, err := fs.ReadFile(data.FS, name)
		if err != nil {
			t.Fatal(err)
		}
		var vendor struct {
			Modules []struct {
				Slug  string
				Read  json.Number `json:"rated_read_mb_per_s"`
				Write json.Number `json:"rated_write_mb_per_s"`
				Rated []struct {
					Source  string
					Figures map[string]json.Number
				}
			}
		}
		if err := json.Unmarshal(text, &vendor); err != nil {
			t.Fatal(err)
		}
		for _, m := range vendor.Modules {
			for _, rated := range m.Rated {
				for key, value := range rated.Figures {
					want[m.Slug+" "+key+" "+rated.Source] = value.String()
				}
			}
			if m.Read != "" {
				want[m.Slug+" seq_read_mb_per_s printed"] = m.Read.String()
			}
			if m.Write != "" {
				want[m.Slug+" seq_write_mb_per_s printed"] = m.Write.String()
			}
		}
	}
	got := map[string]string{}
	if err := dataset.EachRated(&figure.Overview{Modules: c.Modules}, c, func(r *dataset.RatedFigure) error {
		row := cells(t, dataset.Rated, *r)
		got[row["module"]+" "+row["figure"]+" "+row["source"]] = row["rated"]
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if diff := gocmp.Diff(want, got); diff != "" || len(want) < 30 {
		t.Errorf("%d figures (-want +got):\n%s", len(want), diff)
	}
}
