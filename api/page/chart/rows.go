package chart

import (
	"fmt"
	"slices"
	"strings"

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
		all.addInterval(r.Figure)
	}
	x, ticks := logScale(all)
	plot := Plot{Height: row * len(rows), Foot: row * len(rows)}
	c = Chart{
		ID: id, Title: title, Height: plot.Foot + 24, Plot: plot, X: Axis{unit, x.across(ticks)},
		Table: Table{Head: []string{"Module", "Value, " + unit, "Interval", "Units drawn"}},
	}
	var said []string
	for i, r := range rows {
		band := Plot{Top: i*row + rowLabel, Height: rowDots}
		top, at := float64(band.Top), x.percent(r.Value)
		interval, count := "", ""
		c.Texts = append(c.Texts, Text{"name", 0, top - 5, "start", r.Label})
		if r.HasInterval() {
			c.Lines = append(c.Lines, Line{Interval, x.percent(*r.Low), x.percent(*r.High), top + rowDots + 3, top + rowDots + 3})
			interval = fromTo(*r.Low, *r.High)
		}
		units := slices.DeleteFunc(slices.Clone(r.Units), func(v float64) bool { return !drawable(v) })
		if len(units) > 0 {
			c.Dots = append(c.Dots, pile(units, x, band)...)
			c.Lines = append(c.Lines, Line{Main, at, at, top, top + rowDots + 6})
			count = result.Count(len(units))
		} else {
			c.Dots = append(c.Dots, Dot{Main, at, top + rowDots/2})
		}
		c.Table.Rows = append(c.Table.Rows, []string{r.Label, result.Number(r.Value), interval, count})
		said = append(said, fmt.Sprintf("%s: %s %s.", r.Label, result.Number(r.Value), unit))
	}
	c.Desc = strings.Join(said, " ")
	return c, true
}
