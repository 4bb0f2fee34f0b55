package ranking_test

import (
	"testing"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/ranking"
)

func TestPricePerGB(t *testing.T) {
	t.Parallel()
	p := figure.PriceMedian{Amount: 8, Currency: "EUR", On: "2026-10-31", N: 3}
	if v := ranking.PricePerGB(catalogue.Module{CapacityGB: 32}, p); v != 0.25 {
		t.Errorf("8 EUR for 32 GB are %v EUR a GB", v)
	}
	if v := ranking.PricePerGB(catalogue.Module{}, p); v != 0 {
		t.Errorf("of a capacity that nobody states, %v", v)
	}
	if on := ranking.PriceMonth(p); on != "2026-10" {
		t.Errorf("the month of %s is %s", p.On, on)
	}
}
