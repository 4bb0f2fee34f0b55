package chart

import (
	"fmt"
	"math"
	"strings"

	"flashdex/result"
)

// Row is a figure of one of several modules.
type Row struct {
	Label     string
	Value     float64
	Low, High *float64  // its interval; nil: none
	Units     []float64 // figures of its units, or of some of them; none are known of what was only published
}

const (
	rowLabel = 18 // pixels down to the foot of a row's name
	rowDots  = 26 // pixels for its dots
	rowFoot  = 8  // pixels below
	row      = rowLabel + rowDots + rowFoot
)

// Rows draws a figure of several modules on one logarithmic scale, a row for each: its units as dots, its value, which is their median,
// as an upright line or, without units, as a dot, and its interval. Values that aren't above 0 can't stand on the scale and are left
// out. ok is false if fewer than two are left.
func Rows(id, title, unit string, rows []Row) (c Chart, ok bool) {
	drawable := func(v float64) bool { return v > 0 && !math.IsInf(v, 1) }
	low, high := math.Inf(1), 0.0
	stretch := func(values ...float64) {
		for _, v := range values {
			if drawable(v) {
				low, high = math.Min(low, v), math.Max(high, v)
			}
		}
	}
	var drawn []Row
	for _, r := range rows {
		if !drawable(r.Value) {
			continue
		}
		drawn = append(drawn, r)
		stretch(r.Value)
		stretch(r.Units...)
		if r.Low != nil && r.High != nil {
			stretch(*r.Low, *r.High)
		}
	}
	if len(drawn) < 2 {
		return Chart{}, false
	}
	x, ticks := logScale(low, high)
	plot := Plot{Height: row * len(drawn), Foot: row * len(drawn)}
	c = Chart{ID: id, Title: title, Height: plot.Foot + 24, Plot: plot, X: Axis{unit, x.across(ticks)}, Y: Axis{Ticks: []Tick{}}}
	c.Table.Head = []string{"Module", "Value, " + unit, "Interval", "Units drawn"}
	var said []string
	for i, r := range drawn {
		band := Plot{Top: i*row + rowLabel, Height: rowDots}
		top, middle := float64(band.Top), float64(band.Top)+rowDots/2
		c.Texts = append(c.Texts, Text{"name", 0, top - 5, "start", r.Label})
		var units []float64
		for _, v := range r.Units {
			if drawable(v) {
				units = append(units, v)
			}
		}
		at, interval := x.percent(r.Value), ""
		if r.Low != nil && r.High != nil {
			c.Lines = append(c.Lines, Line{Interval, x.percent(*r.Low), x.percent(*r.High), top + rowDots + 3, top + rowDots + 3})
			interval = result.Number(*r.Low) + " to " + result.Number(*r.High)
		}
		if len(units) > 0 {
			c.Dots = append(c.Dots, pile(units, x, band)...)
			c.Lines = append(c.Lines, Line{Main, at, at, top, top + rowDots + 6})
		} else {
			c.Dots = append(c.Dots, Dot{Main, at, middle})
		}
		count := ""
		if len(units) > 0 {
			count = result.Count(len(units))
		}
		c.Table.Rows = append(c.Table.Rows, []string{r.Label, result.Number(r.Value), interval, count})
		said = append(said, fmt.Sprintf("%s: %s %s.", r.Label, result.Number(r.Value), unit))
	}
	c.Desc = strings.Join(said, " ")
	return c, true
}
