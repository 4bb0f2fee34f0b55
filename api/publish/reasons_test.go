package publish

import (
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/ranking"
	"flashdex/result"
)

// The figure at the head of a module's page says who measured it, how often, where and when, with the counts of its own
// summary.
func TestReasonsToBelieveAFigure(t *testing.T) {
	t.Parallel()
	snapshot, results := fixture(t)
	fresh := freshStart(t)
	measured, published := 0, 0
	for _, s := range []*site{fresh, newSite(t.TempDir(), snapshot, results, fresh.catalogue, fresh.questions)} {
		for _, m := range s.snapshot.Modules {
			p := s.module(m, &moduleResults{})
			if p.Speed == nil {
				continue
			}
			said := saidOf(p.Speed.Reasons)
			if len(p.Measured) > 0 && p.Measured[0].Method == p.Speed.Method {
				measured++
				f := p.Measured[0]
				runs, _, _ := strings.Cut(f.Spread[0].Behind, ",") // the ones that count
				if !strings.HasPrefix(said["Contributors"]+",", f.Contributors+",") ||
					!strings.HasPrefix(said["Units"], f.Units+" in "+runs) ||
					said["Dissent"] == "" || said["Time"] == "" || said["Hosts"] == "" {
					t.Errorf("%s: %q, want %s, %s, %s", m.Slug, said, f.Contributors, f.Units, runs)
				}
			} else {
				published++
				if said["Published"] == "" || said["Authors"] == "" || said["Dissent"] == "" {
					t.Errorf("%s: %q", m.Slug, said)
				}
			}
		}
	}
	if measured < 20 || published < 100 {
		t.Errorf("%d figures were measured, %d published", measured, published)
	}
}

// The figures of a page's tables have reasons of their own, with the numbers and the unit of the table. Each measured
// figure has them, and the published figures of one metric have them together. The head isn't repeated.
func TestReasonsStandBehindEachFigure(t *testing.T) {
	t.Parallel()
	snapshot, results := fixture(t)
	fresh := freshStart(t)
	s := newSite(t.TempDir(), snapshot, results, fresh.catalogue, fresh.questions)
	measured, published := 0, 0
	for _, m := range s.snapshot.Modules {
		of, err := s.readResults(t.Context(), []string{m.Slug})
		if err != nil {
			t.Fatal(err)
		}
		p := s.module(m, of[m.Slug])
		at, _, known := s.headFigure(m.Slug)
		heads := func(f *methodFigures, key string) bool {
			return known && key == figure.RandWriteIOPS && f.methodID == s.placed[m.Slug][at].method.ID
		}
		for _, f := range p.Measured {
			left := f.Why
			for _, key := range figure.KeyFigures {
				column := ranking.ColumnOf(key)
				row := slices.IndexFunc(f.Spread, func(r spreadRow) bool { return r.Label == column.Label })
				if row < 0 || heads(f, key) || !f.HasSpeed {
					continue
				}
				if len(left) == 0 {
					t.Fatalf("%s: nothing stands behind %s", m.Slug, key)
				}
				r, why := f.Spread[row], left[0]
				left = left[1:]
				if want := figure.MetricOf(key).Name + ", " + r.Value + " " + r.Unit; why.Figure != want {
					t.Errorf("%s: reasons of %q, want %q", m.Slug, why.Figure, want)
				}
				runs, _, _ := strings.Cut(r.Behind, ",")
				units := r.N + " units in " + runs
				if r.N == "1" {
					units = "1 unit in " + runs
				}
				if r.Range != "" {
					least, greatest, _ := strings.Cut(r.Range, "–")
					units += ": " + span(least, greatest) + " " + r.Unit
				}
				if u := why.Reasons[1]; u.Label != "Units" || u.Text != units || u.Dots != r.Dots {
					t.Errorf("%s: %+v, want %q as in %+v", m.Slug, u, units, r)
				}
				measured++
			}
			if len(left) > 0 {
				t.Errorf("%s: more reasons than figures: %+v", m.Slug, left)
			}
		}
		var want, got []string
		for i, key := range figure.MainFigures {
			cell := func(f *methodFigures) bool { return f.Cells[i].Value != "" }
			if slices.ContainsFunc(p.Published, cell) &&
				!slices.ContainsFunc(p.Published, func(f *methodFigures) bool { return heads(f, key) }) {
				want = append(want, figure.MetricOf(key).Name+" "+figure.MetricOf(key).Unit)
			}
		}
		for _, why := range p.WhyPublished {
			name, value, _ := strings.Cut(why.Figure, ", ")
			got = append(got, name+value[strings.LastIndexByte(value, ' '):])
		}
		if published += len(got); !slices.Equal(got, want) {
			t.Errorf("%s: reasons of published %q, want %q", m.Slug, got, want)
		}
	}
	if measured < 150 || published < 60 {
		t.Errorf("%d figures were measured, %d published", measured, published)
	}
}

// saidOf returns the first text of each label among reasons.
func saidOf(reasons []reason) map[string]string {
	said := map[string]string{}
	for _, r := range reasons {
		if _, known := said[r.Label]; !known {
			said[r.Label] = r.Text
		}
	}
	return said
}

// Each text is worked out by hand, for uploads of three people, one of whom sent no reads.
func TestReasonsOfWhatSeveralPeopleMeasured(t *testing.T) {
	t.Parallel()
	fresh := freshStart(t)
	const slug = "samsung-evo-plus-32gb-microsd"
	m, _ := fresh.catalogue.Module(slug)
	sum := figure.Summary{
		ModuleSlug: slug, Method: result.MethodFlashdex1, Units: 4, Contributors: 3, Independent: 3, Days: 2, Boards: 2,
		Results: 6, FirstAt: time.Date(2026, 10, 1, 0, 0, 0, 0, time.UTC),
		NewestAt: time.Date(2026, 11, 2, 0, 0, 0, 0, time.UTC),
		Groups: []figure.TwoGroups{{Figure: figure.RandReadIOPS, Slower: figure.Group{Value: 800, Contributors: 3},
			Faster: figure.Group{Value: 2400, Contributors: 4}}},
		Figures: figure.SetOf(map[string]figure.Figure{
			figure.RandWriteIOPS:          {Value: 500, Min: 400, Max: 600, N: 4, Runs: 6, Contributors: 3},
			figure.RandReadIOPS:           {Value: 1600, Min: 800, Max: 2400, N: 3, Runs: 5, Contributors: 2},
			figure.SeqReadMBPerS:          {Value: 40, Min: 20, Max: 80, N: 4, Runs: 6, Contributors: 3, AtLeast: true},
			figure.RandWriteP99MS:         {Value: 2.5, Min: 2.45, Max: 2.5, N: 4, Runs: 6, Contributors: 3},
			figure.RandWriteLongest1000MS: {Value: 90, N: 1, Runs: 1, Contributors: 1},
		}),
	}
	snapshot := &figure.Overview{Modules: fresh.snapshot.Modules, Published: []catalogue.Published{
		{Source: "a", ModuleSlug: slug, Method: "fio-qd64", Test: result.RandRead, BlockBytes: 4096, IOPS: new(1000.0),
			OfUnit: "A", Date: "2019"},
	}, Summaries: []figure.Summary{sum}, Calibrations: new(figure.Calibrations)}
	s := newSite(t.TempDir(), snapshot, uploads{}, fresh.catalogue, fresh.questions)
	units := make([]figure.Unit, 4)
	for i := range units {
		units[i].Values = figure.Set{}.Values()
		units[i].Values[slices.Index(figure.FigureKeys, figure.SeqReadMBPerS)] = 20 * float64(i+1)
	}
	p := s.module(m, &moduleResults{units: map[string][]figure.Unit{result.MethodFlashdex1: units}})
	const three, time = "3 contributors, 3 of them independent, on 2 days", "2026-10-01 to 2026-11-02"
	want := []why{
		{"4K random read, 1,600 IOPS", []reason{
			{"Contributors", "2 of 3 contributors", "measured", ""},
			{"Units", "3 units in 5 results: 800 to 2,400 IOPS", "measured", ""},
			{"Hosts", "2 models, of all 4 units", "measured", ""}, {"Time", time, "results", ""},
			{"Dissent", "4K random read falls into two groups: around 800 IOPS (3 contributors) and around 2,400 IOPS (4).",
				"measured", ""},
			{"Published", "1 figure from 1 source: 1,000 IOPS", "published", ""}, {"Published in", "2019", "published", ""},
		}},
		{"linear read, ≥\u00a040 MB/s", []reason{
			{"Contributors", three, "measured", ""},
			{"Units", "4 units in 6 results: 20 to 80 MB/s", "measured",
				`<circle cx="4.0%" cy="5" r="3"/><circle cx="34.7%" cy="5" r="3"/><circle cx="65.3%" cy="5" r="3"/>` +
					`<circle cx="96.0%" cy="5" r="3"/>`},
			{"Hosts", "2 models", "measured", ""}, {"Time", time, "results", ""},
			{"Dissent", "units differ up to 4 times; hosts may be why", "measured", ""},
		}},
		{"99th percentile of 4K random write, 2.5 ms", []reason{
			{"Contributors", three, "measured", ""}, {"Units", "4 units in 6 results: 2.45 to 2.5 ms", "measured", ""},
			{"Hosts", "2 models", "measured", ""}, {"Time", time, "results", ""},
			{"Dissent", "units agree within 5 %", "measured", ""},
		}},
		{"longest of 1,000 4K random writes, 90 ms", []reason{
			{"Contributors", "1 of 3 contributors", "measured", ""},
			{"Units", "1 unit in 1 result", "measured", ""}, {"Hosts", "2 models, of all 4 units", "measured", ""},
			{"Time", time, "results", ""}, {"Dissent", "one unit shows none", "measured", ""},
		}},
	}
	if diff := gocmp.Diff(want, p.Measured[0].Why); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if said := saidOf(p.Speed.Reasons); said["Units"] != "4 units in 6 results: 400 to 600 IOPS" ||
		said["Dissent"] != "too few contributors to tell" || said["Published"] != "" {
		t.Errorf("the head says %q", said)
	}
	sum.Contributors, sum.Independent, sum.Days = 1, 1, 1
	sum.Figures = figure.SetOf(map[string]figure.Figure{
		figure.RandWriteIOPS: {Value: 500, N: 1, Runs: 1, Contributors: 1}})
	snapshot.Summaries = []figure.Summary{sum}
	s = newSite(t.TempDir(), snapshot, uploads{}, fresh.catalogue, fresh.questions)
	if said := saidOf(s.module(m, &moduleResults{}).Speed.Reasons); said["Contributors"] != "1 contributor" {
		t.Errorf("of one contributor, the head says %q", said)
	}
}

// dissent names a cause only if the model has one. It says that nobody disagrees only if that was looked for.
func TestDissent(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		key                       string
		min, max                  float64
		contributors, independent int
		want                      string
	}{
		"one unit":              {figure.RandWriteIOPS, 0, 0, 1, 1, "one unit shows none"},
		"one unit of many":      {figure.RandWriteIOPS, 0, 0, 1, 8, "one unit shows none"},
		"two contributors":      {figure.RandReadIOPS, 100, 900, 2, 2, "too few contributors to tell"},
		"seven":                 {figure.RandWriteIOPS, 100, 900, 7, 7, "too few contributors to tell"},
		"eight":                 {figure.RandWriteIOPS, 100, 900, 8, 3, "no two groups disagree"},
		"eight, perhaps of one": {figure.RandWriteIOPS, 100, 900, 8, 2, "too few contributors to tell"},
		"a linear rate":         {figure.SeqReadMBPerS, 20, 80, 9, 9, "units differ up to 4 times; hosts may be why"},
		"equal linear rates":    {figure.SeqReadMBPerS, 80, 81, 9, 9, "units agree within 5 %"},
		"a latency":             {figure.RandWriteP99MS, 2, 154, 9, 9, "units differ up to 77 times"},
		"equal latencies":       {figure.RandWriteLongest1000MS, 2, 2, 9, 9, "units agree within 5 %"},
	} {
		sum := figure.Summary{Independent: c.independent, Figures: figure.SetOf(map[string]figure.Figure{
			c.key: {Value: 500, Min: c.min, Max: c.max, Contributors: c.contributors}})}
		if got := dissent(&sum, c.key); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	// The search for groups uses the same numbers.
	for n := range 12 {
		of := make([]figure.Contributed, n)
		for i := range of {
			value := []float64{100, 900}[i%2]
			of[i] = figure.Contributed{First: figure.Arrival{At: time.Date(2026, 10, 1+i, 0, 0, 0, 0, time.UTC)},
				Values: []float64{value, value}}
		}
		if _, ok := figure.Divide(of, 0); ok != (n >= dividedFrom) {
			t.Errorf("two groups among %d contributors: %v", n, ok)
		}
	}
}
