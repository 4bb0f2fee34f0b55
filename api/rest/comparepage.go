package rest

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/page/chart"
	"flashdex/api/page/frame"
	"flashdex/api/ranking"
	"flashdex/result"
)

// maxCompared is how many modules still fit side by side.
const maxCompared = chart.MaxSeveral

// maxOffered is how many found modules are offered to be added.
const maxOffered = 12

// comparison is what the page of a comparison shows.
type comparison struct {
	Modules []catalogue.Module
	Base    int // which of them is the baseline
	Methods []comparedMethod
	Apart   []catalogue.Module // have no figures by a method that another one has

	Asked   string // words of a module to add
	Found   []catalogue.Module
	Total   int      // of which Found are the first
	Unknown []string // asked for and not found
	Left    int      // how many were asked for beyond maxCompared

	Profiles []profile // one run of each by methods that are never ranked

	NotDrawn bool // the runs and units could not be read
}

// comparedMethod is what was measured of the modules by one method: only that can be compared.
type comparedMethod struct {
	Label, Description string
	Columns            int // of the table: one more than there are modules
	HasBase            bool
	Standings          []*placed // of each module; nil: none
	Prices             []comparedPrices
	Rows               []comparedRow

	Strips  []chart.Chart // each figure of the modules and their units
	Samples []chart.Chart // of one run of each
	id      string
}

// comparedRow is one figure of each module.
type comparedRow struct {
	ranking.Column
	Cells []*comparedCell // nil: not measured
}

type comparedCell struct {
	figure.Figure
	NoCliff    bool // there is no figure, because there is nothing
	Difference string
	State      string // better, worse or same than the baseline, or empty
}

// comparedPrices are what was paid for each of the modules in one currency, and that for each GB.
type comparedPrices struct {
	Currency string
	Cells    []*comparedPrice // nil: nobody told
}

type comparedPrice struct {
	figure.PriceMedian
	PerGB float64 // 0: the capacity isn't stated
	Month string  // of the newest
}

// comparePage sets modules side by side: ?m= names each by its slug, or by words that only it has; ?base= is the baseline; ?q= are
// the words of one to add.
func (s *server) comparePage(r *http.Request, t *table) (content, error) {
	query := r.URL.Query()
	c := comparison{Asked: askedWords(r)}
	for _, asked := range query["m"] {
		m, found := t.named(asked)
		switch {
		case strings.TrimSpace(asked) == "" || slices.ContainsFunc(c.Modules, func(other catalogue.Module) bool { return found && other.Slug == m.Slug }):
		case len(c.Modules)+len(c.Unknown) == maxCompared:
			c.Left++
		case !found:
			c.Unknown = append(c.Unknown, strings.ToValidUTF8(asked[:min(len(asked), maxAskedText)], ""))
		default:
			c.Modules = append(c.Modules, m)
		}
	}
	if base, found := t.named(query.Get("base")); found {
		c.Base = max(0, slices.IndexFunc(c.Modules, func(m catalogue.Module) bool { return m.Slug == base.Slug }))
	}
	chosen := map[string]bool{}
	names := []string{}
	for _, m := range c.Modules {
		chosen[m.Slug], names = true, append(names, m.Name())
	}
	found := slices.DeleteFunc(t.find(c.Asked), func(m catalogue.Module) bool { return chosen[m.Slug] })
	c.Found, c.Total = found[:min(len(found), maxOffered)], len(found)
	s.compareMethods(t, &c)
	if len(c.Modules) > 1 {
		s.drawCompared(r.Context(), &c)
		s.compareProfiles(r.Context(), &c)
	}
	return content{title: comparisonOf(names), shell: "compare/index.html", fragment: "compare", data: c}, nil
}

// comparisonOf is the title of a comparison: the names of the modules, as many as fit.
func comparisonOf(names []string) string {
	for n := len(names); n > 0; n-- {
		title := "Compare " + strings.Join(names[:n], ", ")
		if n < len(names) {
			title += fmt.Sprintf(" and %d more", len(names)-n)
		}
		if utf8.RuneCountInString(title) <= frame.LongestTitle {
			return title
		}
	}
	if len(names) > 0 {
		return fmt.Sprintf("Compare %d modules", len(names))
	}
	return "Compare modules"
}

// named finds a module by its slug, also by one that it had before it was merged, or by words that stand in no other's name.
func (t *table) named(asked string) (catalogue.Module, bool) {
	slug := asked
	if into, merged := t.aliases[slug]; merged {
		slug = into
	}
	if m, found := t.module(slug); found || asked == "" {
		return m, found
	}
	if found := t.find(asked[:min(len(asked), maxAskedText)]); len(found) == 1 {
		return found[0], true
	}
	return catalogue.Module{}, false
}

// compareMethods fills in the methods by which at least two of the modules were measured, or the only one was.
func (s *server) compareMethods(t *table, c *comparison) {
	beside := make([]bool, len(c.Modules))
	for _, method := range s.Catalogue.Methods {
		part := comparedMethod{id: method.ID, Label: method.Label, Description: method.Description, Columns: len(c.Modules) + 1, Standings: make([]*placed, len(c.Modules))}
		n := 0
		for i, m := range c.Modules {
			for k, p := range t.of[m.Slug] {
				if p.Method == method.ID && len(p.Figures) > 0 {
					part.Standings[i] = &t.of[m.Slug][k]
					n++
				}
			}
		}
		if n == 0 || n == 1 && len(c.Modules) > 1 {
			continue
		}
		for i, p := range part.Standings {
			beside[i] = beside[i] || p != nil
		}
		part.HasBase = part.Standings[c.Base] != nil
		part.addPrices(c)
		part.addRows(c)
		c.Methods = append(c.Methods, part)
	}
	for i, m := range c.Modules {
		if !beside[i] {
			c.Apart = append(c.Apart, m)
		}
	}
}

// addPrices adds the prices in each currency. Nothing is converted.
func (part *comparedMethod) addPrices(c *comparison) {
	for i, p := range part.Standings {
		if p == nil {
			continue
		}
		for _, paid := range p.Prices {
			at := slices.IndexFunc(part.Prices, func(of comparedPrices) bool { return of.Currency == paid.Currency })
			if at < 0 {
				at = len(part.Prices)
				part.Prices = append(part.Prices, comparedPrices{paid.Currency, make([]*comparedPrice, len(c.Modules))})
			}
			part.Prices[at].Cells[i] = &comparedPrice{paid, ranking.PricePerGB(c.Modules[i], paid), ranking.PriceMonth(paid)}
		}
	}
	slices.SortFunc(part.Prices, func(a, b comparedPrices) int { return strings.Compare(a.Currency, b.Currency) })
}

// addRows adds each figure that one of the modules has.
func (part *comparedMethod) addRows(c *comparison) {
	for _, column := range ranking.Columns {
		if !slices.Contains(figure.FigureKeys, column.Key) {
			continue
		}
		row, n := comparedRow{Column: column, Cells: make([]*comparedCell, len(c.Modules))}, 0
		for i, p := range part.Standings {
			if p == nil {
				continue
			}
			if e, ok := p.Figures[column.Key]; ok {
				row.Cells[i] = &comparedCell{Figure: e}
				n++
			} else if column.Key == figure.SeqWriteCliffMB && p.NoCliff() {
				row.Cells[i] = &comparedCell{NoCliff: true}
			}
		}
		if n == 0 {
			continue
		}
		if base := row.Cells[c.Base]; base != nil {
			for i, cell := range row.Cells {
				if cell != nil && i != c.Base && !cell.NoCliff {
					cell.Difference, cell.State = difference(cell.Figure, base.Figure, column.Direction)
				}
			}
		}
		part.Rows = append(part.Rows, row)
	}
}

// drawCompared adds the charts. Where the database can't be read, those of the table's figures alone.
func (s *server) drawCompared(ctx context.Context, c *comparison) {
	slugs, names, methods := make([]string, len(c.Modules)), make([]string, len(c.Modules)), []string{}
	for i, m := range c.Modules {
		slugs[i], names[i] = m.Slug, m.Name()
	}
	for _, part := range c.Methods {
		methods = append(methods, part.id)
	}
	ctx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	typical, err := s.Store.Typical(ctx, slugs, methods)
	if err != nil {
		s.Log.Warn("modules are compared without their runs and units", "error", err)
		c.NotDrawn = true
	}
	for i := range c.Methods {
		part := &c.Methods[i]
		drawn, tests := make([]figure.ChartData, len(slugs)), make([][]result.Test, len(slugs))
		for k, slug := range slugs {
			for _, d := range typical[slug] {
				if d.Method == part.id && part.Standings[k] != nil {
					drawn[k] = d
				}
			}
			if len(drawn[k].Runs) > 0 {
				tests[k] = drawn[k].Runs[0].Tests
			}
		}
		part.Strips, part.Samples = part.strips(names, drawn), chart.Compared(part.id+"-", names, tests)
	}
}

// strips draws the figures that several of the modules have.
func (part *comparedMethod) strips(names []string, drawn []figure.ChartData) []chart.Chart {
	charts := []chart.Chart{}
	for _, row := range part.Rows {
		if !slices.Contains(chart.SpreadKeys, row.Key) {
			continue
		}
		at := slices.Index(figure.FigureKeys, row.Key)
		var rows []chart.Row
		for i, cell := range row.Cells {
			if cell == nil || cell.NoCliff {
				continue
			}
			r := chart.Row{Label: chart.Letter(i) + " " + names[i], Value: cell.Value, Low: cell.Low, High: cell.High}
			for _, unit := range drawn[i].Units {
				if !math.IsNaN(unit.Values[at]) {
					r.Units = append(r.Units, unit.Values[at])
				}
			}
			rows = append(rows, r)
		}
		id := part.id + "-" + strings.ReplaceAll(row.Key, "_", "-")
		if c, ok := chart.Rows(id, row.Label+", "+row.Unit+", "+row.Direction+" is better", row.Unit, rows); ok {
			charts = append(charts, c)
		}
	}
	return charts
}

// difference tells by how many per cent a figure differs from that of the baseline, and whether that is better. Where the intervals of
// both overlap, what was measured doesn't show which is.
func difference(of, base figure.Figure, direction string) (text, state string) {
	if base.Value == 0 {
		return "", ""
	}
	text = result.Change(of.Value, base.Value)
	switch {
	case of.Value == base.Value:
		return "the same", "same"
	case of.Overlaps(base):
		return text + ", but the intervals overlap: no difference shown", "same"
	case of.Value > base.Value == (direction == "higher"):
		return text + ", better", "better"
	}
	return text + ", worse", "worse"
}
