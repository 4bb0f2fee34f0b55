package ranking

import (
	"slices"

	"flashdex/api/figure"
)

// Place is where something stands among others of its kind: First is the best place that its interval allows, Last the
// worst, both 0 if it is not ranked. Two may stand in either order as long as their intervals overlap.
type Place struct{ First, Last int }

// span is the interval that something is placed by, turned so that more is better.
type span struct {
	good, bad float64
	ranked    bool
}

// spanOf is the span of a figure; one without an interval has no width.
func spanOf(f figure.Figure, lowerIsBetter bool) span {
	low, high := f.Ends()
	if lowerIsBetter {
		low, high = -high, -low
	}
	return span{good: high, bad: low, ranked: true}
}

// placesOf places spans among each other. The First of one is one more than the number of those whose whole interval is
// better than all of its own, its Last the number of all less those whose whole interval is worse.
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

// after is the number of values that are not above v.
func after(sorted []float64, v float64) int {
	n, _ := slices.BinarySearchFunc(sorted, v, func(a, b float64) int {
		if a <= b {
			return -1
		}
		return 1
	})
	return n
}

// Ranks places rows of one method by one figure. Rows without the figure, with a Note, or of a reference device have
// no place.
func Ranks(rows []Row, key string) []Place {
	spans := make([]span, len(rows))
	for i, r := range rows {
		if f, ok := r.placing(key); ok && r.Reference == "" && r.Note == "" {
			spans[i] = spanOf(f, figure.LowerIsBetter(key))
		}
	}
	return placesOf(spans)
}
