package ranking

import (
	"slices"
	"strings"
	"testing"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/figure/question"
	"flashdex/data"
)

// publishedOverview holds everything published and no upload.
func publishedOverview(t *testing.T) (*figure.Overview, *catalogue.Catalogue) {
	t.Helper()
	c, err := catalogue.Load(data.FS)
	if err != nil {
		t.Fatal(err)
	}
	return &figure.Overview{Modules: c.Modules, Published: c.Published}, c
}

// byMethod sorts rows by a metric, for each method.
func byMethod(rows []*Row, key string) map[string][]*Row {
	of := map[string][]*Row{}
	for _, r := range rows {
		of[r.Method] = append(of[r.Method], r)
	}
	for _, rows := range of {
		Sort(rows, key)
	}
	return of
}

// No published figure has a place, and nothing is in the middle of figures that measured different things: only one kind
// of measurement has a median.
func TestPublishedFiguresHaveNoMiddleOfDifferentThings(t *testing.T) {
	t.Parallel()
	s, c := publishedOverview(t)
	cells, several := 0, 0
	for method, rows := range byMethod(Rows(s, c), figure.RandWriteIOPS) {
		if method == catalogue.MethodExpected {
			continue
		}
		places := first(Ranks(rows, figure.RandWriteIOPS))
		for i, r := range rows {
			if places[i] != (Place{}) {
				t.Errorf("%s by %s has the place %v", r.Name(), method, places[i])
			}
			for key, f := range r.Figures {
				if r.Reference != "" {
					continue
				}
				kinds, values := map[string]bool{}, []float64{}
				for _, p := range s.Published {
					k, value, _ := figure.PublishedFigure(&p)
					if k == key && value != nil && p.ModuleSlug == r.Module.Slug && p.Method == method {
						kinds[p.Kind+p.Tool] = true
						values = append(values, *value)
					}
				}
				if cells++; f.To > 0 {
					several++
				}
				if f.HasInterval() || f.N > len(values) || len(kinds) == 1 && f.To != 0 ||
					f.To > 0 && !(slices.Contains(values, f.Value) && slices.Contains(values, f.To) && f.Value < f.To) {
					t.Errorf("%s of %s by %s: %+v of %v in %d kinds", key, r.Name(), method, f, values, len(kinds))
				}
			}
		}
	}
	if cells < 200 || several < 20 {
		t.Errorf("%d cells, %d of them of different things", cells, several)
	}
}

// Worked out by hand from the tables of the sources.
func TestCellsOfPublishedFigures(t *testing.T) {
	t.Parallel()
	s, c := publishedOverview(t)
	got := figuresOf(Rows(s, c))
	for of, want := range map[string]string{
		// Command queueing on and off: their median was 2,074, which nobody measured.
		"SanDisk Extreme 64 GB microSD fio-qd32 rand_write_iops": "1140.75 to 3066.5 of 6",
		// One card in a Pi 2 and a Pi 4, the same or another one in a Pi 4 again, two of other people.
		"Samsung EVO Plus 32 GB microSD iozone-direct rand_write_iops": "161.28 to 985.6 of 5",
		// What the source prints in IOPS, too, counts once.
		"Corsair Padlock 2 16 GB USB crystaldiskmark rand_read_iops": "1163.818359375 of 1",
		// Three rounds in each of two hosts.
		"SanDisk Ultra 128 GB microSD dd-direct seq_write_mb_per_s": "6.7 to 23.6 of 6",
	} {
		if got[of] != want {
			t.Errorf("%s is %q, want %q", of, got[of], want)
		}
	}
}

// No question is answered by what lies between figures of different things.
func TestFiguresOfDifferentThingsAnswerNoQuestion(t *testing.T) {
	t.Parallel()
	questions, err := question.Load(data.FS)
	if err != nil {
		t.Fatal(err)
	}
	figures := figure.Set{}
	for _, key := range figure.KeyFigures {
		figures[key] = figure.Figure{Value: 100, To: 200, N: 2}
	}
	for _, q := range questions {
		row := &Row{Module: catalogue.Module{Slug: "a", Form: q.Forms[0]}, Figures: figures, Sources: []string{"source"},
			Prices: []figure.PriceMedian{{Amount: 10, Currency: "EUR", N: 1}}}
		for _, a := range Answers(q, []*Row{row}) {
			if !strings.HasSuffix(a.LeftOut, "measured different things") {
				t.Errorf("%s: %v, %q", q.Key, a.Score, a.LeftOut)
			}
		}
	}
}
