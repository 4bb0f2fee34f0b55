package chart

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"flashdex/api/figure"
	"flashdex/result"
)

// Spread is a figure of a module, the median of its units. Values that a logarithmic scale can't hold are left out.
type Spread struct {
	figure.Figure
	Unit   string
	Values []float64 // one for each unit, or for some of the N units

	References []Mark
	This       *Mark // the run that the page shows
}

// Mark is a value with a name.
type Mark struct {
	Label string
	Value float64
}

const (
	spreadRows  = 15   // pixels for each mark's name
	spreadDots  = 58   // pixels for the dots
	spreadFoot  = 34   // pixels for the interval's bar and the ticks
	spreadBins  = 80   // bins across in which dots are piled up
	dotStep     = 7.0  // pixels from dot to dot
	referenceIn = 0.25 // references beyond this share of the values, or its inverse, are left out
)

// Strip draws units as dots on a logarithmic scale, with the median, its interval, the quartiles and references.
// References far beyond the values are left out. ok is false if there is nothing to draw.
func Strip(id, title string, s Spread) (c Chart, ok bool) {
	s.Values = drawables(s.Values)
	if len(s.Values) == 0 {
		return Chart{}, false
	}
	slices.Sort(s.Values)
	var all extent
	all.add(s.Values...)
	if s.HasInterval() {
		all.add(s.Ends())
	}
	if s.This != nil {
		all.add(s.This.Value)
	}
	least, most := all.low*referenceIn, all.high/referenceIn
	s.References = slices.DeleteFunc(slices.Clone(s.References), func(m Mark) bool {
		return m.Value < least || m.Value > most
	})
	rows := float64(1 + len(s.References))
	for _, m := range s.References {
		all.add(m.Value)
	}
	if s.This != nil {
		rows++
	}
	d := drawing{
		Chart: Chart{Title: title}, id: id, plot: plot{rows * spreadRows, spreadDots, spreadFoot}, x: logScale(s.Unit, all),
	}
	below := 0.0
	mark := func(class string, m Mark) {
		below += spreadRows
		d.mark(class, m.Label, m.Value, below)
	}
	for _, m := range s.References {
		mark(Reference, m)
	}
	if s.P75 > 0 && s.P25 > 0 {
		d.area(Quartiles, s.P25, s.P75)
	}
	d.pile(s.Values, d.plot.top, d.plot.height)
	mark(Main, Mark{"figure " + result.Number(s.Value), s.Value})
	if s.HasInterval() {
		d.line(Interval, *s.Low, *s.High, d.plot.foot()+5, d.plot.foot()+5)
	}
	if s.This != nil {
		mark(This, *s.This)
		d.dot(This, s.This.Value, d.plot.foot()-spreadDots/2)
	}
	d.Numbers.Head, d.Numbers.Rows = []string{"Value", s.Unit}, s.numbers()
	return d.finish(s.describe())
}

func drawables(values []float64) []float64 {
	return slices.DeleteFunc(slices.Clone(values), func(v float64) bool { return !drawable(v) })
}

// pile draws a dot for each value, in the middle of a band, and above and below it if several values share a place.
func (d *drawing) pile(values []float64, top, height float64) {
	bin := func(v float64) int { return int(d.x.at(v) * spreadBins) }
	counts, placed := map[int]int{}, map[int]int{}
	most := 0
	for _, v := range values {
		counts[bin(v)]++
		most = max(most, counts[bin(v)])
	}
	step := math.Min(dotStep, (height-8)/float64(most))
	for _, v := range values {
		n := placed[bin(v)]
		placed[bin(v)]++
		off := float64((n + 1) / 2)
		if n%2 == 1 {
			off = -off
		}
		d.dot(Unit, v, top+height/2+off*step)
	}
}

func (s *Spread) describe() string {
	units, n := max(s.N, len(s.Values)), len(s.Values)
	said := fmt.Sprintf("%s of %s units, from %s %s; the figure is %s.", result.Count(n), result.Count(units),
		fromTo(s.Values[0], s.Values[n-1]), s.Unit, result.Number(s.Value))
	if units == 1 {
		said = fmt.Sprintf("One unit, %s %s.", result.Number(s.Value), s.Unit)
	}
	if s.This != nil {
		below, _ := slices.BinarySearch(s.Values, s.This.Value)
		said += fmt.Sprintf(" %s: %d of the %d are below.", s.This.Label, below, n)
	}
	var names []string
	for _, m := range s.References {
		names = append(names, m.Label)
	}
	if len(names) > 0 {
		said += " Dashed: " + strings.Join(names, "; ") + "."
	}
	return said
}

// numbers are the rows of the table.
func (s *Spread) numbers() (rows [][]string) {
	named := []Mark{
		{"Least", s.Values[0]}, {"A quarter is below", s.P25}, {"Figure", s.Value}, {"A quarter is above", s.P75},
		{"Greatest", s.Values[len(s.Values)-1]},
	}
	if s.This != nil {
		named = append(named, *s.This)
	}
	for _, m := range append(named, s.References...) {
		if m.Value > 0 || s.This != nil && m == *s.This {
			rows = append(rows, []string{m.Label, result.Number(m.Value)})
		}
		if m.Label == "Figure" && s.HasInterval() {
			rows = append(rows, []string{"Its interval", fromTo(*s.Low, *s.High)})
		}
	}
	return rows
}

// Row is a figure of one of several modules.
type Row struct {
	figure.Figure
	Label string
	Units []float64 // values of some of its units; a published figure has none
}

const (
	rowLabel = 18 // pixels down to the foot of a row's name
	rowDots  = 26 // pixels for its dots
	rowFoot  = 8  // pixels below
	row      = rowLabel + rowDots + rowFoot
)

// Rows draws a figure of several modules on one logarithmic scale, one row each: the units as dots, the value as an
// upright line or, without units, as a dot, and the interval. Values that the scale can't hold are left out. ok is
// false if fewer than two rows are left.
func Rows(id, title, unit string, rows []Row) (c Chart, ok bool) {
	rows = slices.DeleteFunc(slices.Clone(rows), func(r Row) bool { return !drawable(r.Value) })
	if len(rows) < 2 {
		return Chart{}, false
	}
	var all extent
	for _, r := range rows {
		all.add(r.Value)
		all.add(r.Units...)
		all.add(r.Ends())
	}
	d := drawing{
		Chart: Chart{Title: title, Numbers: Numbers{Head: []string{"Module", "Value, " + unit, "Interval", "Units drawn"}}},
		id:    id, plot: plot{0, float64(row * len(rows)), 24}, x: logScale(unit, all),
	}
	said := ""
	for i, r := range rows {
		top := float64(i*row + rowLabel)
		interval, count := "", ""
		d.text("name", "start", 0, top-5, r.Label)
		if r.HasInterval() {
			d.line(Interval, *r.Low, *r.High, top+rowDots+3, top+rowDots+3)
			interval = fromTo(*r.Low, *r.High)
		}
		if units := drawables(r.Units); len(units) > 0 {
			d.pile(units, top, rowDots)
			d.line(Main, r.Value, r.Value, top, top+rowDots+6)
			count = result.Count(len(units))
		} else {
			d.dot(Main, r.Value, top+rowDots/2)
		}
		d.row(r.Label, result.Number(r.Value), interval, count)
		said += fmt.Sprintf(" %s: %s %s.", r.Label, result.Number(r.Value), unit)
	}
	return d.finish(said[1:])
}
