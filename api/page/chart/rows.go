package chart

import (
	"fmt"
	"slices"

	"flashdex/api/figure"
	"flashdex/result"
)

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
// upright line or, without units, as a dot, and the interval. Values that can't stand on the scale are left out. ok is
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
