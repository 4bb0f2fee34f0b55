package dataset

import (
	"fmt"
	"strings"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/ranking"
	"flashdex/result"
)

// Module is a row of Modules.
type Module = catalogue.Module

// Modules lists everything that a buyer can buy, and a few devices to compare with.
var Modules = table(Table{
	Name: "modules", Description: "One row for each module, measured or not.", Key: []string{"module"},
}, []Column[Module]{
	{Field{"module", Key, "", "Key of the module: its page is /modules/<module>/", required},
		func(m *Module) Value { return word(m.Slug) }},
	{Field{"name", Text, "", "The module as one reads it", required}, func(m *Module) Value { return word(m.Name()) }},
	{Field{"vendor", Text, "", "Maker; empty where no source names it", none},
		func(m *Module) Value { return word(m.Vendor) }},
	{Field{"product", Text, "", "Product line", none}, func(m *Module) Value { return word(m.Product) }},
	{shown("capacity_gb", Number, notNegative), func(m *Module) Value { return positive(m.CapacityGB) }},
	{Field{"form", Key, "", "What it plugs into; reference: not a module but a device to compare with, such as a " +
		"laptop disk", oneOf(append([]string{formReference}, catalogue.Forms...)...)},
		func(m *Module) Value { return word(m.Form) }},
	{shown("classes", Text, none), func(m *Module) Value { return word(strings.Join(m.Classes, " ")) }},
	{Field{"provisional", Boolean, "", "true: seen by the kernel or typed, not confirmed by the catalogue", required},
		func(m *Module) Value { return truth(m.Provisional) }},
	{Field{"known_from", Key, "", "published, typed, kernel, or the key of a source", none},
		func(m *Module) Value { return word(m.KnownFrom) }},
})

// shown is a field that the site's tables have as a column, with the same description.
func shown(key string, of Type, must Rules) Field {
	c := ranking.ColumnOf(key)
	return Field{key, of, c.Unit, phrase(c.Description), must}
}

// phrase removes the full stop of a sentence: descriptions of fields have none.
func phrase(description string) string { return strings.TrimSuffix(description, ".") }

const formReference = "reference"

// EachModule calls do for each module, and for each device that modules are compared with.
func EachModule(s *figure.Overview, c *catalogue.Catalogue, do func(*Module) error) error {
	for i := range s.Modules {
		if err := do(&s.Modules[i]); err != nil {
			return err
		}
	}
	for _, d := range c.ReferenceDevices {
		// The name consists of the product alone.
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
	Listed catalogue.Module // as the catalogue has it; without a slug: it hasn't
}

// Figures lists the figures in the tables of the site.
var Figures = table(Table{
	Name: "figures",
	Description: "One row for each module and method that it was measured by: the figures that the site's tables show. " +
		"A figure is the median over the module's units, each where its bus is widest, or over published figures.",
	Key: []string{"module", "method"}, References: []Reference{{"module", "modules", "module"}},
}, figureColumns())

func figureColumns() []Column[Figure] {
	type F = Figure
	columns := []Column[F]{
		{Field{"module", Key, "", "Key of the module", required}, func(f *F) Value { return word(f.Module.Slug) }},
		{Field{"name", Text, "", "The module as one reads it", required}, func(f *F) Value { return word(f.Name()) }},
		{Field{"method", Key, "", "Method of the figures in this row; compare rows of one method only", required},
			func(f *F) Value { return word(f.Method) }},
		{shown("units", Integer, notNegative), func(f *F) Value { return count(f.Units) }},
		{Field{"contributors", Integer, "", "Who measured them", notNegative},
			func(f *F) Value { return count(f.Contributors) }},
		{Field{"boards", Integer, "", "Models of hosts that they were measured in", notNegative},
			func(f *F) Value { return count(f.Boards) }},
		{shown("results", Integer, notNegative), func(f *F) Value { return count(f.Results) }},
		{Field{"rank", Integer, "", "Best place that the interval of rand_write_iops allows among the rows of the " +
			"method; empty: not ranked", notNegative},
			func(f *F) Value { return count(f.First) }},
		{Field{"rank_to", Integer, "", "Worst place that it allows", notNegative}, func(f *F) Value { return count(f.Last) }},
		{Field{"not_ranked", Text, "", "Why the row is not ranked; empty: ranked", none},
			func(f *F) Value { return word(f.note()) }},
		{Field{"prices", Text, "", "Median of what was paid for a unit and, in brackets, for how many, by currency: EUR " +
			"9.99 (3); USD 12.5 (1)", none},
			func(f *F) Value { return word(prices(f.Prices)) }},
	}
	for _, m := range figure.Metrics {
		key := m.Key
		of := func(pick func(figure.Figure) Value) func(*F) Value {
			return func(f *F) Value {
				if e, ok := f.Figures[key]; ok {
					return pick(e)
				}
				return Value{}
			}
		}
		columns = append(columns,
			Column[F]{Field{key, Number, m.Unit, phrase(m.Description), notNegative},
				of(func(e figure.Figure) Value { return number(e.Value) })},
			Column[F]{Field{key + "_low", Number, m.Unit, "Lower end of the interval of " + key + ", where there are at " +
				"least three contributors", notNegative},
				of(func(e figure.Figure) Value { return optional(e.Low, number) })},
			Column[F]{Field{key + "_high", Number, m.Unit, "Upper end", notNegative},
				of(func(e figure.Figure) Value { return optional(e.High, number) })},
			Column[F]{Field{key + "_confidence", Number, "", "That the interval covers the median: 0.95 or more, less where " +
				"there are too few contributors for that", notNegative},
				of(func(e figure.Figure) Value { return positive(e.Confidence) })})
	}
	columns = append(columns, Column[F]{Field{
		"prices_per_gb", Text, "", "prices, for each GB of 10^9 bytes that are printed on the module, with the month of " +
			"the newest: EUR 0.312 (3, 2026-10); empty: no price or no capacity is known", none,
	}, func(f *F) Value { return word(pricesPerGB(f.Module, f.Prices)) }})
	for _, key := range catalogue.RatedKeys {
		columns = append(columns, Column[F]{
			Field{key + "_rated", Number, figure.MetricOf(key).Unit, "What the maker promises of " + key +
				", which is nobody's measurement; the table rated has the source", notNegative},
			func(f *F) Value { return positive(f.Listed.RatedFigure(key)) },
		})
	}
	return columns
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
		list = append(list, fmt.Sprintf("%s %s (%d)", p.Currency, appendCell(nil, Number, number(p.Amount)), p.N))
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
	methods := map[string][]ranking.Row{}
	for _, row := range ranking.Rows(s, c) {
		methods[row.Method] = append(methods[row.Method], row)
	}
	devices := map[string]string{}
	for _, d := range c.ReferenceDevices {
		devices[d.Name] = d.Slug
	}
	for _, method := range sortedKeys(methods) {
		rows := methods[method]
		ranking.Sort(rows, figure.RandWriteIOPS)
		places := ranking.Ranks(rows, figure.RandWriteIOPS)
		for i, row := range rows {
			if row.Reference != "" {
				row.Module.Slug = devices[row.Reference]
			}
			listed, _ := c.Module(row.Module.Slug)
			if err := do(&Figure{row, places[i], listed}); err != nil {
				return err
			}
		}
	}
	return nil
}
