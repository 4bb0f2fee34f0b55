package figure

import (
	"cmp"
	"iter"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"flashdex/result"
	"flashdex/result/ageing"
)

// UnitVersion rises whenever UnitsOf returns something else for the same runs, or other runs count. Then all units and
// summaries are recomputed.
const UnitVersion = 9

// Unit sums up the runs of one specimen of a module in one host class, by one method. Runs of the same contributor
// and with the same tag are of one specimen; so are all runs of a contributor that show no serial number.
//
// A specimen that was measured in several host classes has a Unit for each. One of them is Best and enters the
// figures of the module: the one with the widest bus on which a run counts. If several classes share that bus, one
// more Unit, without a class, covers all runs and is Best.
type Unit struct {
	Method, Tag string
	HostClass   string // empty: several
	Best        bool
	Results     int    // all runs
	Newest      string // id of the newest run
	NewestAt    time.Time

	// Of the runs that count, on the widest bus. In a host class only the runs in hosts of one kind count, the kind
	// with the most runs. So no figure mixes hosts that a calibration may tell apart, such as with the command queue on
	// and off.
	HostKind  string // empty: several, or no run
	Runs      int
	Values    []float64 // medians, in the order of FigureKeys; NaN: not measured
	Errors    []float64 // relative standard errors of Values, see errorOfMedian; NaN: not known
	BusMBPerS float64   // 0: not known
	Boards    []string  // hosts
	First     Arrival   // of these runs, or of all runs if none counts

	// Of all runs in any host class:
	Variant  string       // key
	Evidence []string     // only of runs that are heard
	Price    result.Price // the newest, only of runs that are heard

	// Over years, with that over the TB written, of the runs in one host (ageingOf); only if Best; nil: too few runs.
	Ageing *ageing.Line
}

// UnitsOf sums up all runs that one contributor made of one module. It sorts runs, and changes their evidence.
func UnitsOf(runs []Run) []Unit {
	takeNewestCheck(runs)
	slices.SortFunc(runs, func(a, b Run) int {
		return cmp.Or(strings.Compare(a.Method, b.Method), strings.Compare(a.Tag, b.Tag),
			strings.Compare(a.HostClass, b.HostClass))
	})
	var units []Unit
	for of := range chunks(runs, func(a, b Run) bool { return a.Method == b.Method && a.Tag == b.Tag }) {
		units = append(units, unitOf(of)...)
	}
	return units
}

func unitOf(runs []Run) []Unit {
	var units []Unit
	for of := range chunks(runs, func(a, b Run) bool { return a.HostClass == b.HostClass }) {
		u := summed(of)
		u.HostClass, u.Results = of[0].HostClass, len(of)
		units = append(units, u)
	}
	best, shared := 0, false
	for i, u := range units[1:] {
		switch {
		case u.Runs == 0:
		case units[best].Runs == 0 || u.BusMBPerS > units[best].BusMBPerS:
			best, shared = i+1, false
		case u.BusMBPerS == units[best].BusMBPerS:
			shared = true
		}
	}
	if shared {
		units = append(units, summed(runs))
		best = len(units) - 1
	}
	units[best].Best, units[best].Ageing = true, ageingOf(runs)
	shown := shownBy(runs)
	for i := range units {
		units[i].Variant, units[i].Evidence, units[i].Price = shown.Variant, shown.Evidence, shown.Price
	}
	return units
}

// summed makes a Unit from runs, which must be sorted by class of hosts. It leaves out variant, evidence and price.
func summed(runs []Run) Unit {
	u := Unit{
		Method: runs[0].Method, Tag: runs[0].Tag, Boards: []string{},
		Values: make([]float64, len(FigureKeys)), Errors: make([]float64, len(FigureKeys)),
	}
	var counting []Run
	for _, r := range runs {
		if isNewer(r.ID, r.ReceivedAt, u.Newest, u.NewestAt) {
			u.Newest, u.NewestAt = r.ID, r.ReceivedAt
		}
		if r.Ranked {
			u.BusMBPerS = max(u.BusMBPerS, r.BusMBPerS)
		}
	}
	for _, r := range runs {
		if r.Ranked && r.BusMBPerS == u.BusMBPerS {
			counting = append(counting, r)
		}
	}
	if runs[0].HostClass == runs[len(runs)-1].HostClass {
		u.HostKind = usualKind(counting)
		counting = slices.DeleteFunc(counting, func(r Run) bool { return r.HostKind != u.HostKind })
	}
	for _, r := range counting {
		if !slices.Contains(u.Boards, r.Board) {
			u.Boards = append(u.Boards, r.Board)
		}
	}
	u.Runs = len(counting)
	arrived := counting
	if u.Runs == 0 {
		arrived = runs
	}
	for i, r := range arrived {
		if at := (Arrival{r.ReceivedAt, r.Network}); i == 0 || at.Before(u.First) {
			u.First = at
		}
	}
	values, errors := make([]float64, 0, len(counting)), make([]float64, 0, len(counting))
	for i := range u.Values {
		values, errors = values[:0], errors[:0]
		for _, r := range counting {
			if !math.IsNaN(r.Values[i]) {
				values = append(values, r.Values[i])
			}
			if !math.IsNaN(r.Errors[i]) {
				errors = append(errors, r.Errors[i])
			}
		}
		u.Errors[i] = errorOfMedian(values, errors) // before result.Median, which sorts values
		u.Values[i] = result.Median(values)
	}
	return u
}

// usualKind returns the kind of host that has the most runs. Of several it returns the first by name; "" if there are
// no runs.
func usualKind(runs []Run) (usual string) {
	counts := map[string]int{}
	for _, r := range runs {
		counts[r.HostKind]++
	}
	for _, kind := range slices.Sorted(maps.Keys(counts)) {
		if counts[kind] > counts[usual] {
			usual = kind
		}
	}
	return usual
}

// errorOfMedian returns the relative standard error of the median of a unit's runs. errors are the runs' own errors, as
// far as they are known; NaN if none is.
//
// The median of n runs of one error e has e sqrt(pi/(2n)) for large n (Kenney and Keeping, Mathematics of Statistics 2,
// 1951), which is a little too much for few; the median of two is their mean. Runs of one unit may also differ by more
// than their errors, because each finds the unit in another state. Then the error follows from the spread of the runs.
func errorOfMedian(values, errors []float64) float64 {
	if len(errors) == 0 {
		return math.NaN()
	}
	n, squares := float64(len(values)), 0.0
	for _, e := range errors {
		squares += e * e / float64(len(errors))
	}
	if n > 1 {
		squares = max(squares, varianceOfLogs(values))
	}
	if n > 2 {
		squares *= math.Pi / 2
	}
	return math.Sqrt(squares / n)
}

// varianceOfLogs returns the variance of the logarithms of at least two values, or 0 if one of them has none.
func varianceOfLogs(values []float64) (variance float64) {
	n, mean := float64(len(values)), 0.0
	for _, v := range values {
		mean += math.Log(v) / n
	}
	for _, v := range values {
		variance += (math.Log(v) - mean) * (math.Log(v) - mean) / (n - 1)
	}
	if math.IsNaN(variance) || math.IsInf(variance, 0) {
		return 0
	}
	return variance
}

// shownBy returns a Unit with the newest variant of runs, and the evidence and newest price of those that are heard: a
// tag costs its sender nothing, so whoever is on probation could else show as many units as they like.
func shownBy(runs []Run) (u Unit) {
	u.Evidence = []string{}
	var variantAt, priceAt time.Time
	for _, r := range runs {
		if r.Variant != "" && !r.ReceivedAt.Before(variantAt) {
			u.Variant, variantAt = r.Variant, r.ReceivedAt
		}
		if !r.Heard {
			continue
		}
		if r.Price.Currency != "" && !r.ReceivedAt.Before(priceAt) {
			u.Price, priceAt = r.Price, r.ReceivedAt
		}
		u.Evidence = append(u.Evidence, r.Evidence...)
		if r.Variant != "" {
			u.Evidence = append(u.Evidence, EvidenceIdentified)
		}
	}
	slices.Sort(u.Evidence)
	u.Evidence = slices.Compact(u.Evidence)
	return u
}

// takeNewestCheck has every run that tells of a check of its unit's capacity tell of the newest one: a bad reader may
// have lost data, or the unit may have aged since. Runs without a tag may be of several units, so each finding stands.
func takeNewestCheck(runs []Run) {
	ofCapacity := func(evidence string) bool { return slices.Contains(evidenceOfCapacity, evidence) }
	newest := map[string]*Run{} // by tag
	for i := range runs {
		r := &runs[i]
		if r.Tag == "" || !r.Heard || !slices.ContainsFunc(r.Evidence, ofCapacity) {
			continue
		}
		if was := newest[r.Tag]; was == nil || isNewer(r.ID, r.ReceivedAt, was.ID, was.ReceivedAt) {
			newest[r.Tag] = r
		}
	}
	isOther := func(evidence string) bool { return !ofCapacity(evidence) }
	for i := range runs {
		r := &runs[i]
		if of := newest[r.Tag]; of != nil && slices.ContainsFunc(r.Evidence, ofCapacity) {
			said := slices.DeleteFunc(slices.Clone(of.Evidence), isOther)
			r.Evidence = append(slices.DeleteFunc(slices.Clone(r.Evidence), ofCapacity), said...)
		}
	}
}

// chunks yields the stretches of a sorted list whose elements are alike.
func chunks[T any](list []T, alike func(a, b T) bool) iter.Seq[[]T] {
	return func(yield func([]T) bool) {
		for len(list) > 0 {
			end := slices.IndexFunc(list, func(e T) bool { return !alike(list[0], e) })
			if end < 0 {
				end = len(list)
			}
			if !yield(list[:end]) {
				return
			}
			list = list[end:]
		}
	}
}
