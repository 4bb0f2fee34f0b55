package figure

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"time"

	"flashdex/api/figure/model"
	"flashdex/api/submission/plausible"
	"flashdex/result"
)

// Compared are the figures in which a result is compared with other results of its module. Linear rates aren't among
// them, because they depend as much on the host (one slot does 12 MB/s, another 104). Nor are the slowest latencies,
// which vary anyway.
var Compared = []string{RandWriteIOPS, RandReadIOPS}

// Contributed is what one contributor measured of a module by one method.
type Contributed struct {
	First  Arrival
	Values []float64 // medians of the units, in the order of Compared; NaN: not measured
}

// ContributedBy sums up the units of one contributor and method. ok is false if none of them counts.
func ContributedBy(units []Unit) (c Contributed, ok bool) {
	for _, u := range units {
		if u.Runs > 0 && (!ok || u.First.Before(c.First)) {
			c.First, ok = u.First, true
		}
	}
	for _, key := range Compared {
		at := slices.Index(FigureKeys, key)
		var values []float64
		for _, u := range units {
			if u.Best && !math.IsNaN(u.Values[at]) {
				values = append(values, u.Values[at])
			}
		}
		c.Values = append(c.Values, result.Median(values))
	}
	return c, ok
}

// TwoGroups says that contributors' values of a module fall into two groups.
type TwoGroups struct {
	Figure string `json:"figure"` // key
	Slower Group  `json:"slower"`
	Faster Group  `json:"faster"`
}

// Group is one of the two groups.
type Group struct {
	Value        float64 `json:"value"` // median, in the figure's unit
	Contributors int     `json:"contributors"`
}

// String says it in words.
func (g TwoGroups) String() string {
	m := MetricOf(g.Figure)
	return fmt.Sprintf("%s falls into two groups: around %s %s (%s contributors) and around %s %s (%s).", m.Name,
		result.Number(g.Slower.Value), m.Unit, result.Count(g.Slower.Contributors),
		result.Number(g.Faster.Value), m.Unit, result.Count(g.Faster.Contributors))
}

// Divide looks for two groups in the figure Compared[i], each of at least three independent contributors.
func Divide(of []Contributed, i int) (groups TwoGroups, ok bool) {
	all := make([]float64, len(of))
	for at, c := range of {
		all[at] = c.Values[i]
	}
	border, ok := plausible.Divide(all)
	if !ok {
		return groups, false
	}
	groups.Figure = Compared[i]
	for _, side := range []struct {
		*Group
		in func(v float64) bool
	}{
		{&groups.Slower, func(v float64) bool { return v > 0 && v <= border }},
		{&groups.Faster, func(v float64) bool { return v > border && !math.IsInf(v, 1) }},
	} {
		var values []float64
		var first []Arrival
		for _, c := range of {
			if v := c.Values[i]; side.in(v) {
				values, first = append(values, v), append(first, c.First)
			}
		}
		if independent, _ := Independent(first); independent < model.RankedFrom {
			return groups, false
		}
		side.Contributors, side.Value = len(values), result.Median(values)
	}
	return groups, true
}

// Deviates compares a value of the figure Compared[i] with the values of other contributors, as plausible.Deviates
// does. It reports no finding unless three independent contributors agree with each other: fewer may be one person.
func Deviates(value float64, others []Contributed, i int) (plausible.Finding, bool) {
	theirs := make([]float64, len(others))
	for at, c := range others {
		theirs[at] = c.Values[i]
	}
	found, ok := plausible.Deviates(value, theirs)
	if !ok {
		return found, false
	}
	var agree []Arrival
	low, _, high, _ := plausible.Passing(theirs)
	for at, c := range others {
		if theirs[at] >= low && theirs[at] <= high {
			agree = append(agree, c.First)
		}
	}
	independent, _ := Independent(agree)
	return found, independent >= model.RankedFrom
}

// SetEvidence sets how far contributors vouch for the figures of a whole module. of holds at most 250 contributors,
// because with hundreds the answer is certain.
func (s *Summary) SetEvidence(of []Contributed) {
	first := make([]Arrival, len(of))
	for i, c := range of {
		first[i] = c.First
	}
	s.Independent, s.Days = Independent(first)
	s.VouchedAt = time.Time{}
	if s.Vouched() {
		slices.SortFunc(first, func(a, b Arrival) int { return a.At.Compare(b.At) })
		last := sort.Search(len(first), func(i int) bool { // more arrivals never make fewer
			var before Summary
			before.Independent, before.Days = Independent(first[:i+1])
			return before.Vouched()
		})
		s.VouchedAt = first[last].At
	}
	s.Groups = nil
	for i := range Compared {
		if groups, ok := Divide(of, i); ok {
			s.Groups = append(s.Groups, groups)
		}
	}
}

// Missing returns how many more independent contributors must measure the module, and on how many more days, to rank
// it. Only days on which contributors first came count, so each missing day takes another contributor.
func (s *Summary) Missing() (contributors, days int) {
	return max(0, model.RankedFrom-s.Independent), max(0, RankedDays-s.Days)
}

// Vouched reports whether enough independent contributors on enough days measured the module to rank it.
func (s *Summary) Vouched() bool {
	contributors, days := s.Missing()
	return contributors == 0 && days == 0
}
