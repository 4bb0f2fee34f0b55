package figure

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// keptSteps is how many values a Tally keeps on either side of each place that a figure is taken from. An upload moves a median by
// half a value, so that it takes at least twice as many, and on average thousands, until all units have to be read again.
var keptSteps = 32 // a variable for tests

// Tally is what it takes to bring a summary up to date when a few of its units change: how many count for what, and the values
// that its figures are taken from with their neighbours.
type Tally struct {
	Boards  map[string]int   // units that count, by model of host
	Buses   map[busRate]int  // the same by what the bus carries
	USB     int              // the same of those on USB
	Paid    map[string]*Paid // by currency
	Figures []Distribution   // by FigureKeys
	Runs    []int            // by FigureKeys
}

// busRate is a rate in MB/s that can be a key in JSON.
type busRate float64

// MarshalText implements encoding.TextMarshaler.
func (r busRate) MarshalText() ([]byte, error) {
	return strconv.AppendFloat(nil, float64(r), 'g', -1, 64), nil
}

// UnmarshalText implements encoding.TextUnmarshaler.
func (r *busRate) UnmarshalText(text []byte) error {
	v, err := strconv.ParseFloat(string(text), 64)
	*r = busRate(v)
	return err
}

// Paid is what was paid for units, each of which weighs one.
type Paid struct {
	Amounts Distribution
	On      map[string]int // units, by date
}

func newTally() *Tally {
	return &Tally{Boards: map[string]int{}, Buses: map[busRate]int{}, Paid: map[string]*Paid{}}
}

// thin keeps of the values what is near to those that matter.
func (t *Tally) thin() {
	for i := range t.Figures {
		t.Figures[i].Thin(keptSteps)
	}
	for _, paid := range t.Paid {
		paid.Amounts.Thin(keptSteps)
	}
}

// Change is what one contributor's units of a module were, and what they are now. Either may be none.
type Change struct{ Before, After []Unit }

// Update brings summaries of one module, which have their Tally, up to date with changes of its units. It reports which changed, or ok
// false if all units have to be summed up anew; the summaries are of no use then.
func Update(summaries []Summary, changes []Change) (changed []*Summary, ok bool) {
	u := update{parts: map[partKey]*Summary{}, touched: map[*Summary]bool{}}
	for i := range summaries {
		s := &summaries[i]
		if s.Shown == nil {
			s.Shown = map[string]int{}
		}
		u.parts[partKey{s.Method, s.HostClass, s.Variant}] = s
	}
	for _, c := range changes {
		for _, method := range methodsOf(c) {
			if !u.change(method, c.of(method)) {
				return nil, false
			}
		}
	}
	for i := range summaries {
		if s := &summaries[i]; u.touched[s] {
			if !s.conclude() || !s.estimate() {
				return nil, false
			}
			changed = append(changed, s)
		}
	}
	return changed, true
}

// methodsOf are the methods of the units that c is of.
func methodsOf(c Change) (methods []string) {
	for _, u := range slices.Concat(c.Before, c.After) {
		if !slices.Contains(methods, u.Method) {
			methods = append(methods, u.Method)
		}
	}
	return methods
}

// of is the part of c that was measured by a method.
func (c Change) of(method string) Change {
	by := func(units []Unit) (of []Unit) {
		for _, u := range units {
			if u.Method == method {
				of = append(of, u)
			}
		}
		return of
	}
	return Change{by(c.Before), by(c.After)}
}

// partKey tells the summaries of a module from each other.
type partKey struct{ method, hostClass, variant string }

// update is summaries that are brought up to date.
type update struct {
	parts   map[partKey]*Summary
	touched map[*Summary]bool
}

// change works a change of units in that were measured by one method.
func (u *update) change(method string, c Change) (ok bool) {
	whole := u.parts[partKey{method: method}]
	if whole == nil {
		return false
	}
	changes := map[*Summary]*Change{whole: {}}
	sort := func(units []Unit, side func(*Change) *[]Unit) bool {
		for _, unit := range units {
			var keys []partKey
			if unit.HostClass != "" {
				keys = append(keys, partKey{method: method, hostClass: unit.HostClass})
			}
			if unit.Best {
				keys = append(keys, partKey{method: method})
				if unit.Variant != "" && unit.Variant != whole.OnlyVariant {
					keys = append(keys, partKey{method: method, variant: unit.Variant})
				}
			}
			for _, key := range keys {
				part := u.parts[key]
				if part == nil { // the first of its kind
					return false
				}
				if changes[part] == nil {
					changes[part] = &Change{}
				}
				list := side(changes[part])
				*list = append(*list, unit)
			}
		}
		return true
	}
	if !sort(c.Before, func(c *Change) *[]Unit { return &c.Before }) || !sort(c.After, func(c *Change) *[]Unit { return &c.After }) {
		return false
	}
	for part, of := range changes {
		u.touched[part] = true
		results, newest := part.Results, of
		if part == whole {
			newest = &c // whatever the unit is best in
		}
		if part.Tally == nil || !part.replace(*of) || !part.renew(*newest) {
			return false
		}
		if part == whole {
			part.Results = results + resultsOf(c.After) - resultsOf(c.Before)
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

// replace counts one contributor's units after a change instead of those before.
func (s *Summary) replace(c Change) (ok bool) {
	counts := func(u Unit) bool { return u.Runs > 0 }
	if slices.ContainsFunc(c.After, counts) {
		s.Contributors++
	}
	if slices.ContainsFunc(c.Before, counts) {
		s.Contributors--
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

// replacePaid is what replace does with the prices.
func (t *Tally) replacePaid(c Change) (ok bool) {
	for _, u := range c.After {
		if paid := t.Paid[u.Price.Currency]; paid != nil && !paid.Amounts.Replace(nil, []float64{u.Price.Amount}) {
			return false
		}
	}
	for _, u := range c.Before {
		if paid := t.Paid[u.Price.Currency]; paid != nil && !paid.Amounts.Replace([]float64{u.Price.Amount}, nil) {
			return false
		}
	}
	return true
}

// renew finds the newest result after a change, unless it has to be sought among all.
func (s *Summary) renew(c Change) (ok bool) {
	gone := slices.ContainsFunc(c.Before, func(u Unit) bool { return u.Newest == s.Newest })
	newest, at := s.Newest, s.NewestAt
	if gone {
		newest, at = "", time.Time{}
	}
	for _, u := range c.After {
		if c := u.NewestAt.Compare(at); c > 0 || c == 0 && u.Newest > newest {
			newest, at = u.Newest, u.NewestAt
		}
	}
	if c := at.Compare(s.NewestAt); gone && (c < 0 || c == 0 && newest < s.Newest) {
		return false
	}
	s.Newest, s.NewestAt = newest, at
	return true
}

// add counts a unit, or takes it away if sign is -1, but for what conclude and the figures say.
func (s *Summary) add(u *Unit, sign int) {
	t := s.Tally
	s.AllUnits += sign
	s.Results += sign * u.Results
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
	count(t.Buses, busRate(u.BusMBPerS), sign)
	if u.HostClass == "" || strings.HasPrefix(u.HostClass, "usb") {
		t.USB += sign
	}
	for _, b := range boardNames(u) {
		count(t.Boards, b, sign)
	}
}

// count keeps no key of which there is none.
func count[K comparable](counts map[K]int, key K, sign int) {
	if counts[key] += sign; counts[key] == 0 {
		delete(counts, key)
	}
}

// conclude says what follows from what was counted. It reports false if that takes all units: where nothing is left, or nothing of
// what the module's only variant was.
func (s *Summary) conclude() (ok bool) {
	t := s.Tally
	s.Boards, s.USB, s.BusMBPerS, s.Prices = len(t.Boards), t.USB > 0, 0, nil
	if s.HostClass != "" {
		s.ByBoard = mostUsed(t.Boards)
	}
	if len(t.Buses) > 0 {
		s.BusMBPerS = float64(slices.Min(slices.Collect(maps.Keys(t.Buses))))
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
		s.Prices = append(s.Prices, PriceMedian{amount, currency, slices.Max(slices.Collect(maps.Keys(paid.On))), paid.Amounts.Units})
	}
	return s.AllUnits > 0 && (s.OnlyVariant == "" || s.Identified > 0)
}

// estimate makes the figures anew. It reports false if that takes all units.
func (s *Summary) estimate() (ok bool) {
	for i, key := range FigureKeys {
		d := &s.Tally.Figures[i]
		if d.Units == 0 {
			delete(s.Figures, key)
			continue
		}
		f, known := d.Median()
		if !known {
			return false
		}
		s.Figures[key] = f.ofModule(s.Tally.Runs[i])
	}
	return true
}
