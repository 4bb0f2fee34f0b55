package ranking

import (
	"cmp"
	"math"
	"slices"
	"sort"
	"strings"

	"flashdex/api/figure"
	"flashdex/api/figure/model"
)

// Place is a range of places among others: First is the best place that the data allow, Last the worst. Both are 0 if
// there is no rank.
type Place = model.Place

// placesOf places figures among each other; nil: not ranked. First is one more than the number of intervals that are
// wholly better. Last is the number of all intervals minus the number of wholly worse ones. A figure without an
// interval counts as an interval of width 0.
func placesOf(figures []*figure.Figure, lowerIsBetter bool) []Place {
	var worsts, bests []float64
	for _, f := range figures {
		if f != nil {
			worst, best := worstAndBest(f, lowerIsBetter)
			worsts, bests = append(worsts, worst), append(bests, best)
		}
	}
	slices.Sort(worsts)
	slices.Sort(bests)
	places := make([]Place, len(figures))
	for i, f := range figures {
		if f != nil {
			worst, best := worstAndBest(f, lowerIsBetter)
			notBetter := sort.Search(len(worsts), func(i int) bool { return worsts[i] > best })
			worse, _ := slices.BinarySearch(bests, worst)
			places[i] = Place{First: len(worsts) - notBetter + 1, Last: len(bests) - worse}
		}
	}
	return places
}

// worstAndBest returns the ends of a figure's interval, turned so that more is better.
func worstAndBest(f *figure.Figure, lowerIsBetter bool) (worst, best float64) {
	low, high := f.Span()
	if lowerIsBetter {
		return -high, -low
	}
	return low, high
}

// MayBeBest counts the answers with a place that no other answer surely beats. answers may be a part of all ranked
// answers.
func MayBeBest(answers []Answer, lowerIsBetter bool) (n int) {
	var bests []float64
	most := math.Inf(-1)
	for i := range answers {
		if answers[i].Place.First > 0 {
			worst, best := worstAndBest(&answers[i].Score, lowerIsBetter)
			bests, most = append(bests, best), max(most, worst)
		}
	}
	for _, best := range bests {
		if best >= most {
			n++
		}
	}
	return n
}

// Ranks places rows of one method by one figure: behind all that are surely better, before all that are surely worse. A
// row without the figure, a row with a Note, and a reference device have no place. would says where rows would stand
// that have the figure and its interval but too few contributors to be ranked. They don't affect the places of others.
// would is empty if no row is ranked.
//
// Figures that have a model are placed by their differences (model.Calibration.Places): errors of hosts that two
// modules share cancel there. Other figures are placed by their intervals.
func Ranks(rows []*Row, key string) (places, would []Place) {
	if figure.Modelled(key) {
		return ranksByModel(rows, key)
	}
	figures := make([]*figure.Figure, len(rows))
	for i, r := range rows {
		if f, ok := r.placing(key); ok && r.Reference == "" && len(r.Sources) == 0 && r.Note == "" {
			figures[i] = &f
		}
	}
	return placesOf(figures, figure.LowerIsBetter(key)), make([]Place, len(rows))
}

func ranksByModel(rows []*Row, key string) (places, would []Place) {
	places, would = make([]Place, len(rows)), make([]Place, len(rows))
	of := compare(rows, key)
	among := slices.Contains(of.ranked, true) // the first among none means nothing
	for i, place := range of.Places(of.estimates, of.ranked) {
		if of.ranked[i] {
			places[of.at[i]] = place
		} else if among {
			would[of.at[i]] = place
		}
	}
	return places, would
}

// Best returns the ranked rows that may be the best, the best first. With a confidence of 95 % the best is among them.
// It returns none if more than most rows may be the best, or if the figure has no model.
func Best(rows []*Row, key string, most int) (best []*Row) {
	of := compare(rows, key)
	for _, i := range of.Best(of.estimates, of.ranked, most) {
		best = append(best, rows[of.at[i]])
	}
	return best
}

// compared holds the estimates of one figure for rows of one method, which have one calibration.
type compared struct {
	*model.Calibration
	at        []int // the row of each estimate
	estimates []model.Estimate
	ranked    []bool
}

func compare(rows []*Row, key string) compared {
	of := compared{Calibration: new(model.Calibration)}
	for i, r := range rows {
		if e, ranked, ok := r.estimate(key); ok {
			of.Calibration = r.calibrations.Of(r.Method, key)
			of.at, of.estimates, of.ranked = append(of.at, i), append(of.estimates, e), append(of.ranked, ranked)
		}
	}
	return of
}

// Tell reports whether the data show which of two rows of one method is better by a figure.
func Tell(a, b *Row, key string) bool {
	x, _, inA := a.estimate(key)
	y, _, inB := b.estimate(key)
	if inA && inB {
		return a.calibrations.Of(a.Method, key).Tell(x, y)
	}
	return a.Figures.At(key).Apart(b.Figures.At(key))
}

// estimate returns the estimate of a figure by its model, and whether it is ranked.
func (r *Row) estimate(key string) (e model.Estimate, ranked, ok bool) {
	m, ok := r.Model.Find(key)
	if !ok || r.expected() && figure.IsLinear(key) { // a figure that is only a lower end has no place
		return e, false, false
	}
	c := r.calibrations.Of(r.Method, key)
	switch {
	case r.expected():
		return c.Standard(&m), true, true
	case r.class == "":
		return c.Standard(&m), c.Ranked(&m) && r.Note == "", true
	}
	class, here := classOf(c, &m, r.class)
	e, _ = c.In(&m, class)
	return e, here >= model.RankedFrom && r.Note == "", true
}

// classOf returns the calibration's class that stands for a class of hosts. Of its subclasses in which the module was
// measured, that is the one with the most contributors; else it is the whole class. here is the number of these
// contributors.
func classOf(c *model.Calibration, m *model.Module, hostClass string) (class, here int) {
	class = figure.ClassOf(hostClass, c.Classes)
	for _, at := range m.Cells {
		key := c.Classes[at.Class].Key
		if in := key == hostClass || strings.HasPrefix(key, hostClass+"/"); in && at.Contributors > here {
			class, here = at.Class, at.Contributors
		}
	}
	return class, here
}

// placing returns the figure by which a row is placed. If writes never fell, the cliff is at infinity.
func (r *Row) placing(key string) (figure.Figure, bool) {
	if key == figure.SeqWriteCliffMB && r.NoCliff() {
		return figure.Figure{Value: math.Inf(1)}, true
	}
	f, ok := r.Figures.Find(key)
	return f, ok
}

// NoCliff reports whether linear writes were measured and none of them fell for good, so that the cliff has no place.
func (r *Row) NoCliff() bool {
	_, falls := r.Figures.Find(figure.SeqWriteCliffMB)
	_, measured := r.Figures.Find(figure.SeqWriteCliffPercent)
	return measured && !falls
}

// Sort puts the best first by one figure. Rows without it come last, by name.
func Sort(rows []*Row, key string) {
	lower := figure.LowerIsBetter(key)
	slices.SortFunc(rows, func(a, b *Row) int {
		x, inA := a.placing(key)
		y, inB := b.placing(key)
		return compareRows(a, b, order(x.Value, inA, lower), order(y.Value, inB, lower))
	})
}

// order turns a value so that the least is the best. A row without a value comes last.
func order(value float64, known, lowerIsBetter bool) float64 {
	switch {
	case !known:
		return math.Inf(1)
	case lowerIsBetter:
		return value
	}
	return -value
}

// compareRows compares rows by their order, then by name.
func compareRows(a, b *Row, orderA, orderB float64) int {
	if c := cmp.Compare(orderA, orderB); c != 0 {
		return c // without building names, which takes longer than everything else here
	}
	return cmp.Or(cmp.Compare(a.Name(), b.Name()), cmp.Compare(a.Module.Slug, b.Module.Slug))
}
