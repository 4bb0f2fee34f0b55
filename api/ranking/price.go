package ranking

import (
	"flashdex/api/catalogue"
	"flashdex/api/figure"
)

// PricePerGB returns the median price for each 10^9 bytes that are printed on a module, or 0 if its capacity is
// unknown.
func PricePerGB(m catalogue.Module, p figure.PriceMedian) float64 {
	if m.CapacityGB <= 0 {
		return 0
	}
	return p.Amount / m.CapacityGB
}

// PriceMonth returns the month of the newest price: YYYY-MM.
func PriceMonth(p figure.PriceMedian) string { return p.On[:min(len(p.On), len("2006-01"))] }
