package ranking

import (
	"slices"

	"flashdex/api/index"
)

// Place is where a row stands among the ranked rows of its method: First is the best place that its interval allows, Last
// the worst, both 0 if it is not ranked. Two rows may stand in either order as long as their intervals overlap.
type Place struct{ First, Last int }

// Ranks places rows of one method by one figure. A row's First is one more than the number of rows whose whole interval is
// better than all of its own, its Last the number of all less those whose whole interval is worse; a figure without an
// interval is one of no width. Rows without the figure, with a Note, or of a reference device have no place.
func Ranks(rows []Row, key string) []Place {
	var goods, bads []float64 // ends of the intervals, turned so that more is better
	for _, r := range rows {
		if good, bad, ok := ends(r, key); ok {
			goods, bads = append(goods, good), append(bads, bad)
		}
	}
	slices.Sort(goods)
	slices.Sort(bads)
	places := make([]Place, len(rows))
	for i, r := range rows {
		good, bad, ok := ends(r, key)
		if !ok {
			continue
		}
		worse, _ := slices.BinarySearch(goods, bad) // rows that are below bad at their best
		better := len(bads) - after(bads, good)     // rows that are above good at their worst
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

// ends are the good and the bad end of a ranked row's interval, turned so that more is better.
func ends(r Row, key string) (good, bad float64, ok bool) {
	f, ok := r.Figures[key]
	if !ok || r.Reference != "" || r.Note != "" {
		return 0, 0, false
	}
	low, high := f.Value, f.Value
	if f.Low != nil && f.High != nil {
		low, high = *f.Low, *f.High
	}
	if index.LowerIsBetter(key) {
		return -low, -high, true
	}
	return high, low, true
}
