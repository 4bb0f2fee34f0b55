package index

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"flashdex/result"
)

// SummaryVersion rises whenever SummariesOf gives something else for the same units. All summaries are then made anew.
const SummaryVersion = 2

// Estimate is one figure of a module over its units, by result.MedianOf.
type Estimate struct {
	Value        float64  `json:"value"`         // the median
	Low          *float64 `json:"low,omitempty"` // its interval
	High         *float64 `json:"high,omitempty"`
	Confidence   float64  `json:"confidence,omitempty"` // of the interval, 0.95 or more; less where there are too few units for that
	P25          float64  `json:"p25,omitempty"`
	P75          float64  `json:"p75,omitempty"`
	Min          float64  `json:"min,omitempty"`
	Max          float64  `json:"max,omitempty"`
	N            int      `json:"n,omitempty"` // units; of a published figure the rows that it is the median of
	Runs         int      `json:"runs,omitempty"`
	Contributors int      `json:"contributors,omitempty"`
}

// Summary is what units of a module show by one method: all of them, those in one class of hosts, or those of one variant.
type Summary struct {
	ModuleSlug string `json:"-"`
	Method     string `json:"-"`
	HostClass  string `json:"-"` // empty: each unit where it is best
	Variant    string `json:"-"` // key; empty: all

	Figures      map[string]Estimate `json:"figures"` // by FigureKeys
	Units        int                 `json:"units"`   // that count, as in the next four
	Contributors int                 `json:"contributors"`
	Boards       int                 `json:"boards"`                 // models of hosts
	BusMBPerS    float64             `json:"bus_mb_per_s,omitempty"` // the narrowest bus of a unit that counts; 0: one is not known
	USB          bool                `json:"usb,omitempty"`          // a unit that counts was measured on USB
	AllUnits     int                 `json:"all_units"`              // counting or not
	Identified   int                 `json:"identified"`             // of AllUnits, those whose variant is known
	OnlyVariant  string              `json:"only_variant,omitempty"` // key of the variant of all Identified, if that is one; of the whole alone
	Results      int                 `json:"results"`                // runs, counting or not
	Newest       string              `json:"newest"`                 // id of the newest of them
	NewestAt     time.Time           `json:"newest_at"`
	Shown        map[string]int      `json:"shown,omitempty"` // how many units showed which evidence, counting or not
	Prices       []PriceMedian       `json:"prices,omitempty"`

	NewestResult Submission `json:"-"` // filled where Figures is empty
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

// member is a unit of some contributor.
type member struct {
	*Unit
	contributor int
}

// SummariesOf sums up all units of one module.
func SummariesOf(slug string, shares []Share) []Summary {
	var all []member
	for _, s := range shares {
		for i := range s.Units {
			all = append(all, member{&s.Units[i], s.Contributor})
		}
	}
	slices.SortStableFunc(all, func(a, b member) int { return strings.Compare(a.Method, b.Method) })
	var summaries []Summary
	for of := range chunks(all, func(a, b member) bool { return a.Method == b.Method }) {
		best := slices.Clone(of)
		best = slices.DeleteFunc(best, func(m member) bool { return !m.Best })
		whole := summaryOf(best)
		whole.Results = 0
		for _, m := range of {
			whole.Results += m.Results
		}
		whole.Newest, whole.NewestAt = newestOf(of)
		group := []Summary{whole}
		group = append(group, groups(of, func(m member) string { return m.HostClass }, func(s *Summary, key string) { s.HostClass = key })...)
		switch variants := groups(best, func(m member) string { return m.Variant }, func(s *Summary, key string) { s.Variant = key }); len(variants) {
		case 0:
		case 1: // the whole says it all
			group[0].OnlyVariant = variants[0].Variant
		default:
			group = append(group, variants...)
		}
		for i := range group {
			group[i].ModuleSlug, group[i].Method = slug, of[0].Method
		}
		summaries = append(summaries, group...)
	}
	return summaries
}

// groups sums up the units of each key but the empty one.
func groups(members []member, key func(member) string, name func(*Summary, string)) (summaries []Summary) {
	members = slices.Clone(members)
	slices.SortStableFunc(members, func(a, b member) int { return strings.Compare(key(a), key(b)) })
	for of := range chunks(members, func(a, b member) bool { return key(a) == key(b) }) {
		if key(of[0]) == "" {
			continue
		}
		s := summaryOf(of)
		name(&s, key(of[0]))
		summaries = append(summaries, s)
	}
	return summaries
}

func summaryOf(members []member) Summary {
	s := Summary{Figures: map[string]Estimate{}, Shown: map[string]int{}, AllUnits: len(members)}
	s.Newest, s.NewestAt = newestOf(members)
	boards, contributors := map[string]bool{}, map[int]bool{}
	for _, m := range members {
		s.Results += m.Results
		if m.Variant != "" {
			s.Identified++
		}
		for _, e := range m.Evidence {
			s.Shown[e]++
		}
		if m.Runs == 0 {
			continue
		}
		s.Units++
		if s.Units == 1 || m.BusMBPerS < s.BusMBPerS {
			s.BusMBPerS = m.BusMBPerS
		}
		s.USB = s.USB || m.HostClass == "" || strings.HasPrefix(m.HostClass, "usb")
		contributors[m.contributor] = true
		for _, b := range m.Boards {
			boards[b] = true
		}
	}
	s.Boards, s.Contributors, s.Prices = len(boards), len(contributors), pricesOf(members)
	values := make([]result.UnitValue, 0, len(members))
	for i, key := range FigureKeys {
		values = values[:0]
		runs := 0
		for _, m := range members {
			if !math.IsNaN(m.Values[i]) {
				values = append(values, result.UnitValue{Value: m.Values[i], Contributor: m.contributor})
				runs += m.Runs
			}
		}
		if m, ok := result.MedianOf(values); ok {
			s.Figures[key] = estimateOf(m, runs)
		}
	}
	return s
}

func estimateOf(m result.Median, runs int) Estimate {
	e := Estimate{Value: m.Value, Confidence: m.Confidence, N: m.Units, Runs: runs, Contributors: m.Contributors}
	if m.Confidence > 0 {
		e.Low, e.High = &m.Low, &m.High
	}
	if m.Units > 1 {
		e.P25, e.P75, e.Min, e.Max = m.P25, m.P75, m.Min, m.Max
	}
	return e
}

func newestOf(members []member) (newest string, at time.Time) {
	for _, m := range members {
		if c := m.NewestAt.Compare(at); c > 0 || c == 0 && m.Newest > newest {
			newest, at = m.Newest, m.NewestAt
		}
	}
	return newest, at
}

// pricesOf takes the median of what was paid for units in each currency. Nothing is converted.
func pricesOf(members []member) (prices []PriceMedian) {
	amounts, newest := map[string][]float64{}, map[string]string{}
	for _, m := range members {
		if p := m.Price; p.Currency != "" {
			amounts[p.Currency] = append(amounts[p.Currency], p.Amount)
			newest[p.Currency] = max(newest[p.Currency], p.On)
		}
	}
	for currency, values := range amounts {
		prices = append(prices, PriceMedian{median(values), currency, newest[currency], len(values)})
	}
	slices.SortFunc(prices, func(a, b PriceMedian) int { return cmp.Compare(a.Currency, b.Currency) })
	return prices
}
