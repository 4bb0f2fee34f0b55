package chart

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"flashdex/result"
)

// Spread is what a strip of units is drawn from. Values and marks that aren't above 0 can't stand on its scale and are left out.
type Spread struct {
	Unit      string
	Values    []float64 // of one unit each
	Units     int       // that there are, of which Values may be a part; 0: Values are all
	Median    float64
	Low, High *float64 // its interval
	P25, P75  float64  // 0: none

	References []Mark
	This       *Mark // the run that the page is about
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
	referenceIn = 0.25 // how far beyond the values a reference still is drawn, as a share of its value and of theirs
)

// Strip draws units as dots on a logarithmic scale, with the median, its interval, the quartiles, and what they are compared
// with. References that lie far beyond the values are left out. ok is false if there is nothing to draw.
func Strip(id, title string, s Spread) (c Chart, ok bool) {
	values := slices.DeleteFunc(slices.Clone(s.Values), func(v float64) bool { return !(v > 0) || math.IsInf(v, 1) })
	if len(values) == 0 {
		return Chart{}, false
	}
	slices.Sort(values)
	low, high := values[0], values[len(values)-1]
	stretch := func(v *float64) {
		if v != nil && *v > 0 && !math.IsInf(*v, 1) {
			low, high = math.Min(low, *v), math.Max(high, *v)
		}
	}
	stretch(s.Low)
	stretch(s.High)
	var marks []Mark
	if s.This != nil {
		stretch(&s.This.Value)
	}
	least, most := low*referenceIn, high/referenceIn
	for _, r := range s.References {
		if r.Value >= least && r.Value <= most {
			marks = append(marks, r)
			stretch(&r.Value)
		}
	}
	x, ticks := logScale(low, high)
	rows := len(marks) + 1
	if s.This != nil {
		rows++
	}
	plot := Plot{Top: rows * spreadRows, Height: spreadDots, Foot: rows*spreadRows + spreadDots}
	foot := float64(plot.Foot)
	c = Chart{ID: id, Title: title, Height: plot.Foot + spreadFoot, Plot: plot, X: Axis{s.Unit, x.across(ticks)}, Y: Axis{Ticks: []Tick{}}}
	for i, m := range marks {
		c.addMark(Reference, m, x, i, foot)
	}
	if s.P75 > 0 && s.P25 > 0 {
		from, to := x.percent(s.P25), x.percent(s.P75)
		c.Areas = append(c.Areas, Area{Quartiles, from, hundredth(to - from), float64(plot.Top), float64(plot.Height)})
	}
	c.Dots = pile(values, x, plot)
	c.addMark(Main, Mark{"median " + result.Number(s.Median), s.Median}, x, len(marks), foot)
	if s.Low != nil && s.High != nil {
		c.Lines = append(c.Lines, Line{Interval, x.percent(*s.Low), x.percent(*s.High), foot + 5, foot + 5})
	}
	if s.This != nil {
		c.addMark(This, *s.This, x, len(marks)+1, foot)
		c.Dots = append(c.Dots, Dot{This, x.percent(s.This.Value), tenth(foot - spreadDots/2)})
	}
	c.say(s, values, marks)
	return c, true
}

// addMark adds an upright line with its name in a row of its own.
func (c *Chart) addMark(class string, m Mark, x scale, row int, foot float64) {
	at, y := x.percent(m.Value), float64((row+1)*spreadRows)
	c.Lines = append(c.Lines, Line{class, at, at, y, foot})
	c.Texts = append(c.Texts, Text{class, at, y - 4, anchor(at), m.Label})
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
	dots := []Dot{}
	placed := map[int]int{}
	for _, v := range values {
		b := bin(v)
		n := placed[b]
		placed[b]++
		off := float64((n + 1) / 2)
		if n%2 == 1 {
			off = -off
		}
		dots = append(dots, Dot{Unit, x.percent(v), tenth(float64(plot.Top) + float64(plot.Height)/2 + off*step)})
	}
	return dots
}

// say adds words and numbers.
func (c *Chart) say(s Spread, values []float64, marks []Mark) {
	units := max(s.Units, len(values))
	least, most := values[0], values[len(values)-1]
	c.Desc = fmt.Sprintf("%s of %s units, from %s to %s %s; the median is %s.", result.Count(len(values)), result.Count(units), result.Number(least), result.Number(most), s.Unit, result.Number(s.Median))
	if units == 1 {
		c.Desc = fmt.Sprintf("One unit, %s %s.", result.Number(s.Median), s.Unit)
	}
	c.Table = Table{Head: []string{"Value", s.Unit}}
	row := func(name string, v float64) { c.Table.Rows = append(c.Table.Rows, []string{name, result.Number(v)}) }
	row("Least", least)
	if s.P25 > 0 {
		row("A quarter is below", s.P25)
	}
	row("Median", s.Median)
	if s.Low != nil && s.High != nil {
		c.Table.Rows = append(c.Table.Rows, []string{"Interval of the median", result.Number(*s.Low) + " to " + result.Number(*s.High)})
	}
	if s.P75 > 0 {
		row("A quarter is above", s.P75)
	}
	row("Greatest", most)
	if s.This != nil {
		row(s.This.Label, s.This.Value)
		below := 0
		for _, v := range values {
			if v < s.This.Value {
				below++
			}
		}
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
