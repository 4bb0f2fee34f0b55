package ranking

import (
	"flashdex/api/catalogue"
	"flashdex/api/figure"
)

// PricePerGB is what contributors paid for a module, the median in one currency, for each 10^9 bytes that are printed
// on it; 0 where its capacity is not stated.
func PricePerGB(m catalogue.Module, p figure.PriceMedian) float64 {
	if m.CapacityGB <= 0 {
		return 0
	}
	return p.Amount / m.CapacityGB
}

// PriceMonth is the month of the newest of a median's prices: YYYY-MM.
func PriceMonth(p figure.PriceMedian) string { return p.On[:min(len(p.On), len("2006-01"))] }
