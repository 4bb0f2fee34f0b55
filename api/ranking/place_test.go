package ranking

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"flashdex/api/catalogue"
	"flashdex/api/figure"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func interval(low, value, high float64) *Row {
	return &Row{Figures: figure.SetOf(map[string]figure.Figure{
		figure.RandWriteIOPS:        {Value: value, Low: &low, High: &high},
		figure.SeqWriteCliffPercent: {Value: value, Low: &low, High: &high},
		figure.RandWriteCVPercent:   {Value: value, Low: &low, High: &high},
	})}
}

// Worked out by hand: A is above all others. B and C overlap, and so do C and D, but not B and D. E has no interval.
func TestPlacesAreRangesWhereIntervalsOverlap(t *testing.T) {
	t.Parallel()
	e := &Row{Figures: figure.SetOf(map[string]figure.Figure{
		figure.SeqWriteCliffPercent: {Value: 5}, figure.RandWriteCVPercent: {Value: 5},
	})}
	noted := interval(1, 1e9, 1e10)
	noted.Note = "one lucky run"
	rows := []*Row{interval(900, 1000, 1100), noted, interval(300, 400, 500), interval(150, 250, 350),
		interval(100, 150, 200), e, {Reference: "a disk", Figures: e.Figures}}
	of := func(first, last int) Place { return Place{First: first, Last: last} }
	want := []Place{of(1, 1), {}, of(2, 3), of(2, 4), of(3, 4), of(5, 5), {}}
	if diff := cmp.Diff(want, first(Ranks(rows, figure.SeqWriteCliffPercent))); diff != "" {
		t.Errorf("places (-want +got):\n%s", diff)
	}
	want = []Place{of(5, 5), {}, of(3, 4), of(2, 4), of(2, 3), of(1, 1), {}} // of times the least is the best
	if diff := cmp.Diff(want, first(Ranks(rows, figure.RandWriteCVPercent))); diff != "" {
		t.Errorf("places by a time (-want +got):\n%s", diff)
	}
}

// The plain definition, row by row.
func TestPlacesCountTheRowsThatAreSurelyBetterAndWorse(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var rows []*Row
		for range rapid.IntRange(1, 20).Draw(t, "rows") {
			low := rapid.IntRange(0, 20).Draw(t, "low")
			rows = append(rows, interval(float64(low), float64(low), float64(low+rapid.IntRange(0, 5).Draw(t, "width"))))
		}
		for i, place := range first(Ranks(rows, figure.SeqWriteCliffPercent)) {
			better, worse := 0, 0
			for _, other := range rows {
				a, b := other.Figures.At(figure.SeqWriteCliffPercent), rows[i].Figures.At(figure.SeqWriteCliffPercent)
				if *a.Low > *b.High {
					better++
				}
				if *a.High < *b.Low {
					worse++
				}
			}
			if want := (Place{First: better + 1, Last: len(rows) - worse}); place != want {
				t.Fatalf("row %d is at %v, want %v", i, place, want)
			}
		}
	})
}

// measured makes the overview of modules whose contributors measured these rates in classes of hosts. All contributors
// are independent.
func measured(t *testing.T, key string, bus float64, modules map[string]map[string][]float64) *figure.Overview {
	t.Helper()
	s := &figure.Overview{}
	for slug, rates := range modules {
		var all []figure.Contribution
		for class, rates := range rates {
			for _, rate := range rates {
				u := figure.Unit{Method: "flashdex-1", HostClass: class, HostKind: class + "/-/-", Best: true, Runs: 1, Results: 1,
					Values: figure.Padded(nil), Errors: figure.Padded(nil), BusMBPerS: bus}
				u.Values[slices.Index(figure.FigureKeys, figure.RandWriteIOPS)] = 1
				u.Values[slices.Index(figure.FigureKeys, key)] = rate
				all = append(all, figure.Contribution{Contributor: len(all), Units: []figure.Unit{u}})
			}
		}
		s.Modules = append(s.Modules, catalogue.Module{Slug: slug, Product: slug})
		for _, sum := range figure.SummariesOf(slug, all, false) {
			if sum.Whole() {
				sum.Fit(nil, nil)
				sum.Independent, sum.Days = sum.Contributors, 2
			}
			s.Summaries = append(s.Summaries, sum)
		}
	}
	return s
}

// standings returns the places of rows by name, with "would" before a row that isn't ranked.
func standings(rows []*Row, key string) map[string]string {
	places, would := Ranks(rows, key)
	of := map[string]string{}
	for i, r := range rows {
		switch {
		case places[i].First > 0:
			of[r.Name()] = fmt.Sprint(places[i])
		case would[i].First > 0:
			of[r.Name()] = "would " + fmt.Sprint(would[i])
		}
	}
	return of
}

// Two modules that are 30 % apart may be in either order, but not one that is ten times as fast. For an unranked module
// the table says where it would stand, and it doesn't affect other places.
func TestPlacesAreRangesOfWhatNobodyCanTell(t *testing.T) {
	t.Parallel()
	in := func(rates ...float64) map[string][]float64 { return map[string][]float64{"pi-4": rates} }
	for _, key := range []string{figure.RandWriteIOPS, figure.RandWriteP99MS} {
		rows := Rows(measured(t, key, 0, map[string]map[string][]float64{
			"a": in(4000, 4100, 4200), "b": in(400, 410, 420), "c": in(300, 310, 320), "d": in(3000), "e": in(90000, 90000),
		}), &catalogue.Catalogue{})
		want := map[string]string{"a": "{1 1}", "b": "{2 3}", "c": "{2 3}", "d": "would {1 2}", "e": "would {1 1}"}
		if key == figure.RandWriteP99MS {
			want = map[string]string{"a": "{3 3}", "b": "{1 2}", "c": "{1 2}", "d": "would {3 4}", "e": "would {4 4}"}
		}
		if diff := cmp.Diff(want, standings(rows, key)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", key, diff)
		}
		alone := Rows(measured(t, key, 0, map[string]map[string][]float64{"d": in(3000), "e": in(90000)}),
			&catalogue.Catalogue{})
		if got := standings(alone, key); len(got) > 0 {
			t.Errorf("%s: %v have a place among none", key, got)
		}
	}
}

// A module that a bus held back is at least this fast, and not surely slower than any other.
func TestModulesThatHostsHeldBackAreSurelySlowerThanNone(t *testing.T) {
	t.Parallel()
	rows := Rows(measured(t, figure.SeqReadMBPerS, 25, map[string]map[string][]float64{
		"held back": {"pi-4": {23, 24, 22}}, "slow": {"pi-4": {5, 5.1, 5.2}},
	}), &catalogue.Catalogue{})
	rows = append(rows, Rows(measured(t, figure.SeqReadMBPerS, 400, map[string]map[string][]float64{
		"fast": {"usb-3": {90, 92, 94}},
	}), &catalogue.Catalogue{})...)
	want := map[string]string{"held back": "{1 2}", "fast": "{1 2}", "slow": "{3 3}"}
	if diff := cmp.Diff(want, standings(rows, figure.SeqReadMBPerS)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, r := range rows {
		f := r.Figures.At(figure.SeqReadMBPerS)
		if held := r.Name() == "held back"; f.AtLeast != held || f.HasInterval() == held {
			t.Errorf("%s: %+v", r.Name(), f)
		}
	}
}

// In a class of hosts, a linear rate is what was measured there; in other classes it is foretold.
func TestLinearRatesInAClassOfHosts(t *testing.T) {
	t.Parallel()
	s := measured(t, figure.SeqWriteMBPerS, 0, map[string]map[string][]float64{
		"both": {"pi-4": {19, 20, 21}, "usb-3": {60, 61, 62}}, "elsewhere": {"usb-3": {70, 71, 72}},
	})
	there := figure.Summary{ModuleSlug: "both", Method: "flashdex-1", HostClass: "pi-4", Contributors: 3,
		Figures: figure.SetOf(map[string]figure.Figure{figure.SeqWriteMBPerS: {Value: 20}})}
	s.Summaries = append(slices.DeleteFunc(s.Summaries, func(s figure.Summary) bool { return s.HostClass == "pi-4" }), there)
	for _, r := range RowsIn(s, "pi-4") {
		f, foretold := r.Figures.At(figure.SeqWriteMBPerS), r.Foretold(figure.SeqWriteMBPerS)
		if both := r.Name() == "both"; foretold == both || both && f.Value != 20 || !both && math.Abs(f.Value-71) > 1 {
			t.Errorf("%s: %+v, foretold: %v", r.Name(), f, foretold)
		}
	}
}

// In a class of hosts a module has the figure that was measured there, or else a figure foretold from other classes.
func TestFiguresInAClassOfHosts(t *testing.T) {
	t.Parallel()
	s := measured(t, figure.RandWriteIOPS, 0, map[string]map[string][]float64{
		"here": {"pi-4": {500, 510, 520}, "usb-3": {1000}}, "elsewhere": {"usb-3": {900, 920, 940}},
	})
	rows := RowsIn(s, "pi-4")
	if len(rows) != 2 {
		t.Fatalf("%d rows", len(rows))
	}
	for _, r := range rows {
		f := r.Figures.At(figure.RandWriteIOPS)
		if here := r.Name() == "here"; r.Foretold(figure.RandWriteIOPS) == here || here != (r.Note == "") ||
			here && math.Abs(f.Value-520) > 60 || !here && math.Abs(f.Value-920) > 60 || !f.HasInterval() {
			t.Errorf("%s: %+v, foretold %v, %q", r.Name(), f, r.Foretold(figure.RandWriteIOPS), r.Note)
		}
	}
	if places := standings(rows, figure.RandWriteIOPS); places["here"] != "{1 1}" || places["elsewhere"] != "would {1 2}" {
		t.Errorf("places %v", places)
	}
}

func first(places, _ []Place) []Place { return places }
