package page

import (
	"cmp"
	"fmt"
	"math"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/page/chart"
	"flashdex/api/page/picture"
	"flashdex/api/ranking"
	"flashdex/result"
)

// Comparison is several modules side by side.
type Comparison struct {
	Modules  []catalogue.Module
	Base     int // the index of the baseline
	Methods  []ComparedMethod
	Profiles []Profile // a run of each module, by methods that are never ranked
	NotDrawn bool      // the runs and units could not be read

	Asked   string             // words of a module to add
	Found   []catalogue.Module // modules that have these words, the first ones of Total
	Total   int
	Unknown []string // asked for but not found
	Left    int      // how many of the modules asked for don't fit
}

// ComparedMethod holds the measurements of the modules by one method. Only these can be compared.
type ComparedMethod struct {
	catalogue.Method
	Standings []*Standing        // of each module; nil: not measured by the method
	Drawn     []figure.ChartData // the units and runs of each module
}

// HasPlaces reports whether the method ranks one of the modules, or says why not. Published figures have no ranks.
func (m ComparedMethod) HasPlaces() bool {
	return slices.ContainsFunc(m.Standings, func(s *Standing) bool {
		return s != nil && (s.Place.First > 0 || s.Note != "")
	})
}

// Standing is the row of a module in the ranking of a method.
type Standing struct {
	*ranking.Row
	Place ranking.Place
	Would ranking.Place // without a place: where it would stand
}

// figureOf returns a figure, if the module was measured.
func (s *Standing) figureOf(key string) (f figure.Figure, known bool) {
	if s != nil {
		f, known = s.Figures.Find(key)
	}
	return f, known
}

// shownMethod is one method's part of the page.
type shownMethod struct {
	ComparedMethod
	Rows            []comparedRow
	Strips, Samples []chart.Chart
}

type comparedRow struct {
	Label, Small string
	Cells        []comparedCell
}

// comparedCell is a value, with what stands below.
type comparedCell struct {
	Value, Interval   string
	Beside            string // after the value
	Below, BelowClass string
}

// ComparePage shows modules side by side.
func ComparePage(c Comparison) (Page, error) {
	p, err := render("compare.html", compareFrame, comparisonOf(c.names()), &c)
	if len(c.Modules) > 1 {
		asked := url.Values{}
		for _, m := range c.Modules {
			asked.Add("m", m.Slug)
		}
		p.Picture, p.Description = "/compare/share.png?"+asked.Encode(), c.inWords()
	}
	return p, err
}

// notCompared is shown if no method measured the 4K random writes of two of the modules.
const notCompared = "Nobody has published how many 4K random writes they do, measured in one way."

// randWrites returns the 4K random writes of the modules in words, and the label of the method: the first one that
// measured at least two of the modules. An unknown rate is empty. If there is no such method, everything is empty.
func (c *Comparison) randWrites() (rates []string, method string) {
	for _, m := range c.Methods {
		known, rates := 0, make([]string, len(c.Modules))
		for i := range rates {
			if f, ok := m.Standings[i].figureOf(figure.RandWriteIOPS); ok {
				known, rates[i] = known+1, iopsOf(f)
			}
		}
		if known > 1 {
			return rates, m.Label
		}
	}
	return nil, ""
}

// Picture draws the modules with their 4K random writes, and how sure these are.
func (c *Comparison) Picture() picture.Picture {
	shown := picture.Picture{Title: "Which is faster?", List: c.names(), Notes: []string{notCompared}}
	rates, method := c.randWrites()
	if method != "" {
		shown.Notes[0] = "4K random writes. " + method
	}
	for i, rate := range rates {
		if rate != "" {
			shown.List[i] = rate + ": " + shown.List[i]
		}
	}
	return shown
}

// inWords says what the picture shows: "A: 883 IOPS (620 to 1,260); B: 161 to 986 IOPS. 4K random writes, iozone."
func (c *Comparison) inWords() string {
	list := c.names()
	rates, method := c.randWrites()
	if method == "" {
		return strings.Join(list, "; ") + ". " + notCompared
	}
	for i, rate := range rates {
		list[i] += ": " + cmp.Or(rate, "not known")
	}
	return strings.Join(list, "; ") + ". 4K random writes, " + method + "."
}

func (c *Comparison) names() (names []string) {
	for _, m := range c.Modules {
		names = append(names, m.Name())
	}
	return names
}

// Columns counts the columns of the table.
func (c *Comparison) Columns() int { return len(c.Modules) + 1 }

// Apart lists the modules that no method measured together with others, if there are several modules.
func (c *Comparison) Apart() (apart []catalogue.Module) {
	for i, m := range c.Modules {
		measured := func(m ComparedMethod) bool { return m.Standings[i] != nil }
		ran := func(p Profile) bool {
			return slices.ContainsFunc(p.Runs, func(r ProfiledRun) bool { return r.Letter == chart.Letter(i) })
		}
		if len(c.Modules) > 1 && !slices.ContainsFunc(c.Methods, measured) && !slices.ContainsFunc(c.Profiles, ran) {
			apart = append(apart, m)
		}
	}
	return apart
}

// comparisonOf returns the title of a comparison: as many of the modules' names as fit.
func comparisonOf(names []string) string {
	for n := len(names); n > 0; n-- {
		title := "Compare " + strings.Join(names[:n], ", ")
		if n < len(names) {
			title += fmt.Sprintf(" and %d more", len(names)-n)
		}
		if utf8.RuneCountInString(title) <= LongestTitle {
			return title
		}
	}
	if len(names) > 0 {
		return fmt.Sprintf("Compare %d modules", len(names))
	}
	return "Compare modules"
}

// Shown returns the rows and charts of each method.
func (c *Comparison) Shown() (shown []shownMethod) {
	names := c.names()
	for _, method := range c.Methods {
		shown = append(shown, c.show(method, names))
	}
	return shown
}

func (c *Comparison) show(method ComparedMethod, names []string) shownMethod {
	shown := shownMethod{ComparedMethod: method}
	base := method.Standings[c.Base]
	if base == nil {
		shown.Description += " The baseline has no figures by this method."
	}
	row := func(label, small string, of func(i int, s *Standing) comparedCell) {
		r := comparedRow{label, small, make([]comparedCell, len(c.Modules))}
		for i, s := range method.Standings {
			if s != nil {
				r.Cells[i] = of(i, s)
			}
		}
		shown.Rows = append(shown.Rows, r)
	}
	for _, currency := range currenciesOf(method.Standings) {
		row("Price", currency+", median; below it, for each GB", func(i int, s *Standing) comparedCell {
			return priceIn(currency, c.Modules[i], s)
		})
	}
	for _, column := range ranking.Columns {
		has := func(s *Standing) bool { _, known := s.figureOf(column.Key); return known }
		if !slices.ContainsFunc(method.Standings, has) {
			continue
		}
		row(column.Label, column.Unit+", "+column.Direction+" is better", func(i int, s *Standing) comparedCell {
			return c.cell(column, i, s, base)
		})
		if len(c.Modules) > 1 && slices.Contains(figure.KeyFigures, column.Key) {
			if strip, ok := stripOf(column, method, names); ok {
				shown.Strips = append(shown.Strips, strip)
			}
		}
	}
	if method.Drawn != nil {
		tests := make([][]result.Test, len(c.Modules))
		for i, drawn := range method.Drawn {
			if len(drawn.Runs) > 0 {
				tests[i] = drawn.Runs[0].Tests
			}
		}
		shown.Samples = chart.Compared(method.ID+"-", names, tests)
	}
	return shown
}

// cell returns one figure of the i-th module, compared with the baseline.
func (c *Comparison) cell(column ranking.Column, i int, s, base *Standing) comparedCell {
	f, known := s.Figures.Find(column.Key)
	switch {
	case !known && column.Key == figure.SeqWriteCliffMB && s.NoCliff():
		return comparedCell{Value: "none"}
	case !known:
		return comparedCell{}
	}
	of := CellOf("", f)
	cell := comparedCell{Value: of.Value, Interval: of.Interval}
	if b, known := base.figureOf(column.Key); known && i != c.Base && f.To+b.To == 0 {
		cell.Below, cell.BelowClass = difference(f, b, column.Direction, ranking.Tell(s.Row, base.Row, column.Key))
	}
	return cell
}

// currenciesOf lists the currencies of all prices, sorted. Nothing is converted.
func currenciesOf(standings []*Standing) (all []string) {
	for _, s := range standings {
		if s != nil {
			for _, p := range s.Prices {
				all = append(all, p.Currency)
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func priceIn(currency string, m catalogue.Module, s *Standing) comparedCell {
	for _, p := range s.Prices {
		if p.Currency != currency {
			continue
		}
		cell := comparedCell{
			Value: result.Number(p.Amount), Beside: "of " + Counted(p.N, "unit") + ", " + ranking.PriceMonth(p),
		}
		if perGB := ranking.PricePerGB(m, p); perGB > 0 {
			cell.Below = result.Number(perGB) + " for each GB"
		}
		return cell
	}
	return comparedCell{}
}

// stripOf draws a figure of the modules and of their units.
func stripOf(column ranking.Column, method ComparedMethod, names []string) (chart.Chart, bool) {
	at := slices.Index(figure.FigureKeys, column.Key)
	var rows []chart.Row
	for i, s := range method.Standings {
		f, known := s.figureOf(column.Key)
		if !known || f.To > 0 {
			continue
		}
		r := chart.Row{Label: chart.Letter(i) + " " + names[i], Figure: f}
		if method.Drawn != nil {
			for _, unit := range method.Drawn[i].Units {
				if !math.IsNaN(unit.Values[at]) {
					r.Units = append(r.Units, unit.Values[at])
				}
			}
		}
		rows = append(rows, r)
	}
	id := method.ID + "-" + strings.ReplaceAll(column.Key, "_", "-")
	return chart.Rows(id, column.Label+", "+column.Unit+", "+column.Direction+" is better", column.Unit, rows)
}

// difference says by how many percent a figure differs from the baseline's. If told, the data show which is better, and
// state says it.
func difference(of, base figure.Figure, direction string, told bool) (text, state string) {
	if base.Value == 0 {
		return "", ""
	}
	text = result.Change(of.Value, base.Value)
	switch {
	case of.Value == base.Value:
		return "the same", "difference same"
	case !told:
		return text + ", but nobody can tell yet which is better", "difference same"
	case of.Value > base.Value == (direction == "higher"):
		return text + ", better", "difference better"
	}
	return text + ", worse", "difference worse"
}
