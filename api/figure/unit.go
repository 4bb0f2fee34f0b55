package figure

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"flashdex/result"
)

// UnitVersion rises whenever UnitsOf gives something else for the same runs. All units and summaries are then made anew.
const UnitVersion = 1

// Unit is what one contributor's runs of one module with one tag show by one method, in one host class. Runs of a
// contributor that show no serial number are taken for runs of one unit.
//
// Where a unit was measured in several classes of hosts, each has its Unit. One of them is Best, which stands for the unit in
// the module's figures: the one with the widest bus on which a run counts. If classes share that bus, the Best is one more
// Unit, of no class, over all of their runs.
type Unit struct {
	Method, Tag string
	HostClass   string // empty: of several
	Best        bool
	Runs        int       // that count
	Values      []float64 // by FigureKeys: medians over the runs that count on the widest bus; not a number: none
	BusMBPerS   float64   // of these runs; 0: not known
	Boards      []string  // that these runs were made in
	Results     int       // runs, counting or not
	Newest      string    // id of the newest of them
	NewestAt    time.Time

	// What the unit showed in any host, the same in all of its Units.
	Variant  string // key
	Evidence []string
	Price    Price
}

// UnitsOf sums up all runs of one contributor's share of one module.
func UnitsOf(runs []Run) []Unit {
	slices.SortFunc(runs, func(a, b Run) int {
		return cmp.Or(strings.Compare(a.Method, b.Method), strings.Compare(a.Tag, b.Tag), strings.Compare(a.HostClass, b.HostClass))
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
	units[best].Best = true
	shown := shownBy(runs)
	for i := range units {
		units[i].Variant, units[i].Evidence, units[i].Price = shown.Variant, shown.Evidence, shown.Price
	}
	return units
}

// summed is the Unit that runs make, less what they show of the unit itself.
func summed(runs []Run) Unit {
	u := Unit{Method: runs[0].Method, Tag: runs[0].Tag, Values: make([]float64, len(FigureKeys)), Boards: []string{}}
	var counting []Run
	for _, r := range runs {
		if at := r.ReceivedAt.Compare(u.NewestAt); at > 0 || at == 0 && r.ID > u.Newest {
			u.Newest, u.NewestAt = r.ID, r.ReceivedAt
		}
		if r.Ranked {
			counting = append(counting, r)
			u.BusMBPerS = max(u.BusMBPerS, r.BusMBPerS)
		}
	}
	counting = slices.DeleteFunc(counting, func(r Run) bool { return r.BusMBPerS != u.BusMBPerS })
	u.Runs = len(counting)
	values := make([]float64, 0, len(counting))
	for i := range u.Values {
		values = values[:0]
		for _, r := range counting {
			if !math.IsNaN(r.Values[i]) {
				values = append(values, r.Values[i])
			}
		}
		u.Values[i] = result.Median(values)
	}
	for _, r := range counting {
		if !slices.Contains(u.Boards, r.Board) {
			u.Boards = append(u.Boards, r.Board)
		}
	}
	return u
}

// shownBy is what a unit showed of itself: the newest variant and price, and every evidence.
func shownBy(runs []Run) (u Unit) {
	u.Evidence = []string{}
	var variantAt, priceAt time.Time
	for _, r := range runs {
		if key := r.Variant.Key(); key != "" && !r.ReceivedAt.Before(variantAt) {
			u.Variant, variantAt = key, r.ReceivedAt
		}
		if r.Price.Currency != "" && !r.ReceivedAt.Before(priceAt) {
			u.Price, priceAt = r.Price, r.ReceivedAt
		}
		for _, e := range r.Evidence {
			if !slices.Contains(u.Evidence, e) {
				u.Evidence = append(u.Evidence, e)
			}
		}
	}
	slices.Sort(u.Evidence)
	return u
}

// chunks yields the stretches of list whose elements are alike.
func chunks[T any](list []T, alike func(a, b T) bool) func(yield func([]T) bool) {
	return func(yield func([]T) bool) {
		for first := 0; first < len(list); {
			end := first + 1
			for end < len(list) && alike(list[first], list[end]) {
				end++
			}
			if !yield(list[first:end]) {
				return
			}
			first = end
		}
	}
}
