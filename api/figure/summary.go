package figure

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
	"time"
)

// SummaryVersion rises whenever SummariesOf gives something else for the same units. All summaries are then made anew.
const SummaryVersion = 4

// Summary is what units of a module show by one method: all of them, those in one class of hosts, or those of one variant.
type Summary struct {
	ModuleSlug string `json:"-"`
	Method     string `json:"-"`
	HostClass  string `json:"-"` // empty: each unit where it is best
	Variant    string `json:"-"` // key; empty: all

	Figures      Set            `json:"figures"`
	Units        int            `json:"units"` // that count, as in the next four
	Contributors int            `json:"contributors"`
	Boards       int            `json:"boards"`                 // models of hosts
	BusMBPerS    float64        `json:"bus_mb_per_s,omitempty"` // the narrowest bus of a unit that counts; 0: one is not known
	USB          bool           `json:"usb,omitempty"`          // a unit that counts was measured on USB
	AllUnits     int            `json:"all_units"`              // counting or not
	Identified   int            `json:"identified"`             // of AllUnits, those whose variant is known
	OnlyVariant  string         `json:"only_variant,omitempty"` // key of the variant of all Identified, if that is one; of the whole alone
	Results      int            `json:"results"`                // runs, counting or not
	Newest       string         `json:"newest"`                 // id of the newest of them
	NewestAt     time.Time      `json:"newest_at"`
	Shown        map[string]int `json:"shown,omitempty"` // how many units showed which evidence, counting or not
	Prices       []PriceMedian  `json:"prices,omitempty"`
	ByBoard      []BoardUnits   `json:"by_board,omitempty"` // of a class of hosts alone

	NotRanked []string `json:"-"` // why Newest isn't; filled where Figures is empty

	Tally *Tally `json:"-"` // nil: Update can't be asked
}

// Whole reports whether it is of all the module's units.
func (s *Summary) Whole() bool { return s.HostClass == "" && s.Variant == "" }

// PriceMedian is what was paid for units of a module in one currency.
type PriceMedian struct {
	Amount   float64 `json:"amount"`
	Currency string  `json:"currency"`
	On       string  `json:"on"` // the newest
	N        int     `json:"n"`
}

// Share is one contributor's units of a module.
type Share struct {
	Contributor int // the same number for the same contributor
	Units       []Unit
}

// member is a unit of some contributor, and the parts of its module that it belongs to.
type member struct {
	*Unit
	contributor int
	in          []*part
}

// part is a summary in the making.
type part struct {
	Summary
	members []*member

	values []UnitValue // of one figure
	runs   int
}

// SummariesOf sums up all units of one module.
func SummariesOf(slug string, shares []Share) []Summary { return summariesOf(slug, shares, false) }

// TalliedSummariesOf is SummariesOf with what Update takes.
func TalliedSummariesOf(slug string, shares []Share) []Summary {
	return summariesOf(slug, shares, true)
}

func summariesOf(slug string, shares []Share, tallied bool) []Summary {
	var all []*member
	for _, s := range shares {
		for i := range s.Units {
			all = append(all, &member{&s.Units[i], s.Contributor, nil})
		}
	}
	slices.SortStableFunc(all, func(a, b *member) int { return strings.Compare(a.Method, b.Method) })
	var summaries []Summary
	for of := range chunks(all, func(a, b *member) bool { return a.Method == b.Method }) {
		parts := partsOf(of)
		for _, p := range parts {
			p.ModuleSlug, p.Method, p.Figures = slug, of[0].Method, Set{}
			p.count()
		}
		whole := &parts[0].Summary
		whole.Results = 0
		for _, m := range of {
			whole.Results += m.Results
		}
		whole.Newest, whole.NewestAt = newestOf(of)
		addFigures(parts, of, tallied)
		for _, p := range parts {
			if tallied {
				p.Tally.thin()
			} else {
				p.Tally = nil
			}
			summaries = append(summaries, p.Summary)
		}
	}
	return summaries
}

// partsOf divides the units that were measured by one method: into the whole, which comes first, into classes of hosts, and,
// if there are several, into variants.
func partsOf(members []*member) []*part {
	whole := new(part)
	classes, variants := map[string]*part{}, map[string]*part{}
	in := func(parts map[string]*part, key string, m *member, named Summary) {
		if key == "" {
			return
		}
		if parts[key] == nil {
			parts[key] = &part{Summary: named}
		}
		parts[key].members = append(parts[key].members, m)
	}
	for _, m := range members {
		in(classes, m.HostClass, m, Summary{HostClass: m.HostClass})
		if m.Best {
			whole.members = append(whole.members, m)
			in(variants, m.Variant, m, Summary{Variant: m.Variant})
		}
	}
	parts := []*part{whole}
	for _, key := range slices.Sorted(maps.Keys(classes)) {
		parts = append(parts, classes[key])
	}
	for _, key := range slices.Sorted(maps.Keys(variants)) {
		if len(variants) == 1 { // the whole says it all
			whole.OnlyVariant = key
			break
		}
		parts = append(parts, variants[key])
	}
	for _, p := range parts {
		for _, m := range p.members {
			m.in = append(m.in, p)
		}
	}
	return parts
}

// count sums up all but the figures.
func (s *part) count() {
	s.Shown, s.Tally = map[string]int{}, newTally()
	s.Newest, s.NewestAt = newestOf(s.members)
	contributors := map[int]bool{}
	paid := map[string][]UnitValue{}
	for _, m := range s.members {
		s.add(m.Unit, 1)
		if m.Runs > 0 {
			contributors[m.contributor] = true
		}
		if p := m.Price; p.Currency != "" {
			paid[p.Currency] = append(paid[p.Currency], UnitValue{Value: p.Amount, Contributor: len(paid[p.Currency])})
		}
	}
	for currency, amounts := range paid {
		s.Tally.Paid[currency].Amounts = DistributionOf(amounts)
	}
	s.Contributors = len(contributors)
	s.conclude()
}

// addFigures adds the figures to all parts, and what a tally needs of them. It sorts the members of all of them once for each figure,
// since sorting each part's is most of the work, and what comes sorted is quick to sort.
func addFigures(parts []*part, members []*member, tallied bool) {
	type valued struct {
		value float64
		*member
	}
	order := make([]valued, 0, len(members))
	for i, key := range FigureKeys {
		order = order[:0]
		for _, m := range members {
			if v := m.Values[i]; !math.IsNaN(v) {
				order = append(order, valued{v, m})
			}
		}
		slices.SortFunc(order, func(a, b valued) int { return cmp.Compare(a.value, b.value) })
		for _, o := range order {
			for _, p := range o.in {
				p.values = append(p.values, UnitValue{Value: o.value, Contributor: o.contributor})
				p.runs += o.Runs
			}
		}
		for _, p := range parts {
			if f, ok := MedianOf(p.values); ok {
				p.Figures[key] = f.ofModule(p.runs)
			}
			if tallied {
				p.Tally.Figures = append(p.Tally.Figures, DistributionOf(p.values))
				p.Tally.Runs = append(p.Tally.Runs, p.runs)
			}
			p.values, p.runs = p.values[:0], 0
		}
	}
}

// ofModule completes the figure of a module. A single unit has no spread.
func (f Figure) ofModule(runs int) Figure {
	if f.Runs = runs; f.N == 1 {
		f.P25, f.P75, f.Min, f.Max = 0, 0, 0, 0
	}
	return f
}

func newestOf(members []*member) (newest string, at time.Time) {
	for _, m := range members {
		if c := m.NewestAt.Compare(at); c > 0 || c == 0 && m.Newest > newest {
			newest, at = m.Newest, m.NewestAt
		}
	}
	return newest, at
}
