// Package ranking makes table rows: which figures stand for a module by which method, in which order, and with which
// rank. The site, the data set and the API show these rows and no others.
package ranking

import (
	"fmt"
	"maps"
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

	name string // which takes time to build, and sorting asks for often; empty: not built yet
}

// Rows makes a row for each module and method, in no particular order, from each unit where it was measured best.
func Rows(s *figure.Overview, c *catalogue.Catalogue) []*Row {
	type key struct{ slug, method string }
	rows := map[key]*Row{}
	modules := modulesOf(s)
	at := func(slug, method string) *Row {
		of := key{slug, method}
		if rows[of] == nil {
			m := modules[slug]
			rows[of] = &Row{Module: m, Method: method, Figures: figure.Set{}, name: m.Name()}
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
	for _, c := range publishedCells(s.Published) {
		r := at(c.rows[0].ModuleSlug+c.rows[0].DeviceSlug, c.rows[0].Method)
		r.Reference = devices[c.rows[0].DeviceSlug]
		r.Figures[c.key] = c.figure()
		for _, p := range c.rows {
			r.addSource(p.Source)
		}
	}
	return append(slices.Collect(maps.Values(rows)), referenceRows(c)...)
}

func (r *Row) addSource(key string) {
	if !slices.Contains(r.Sources, key) {
		r.Sources = append(r.Sources, key)
	}
}

// RowsIn makes a row for each module and method from the units that were measured in one host class.
func RowsIn(s *figure.Overview, hostClass string) []*Row {
	var rows []*Row
	modules := modulesOf(s)
	for i := range s.Summaries {
		if sum := &s.Summaries[i]; sum.HostClass == hostClass && len(sum.Figures) > 0 {
			m := modules[sum.ModuleSlug]
			r := &Row{Module: m, Method: sum.Method, name: m.Name()}
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
	case len(sum.Figures) == 0 && len(sum.NotRanked) == 0:
		r.Note = "not ranked: its figures are being worked out"
	case len(sum.Figures) == 0:
		r.Note = "not ranked: " + sum.NotRanked[0]
	case sum.Contributors < figure.MinRankedContributors:
		r.Note = fmt.Sprintf("listed, not ranked yet: %d of the %d contributors it takes",
			sum.Contributors, figure.MinRankedContributors)
	}
}

// referenceRows makes the rows of reference devices, for every method that measures what Flashdex does.
func referenceRows(c *catalogue.Catalogue) []*Row {
	var rows []*Row
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
				rows = append(rows,
					&Row{Reference: device.Name, Method: m.ID, Figures: figures, Sources: []string{device.Source}})
			}
		}
	}
	return rows
}

// Name returns the name that readers see.
func (r *Row) Name() string {
	switch {
	case r.Reference != "":
		return r.Reference
	case r.name != "":
		return r.name
	}
	return r.Module.Name()
}

// PricePerGB returns the median price for each 10^9 bytes that are printed on a module, or 0 if its capacity is
// unknown.
func PricePerGB(m catalogue.Module, p figure.PriceMedian) float64 {
	if m.CapacityGB <= 0 {
		return 0
	}
	return p.Amount / m.CapacityGB
}

// PriceMonth returns the month of the newest price: YYYY-MM.
func PriceMonth(p figure.PriceMedian) string { return p.On[:min(len(p.On), len("2006-01"))] }
