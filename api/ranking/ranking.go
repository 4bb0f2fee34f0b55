// Package ranking makes table rows. It decides which figures stand for a module by each method, in which order, and
// with which rank. The site, the data set and the API show these rows and no others.
package ranking

import (
	"fmt"
	"maps"
	"slices"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/figure/model"
	"flashdex/result/ageing"
)

// Row is one row of a table: the figures of one module, or of a reference device, by one method.
type Row struct {
	Module       catalogue.Module // for a reference device only the name is set
	Reference    string           // name of a device that somebody measured beside modules, empty for modules
	Method       string
	Figures      figure.Set // by figure.FigureKeys
	Units        int        // that count
	Contributors int        // who measured them
	Independent  int        // of the contributors to the whole module, see figure.Summary
	Days         int        // days on which the independent ones came
	Boards       int        // models of hosts that they were measured in
	Results      int
	Prices       []figure.PriceMedian // what contributors paid; for published figures, what sources printed
	Sources      []string             // keys of the sources of published figures
	FirstErrors  []int                // for single units: rounds of being written full without an error
	FellBehind   float64              // MB/s: the lowest recording rate at which two units fell behind; 0: not known

	// Printed sums up the published figures that each figure is made from.
	Printed map[string]figure.Printed

	// See figure.Summary; only in the standard mix of hosts.
	AgeingPerYear, AgeingPerTB *ageing.Change

	Note    string  // why there is no rank
	Missing Missing // what a rank takes, for a row of measured figures in the standard mix of hosts

	Model figure.PerMetric[model.Module] // the models behind the figures

	calibrations *figure.Calibrations
	class        string // class of hosts of the figures; empty: the standard mix of hosts
	name         string // kept because it takes time to build, and sorting needs it often; empty: not built yet
}

// Missing is what a measured module still needs to be ranked. Its zero value means nothing.
type Missing struct {
	Contributors int  // this many more, independent of each other and of the others
	OtherDay     bool // one of them on another day than all before
	OtherHost    bool // a run in a host that can be compared with the standard mix; there is none so far
}

// Rows makes a row for each module and method, in no particular order. Each unit counts in its best host.
func Rows(s *figure.Overview, c *catalogue.Catalogue) []*Row {
	type key struct{ slug, method string }
	rows := map[key]*Row{}
	modules := modulesOf(s)
	at := func(slug, method string) *Row {
		of := key{slug, method}
		if rows[of] == nil {
			m := modules[slug]
			rows[of] = &Row{Module: m, Method: method, name: m.Name()}
		}
		return rows[of]
	}
	for i := range s.Summaries {
		if sum := &s.Summaries[i]; sum.Whole() {
			at(sum.ModuleSlug, sum.Method).measured(sum, sum, s.Calibrations)
		}
	}
	devices := map[string]string{}
	for _, d := range c.ReferenceDevices {
		devices[d.Slug] = d.Name
	}
	for _, c := range publishedCells(s.Published) {
		r := at(c.rows[0].ModuleSlug+c.rows[0].DeviceSlug, c.rows[0].Method)
		r.Reference = devices[c.rows[0].DeviceSlug]
		f, printed := c.figure()
		r.Figures.Put(c.key, f)
		if r.Printed == nil {
			r.Printed = map[string]figure.Printed{}
		}
		r.Printed[c.key] = printed
		for _, source := range printed.Sources {
			r.Sources = with(r.Sources, source)
		}
	}
	behind := figure.PrintedBehind(s.Published)
	for slug, sum := range figure.Expected(s.Published, s.Calibrations) {
		if of := rows[key{slug, figure.PublishedMethod}]; of == nil || of.Figures.Len() == 0 {
			r := at(slug, sum.Method)
			r.Figures, r.Model, r.calibrations, r.Printed = sum.Figures, sum.Model, s.Calibrations, behind[slug]
		}
	}
	for i := range s.Published {
		p := &s.Published[i]
		if r := rows[key{p.ModuleSlug, catalogue.MethodExpected}]; r != nil && p.Contributor != "" {
			r.Sources = with(r.Sources, p.Source)
		}
	}
	firstErrors := map[string][]int{}
	for _, e := range c.Endured {
		if e.FirstError >= 0 {
			firstErrors[e.ModuleSlug] = append(firstErrors[e.ModuleSlug], e.FirstError)
		}
	}
	prices := publishedPrices(c)
	for of, r := range rows {
		r.FirstErrors = firstErrors[of.slug]
		if r.Origin() != Measured {
			r.Prices = prices[of.slug]
		}
	}
	return slices.Collect(maps.Values(rows))
}

// with adds a key to others, unless it is among them.
func with(keys []string, key string) []string {
	if slices.Contains(keys, key) {
		return keys
	}
	return append(keys, key)
}

// Origins of a row's figures.
const (
	Measured  = "measured"  // by contributors
	Expected  = "expected"  // from published figures, by the model
	Published = "published" // by others, each in its own way
)

// Origin returns where the row's figures come from.
func (r *Row) Origin() string {
	switch {
	case r.Method == catalogue.MethodExpected:
		return Expected
	case len(r.Sources) > 0:
		return Published
	}
	return Measured
}

// expected reports whether the figures are expected from published ones.
func (r *Row) expected() bool { return r.Origin() == Expected }

// Speaking returns the 4K random write that stands for a module where there is room for one figure: at the head of its
// page, on its picture and on its badge. It is the first single figure, else the first range of published figures. rows
// are one module's, in the order of the catalogue's methods. at is the index of the row.
func Speaking(rows []*Row) (at int, f figure.Figure, known bool) {
	for i, r := range rows {
		of, ok := r.Figures.Find(figure.RandWriteIOPS)
		if ok && of.To == 0 {
			return i, of, true
		}
		if ok && !known {
			at, f, known = i, of, true
		}
	}
	return at, f, known
}

// RowsIn makes a row for each module and method with its figures in one class of hosts: measured there, or foretold
// from other classes.
func RowsIn(s *figure.Overview, hostClass string) []*Row {
	type key struct{ slug, method string }
	here := map[key]*figure.Summary{}
	for i := range s.Summaries {
		if sum := &s.Summaries[i]; sum.HostClass == hostClass && sum.Figures.Len() > 0 {
			here[key{sum.ModuleSlug, sum.Method}] = sum
		}
	}
	var rows []*Row
	modules := modulesOf(s)
	for i := range s.Summaries {
		sum := &s.Summaries[i]
		if !sum.Whole() || sum.Figures.Len() == 0 {
			continue
		}
		m := modules[sum.ModuleSlug]
		r := &Row{Module: m, Method: sum.Method, name: m.Name(), class: hostClass}
		if there := here[key{sum.ModuleSlug, sum.Method}]; there != nil {
			r.measured(there, sum, s.Calibrations)
		} else {
			r.calibrations, r.Note = s.Calibrations, "foretold from other hosts: nobody measured it in this one"
		}
		r.Model = sum.Model
		if r.inClass(); r.Figures.Len() > 0 {
			rows = append(rows, r)
		}
	}
	return rows
}

// inClass replaces figures that have a model with the figures in the row's class of hosts.
func (r *Row) inClass() {
	figures := figure.Set{PerMetric: r.Figures.Clone()}
	for key, m := range r.Model.All() {
		c, metric := r.calibrations.Of(r.Method, key), figure.MetricOf(key)
		class, here := classOf(c, &m, r.class)
		if here > 0 && figure.IsLinear(key) {
			continue // hosts only hold it back, so the figure measured there stays
		}
		e, _ := c.In(&m, class)
		figures.Put(key, metric.Of(e).WithUnits(figures.At(key), here))
	}
	figures.Uncross()
	r.Figures = figures
}

// Foretold reports whether a figure in a class of hosts is foretold, because nobody measured the module there.
func (r *Row) Foretold(key string) bool {
	m, ok := r.Model.Find(key)
	if !ok || r.class == "" {
		return false
	}
	_, here := classOf(r.calibrations.Of(r.Method, key), &m, r.class)
	return here == 0
}

// HostClasses lists the host classes for which RowsIn has rows, in the order of figure.HostClasses.
func HostClasses(s *figure.Overview) (classes []figure.HostClass) {
	has := map[string]bool{}
	for i := range s.Summaries {
		if sum := &s.Summaries[i]; sum.Figures.Len() > 0 {
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

// measured fills the row from a summary, and from the whole module's summary, which says who vouches for it. A module
// whose results don't count is listed with the reason and without figures: one quick run on a busy computer must not
// stand among figures that people can rely on.
func (r *Row) measured(sum, whole *figure.Summary, by *figure.Calibrations) {
	r.Model, r.calibrations = sum.Model, by
	r.Figures, r.Units, r.Contributors, r.Boards = sum.Figures, sum.Units, sum.Contributors, sum.Boards
	r.Results, r.Prices = sum.Results, sum.Prices
	r.Independent, r.Days = whole.Independent, whole.Days
	if r.class == "" {
		r.AgeingPerYear, r.AgeingPerTB = whole.AgeingPerYear, whole.AgeingPerTB
	}
	contributors, days := whole.Missing()
	if r.class == "" {
		r.Missing = Missing{max(contributors, days), days > 0, false}
		if m, ok := r.Model.Find(figure.RandWriteIOPS); ok {
			r.Missing.Contributors = max(r.Missing.Contributors, model.RankedFrom-m.Contributors)
			r.Missing.OtherHost = !by.Of(r.Method, figure.RandWriteIOPS).Connected(&m)
		}
	}
	switch {
	case sum.Figures.Len() == 0 && len(sum.NotRanked) == 0:
		r.Note = "not ranked: its figures are being worked out"
	case sum.Figures.Len() == 0:
		r.Note = "not ranked: " + sum.NotRanked[0]
	case contributors > 0:
		r.Note = fmt.Sprintf("listed, not ranked yet: %d of the %d independent contributors it takes",
			whole.Independent, model.RankedFrom)
	case sum.Contributors < model.RankedFrom:
		r.Note = fmt.Sprintf("listed, not ranked yet: %d of the %d contributors it takes",
			sum.Contributors, model.RankedFrom)
	case days > 0:
		r.Note = fmt.Sprintf("listed, not ranked yet: all results are of one day, and it takes %d", figure.RankedDays)
	case r.Missing != (Missing{}):
		r.Note = "not ranked: nobody measured other modules both in its hosts and elsewhere, so they can't be compared"
	}
}

// Calibration is the version of the calibration that the row's figures were computed with; 0: the assumptions.
func (r *Row) Calibration() int {
	if r.Model.Len() == 0 || r.calibrations == nil {
		return 0
	}
	return r.calibrations.Version
}

// InHost is a figure of a module in one class of hosts: measured there, or foretold from others.
type InHost struct {
	figure.HostClass
	figure.Figure
	Measured bool
}

// InHosts returns a figure in each class of hosts in which anybody measured anything.
func (r *Row) InHosts(key string) (all []InHost) {
	m, ok := r.Model.Find(key)
	if !ok {
		return nil
	}
	c, metric := r.calibrations.Of(r.Method, key), figure.MetricOf(key)
	for _, hosts := range figure.HostClasses {
		class, here := classOf(c, &m, hosts.Key)
		if here == 0 && c.Classes[class].Contributors == 0 {
			continue
		}
		e, _ := c.In(&m, class)
		all = append(all, InHost{hosts, metric.Of(e), here > 0})
	}
	return all
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
