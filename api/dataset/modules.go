package dataset

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/ranking"
	"flashdex/result"
	"flashdex/result/ageing"
)

// Module is a row of Modules.
type Module = catalogue.Module

// Modules lists everything that a buyer can buy, and a few devices to compare with.
var Modules = table(Table{
	Name: "modules", Description: "One row for each module, measured or not.", Key: []string{"module"},
}, []Column[Module]{
	{Field{"module", Key, "", "Key of the module: its page, if it is listed, is /modules/<module>/", required},
		func(m *Module) any { return &m.Slug }},
	{Field{"name", Text, "", "The module as one reads it", required}, func(m *Module) any { return m.Name() }},
	{Field{"vendor", Text, "", "Maker; empty where no source names it", none}, func(m *Module) any { return &m.Vendor }},
	{Field{"product", Text, "", "Product line", none}, func(m *Module) any { return &m.Product }},
	{shown("capacity_gb", Number, notNegative), func(m *Module) any { return given(&m.CapacityGB) }},
	{Field{"form", Key, "",
		"What it plugs into; reference: not a module but a device to compare with, such as a laptop disk",
		Rules{Enum: append([]string{formReference}, catalogue.Forms...)}}, func(m *Module) any { return &m.Form }},
	{shown("classes", Text, none), func(m *Module) any { return strings.Join(m.Classes, " ") }},
	{Field{"provisional", Boolean, "", "true: seen by the kernel or typed, not confirmed by the catalogue", required},
		func(m *Module) any { return &m.Provisional }},
	{Field{"known_from", Key, "", "published, typed, kernel, ambiguous (what is known fits several modules), or the key " +
		"of a source", none},
		func(m *Module) any { return &m.KnownFrom }},
	{Field{"listed", Boolean, "", "false: one contributor alone names it, or it is ambiguous, so the site doesn't " +
		"list it; its results are in the other tables, and no figures", required},
		func(m *Module) any { return new(!m.Unlisted) }},
})

// shown returns a field that the site's tables have as a column, with the same description.
func shown(key string, of Type, must Rules) Field {
	c := ranking.ColumnOf(key)
	return Field{key, of, c.Unit, phrase(c.Description), must}
}

// phrase removes the full stop of a sentence: descriptions of fields have none.
func phrase(description string) string { return strings.TrimSuffix(description, ".") }

const formReference = "reference"

// EachModule calls do for each module, and for each device that modules are compared with.
func EachModule(s *figure.Overview, c *catalogue.Catalogue, do func(*Module) error) error {
	modules := slices.Concat(s.Modules, s.Unlisted)
	slices.SortFunc(modules, func(a, b Module) int { return strings.Compare(a.Slug, b.Slug) })
	for i := range modules {
		if err := do(&modules[i]); err != nil {
			return err
		}
	}
	for _, d := range c.ReferenceDevices {
		// Its name is only its product.
		if err := do(&Module{Slug: d.Slug, Product: d.Name, Form: formReference, KnownFrom: d.Source}); err != nil {
			return err
		}
	}
	return nil
}

// Figure is a row of Figures.
type Figure struct {
	ranking.Row
	ranking.Place
	Would       ranking.Place    // where a row without a rank would stand
	Calibration int              // version
	Listed      catalogue.Module // as in the catalogue; no slug: it isn't there
}

// Figures lists the figures in the tables of the site.
var Figures = table(Table{
	Name: "figures",
	Description: "One row for each module and method that it was measured by: the figures that the site's tables show. " +
		"Rates and times of a module are those of its model, in the standard mix of hosts (docs/method.md); variations and " +
		"cliffs are medians over its units. Devices to compare with (form: reference) have rows here, too, and so have " +
		"stacks; the site's count of all rows leaves out both.",
	Key: []string{"module", "method"}, References: []string{"module"},
}, figureColumns())

func figureColumns() []Column[Figure] {
	type F = Figure
	columns := []Column[F]{
		{Field{"module", Key, "", "Key of the module", required}, func(f *F) any { return &f.Module.Slug }},
		{Field{"name", Text, "", "The module as one reads it", required}, func(f *F) any { return f.Name() }},
		{Field{"method", Key, "", "Method of the figures in this row; compare rows of one method only", required},
			func(f *F) any { return &f.Method }},
		{shown("units", Integer, notNegative), func(f *F) any { return &f.Units }},
		{Field{"contributors", Integer, "", "Who measured them", notNegative}, func(f *F) any { return &f.Contributors }},
		{Field{"boards", Integer, "", "Models of hosts that they were measured in", notNegative},
			func(f *F) any { return &f.Boards }},
		{shown("results", Integer, notNegative), func(f *F) any { return &f.Results }},
		{Field{"rank", Integer, "", "Best place that the data allow by rand_write_iops among the rows of the method: " +
			"one more than surely are faster; empty: not ranked", notNegative}, func(f *F) any { return &f.First }},
		{Field{"rank_to", Integer, "", "Worst place that they allow", notNegative}, func(f *F) any { return &f.Last }},
		{Field{"not_ranked", Text, "", "Why the row is not ranked; empty: ranked", none}, func(f *F) any { return f.note() }},
		{Field{"prices", Text, "", "Median of what was paid for a unit and, in brackets, for how many, by currency: EUR " +
			"9.99 (3); USD 12.5 (1). Beside figures that others printed: what sources say they paid", none},
			func(f *F) any { return prices(f.Prices) }},
	}
	for _, m := range figure.Metrics[:firstMetrics] {
		columns = append(columns, metricColumns(m)...)
	}
	columns = append(columns, Column[F]{Field{"prices_per_gb", Text, "", "prices, for each GB of 10^9 bytes that are " +
		"printed on the module, with the month of the newest: EUR 0.312 (3, 2026-10); empty: no price or no capacity is " +
		"known", none}, func(f *F) any { return pricesPerGB(f.Module, f.Prices) }})
	for _, key := range catalogue.RatedKeys {
		columns = append(columns, Column[F]{Field{key + "_rated", Number, figure.MetricOf(key).Unit, "What the maker " +
			"promises of " + key + ", which is nobody's measurement; the table rated has the source", notNegative},
			func(f *F) any { return given(new(f.Listed.RatedFigure(key))) }})
	}
	for _, m := range figure.Metrics[firstMetrics:nextMetrics] {
		columns = append(columns, metricColumns(m)...)
	}
	columns = append(columns,
		Column[F]{Field{"would_rank", Integer, "", "Best place that the module would have if it were ranked; empty: it is, " +
			"or nobody knows", notNegative}, func(f *F) any { return &f.Would.First }},
		Column[F]{Field{"would_rank_to", Integer, "", "Worst place that it would have", notNegative},
			func(f *F) any { return &f.Would.Last }},
		Column[F]{Field{"calibration", Integer, "", "Version of the calibration that the figures were made by (table " +
			"calibrations); empty: what is assumed beforehand", notNegative}, func(f *F) any { return &f.Calibration }})
	for _, m := range figure.Metrics {
		if figure.Modelled(m.Key) {
			columns = append(columns, modelColumns(m)...)
		}
	}
	for _, m := range figure.Metrics[nextMetrics:] {
		columns = append(columns, metricColumns(m)...)
	}
	columns = append(columns,
		Column[F]{Field{"independent", Integer, "", "Contributors to the module who came from different networks or on " +
			"different days, among at most 250 of them: it is ranked from three on", notNegative},
			func(f *F) any { return &f.Independent }},
		Column[F]{Field{"days", Integer, "", "On how many days they came: it is ranked from two on", notNegative},
			func(f *F) any { return &f.Days }})
	for _, key := range figure.MainFigures {
		columns = append(columns, printedColumns(figure.MetricOf(key))...)
	}
	columns = append(columns, ageingColumns("ageing_per_year", "Change of rand_write_iops of single units in a year, below 0 "+
		"if they get slower; empty: no unit has three runs in one host that are at least 30 days apart",
		func(f *Figure) *ageing.Change { return f.AgeingPerYear })...)
	return append(columns, ageingColumns("ageing_per_tb", "The same change for each TB written to the unit; empty: no unit "+
		"has three such runs that know how much was, or it is too little beside how that is rounded",
		func(f *Figure) *ageing.Change { return f.AgeingPerTB })...)
}

// The numbers of metrics when columns were first appended to the table, and the second time. The columns of later
// metrics come after the appended ones.
const (
	firstMetrics = 11
	nextMetrics  = 16
)

// ageingColumns say how units get slower or faster, per year or per TB written.
func ageingColumns(key, description string, of func(*Figure) *ageing.Change) []Column[Figure] {
	column := func(suffix string, kind Type, unit, description string, must Rules,
		part func(c *ageing.Change) any) Column[Figure] {
		return Column[Figure]{Field{key + suffix, kind, unit, description, must}, func(f *Figure) any {
			if of(f) == nil {
				return nil
			}
			return part(of(f))
		}}
	}
	return []Column[Figure]{
		column("", Number, "%", description, none, func(c *ageing.Change) any { return rounded(&c.Percent) }),
		column("_low", Number, "%", "Lower end of its 95 % interval", none,
			func(c *ageing.Change) any { return rounded(&c.Low) }),
		column("_high", Number, "%", "Upper end", none, func(c *ageing.Change) any { return rounded(&c.High) }),
		column("_units", Integer, "", "Units that it is of", notNegative, func(c *ageing.Change) any { return &c.Units }),
		column("_says", Key, "", "What it shows: slower, faster, steady (no change is shown) or unknown (too early to tell)",
			none, func(c *ageing.Change) any { return &c.Says }),
	}
}

// figureColumn returns a column that takes a part of one figure of a row.
func figureColumn(of Field, key string, part func(*figure.Figure) any) Column[Figure] {
	return Column[Figure]{of, func(f *Figure) any {
		if e, ok := f.Figures.Find(key); ok {
			return part(&e)
		}
		return nil
	}}
}

// digits is how many significant digits the table gives of a figure: more than any figure is sure of.
const digits = 6

func rounded(v *float64) *float64 {
	if v == nil || math.IsNaN(*v) {
		return nil
	}
	return new(result.Round(*v, digits))
}

// printedColumns describe the published figures that one figure of a row is made from.
func printedColumns(m figure.Metric) []Column[Figure] {
	column := func(suffix string, of Type, unit, description string, must Rules,
		part func(p *figure.Printed) any) Column[Figure] {
		return Column[Figure]{Field{m.Key + "_published_" + suffix, of, unit, description, must}, func(f *Figure) any {
			if p, ok := f.Printed[m.Key]; ok {
				return part(&p)
			}
			return nil
		}}
	}
	return []Column[Figure]{
		column("n", Integer, "", "Of a row of published figures, or of what they lead to expect: how many units the "+
			"published figures behind "+m.Key+" are of, each once, in however many hosts", notNegative,
			func(p *figure.Printed) any { return &p.Units }),
		column("least", Number, m.Unit, "The least of these figures", notNegative,
			func(p *figure.Printed) any { return rounded(&p.Least) }),
		column("greatest", Number, m.Unit, "The greatest", notNegative,
			func(p *figure.Printed) any { return rounded(&p.Greatest) }),
		column("sources", Text, "", "Keys of their sources, with a space between: see /sources/", none,
			func(p *figure.Printed) any { return strings.Join(p.Sources, " ") }),
	}
}

func metricColumns(m figure.Metric) []Column[Figure] {
	number := func(suffix, unit, description string, part func(*figure.Figure) any) Column[Figure] {
		return figureColumn(Field{m.Key + suffix, Number, unit, description, notNegative}, m.Key, part)
	}
	return []Column[Figure]{
		number("", m.Unit, phrase(m.Description), func(e *figure.Figure) any {
			if e.To > 0 {
				return nil
			}
			return rounded(&e.Value)
		}),
		number("_low", m.Unit, "Lower end of the interval of "+m.Key+", or the least of published figures that measured "+
			"different things", func(e *figure.Figure) any {
			if e.To > 0 {
				return rounded(&e.Value)
			}
			return rounded(e.Low)
		}),
		number("_high", m.Unit, "Upper end, or the greatest", func(e *figure.Figure) any {
			if e.To > 0 {
				return rounded(&e.To)
			}
			return rounded(e.High)
		}),
		number("_confidence", "", "That the interval holds; of medians 0.95 or more, less where there are too few "+
			"contributors for that", func(e *figure.Figure) any { return rounded(given(&e.Confidence)) }),
	}
}

func modelColumns(m figure.Metric) []Column[Figure] {
	if figure.IsLinear(m.Key) {
		held := Field{m.Key + "_at_least", Boolean, "",
			"true: hosts held the module back, and " + m.Key + " is the lower end of its interval", none}
		return []Column[Figure]{figureColumn(held, m.Key, func(e *figure.Figure) any { return &e.AtLeast })}
	}
	doubt := Field{m.Key + "_hosts_share", Number, "",
		"Part of the interval's variance that is due to the hosts it was measured in, 0 to 1", notNegative}
	return []Column[Figure]{
		figureColumn(doubt, m.Key, func(e *figure.Figure) any { return rounded(given(&e.HostsShare)) }),
	}
}

func (f *Figure) note() string {
	if f.Reference != "" {
		return "a device to compare with, not a module"
	}
	return f.Note
}

// prices lists medians by currency: "EUR 9.99 (3); USD 12.5 (1)".
func prices(medians []figure.PriceMedian) string {
	var list []string
	for _, p := range medians {
		amount := strconv.FormatFloat(result.Round(p.Amount, 9), 'f', -1, 64)
		list = append(list, fmt.Sprintf("%s %s (%d)", p.Currency, amount, p.N))
	}
	return strings.Join(list, "; ")
}

// pricesPerGB lists medians by currency: "EUR 0.312 (3, 2026-10); USD 0.391 (1, 2026-09)".
func pricesPerGB(m catalogue.Module, medians []figure.PriceMedian) string {
	var list []string
	for _, p := range medians {
		if perGB := ranking.PricePerGB(m, p); perGB > 0 {
			list = append(list, fmt.Sprintf("%s %s (%d, %s)", p.Currency, result.Number(perGB), p.N, ranking.PriceMonth(p)))
		}
	}
	return strings.Join(list, "; ")
}

// EachFigure calls do for each row, by method and then by 4K random writes, the best first.
func EachFigure(s *figure.Overview, c *catalogue.Catalogue, do func(*Figure) error) error {
	methods := map[string][]*ranking.Row{}
	for _, row := range ranking.Rows(s, c) {
		methods[row.Method] = append(methods[row.Method], row)
	}
	devices := map[string]string{}
	for _, d := range c.ReferenceDevices {
		devices[d.Name] = d.Slug
	}
	for _, method := range slices.Sorted(maps.Keys(methods)) {
		rows := methods[method]
		ranking.Sort(rows, figure.RandWriteIOPS)
		places, would := ranking.Ranks(rows, figure.RandWriteIOPS)
		for i, row := range rows {
			of := Figure{Row: *row, Place: places[i], Would: would[i], Calibration: row.Calibration()}
			if row.Reference != "" {
				of.Module.Slug = devices[row.Reference]
			}
			of.Listed, _ = c.Module(of.Module.Slug)
			if err := do(&of); err != nil {
				return err
			}
		}
	}
	return nil
}
