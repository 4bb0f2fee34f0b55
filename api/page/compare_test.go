package page

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/ranking"
)

func estimate(value float64, interval ...float64) figure.Figure {
	e := figure.Figure{Value: value}
	if len(interval) == 2 {
		e.Low, e.High = &interval[0], &interval[1]
	}
	return e
}

func TestDifferenceSaysWhichIsBetterOnlyWhereItShows(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		of, base    figure.Figure
		direction   string
		text, state string
	}{
		{estimate(150, 140, 160), estimate(100, 90, 105), "higher", "+50 %, better", "difference better"},
		{estimate(150, 140, 160), estimate(100, 90, 105), "lower", "+50 %, worse", "difference worse"},
		{estimate(50, 40, 60), estimate(100, 90, 105), "higher", "−50 %, worse", "difference worse"},
		{estimate(50, 40, 60), estimate(100, 90, 105), "lower", "−50 %, better", "difference better"},
		{ // one source printed each
			estimate(150), estimate(100), "higher",
			"+50 %, but nobody can tell yet which is better", "difference same",
		},
		{estimate(100), estimate(100), "higher", "the same", "difference same"},
		{estimate(150), estimate(0), "higher", "", ""},
		{
			estimate(110, 95, 120), estimate(100, 90, 105), "higher",
			"+10 %, but nobody can tell yet which is better", "difference same",
		},
		{estimate(110, 106, 120), estimate(100, 90, 105), "higher", "+10 %, better", "difference better"},
		{
			estimate(110, 105, 120), estimate(100), "higher",
			"+10 %, but nobody can tell yet which is better", "difference same",
		},
	} {
		row := func(f figure.Figure) *ranking.Row {
			return &ranking.Row{Figures: figure.SetOf(map[string]figure.Figure{figure.RandWriteIOPS: f})}
		}
		told := ranking.Tell(row(c.of), row(c.base), figure.RandWriteIOPS)
		if text, state := difference(c.of, c.base, c.direction, told); text != c.text || state != c.state {
			t.Errorf("%v against %v, %s is better: %q, %q; want %q, %q",
				c.of.Value, c.base.Value, c.direction, text, state, c.text, c.state)
		}
	}
}

// No price is converted.
func TestPricesAreComparedByCurrency(t *testing.T) {
	t.Parallel()
	standing := func(prices ...figure.PriceMedian) *Standing { return &Standing{Row: &ranking.Row{Prices: prices}} }
	standings := []*Standing{
		standing(
			figure.PriceMedian{Amount: 10, Currency: "USD", On: "2026-09", N: 1},
			figure.PriceMedian{Amount: 8, Currency: "EUR", On: "2026-10-31", N: 2},
		),
		standing(figure.PriceMedian{Amount: 9, Currency: "EUR", On: "2026-08", N: 1}),
		nil,
	}
	if diff := cmp.Diff([]string{"EUR", "USD"}, currenciesOf(standings)); diff != "" {
		t.Fatal(diff)
	}
	sized := catalogue.Module{CapacityGB: 32}
	for _, c := range []struct {
		currency string
		module   catalogue.Module
		of       *Standing
		want     comparedCell
	}{
		{"EUR", sized, standings[0], comparedCell{Value: "8", Beside: "of 2 units, 2026-10", Below: "0.25 for each GB"}},
		{"EUR", catalogue.Module{}, standings[1], comparedCell{Value: "9", Beside: "of 1 unit, 2026-08"}},
		{"USD", sized, standings[0], comparedCell{Value: "10", Beside: "of 1 unit, 2026-09", Below: "0.313 for each GB"}},
		{"USD", sized, standings[1], comparedCell{}},
	} {
		if diff := cmp.Diff(c.want, priceIn(c.currency, c.module, c.of)); diff != "" {
			t.Error(diff)
		}
	}
}

// The picture and its description say how sure each figure is, by the first method that measured two of the modules.
func TestPictureOfAComparison(t *testing.T) {
	t.Parallel()
	standing := func(f figure.Figure) *Standing {
		s := &Standing{Row: &ranking.Row{}}
		s.Figures.Put(figure.RandWriteIOPS, f)
		return s
	}
	c := Comparison{Modules: []catalogue.Module{{Product: "One"}, {Product: "Two"}}, Methods: []ComparedMethod{
		{Method: catalogue.Method{Label: "Of one"}, Standings: []*Standing{standing(estimate(5)), nil}},
		{Method: catalogue.Method{Label: "Of both"}, Standings: []*Standing{
			standing(estimate(600, 400, 900)), standing(figure.Figure{Value: 20, To: 30})}},
	}}
	p := c.Picture()
	want := []string{"600 IOPS (400 to 900): " + c.Modules[0].Name(), "20 to 30 IOPS: " + c.Modules[1].Name()}
	if !slices.Equal(p.List, want) || !slices.Equal(p.Notes, []string{"4K random writes. Of both"}) {
		t.Errorf("%q, %q", p.List, p.Notes)
	}
	said := c.Modules[0].Name() + ": 600 IOPS (400 to 900); " + c.Modules[1].Name() +
		": 20 to 30 IOPS. 4K random writes, Of both."
	if p, err := ComparePage(c); err != nil || p.Description != said {
		t.Errorf("%v: %q, want %q", err, p.Description, said)
	}
	c.Methods = c.Methods[:1]
	if p := c.Picture(); !slices.Equal(p.List, c.names()) || !slices.Equal(p.Notes, []string{notCompared}) {
		t.Errorf("%q, %q", p.List, p.Notes)
	}
	if said := c.inWords(); !strings.HasSuffix(said, notCompared) {
		t.Error(said)
	}
}

// If a method ranks neither module, it has no row for ranks.
func TestRanksAreShownWhereThereAreSome(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		standings []*Standing
		want      bool
	}{
		{[]*Standing{{Row: &ranking.Row{}}, nil}, false},
		{[]*Standing{nil, {Row: &ranking.Row{}, Place: ranking.Place{First: 3, Last: 3}}}, true},
		{[]*Standing{{Row: &ranking.Row{Note: "one contributor"}}}, true},
	} {
		if got := (ComparedMethod{Standings: c.standings}).HasPlaces(); got != c.want {
			t.Errorf("%v, want %v", got, c.want)
		}
	}
}
