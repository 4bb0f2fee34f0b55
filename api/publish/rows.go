package publish

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"flashdex/api/catalogue"
	"flashdex/api/index"
)

// row is what one table row shows: the figures of one module by one method, or of a reference device.
type row struct {
	module    catalogue.Module // of a reference device only the name is set
	reference string           // name of the reference device, empty for modules
	method    string
	figures   map[string]figure
	units     int
	results   int
	sources   []string // keys of the sources of published figures
	note      string   // why there is no rank
}

type figure struct {
	Value float64  `json:"value"`
	Low   *float64 `json:"low,omitempty"`
	High  *float64 `json:"high,omitempty"`
	N     int      `json:"n,omitempty"` // units of an upload's figure, rows of a published one
}

// rowsOf makes the rows of every module and method from a snapshot, in no particular order.
func rowsOf(s *index.Snapshot, c *catalogue.Catalogue) []row {
	rows := map[[2]string]*row{}
	modules := map[string]catalogue.Module{}
	for _, m := range s.Modules {
		modules[m.Slug] = m
	}
	at := func(slug, method string) *row {
		key := [2]string{slug, method}
		if rows[key] == nil {
			rows[key] = &row{module: modules[slug], method: method, figures: map[string]figure{}}
		}
		return rows[key]
	}
	for _, f := range s.Figures {
		r := at(f.ModuleSlug, f.Method)
		r.figures[f.Key] = figure{Value: f.Median, N: f.Units}
		r.units = max(r.units, f.Units)
		if f.Contributors < index.MinRankedContributors {
			r.note = fmt.Sprintf("listed, not ranked yet: %d of the %d contributors it takes", f.Contributors, index.MinRankedContributors)
		}
	}
	addSubmissions(s, at)
	devices := map[string]string{}
	for _, d := range c.ReferenceDevices {
		devices[d.Slug] = d.Name
	}
	for _, group := range publishedGroups(s.Published) {
		r := at(group[0].ModuleSlug+group[0].DeviceSlug, group[0].Method)
		r.reference = devices[group[0].DeviceSlug]
		key, value := publishedFigure(group)
		r.figures[key] = figure{Value: value, N: len(group)}
		for _, p := range group {
			if !slices.Contains(r.sources, p.Source) {
				r.sources = append(r.sources, p.Source)
			}
		}
	}
	var all []row
	for _, r := range rows {
		all = append(all, *r)
	}
	return append(all, referenceRows(c)...)
}

// addSubmissions counts the results, and gives a module that has none that is ranked the newest one's figures with the
// reason why: an uploaded result is always to be seen.
func addSubmissions(s *index.Snapshot, at func(slug, method string) *row) {
	for _, sub := range s.Submissions {
		r := at(sub.ModuleSlug, sub.Method)
		r.results++
		if r.units > 0 || len(r.figures) > 0 {
			continue
		}
		for key, f := range index.FiguresOf(sub.Tests) {
			r.figures[key] = figure{Value: f.Value, Low: f.Low, High: f.High, N: 1}
		}
		r.note = "not ranked: " + first(sub.NotRanked)
	}
	// The interval of a single run stands for the module as long as there is no other.
	for _, sub := range s.Submissions {
		r := at(sub.ModuleSlug, sub.Method)
		if r.results != 1 || len(sub.NotRanked) > 0 {
			continue
		}
		for key, f := range index.FiguresOf(sub.Tests) {
			if shown, ok := r.figures[key]; ok {
				shown.Low, shown.High = f.Low, f.High
				r.figures[key] = shown
			}
		}
	}
}

func first(reasons []string) string {
	if len(reasons) == 0 {
		return "its figures are being worked out"
	}
	return reasons[0]
}

// referenceRows gives every method that measures what Flashdex does its reference lines.
func referenceRows(c *catalogue.Catalogue) []row {
	var rows []row
	for _, device := range c.ReferenceDevices {
		figures := map[string]figure{}
		for key, value := range map[string]float64{
			index.RandWriteIOPS: device.RandWriteIOPS, index.RandReadIOPS: device.RandReadIOPS, index.SeqWriteMBPerS: device.SeqWriteMBPerS,
		} {
			if value > 0 {
				figures[key] = figure{Value: value}
			}
		}
		if len(figures) == 0 {
			continue
		}
		for _, m := range c.Methods {
			if m.ComparableRandWrite4K {
				rows = append(rows, row{reference: device.Name, method: m.ID, figures: figures, sources: []string{device.Source}})
			}
		}
	}
	return rows
}

// sortRows puts the best first by one figure; rows without it come last, by name.
func sortRows(rows []row, key string) {
	slices.SortFunc(rows, func(a, b row) int {
		x, inA := a.figures[key]
		y, inB := b.figures[key]
		switch {
		case inA != inB:
			if inA {
				return -1
			}
			return 1
		case inA && x.Value != y.Value:
			return cmp.Compare(y.Value, x.Value)
		}
		return cmp.Or(cmp.Compare(a.name(), b.name()), cmp.Compare(a.module.Slug, b.module.Slug))
	})
}

func (r row) name() string {
	if r.reference != "" {
		return r.reference
	}
	return r.module.Name()
}

// ranks numbers sorted rows of one method by one figure: 1 for the best, the same number for equal ones, 0 for rows that
// are not ranked.
func ranks(rows []row, key string) []int {
	numbers := make([]int, len(rows))
	place, last := 0, math.NaN()
	ranked := 0
	for i, r := range rows {
		f, ok := r.figures[key]
		if !ok || r.reference != "" || r.note != "" {
			continue
		}
		ranked++
		if f.Value != last {
			place, last = ranked, f.Value
		}
		numbers[i] = place
	}
	return numbers
}
