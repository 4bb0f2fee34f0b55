package figure

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// keptSteps is how many values a Tally keeps on either side of each value that a figure is taken from. One upload moves
// a median by half a value, so at least 64 uploads pass until all units must be read again, and thousands on average.
var keptSteps = 32 // a variable for tests

// Tally holds the running totals of a Summary: counts of its units, and the distributions of their values. The
// distributions keep only values near the median, the quartiles, the ends of the interval and the extremes. With a
// Tally, Update needs only the units that changed, however many units the module has.
type Tally struct {
	Boards  map[string]int   // units that count, by model of host
	Buses   map[string]int   // units that count, by the rate of the bus in MB/s
	USB     int              // units that count and were measured on USB
	Paid    map[string]*Paid // by currency
	Figures []Distribution   // in the order of FigureKeys
	Runs    []int            // in the order of FigureKeys
}

// Paid holds the prices of units in one currency.
type Paid struct {
	Amounts Distribution
	On      map[string]int // units, by date
}

func newTally() *Tally {
	return &Tally{Boards: map[string]int{}, Buses: map[string]int{}, Paid: map[string]*Paid{}}
}

func (t *Tally) thin() {
	for i := range t.Figures {
		t.Figures[i].Thin(keptSteps)
	}
	for _, paid := range t.Paid {
		paid.Amounts.Thin(keptSteps)
	}
}

// Change holds the units of one contributor of a module before and after a change. Either may be empty.
type Change struct{ Before, After []Unit }

// partKey tells the summaries of a module from each other.
type partKey struct{ method, hostClass, variant string }

// partChange is the effect of a change on one part of the module.
type partChange struct {
	all     Change // units whose results count, also in other host classes than their best
	members Change
}

// Update applies changes of units to the summaries of their module, which must have tallies. It returns the summaries
// that changed. If ok is false, the tallies don't hold enough: the summaries are invalid, and all units must be summed
// up again.
func Update(summaries []Summary, changes []Change) (changed []*Summary, ok bool) {
	parts, touched := map[partKey]*Summary{}, map[*Summary]bool{}
	for i := range summaries {
		s := &summaries[i]
		if s.Shown == nil {
			s.Shown = map[string]int{}
		}
		if s.ShownBy == nil {
			s.ShownBy = map[string]int{}
		}
		parts[partKey{s.Method, s.HostClass, s.Variant}] = s
	}
	for _, c := range changes {
		divided := map[*Summary]*partChange{}
		for _, u := range c.Before {
			if !divide(divided, parts, u, func(c *Change) { c.Before = append(c.Before, u) }) {
				return nil, false
			}
		}
		for _, u := range c.After {
			if !divide(divided, parts, u, func(c *Change) { c.After = append(c.After, u) }) {
				return nil, false
			}
		}
		for s, of := range divided {
			touched[s] = true
			coarse := s.coarse()
			if s.Tally == nil || !s.replace(of.members) || !s.setNewest(of.all) {
				return nil, false
			}
			if s.Whole() && !(s.replaceShares(of.all, coarse) && s.setFirst(of.all)) {
				return nil, false
			}
			s.Results += resultsOf(of.all.After) - resultsOf(of.all.Before)
		}
	}
	for i := range summaries {
		if s := &summaries[i]; touched[s] {
			if !s.setCounts() || !s.setFigures() {
				return nil, false
			}
			changed = append(changed, s)
		}
	}
	return changed, true
}

// divide adds a unit to the changes of its parts. ok is false if one of the parts has no summary yet.
func divide(to map[*Summary]*partChange, parts map[partKey]*Summary, u Unit, add func(*Change)) (ok bool) {
	whole := parts[partKey{method: u.Method}]
	if whole == nil {
		return false
	}
	of := []*Summary{whole}
	if u.HostClass != "" {
		of = append(of, parts[partKey{method: u.Method, hostClass: u.HostClass}])
	}
	if u.Best && u.Variant != "" && u.Variant != whole.OnlyVariant {
		of = append(of, parts[partKey{method: u.Method, variant: u.Variant}])
	}
	for _, s := range of {
		if s == nil {
			return false
		}
		if to[s] == nil {
			to[s] = new(partChange)
		}
		add(&to[s].all)
		if s != whole || u.Best {
			add(&to[s].members)
		}
	}
	return true
}

func resultsOf(units []Unit) (n int) {
	for _, u := range units {
		n += u.Results
	}
	return n
}

// replace stops counting one contributor's units as of before a change, and counts them as of after it. ok is false if
// the tally lacks the units as of before.
func (s *Summary) replace(c Change) (ok bool) {
	counts := func(u Unit) bool { return u.Runs > 0 }
	if slices.ContainsFunc(c.After, counts) {
		s.Contributors++
	}
	if slices.ContainsFunc(c.Before, counts) {
		s.Contributors--
	}
	for e := range shownIn(c.After) {
		count(s.ShownBy, e, 1)
	}
	for e := range shownIn(c.Before) {
		count(s.ShownBy, e, -1)
	}
	for i := range c.After {
		s.add(&c.After[i], 1)
	}
	for i := range c.Before {
		s.add(&c.Before[i], -1)
	}
	for i := range s.Tally.Figures {
		values := func(units []Unit, sign int) (values []float64) {
			for _, u := range units {
				if v := u.Values[i]; !math.IsNaN(v) {
					values = append(values, v)
					s.Tally.Runs[i] += sign * u.Runs
				}
			}
			return values
		}
		if !s.Tally.Figures[i].Replace(values(c.Before, -1), values(c.After, 1)) {
			return false
		}
	}
	return s.Tally.replacePaid(c)
}

// shownIn returns the evidence that any of one contributor's units showed.
func shownIn(units []Unit) map[string]bool {
	of := map[string]bool{}
	for _, u := range units {
		for _, e := range u.Evidence {
			of[e] = true
		}
	}
	return of
}

// replaceShares does the same for shares. ok is false if the shares lack the units as of before, or were rounded in
// another way.
func (s *Summary) replaceShares(c Change, coarse bool) (ok bool) {
	return coarse == s.coarse() && s.Shares != nil &&
		s.Shares.add(c.After, 1, coarse) && s.Shares.add(c.Before, -1, coarse)
}

func (t *Tally) replacePaid(c Change) (ok bool) {
	for currency, paid := range t.Paid {
		amounts := func(units []Unit) (amounts []float64) {
			for _, u := range units {
				if u.Price.Currency == currency {
					amounts = append(amounts, u.Price.Amount)
				}
			}
			return amounts
		}
		if !paid.Amounts.Replace(amounts(c.Before), amounts(c.After)) {
			return false
		}
	}
	return true
}

// setNewest sets the newest result after a change. ok is false if only all units can tell it.
func (s *Summary) setNewest(c Change) (ok bool) {
	id, at := s.Newest, s.NewestAt
	gone := slices.ContainsFunc(c.Before, func(u Unit) bool { return u.Newest == id })
	if gone {
		id, at = "", time.Time{}
	}
	for _, u := range c.After {
		if isNewer(u.Newest, u.NewestAt, id, at) {
			id, at = u.Newest, u.NewestAt
		}
	}
	if gone && isNewer(s.Newest, s.NewestAt, id, at) {
		return false
	}
	s.Newest, s.NewestAt = id, at
	return true
}

// setFirst sets when the first run came, after a change. ok is false if only all units can tell it.
func (s *Summary) setFirst(c Change) (ok bool) {
	var first time.Time // after the change, of these units
	for _, u := range c.After {
		first = earlier(first, u.First.At)
	}
	isFirst := func(u Unit) bool { return u.First.At.Equal(s.FirstAt) }
	if slices.ContainsFunc(c.Before, isFirst) && (first.IsZero() || first.After(s.FirstAt)) {
		return false
	}
	s.FirstAt = earlier(s.FirstAt, first)
	return true
}

// add adds a unit to the counts, or subtracts it if sign is -1. setCounts and the figures follow from these.
func (s *Summary) add(u *Unit, sign int) {
	t := s.Tally
	s.AllUnits += sign
	if u.Variant != "" {
		s.Identified += sign
	}
	for _, e := range u.Evidence {
		count(s.Shown, e, sign)
	}
	if p := u.Price; p.Currency != "" {
		if t.Paid[p.Currency] == nil {
			t.Paid[p.Currency] = &Paid{On: map[string]int{}}
		}
		count(t.Paid[p.Currency].On, p.On, sign)
	}
	if u.Runs == 0 {
		return
	}
	s.Units += sign
	count(t.Buses, strconv.FormatFloat(u.BusMBPerS, 'g', -1, 64), sign)
	if u.HostClass == "" || strings.HasPrefix(u.HostClass, "usb") {
		t.USB += sign
	}
	for _, b := range boardNames(u) {
		count(t.Boards, b, sign)
	}
}

// count adds sign to a count, and removes a key whose count is zero.
func count(counts map[string]int, key string, sign int) {
	if counts[key] += sign; counts[key] == 0 {
		delete(counts, key)
	}
}

// setCounts sets the fields that follow from the counts of the tally. ok is false if that takes all units: because no
// unit is left, no unit of the only variant is left, or the tally doesn't hold the median of the prices.
func (s *Summary) setCounts() (ok bool) {
	t := s.Tally
	s.Boards, s.USB, s.BusMBPerS, s.Prices = len(t.Boards), t.USB > 0, 0, nil
	if s.HostClass != "" {
		s.ByBoard = mostUsed(t.Boards)
	}
	narrowest := math.Inf(1)
	for bus := range t.Buses {
		rate, _ := strconv.ParseFloat(bus, 64) // add wrote it
		narrowest = min(narrowest, rate)
		s.BusMBPerS = narrowest
	}
	for _, currency := range slices.Sorted(maps.Keys(t.Paid)) {
		paid := t.Paid[currency]
		if paid.Amounts.Units == 0 {
			delete(t.Paid, currency)
			continue
		}
		amount, known := paid.Amounts.Quantile(0.5)
		if !known {
			return false
		}
		newest := slices.Max(slices.Collect(maps.Keys(paid.On)))
		s.Prices = append(s.Prices, PriceMedian{amount, currency, newest, paid.Amounts.Units})
	}
	return s.AllUnits > 0 && (s.OnlyVariant == "" || s.Identified > 0)
}

// setFigures computes the figures again. ok is false if the tally does not hold enough for one of them.
func (s *Summary) setFigures() (ok bool) {
	s.Figures = Set{}
	for i, key := range FigureKeys {
		d := &s.Tally.Figures[i]
		if d.Units == 0 {
			continue
		}
		f, known := d.Median()
		if !known {
			return false
		}
		s.Figures.Put(key, f.ofModule(s.Tally.Runs[i]))
	}
	return true
}
