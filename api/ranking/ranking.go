// Package ranking makes table rows: which figures stand for a module by which method, in which order, and with which
// rank. The site, the data set and the API show these rows and no others.
package ranking

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
)

// Row is one row of a table: the figures of one module, or of a reference device, by one method.
type Row struct {
	Module       catalogue.Module // of a reference device only the name is set
	Reference    string           // name of the reference device, empty for modules
	Method       string
	Figures      figure.Set // by figure.FigureKeys
	Units        int        // that count
	Contributors int        // who measured them
	Boards       int        // models of hosts that they were measured in
	Results      int
	Prices       []figure.PriceMedian
	Sources      []string // keys of the sources of published figures
	Note         string   // why there is no rank
}

// Rows makes a row for each module and method, in no particular order, from each unit where it was measured best.
func Rows(s *figure.Overview, c *catalogue.Catalogue) []Row {
	type key struct{ slug, method string }
	rows := map[key]*Row{}
	modules := modulesOf(s)
	at := func(slug, method string) *Row {
		of := key{slug, method}
		if rows[of] == nil {
			rows[of] = &Row{Module: modules[slug], Method: method, Figures: figure.Set{}}
		}
		return rows[of]
	}
	for i := range s.Summaries {
		if sum := &s.Summaries[i]; sum.Whole() {
			at(sum.ModuleSlug, sum.Method).measured(sum)
		}
	}
	devices := map[string]string{}
	for _, d := range c.ReferenceDevices {
		devices[d.Slug] = d.Name
	}
	for _, group := range publishedGroups(s.Published) {
		r := at(group[0].ModuleSlug+group[0].DeviceSlug, group[0].Method)
		r.Reference = devices[group[0].DeviceSlug]
		key, value := publishedFigure(group)
		r.Figures[key] = figure.Figure{Value: value, N: len(group)}
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

// RowsIn makes a row for each module and method from the units that were measured in one host class.
func RowsIn(s *figure.Overview, hostClass string) []Row {
	var rows []Row
	modules := modulesOf(s)
	for i := range s.Summaries {
		if sum := &s.Summaries[i]; sum.HostClass == hostClass && len(sum.Figures) > 0 {
			r := Row{Module: modules[sum.ModuleSlug], Method: sum.Method}
			r.measured(sum)
			rows = append(rows, r)
		}
	}
	return rows
}

// HostClasses lists the host classes for which RowsIn has rows, in the order of figure.HostClasses.
func HostClasses(s *figure.Overview) (classes []figure.HostClass) {
	has := map[string]bool{}
	for i := range s.Summaries {
		if sum := &s.Summaries[i]; len(sum.Figures) > 0 {
			has[sum.HostClass] = true
		}
	}
	for _, class := range figure.HostClasses {
		if has[class.Key] {
			classes = append(classes, class)
		}
	}
	return classes
}

func modulesOf(s *figure.Overview) map[string]catalogue.Module {
	modules := make(map[string]catalogue.Module, len(s.Modules))
	for _, m := range s.Modules {
		modules[m.Slug] = m
	}
	return modules
}

// measured fills the row from a summary. A module whose results do not count is listed with the reason and without
// figures: one quick run on a busy computer must not stand among figures that others can rely on.
func (r *Row) measured(sum *figure.Summary) {
	r.Figures, r.Units, r.Contributors, r.Boards = sum.Figures, sum.Units, sum.Contributors, sum.Boards
	r.Results, r.Prices = sum.Results, sum.Prices
	switch {
	case len(sum.Figures) == 0:
		r.Note = "not ranked: " + first(sum.NotRanked)
	case sum.Contributors < figure.MinRankedContributors:
		r.Note = fmt.Sprintf("listed, not ranked yet: %d of the %d contributors it takes",
			sum.Contributors, figure.MinRankedContributors)
	}
}

func first(reasons []string) string {
	if len(reasons) == 0 {
		return "its figures are being worked out"
	}
	return reasons[0]
}

// referenceRows makes the rows of reference devices, for every method that measures what Flashdex does.
func referenceRows(c *catalogue.Catalogue) []Row {
	var rows []Row
	for _, device := range c.ReferenceDevices {
		figures := figure.Set{}
		for key, value := range map[string]float64{
			figure.RandWriteIOPS: device.RandWriteIOPS, figure.RandReadIOPS: device.RandReadIOPS,
			figure.SeqWriteMBPerS: device.SeqWriteMBPerS,
		} {
			if value > 0 {
				figures[key] = figure.Figure{Value: value}
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

// NoCliff reports whether linear writes were measured and none of them fell for good, so that the cliff has no place.
func (r Row) NoCliff() bool {
	_, falls := r.Figures[figure.SeqWriteCliffMB]
	_, measured := r.Figures[figure.SeqWriteCliffPercent]
	return measured && !falls
}

// placing returns the figure by which a row is placed. If writes never fell, the cliff is further away than any.
func (r Row) placing(key string) (figure.Figure, bool) {
	if key == figure.SeqWriteCliffMB && r.NoCliff() {
		return figure.Figure{Value: math.Inf(1)}, true
	}
	f, ok := r.Figures[key]
	return f, ok
}

// Sort puts the best first by one figure. Rows without it come last, by name.
func Sort(rows []Row, key string) {
	slices.SortFunc(rows, func(a, b Row) int {
		x, inA := a.placing(key)
		y, inB := b.placing(key)
		switch {
		case inA != inB:
			if inA {
				return -1
			}
			return 1
		case inA && x.Value != y.Value:
			if figure.LowerIsBetter(key) {
				x, y = y, x
			}
			return cmp.Compare(y.Value, x.Value)
		}
		return cmp.Or(cmp.Compare(a.Name(), b.Name()), cmp.Compare(a.Module.Slug, b.Module.Slug))
	})
}

// Name returns the name that readers see.
func (r Row) Name() string {
	if r.Reference != "" {
		return r.Reference
	}
	return r.Module.Name()
}
