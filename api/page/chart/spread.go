package chart

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"flashdex/api/figure"
	"flashdex/result"
)

// Spread is a figure of a module, the median of its units. Values that can't stand on a logarithmic scale are left out.
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
	spreadBins  = 80   // places across in which dots are piled up
	dotStep     = 7.0  // pixels from dot to dot
	referenceIn = 0.25 // a reference is drawn within this share of the values, and up to so many times less
)

// Strip draws units as dots on a logarithmic scale, with the median, its interval, the quartiles and references.
// References far beyond the values are left out. ok is false if there is nothing to draw.
func Strip(id, title string, s Spread) (c Chart, ok bool) {
	values := slices.DeleteFunc(slices.Clone(s.Values), func(v float64) bool { return !drawable(v) })
	if len(values) == 0 {
		return Chart{}, false
	}
	slices.Sort(values)
	var all extent
	all.add(values...)
	all.addInterval(s.Figure)
	rows := 1
	if s.This != nil {
		all.add(s.This.Value)
		rows++
	}
	least, most := all.low*referenceIn, all.high/referenceIn
	var marks []Mark
	for _, r := range s.References {
		if r.Value >= least && r.Value <= most {
			marks = append(marks, r)
			all.add(r.Value)
		}
	}
	rows += len(marks)
	x, ticks := logScale(all)
	plot := Plot{Top: rows * spreadRows, Height: spreadDots, Foot: rows*spreadRows + spreadDots}
	top, foot := float64(plot.Top), float64(plot.Foot)
	c = Chart{ID: id, Title: title, Height: plot.Foot + spreadFoot, Plot: plot, X: Axis{s.Unit, x.across(ticks)}}
	added := 0
	mark := func(class string, m Mark) {
		added++
		c.addMark(class, m.Label, x.percent(m.Value), float64(added*spreadRows), foot)
	}
	for _, m := range marks {
		mark(Reference, m)
	}
	if s.P75 > 0 && s.P25 > 0 {
		from, to := x.percent(s.P25), x.percent(s.P75)
		c.Areas = append(c.Areas, Area{Quartiles, from, hundredth(to - from), top, float64(plot.Height)})
	}
	c.Dots = pile(values, x, plot)
	mark(Main, Mark{"median " + result.Number(s.Value), s.Value})
	if s.HasInterval() {
		c.Lines = append(c.Lines, Line{Interval, x.percent(*s.Low), x.percent(*s.High), foot + 5, foot + 5})
	}
	if s.This != nil {
		mark(This, *s.This)
		c.Dots = append(c.Dots, Dot{This, x.percent(s.This.Value), tenth(foot - spreadDots/2)})
	}
	c.describeSpread(s, values, marks)
	return c, true
}

// pile puts a dot at each value, in the middle of the plot, and above and below where there are several at a place.
func pile(values []float64, x scale, plot Plot) []Dot {
	counts, most := map[int]int{}, 0
	bin := func(v float64) int { return int(x.at(v) * spreadBins) }
	for _, v := range values {
		counts[bin(v)]++
		most = max(most, counts[bin(v)])
	}
	step := math.Min(dotStep, float64(plot.Height-8)/float64(most))
	dots := make([]Dot, len(values))
	placed := map[int]int{}
	for i, v := range values {
		n := placed[bin(v)]
		placed[bin(v)]++
		off := float64((n + 1) / 2)
		if n%2 == 1 {
			off = -off
		}
		dots[i] = Dot{Unit, x.percent(v), tenth(float64(plot.Top) + float64(plot.Height)/2 + off*step)}
	}
	return dots
}

// describeSpread adds the description and the table.
func (c *Chart) describeSpread(s Spread, values []float64, marks []Mark) {
	units := max(s.N, len(values))
	least, most := values[0], values[len(values)-1]
	c.Desc = fmt.Sprintf("%s of %s units, from %s %s; the median is %s.", result.Count(len(values)), result.Count(units),
		fromTo(least, most), s.Unit, result.Number(s.Value))
	if units == 1 {
		c.Desc = fmt.Sprintf("One unit, %s %s.", result.Number(s.Value), s.Unit)
	}
	c.Table = Table{Head: []string{"Value", s.Unit}}
	row := func(name string, v float64) {
		if v > 0 {
			c.Table.Rows = append(c.Table.Rows, []string{name, result.Number(v)})
		}
	}
	row("Least", least)
	row("A quarter is below", s.P25)
	row("Median", s.Value)
	if s.HasInterval() {
		c.Table.Rows = append(c.Table.Rows, []string{"Interval of the median", fromTo(*s.Low, *s.High)})
	}
	row("A quarter is above", s.P75)
	row("Greatest", most)
	if s.This != nil {
		c.Table.Rows = append(c.Table.Rows, []string{s.This.Label, result.Number(s.This.Value)})
		below, _ := slices.BinarySearch(values, s.This.Value)
		c.Desc += fmt.Sprintf(" %s: %d of the %d are below.", s.This.Label, below, len(values))
	}
	var names []string
	for _, m := range marks {
		row(m.Label, m.Value)
		names = append(names, m.Label)
	}
	if len(names) > 0 {
		c.Desc += " Dashed: " + strings.Join(names, "; ") + "."
	}
}
