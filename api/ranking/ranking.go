// Package ranking makes table rows of what the index holds: which figures stand for a module by which method, in which
// order, and who has a rank. The site, the data set and the API show these rows and no others.
package ranking

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"flashdex/api/catalogue"
	"flashdex/api/index"
)

// Row is what one table row shows: the figures of one module by one method, or of a reference device.
type Row struct {
	Module    catalogue.Module // of a reference device only the name is set
	Reference string           // name of the reference device, empty for modules
	Method    string
	Figures   map[string]Figure // by index.FigureKeys
	Units     int
	Results   int
	Sources   []string // keys of the sources of published figures
	Note      string   // why there is no rank
}

// Figure is one cell.
type Figure struct {
	Value float64  `json:"value"`
	Low   *float64 `json:"low,omitempty"`
	High  *float64 `json:"high,omitempty"`
	N     int      `json:"n,omitempty"` // units of an upload's figure, rows of a published one
}

// Rows makes the rows of every module and method from a snapshot, in no particular order.
func Rows(s *index.Snapshot, c *catalogue.Catalogue) []Row {
	rows := map[[2]string]*Row{}
	modules := map[string]catalogue.Module{}
	for _, m := range s.Modules {
		modules[m.Slug] = m
	}
	at := func(slug, method string) *Row {
		key := [2]string{slug, method}
		if rows[key] == nil {
			rows[key] = &Row{Module: modules[slug], Method: method, Figures: map[string]Figure{}}
		}
		return rows[key]
	}
	for _, f := range s.Figures {
		r := at(f.ModuleSlug, f.Method)
		r.Figures[f.Key] = Figure{Value: f.Median, N: f.Units}
		r.Units = max(r.Units, f.Units)
		if f.Contributors < index.MinRankedContributors {
			r.Note = fmt.Sprintf("listed, not ranked yet: %d of the %d contributors it takes", f.Contributors, index.MinRankedContributors)
		}
	}
	addResults(s, at)
	devices := map[string]string{}
	for _, d := range c.ReferenceDevices {
		devices[d.Slug] = d.Name
	}
	for _, group := range publishedGroups(s.Published) {
		r := at(group[0].ModuleSlug+group[0].DeviceSlug, group[0].Method)
		r.Reference = devices[group[0].DeviceSlug]
		key, value := publishedFigure(group)
		r.Figures[key] = Figure{Value: value, N: len(group)}
		for _, p := range group {
			if !slices.Contains(r.Sources, p.Source) {
				r.Sources = append(r.Sources, p.Source)
			}
		}
	}
	var all []Row
	for _, r := range rows {
		all = append(all, *r)
	}
	return append(all, referenceRows(c)...)
}

// addResults counts the results. A module of whose results none counts is listed with the reason and without figures: one
// quick run on a busy computer must not stand among figures that others can rely on. The interval of a single run stands
// for its module as long as there is no other.
func addResults(s *index.Snapshot, at func(slug, method string) *Row) {
	for _, m := range s.Methods {
		r := at(m.ModuleSlug, m.Method)
		r.Results = m.Results
		if len(r.Figures) == 0 {
			r.Note = "not ranked: " + first(m.Newest.NotRanked)
			continue
		}
		if m.Results > 1 {
			continue
		}
		for key, f := range index.FiguresOf(m.Newest.Tests) {
			if shown, ok := r.Figures[key]; ok {
				shown.Low, shown.High = f.Low, f.High
				r.Figures[key] = shown
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
func referenceRows(c *catalogue.Catalogue) []Row {
	var rows []Row
	for _, device := range c.ReferenceDevices {
		figures := map[string]Figure{}
		for key, value := range map[string]float64{
			index.RandWriteIOPS: device.RandWriteIOPS, index.RandReadIOPS: device.RandReadIOPS, index.SeqWriteMBPerS: device.SeqWriteMBPerS,
		} {
			if value > 0 {
				figures[key] = Figure{Value: value}
			}
		}
		if len(figures) == 0 {
			continue
		}
		for _, m := range c.Methods {
			if m.ComparableRandWrite4K {
				rows = append(rows, Row{Reference: device.Name, Method: m.ID, Figures: figures, Sources: []string{device.Source}})
			}
		}
	}
	return rows
}

// Sort puts the best first by one figure; rows without it come last, by name.
func Sort(rows []Row, key string) {
	slices.SortFunc(rows, func(a, b Row) int {
		x, inA := a.Figures[key]
		y, inB := b.Figures[key]
		switch {
		case inA != inB:
			if inA {
				return -1
			}
			return 1
		case inA && x.Value != y.Value:
			if index.LowerIsBetter(key) {
				x, y = y, x
			}
			return cmp.Compare(y.Value, x.Value)
		}
		return cmp.Or(cmp.Compare(a.Name(), b.Name()), cmp.Compare(a.Module.Slug, b.Module.Slug))
	})
}

// Name is the row as one reads it.
func (r Row) Name() string {
	if r.Reference != "" {
		return r.Reference
	}
	return r.Module.Name()
}

// Ranks numbers sorted rows of one method by one figure: 1 for the best, the same number for equal ones, 0 for rows that
// are not ranked.
func Ranks(rows []Row, key string) []int {
	numbers := make([]int, len(rows))
	place, last := 0, math.NaN()
	ranked := 0
	for i, r := range rows {
		f, ok := r.Figures[key]
		if !ok || r.Reference != "" || r.Note != "" {
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
