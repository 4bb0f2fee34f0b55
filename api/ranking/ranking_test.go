package ranking

import (
	"fmt"
	"testing"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/result"

	"github.com/google/go-cmp/cmp"
)

func published(module, method, test string, blockBytes int64, value float64) catalogue.Published {
	p := catalogue.Published{Source: "source", ModuleSlug: module, Method: method, Test: test, BlockBytes: blockBytes}
	if test == result.RandWrite || test == result.RandRead {
		p.IOPS = &value
	} else {
		p.MBPerS = &value
	}
	return p
}

// figuresOf maps "module method key" to the shown value and the number of rows behind it.
func figuresOf(rows []*Row) map[string]string {
	figures := map[string]string{}
	for _, r := range rows {
		for key, f := range r.Figures.All() {
			value := fmt.Sprintf("%g", f.Value)
			if f.To > 0 {
				value += fmt.Sprintf(" to %g", f.To)
			}
			figures[r.Name()+" "+r.Method+" "+key] = fmt.Sprintf("%s of %d", value, f.N)
		}
	}
	return figures
}

func TestPublishedFiguresOfOneModule(t *testing.T) {
	t.Parallel()
	rows := Rows(&figure.Overview{
		Modules: []catalogue.Module{{Slug: "a", Product: "A"}},
		Published: []catalogue.Published{
			published("a", "iozone-direct", result.RandWrite, 4096, 10),
			published("a", "iozone-direct", result.RandWrite, 4096, 20),
			published("a", "iozone-direct", result.RandWrite, 4096, 60),
			published("a", "iozone-direct", result.RandWrite, 16384, 999), // another size is another figure
			published("a", "fio-qd32", result.RandWrite, 4096, 500),       // another method is another row
			published("a", "iozone-direct", result.SeqWrite, 4096, 1),     // 4 KiB at a time is not linear transfer
			published("a", "iozone-direct", result.SeqWrite, 16<<20, 30),
			published("a", "iozone-direct", result.SeqWrite, 1<<20, 25), // nearest to 1 MiB wins
			published("a", "dd", result.SeqWrite, 8192, 18),             // dd's block is only a buffer
		},
	}, &catalogue.Catalogue{})
	want := map[string]string{
		"A iozone-direct rand_write_iops":    "20 of 1",
		"A iozone-direct seq_write_mb_per_s": "25 of 1",
		"A fio-qd32 rand_write_iops":         "500 of 1",
		"A dd seq_write_mb_per_s":            "18 of 1",
	}
	if diff := cmp.Diff(want, figuresOf(rows)); diff != "" {
		t.Errorf("figures (-want +got):\n%s", diff)
	}
}

func TestUploadsAreShownButRankedOnlyWithEnoughContributors(t *testing.T) {
	t.Parallel()
	in := func(rates ...float64) map[string][]float64 { return map[string][]float64{"pi-5": rates} }
	s := measured(t, figure.RandWriteIOPS, 0, map[string]map[string][]float64{
		"A": in(100, 100, 100), "B": in(900, 900), "C": in(300, 300, 300), "E": in(100, 100, 100, 100),
		"F": in(90, 90, 90), "G": in(80, 80, 80),
	})
	for i := range s.Summaries {
		switch sum := &s.Summaries[i]; sum.ModuleSlug {
		case "F":
			sum.Independent = 1
		case "G":
			sum.Days = 1
		}
	}
	s.Modules = append(s.Modules, catalogue.Module{Slug: "D", Product: "D"})
	s.Summaries = append(s.Summaries, figure.Summary{ModuleSlug: "D", Method: result.MethodFlashdex1, Results: 2,
		Figures: figure.Set{}, NotRanked: []string{"the test area is not 256 MiB"}})
	rows := Rows(s, &catalogue.Catalogue{})
	Sort(rows, figure.RandWriteIOPS)
	var got []string
	for i, place := range first(Ranks(rows, figure.RandWriteIOPS)) {
		got = append(got, fmt.Sprintf("%s %.0f rank %d to %d: %s", rows[i].Name(),
			rows[i].Figures.At(figure.RandWriteIOPS).Value, place.First, place.Last, rows[i].Note))
	}
	want := []string{
		"B 900 rank 0 to 0: listed, not ranked yet: 2 of the 3 independent contributors it takes",
		"C 300 rank 1 to 1: ",
		"A 100 rank 2 to 3: ",
		"E 100 rank 2 to 3: ",
		"F 90 rank 0 to 0: listed, not ranked yet: 1 of the 3 independent contributors it takes",
		"G 80 rank 0 to 0: listed, not ranked yet: all results are of one day, and it takes 2",
		"D 0 rank 0 to 0: not ranked: the test area is not 256 MiB",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("ranking (-want +got):\n%s", diff)
	}
	missing := map[string]Missing{}
	for _, r := range rows {
		if missing[r.Name()] = r.Missing; (r.Missing == Missing{}) != (r.Note == "") {
			t.Errorf("%s lacks %+v, and its note is %q", r.Name(), r.Missing, r.Note)
		}
	}
	lacks := map[string]Missing{"A": {}, "B": {Contributors: 1}, "C": {}, "D": {Contributors: 3, OtherDay: true}, "E": {},
		"F": {Contributors: 2}, "G": {Contributors: 1, OtherDay: true}}
	if diff := cmp.Diff(lacks, missing); diff != "" {
		t.Errorf("missing (-want +got):\n%s", diff)
	}
}

func TestRowsInOneClassOfHosts(t *testing.T) {
	t.Parallel()
	there := figure.Summary{ModuleSlug: "a", Method: result.MethodFlashdex1, HostClass: "pi-5", Contributors: 3,
		Figures: figure.SetOf(map[string]figure.Figure{figure.RandWriteIOPS: {Value: 7}})}
	whole, empty := there, there
	whole.Independent, whole.Days = 3, 2
	whole.HostClass, empty.ModuleSlug, empty.Figures = "", "b", figure.Set{}
	empty.HostClass = "pi-4"
	snapshot := &figure.Overview{Modules: []catalogue.Module{{Slug: "a", Product: "A"}},
		Summaries: []figure.Summary{whole, there, empty}}
	if classes := HostClasses(snapshot); len(classes) != 1 || classes[0].Key != "pi-5" {
		t.Errorf("rows in %v, want them in Pi 5 alone", classes)
	}
	rows := RowsIn(snapshot, "pi-5")
	if len(rows) != 1 || rows[0].Name() != "A" || rows[0].Note != "" ||
		rows[0].Figures.At(figure.RandWriteIOPS).Value != 7 {
		t.Errorf("rows %+v", rows)
	}
}

// A measured module without a cliff is the best one by the cliff. A module whose linear writes nobody measured is
// unknown.
func TestNoCliffIsBetterThanAnyCliff(t *testing.T) {
	t.Parallel()
	row := func(name string, figures map[string]float64) *Row {
		r := &Row{Module: catalogue.Module{Slug: name, Product: name}, Figures: figure.Set{}}
		for key, v := range figures {
			r.Figures.Put(key, figure.Figure{Value: v})
		}
		return r
	}
	rows := []*Row{
		row("unknown", map[string]float64{figure.SeqWriteMBPerS: 9}),
		row("early", map[string]float64{figure.SeqWriteCliffMB: 10, figure.SeqWriteCliffPercent: 50}),
		row("none", map[string]float64{figure.SeqWriteCliffPercent: 100}),
		row("late", map[string]float64{figure.SeqWriteCliffMB: 300, figure.SeqWriteCliffPercent: 50}),
		row("none either", map[string]float64{figure.SeqWriteCliffPercent: 100}),
	}
	Sort(rows, figure.SeqWriteCliffMB)
	var got []string
	for i, place := range first(Ranks(rows, figure.SeqWriteCliffMB)) {
		got = append(got, fmt.Sprint(rows[i].Name(), place))
	}
	if diff := cmp.Diff([]string{"none{1 2}", "none either{1 2}", "late{3 3}", "early{4 4}", "unknown{0 0}"},
		got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
