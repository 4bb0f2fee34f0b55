package rest

import (
	"testing"

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
		{estimate(150), estimate(100), "higher", "+50 %, better", "better"},
		{estimate(150), estimate(100), "lower", "+50 %, worse", "worse"},
		{estimate(50), estimate(100), "higher", "−50 %, worse", "worse"},
		{estimate(50), estimate(100), "lower", "−50 %, better", "better"},
		{estimate(100), estimate(100), "higher", "the same", "same"},
		{estimate(150), estimate(0), "higher", "", ""},
		{estimate(110, 95, 120), estimate(100, 90, 105), "higher", "+10 %, but the intervals overlap: no difference shown", "same"},
		{estimate(110, 106, 120), estimate(100, 90, 105), "higher", "+10 %, better", "better"},
		{estimate(110, 95, 120), estimate(100), "higher", "+10 %, better", "better"},
	} {
		if text, state := difference(c.of, c.base, c.direction); text != c.text || state != c.state {
			t.Errorf("%v against %v, %s is better: %q, %q; want %q, %q", c.of.Value, c.base.Value, c.direction, text, state, c.text, c.state)
		}
	}
}

// Prices stand by currency, and none is converted.
func TestPricesAreComparedByCurrency(t *testing.T) {
	t.Parallel()
	c := comparison{Modules: []catalogue.Module{{Slug: "a", CapacityGB: 32}, {Slug: "b"}, {Slug: "c", CapacityGB: 64}}}
	standing := func(prices ...figure.PriceMedian) *placed { return &placed{Row: &ranking.Row{Prices: prices}} }
	part := comparedMethod{Standings: []*placed{standing(figure.PriceMedian{Amount: 10, Currency: "USD", On: "2026-09", N: 1}, figure.PriceMedian{Amount: 8, Currency: "EUR", On: "2026-10-31", N: 2}), standing(figure.PriceMedian{Amount: 9, Currency: "EUR", On: "2026-08", N: 1}), nil}}
	part.addPrices(&c)
	if len(part.Prices) != 2 || part.Prices[0].Currency != "EUR" || part.Prices[1].Currency != "USD" {
		t.Fatalf("%+v", part.Prices)
	}
	euro, dollar := part.Prices[0].Cells, part.Prices[1].Cells
	if euro[0].PerGB != 0.25 || euro[0].Month != "2026-10" || euro[1].PerGB != 0 || euro[1].Amount != 9 || euro[2] != nil || dollar[0].PerGB != 0.3125 || dollar[1] != nil {
		t.Errorf("%+v, %+v", euro, dollar)
	}
}
