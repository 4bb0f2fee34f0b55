package ranking

import (
	"fmt"
	"testing"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/figure/question"
	"flashdex/data"

	"github.com/google/go-cmp/cmp"
)

// Worked out by hand: A has 1 IOPS per euro, B 9 to 11 and C 10.5 to 12. The intervals of B and C overlap.
func TestAnswersArePlacedByTheirScores(t *testing.T) {
	t.Parallel()
	presets, err := question.Load(data.FS)
	if err != nil {
		t.Fatal(err)
	}
	row := func(name, form, currency string, r *Row) *Row {
		r.Module = catalogue.Module{Slug: name, Product: name, Form: form}
		r.Prices = []figure.PriceMedian{{Amount: 10, Currency: currency, N: 1}}
		return r
	}
	noted := interval(900, 1000, 1100)
	noted.Note = "too few"
	published := interval(2000, 2000, 2000)
	published.Sources = []string{"source"}
	bad := &Row{Note: "not ranked: interrupted"}
	rows := []*Row{
		row("A", "sd", "EUR", interval(10, 10, 10)), row("dear", "sd", "USD", interval(1, 2, 3)),
		row("B", "microsd", "EUR", interval(90, 100, 110)),
		row("noted", "usb", "EUR", noted), row("published", "usb", "EUR", published),
		row("C", "cf", "EUR", interval(105, 110, 120)), row("other", "other", "EUR", interval(1, 2, 3)),
		row("bad", "sd", "EUR", bad),
		{Reference: "a disk"},
	}
	var got []string
	for _, p := range presets {
		if p.Key != "per-euro" {
			continue
		}
		for _, a := range Answers(p, rows) {
			got = append(got, fmt.Sprintf("%s %g at %d to %d %s", a.Module.Slug, a.Score.Value, a.Place.First, a.Place.Last,
				a.LeftOut))
		}
	}
	want := []string{
		"published 200 at 0 to 0 ", "noted 100 at 0 to 0 ", "C 11 at 1 to 2 ", "B 10 at 1 to 2 ", "A 1 at 3 to 3 ",
		"bad 0 at 0 to 0 not ranked: interrupted", "dear 0 at 0 to 0 no price in EUR is known",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A sure rate sorts modules by the lower end of its interval, but their places follow from the whole interval.
func TestAnswersBySureRatesHavePlacesByIntervals(t *testing.T) {
	t.Parallel()
	presets, err := question.Load(data.FS)
	if err != nil {
		t.Fatal(err)
	}
	var rows []*Row
	for name, f := range map[string]figure.Figure{
		"A": {Value: 50, Low: new(40.0), High: new(60.0)}, "B": {Value: 45, Low: new(38.0), High: new(70.0)},
		"C": {Value: 20, Low: new(15.0), High: new(25.0)}, "held back": {Value: 10, AtLeast: true},
	} {
		rows = append(rows, &Row{Module: catalogue.Module{Slug: name, Form: "sd"}, Figures: figure.SetOf(
			map[string]figure.Figure{figure.SeqWriteMBPerS: f})})
	}
	var got []string
	for _, p := range presets {
		if p.Key != "camera" {
			continue
		}
		for _, a := range Answers(p, rows) {
			got = append(got, fmt.Sprintf("%s %g at %d to %d", a.Module.Slug, a.Score.Value, a.Place.First, a.Place.Last))
		}
	}
	want := []string{"A 40 at 1 to 3", "B 38 at 1 to 3", "C 15 at 3 to 4", "held back 10 at 1 to 4"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A module that is known to fail has no place, whatever its score, and doesn't affect other places.
func TestWhatIsKnownToFailHasNoPlace(t *testing.T) {
	t.Parallel()
	presets, err := question.Load(data.FS)
	if err != nil {
		t.Fatal(err)
	}
	row := func(name string, iops, mbPerS float64) *Row {
		r := &Row{Module: catalogue.Module{Slug: name, Product: name, Form: "microsd", CapacityGB: 64}}
		r.Figures.Put(figure.RandWriteIOPS, figure.Figure{Value: iops})
		r.Figures.Put(figure.RandWriteLongest1000MS, figure.Figure{Value: 100})
		r.Figures.Put(figure.SeqWriteMBPerS, figure.Figure{Value: mbPerS})
		return r
	}
	rows := []*Row{row("a", 1000, 90), row("b", 500, 40), row("c", 100, 25)}
	rows[0].FirstErrors, rows[0].FellBehind, rows[2].FirstErrors, rows[2].FellBehind = []int{163, 0, 0}, 30, []int{0}, 30
	got := map[string][]string{}
	for _, p := range presets {
		for _, a := range Answers(p, rows) {
			got[p.Key] = append(got[p.Key], fmt.Sprintf("%s at %d%s", a.Module.Slug, a.Place.First, a.LeftOut))
		}
	}
	for key, want := range map[string][]string{
		"home-assistant": {"b at 1", "c at 2", "a at 0two units had their first error by round 1 of being written full, and the " +
			"writes of 1,095 days take 4.84"},
		"camera": {"b at 1", "c at 2", "a at 0it fell behind a recording of 30 MB/s"},
	} {
		if diff := cmp.Diff(want, got[key]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", key, diff)
		}
	}
}

// Expected answers have places among themselves. A lower end has no place. A limit on a figure that nobody published is
// left out.
func TestExpectedAnswersHavePlacesOfTheirOwn(t *testing.T) {
	t.Parallel()
	presets, err := question.Load(data.FS)
	if err != nil {
		t.Fatal(err)
	}
	expected := func(name string, low, value, high float64) *Row {
		r := interval(low, value, high)
		r.Module = catalogue.Module{Slug: name, Product: name, Form: "microsd"}
		r.Method, r.Sources = catalogue.MethodExpected, []string{"source"}
		r.Figures.Put(figure.SeqWriteMBPerS, figure.Figure{Value: value, AtLeast: true})
		return r
	}
	rows := []*Row{expected("slow", 90, 100, 110), expected("quick", 900, 1000, 1100), expected("tied", 1000, 1050, 1200)}
	got := map[string][]string{}
	for _, p := range presets {
		for _, a := range Answers(p, rows) {
			got[p.Key] = append(got[p.Key], fmt.Sprintf("%s at %d to %d%s", a.Module.Slug, a.Place.First, a.Place.Last, a.LeftOut))
		}
	}
	for key, want := range map[string][]string{
		"home-assistant": {"tied at 1 to 2", "quick at 1 to 2", "slow at 3 to 3"},
		"camera":         {"tied at 0 to 0", "quick at 0 to 0", "slow at 0 to 0"},
	} {
		if diff := cmp.Diff(want, got[key]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", key, diff)
		}
	}
}

// Every answer that may be the best is counted, wherever it stands: "held back" comes last by its sure rate.
func TestMayBeBest(t *testing.T) {
	t.Parallel()
	row := func(f figure.Figure) Answer {
		return Answer{Score: f, Place: Place{First: 1, Last: 1}}
	}
	between := func(low, value, high float64) Answer {
		return row(figure.Figure{Value: value, Low: &low, High: &high})
	}
	rates := []Answer{between(40, 50, 60), between(38, 45, 70), between(15, 20, 25),
		row(figure.Figure{Value: 10, AtLeast: true})}
	prices := []Answer{between(50, 100, 200), between(85, 90, 95), between(60, 70, 80)}
	for _, c := range []struct {
		rows  []Answer
		lower bool
		want  int
	}{{rates, false, 3}, {prices, false, 2}, {rates[:3], true, 1}, {append(rates[:1:1], Answer{}), false, 1}} {
		if got := MayBeBest(c.rows, c.lower); got != c.want {
			t.Errorf("%d of %d may be the best, want %d", got, len(c.rows), c.want)
		}
	}
}
