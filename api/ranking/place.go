package ranking

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"flashdex/api/figure"
)

// Place is a range of places among others: First is the best place that the interval allows, Last the worst. Both are
// 0 if there is no rank. Two modules whose intervals overlap may stand in either order.
type Place struct{ First, Last int }

// placesOf places figures among each other; nil: not ranked. First is one more than the number of intervals that are
// wholly better. Last is the number of all intervals minus the number of the wholly worse. A figure without an
// interval is one of no width.
func placesOf(figures []*figure.Figure, lowerIsBetter bool) []Place {
	turned := func(f *figure.Figure) (worst, best float64) { // more is better
		low, high := f.Ends()
		if lowerIsBetter {
			return -high, -low
		}
		return low, high
	}
	var worsts, bests []float64
	for _, f := range figures {
		if f != nil {
			worst, best := turned(f)
			worsts, bests = append(worsts, worst), append(bests, best)
		}
	}
	slices.Sort(worsts)
	slices.Sort(bests)
	places := make([]Place, len(figures))
	for i, f := range figures {
		if f != nil {
			worst, best := turned(f)
			notBetter := sort.Search(len(worsts), func(i int) bool { return worsts[i] > best })
			worse, _ := slices.BinarySearch(bests, worst)
			places[i] = Place{First: len(worsts) - notBetter + 1, Last: len(bests) - worse}
		}
	}
	return places
}

// Ranks places rows of one method by one figure. A row without the figure or with a Note has no place, nor has a
// reference device. Published figures have none either: one run of one card doesn't tell which place a module has.
func Ranks(rows []*Row, key string) []Place {
	figures := make([]*figure.Figure, len(rows))
	for i, r := range rows {
		if f, ok := r.placing(key); ok && r.Reference == "" && len(r.Sources) == 0 && r.Note == "" {
			figures[i] = &f
		}
	}
	return placesOf(figures, figure.LowerIsBetter(key))
}

// placing returns the figure by which a row is placed. If writes never fell, the cliff is further away than any.
func (r *Row) placing(key string) (figure.Figure, bool) {
	if key == figure.SeqWriteCliffMB && r.NoCliff() {
		return figure.Figure{Value: math.Inf(1)}, true
	}
	f, ok := r.Figures[key]
	return f, ok
}

// NoCliff reports whether linear writes were measured and none of them fell for good, so that the cliff has no place.
func (r *Row) NoCliff() bool {
	_, falls := r.Figures[figure.SeqWriteCliffMB]
	_, measured := r.Figures[figure.SeqWriteCliffPercent]
	return measured && !falls
}

// Sort puts the best first by one figure. Rows without it come last, by name.
func Sort(rows []*Row, key string) {
	lower := figure.LowerIsBetter(key)
	slices.SortFunc(rows, func(a, b *Row) int {
		x, inA := a.placing(key)
		y, inB := b.placing(key)
		return compare(a, b, order(x.Value, inA, lower), order(y.Value, inB, lower))
	})
}

// order turns a value so that the best is the least. A row without one comes last.
func order(value float64, known, lowerIsBetter bool) float64 {
	switch {
	case !known:
		return math.Inf(1)
	case lowerIsBetter:
		return value
	}
	return -value
}

// compare compares rows by their order, then by name.
func compare(a, b *Row, orderA, orderB float64) int {
	if c := cmp.Compare(orderA, orderB); c != 0 {
		return c // without building names, which takes longer than all else here
	}
	return cmp.Or(cmp.Compare(a.Name(), b.Name()), cmp.Compare(a.Module.Slug, b.Module.Slug))
}
