package ranking

import (
	"slices"

	"flashdex/api/figure"
)

// Place is a range of places among others: First is the best place that the interval allows, Last the worst. Both are
// 0 if there is no rank. Two modules whose intervals overlap may stand in either order.
type Place struct{ First, Last int }

// span is an interval, turned so that more is better.
type span struct {
	good, bad float64
	ranked    bool
}

// spanOf returns the span of a figure. Without an interval it has no width.
func spanOf(f figure.Figure, lowerIsBetter bool) span {
	low, high := f.Ends()
	if lowerIsBetter {
		low, high = -high, -low
	}
	return span{good: high, bad: low, ranked: true}
}

// placesOf places spans among each other. First is one more than the number of spans that are wholly better. Last is
// the number of all spans minus the number of those that are wholly worse.
func placesOf(spans []span) []Place {
	var goods, bads []float64
	for _, s := range spans {
		if s.ranked {
			goods, bads = append(goods, s.good), append(bads, s.bad)
		}
	}
	slices.Sort(goods)
	slices.Sort(bads)
	places := make([]Place, len(spans))
	for i, s := range spans {
		if !s.ranked {
			continue
		}
		worse, _ := slices.BinarySearch(goods, s.bad) // those that are below bad at their best
		better := len(bads) - after(bads, s.good)     // those that are above good at their worst
		places[i] = Place{First: better + 1, Last: len(goods) - worse}
	}
	return places
}

// after returns the number of values that are not above v.
func after(sorted []float64, v float64) int {
	n, _ := slices.BinarySearchFunc(sorted, v, func(a, b float64) int {
		if a <= b {
			return -1
		}
		return 1
	})
	return n
}

// Ranks places rows of one method by one figure. A row without the figure or with a Note has no place, nor has a
// reference device.
func Ranks(rows []Row, key string) []Place {
	spans := make([]span, len(rows))
	for i, r := range rows {
		if f, ok := r.placing(key); ok && r.Reference == "" && r.Note == "" {
			spans[i] = spanOf(f, figure.LowerIsBetter(key))
		}
	}
	return placesOf(spans)
}
