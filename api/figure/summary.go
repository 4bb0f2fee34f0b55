package figure

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"flashdex/api/figure/model"
	"flashdex/result/ageing"
)

// SummaryVersion rises whenever SummariesOf or Fit returns something else for the same units. Then all summaries are
// recomputed.
const SummaryVersion = 11

// Summary sums up units of a module that were measured by one method: all units, the units in one host class, or the
// units of one variant. A unit counts if one of its runs is ranked.
type Summary struct {
	ModuleSlug string `json:"-"`
	Method     string `json:"-"`
	HostClass  string `json:"-"` // empty: all hosts, each unit in its best
	Variant    string `json:"-"` // key; empty: all

	Figures Set `json:"figures"`
	// Model holds the model behind each figure of a whole module. Fit fills it in.
	Model PerMetric[model.Module] `json:"model,omitzero"`

	// Of the units that count:
	Units        int     `json:"units"`
	Contributors int     `json:"contributors"`
	Boards       int     `json:"boards"`                 // models of hosts
	BusMBPerS    float64 `json:"bus_mb_per_s,omitempty"` // of the narrowest bus; 0: some unit's is not known
	USB          bool    `json:"usb,omitempty"`          // some unit was measured on USB

	// From at most 250 contributors whose units count; only if Whole. See SetEvidence.
	Independent int         `json:"independent,omitempty"` // contributors, see function Independent
	Days        int         `json:"days,omitempty"`        // days on which they came
	VouchedAt   time.Time   `json:"vouched_at,omitzero"`   // when the last came whom Vouched takes; zero: not yet
	Groups      []TwoGroups `json:"groups,omitempty"`      // figures whose values fall into two groups

	// AgeingPerYear and AgeingPerTB are the change of the rate of 4K random writes per year and per TB written; only if
	// Whole; nil: no unit shows it. See SetAgeing.
	AgeingPerYear *ageing.Change `json:"ageing_per_year,omitempty"`
	AgeingPerTB   *ageing.Change `json:"ageing_per_tb,omitempty"`

	// Of all units:
	AllUnits    int            `json:"all_units"`
	Identified  int            `json:"identified"`             // units whose variant is known
	OnlyVariant string         `json:"only_variant,omitempty"` // key of the one variant of all Identified; only if Whole
	Results     int            `json:"results"`                // runs
	Newest      string         `json:"newest"`                 // id of the newest run
	NewestAt    time.Time      `json:"newest_at"`
	FirstAt     time.Time      `json:"first_at,omitzero"`  // of the first run, see Unit.First; only if Whole
	Shown       map[string]int `json:"shown,omitempty"`    // units by the evidence that they showed
	ShownBy     map[string]int `json:"shown_by,omitempty"` // contributors by the evidence that their units showed
	Prices      []PriceMedian  `json:"prices,omitempty"`
	ByBoard     []BoardUnits   `json:"by_board,omitempty"` // only of a host class

	NotRanked []string `json:"-"` // why Newest isn't ranked; filled in where Figures is empty

	Shares Shares `json:"-"` // only if Whole
	Tally  *Tally `json:"-"` // nil: Update is not possible
}

// coarse reports whether the shares are rounded coarsely.
func (s *Summary) coarse() bool { return s.AllUnits >= coarseFrom }

// Whole reports whether the summary covers all units of the module.
func (s *Summary) Whole() bool { return s.HostClass == "" && s.Variant == "" }

// PriceMedian is the median of the prices of units in one currency. All units of one contributor together weigh one.
type PriceMedian struct {
	Amount   float64 `json:"amount"`
	Currency string  `json:"currency"`
	On       string  `json:"on"` // the date of the newest
	N        int     `json:"n"`
}

// Contribution holds one contributor's units of a module.
type Contribution struct {
	Contributor int // the same number for the same contributor
	Units       []Unit
}

// member is a unit with its contributor and its parts of the module.
type member struct {
	*Unit
	contributor int
	in          []*part
}

// part is a summary under construction.
type part struct {
	Summary
	all     []*member // whose results count: of the whole module also units in other host classes than their best
	members []*member

	values []UnitValue // of one figure
	runs   int
}

// SummariesOf sums up all units of one module. For each method there is a summary of the whole module, one for each
// host class, and one for each variant if there are several. tallied adds the tallies that Update
// needs. Fit completes the figures.
func SummariesOf(slug string, contributions []Contribution, tallied bool) []Summary {
	var all []*member
	for _, s := range contributions {
		for i := range s.Units {
			all = append(all, &member{&s.Units[i], s.Contributor, nil})
		}
	}
	slices.SortStableFunc(all, func(a, b *member) int { return strings.Compare(a.Method, b.Method) })
	var summaries []Summary
	for of := range chunks(all, func(a, b *member) bool { return a.Method == b.Method }) {
		parts := partsOf(of)
		for _, p := range parts {
			p.ModuleSlug, p.Method = slug, of[0].Method
			p.count()
		}
		parts[0].SetAgeing(ageingUnits(parts[0].members))
		parts[0].Shares = Shares{}
		for by := range chunks(of, func(a, b *member) bool { return a.contributor == b.contributor }) {
			var units []Unit
			for _, m := range by {
				units = append(units, *m.Unit)
			}
			parts[0].Shares.add(units, 1, parts[0].coarse())
		}
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

// partsOf divides the units that were measured by one method into parts: the whole module first, then its host
// classes, then its variants if there are several.
func partsOf(members []*member) []*part {
	whole := &part{all: members}
	classes, variants := map[string]*part{}, map[string]*part{}
	in := func(parts map[string]*part, key string, m *member, named Summary) {
		if key == "" {
			return
		}
		if parts[key] == nil {
			parts[key] = &part{Summary: named}
		}
		p := parts[key]
		p.members, p.all = append(p.members, m), append(p.all, m)
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
		if len(variants) == 1 { // the summary of the whole is the same
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

// count fills in everything except the figures.
func (s *part) count() {
	s.Shown, s.ShownBy, s.Tally = map[string]int{}, map[string]int{}, newTally()
	for _, m := range s.all {
		s.Results += m.Results
		if isNewer(m.Newest, m.NewestAt, s.Newest, s.NewestAt) {
			s.Newest, s.NewestAt = m.Newest, m.NewestAt
		}
	}
	if s.Whole() {
		for _, m := range s.all {
			s.FirstAt = earlier(s.FirstAt, m.First.At)
		}
	}
	type voice struct {
		contributor int
		evidence    string
	}
	contributors, heard := map[int]bool{}, map[voice]bool{}
	paid := map[string][]UnitValue{}
	for _, m := range s.members {
		s.add(m.Unit, 1)
		if m.Runs > 0 {
			contributors[m.contributor] = true
		}
		for _, e := range m.Evidence {
			if v := (voice{m.contributor, e}); !heard[v] {
				heard[v] = true
				s.ShownBy[e]++
			}
		}
		if p := m.Price; p.Currency != "" {
			paid[p.Currency] = append(paid[p.Currency], UnitValue{Value: p.Amount, Contributor: m.contributor})
		}
	}
	for currency, amounts := range paid {
		s.Tally.Paid[currency].Amounts = DistributionOf(amounts)
	}
	s.Contributors = len(contributors)
	s.setCounts()
}

// addFigures adds the figures, and their distributions if tallied, to all parts. It sorts all members once for each
// figure, because sorting is most of the work. The values of each part then come in order.
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
				p.Figures.Put(key, f.ofModule(p.runs))
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

// earlier returns the earlier of two times. A zero time is not known.
func earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// isNewer reports whether a result was received after another. Of two received at the same time, the greater id is
// newer.
func isNewer(id string, at time.Time, than string, thanAt time.Time) bool {
	c := at.Compare(thanAt)
	return c > 0 || c == 0 && id > than
}
