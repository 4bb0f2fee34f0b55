package rest

import (
	"math"
	"strconv"

	"flashdex/api/ranking"
)

// axis is a logarithmic axis that figures of several modules share. Places along it are in percent of its width.
type axis struct {
	Ticks        []tick
	Dots         []dot
	Height, Foot int // in pixels, as all that is vertical
}

type tick struct {
	X     float64
	Label string
}

// dot is a figure on an axis, with its interval if it has one.
type dot struct {
	X, Low, High float64
	Interval     bool
	Name         string
	Label, Line  int // where its name and its line are
}

// The axis leaves room at its ends for the labels of its ticks.
const axisStart, axisEnd = 5.0, 95.0

// dotPixels is the height of a module's name and its line.
const dotPixels = 36

// axisOf draws the figures that are above zero; nil if there are fewer than two.
func axisOf(cells []*comparedCell) *axis {
	least, most, n := math.Inf(1), 0.0, 0
	for _, c := range cells {
		if c == nil || c.Value <= 0 {
			continue
		}
		low, high := c.interval()
		least, most = min(least, low), max(most, high)
		n++
	}
	if n < 2 {
		return nil
	}
	ticks := []float64{below(least)}
	for ticks[len(ticks)-1] < most {
		ticks = append(ticks, next(ticks[len(ticks)-1]))
	}
	if len(ticks) == 1 { // all are the same round number
		ticks = append(ticks, next(ticks[0]))
	}
	first, span := math.Log(ticks[0]), math.Log(ticks[len(ticks)-1]/ticks[0])
	x := func(v float64) float64 {
		return math.Round((axisStart+(axisEnd-axisStart)*(math.Log(v)-first)/span)*100) / 100
	}
	a := &axis{}
	every := (len(ticks) + 4) / 5
	for i, v := range ticks {
		t := tick{X: x(v)}
		if i%every == 0 {
			t.Label = ranking.Number(v)
		}
		a.Ticks = append(a.Ticks, t)
	}
	for _, c := range cells {
		if c != nil && c.Value > 0 {
			low, high := c.interval()
			top := dotPixels * len(a.Dots)
			a.Dots = append(a.Dots, dot{X: x(c.Value), Low: x(low), High: x(high), Interval: low < high, Name: c.Name, Label: top + 14, Line: top + 25})
		}
	}
	a.Foot = dotPixels*len(a.Dots) + 4
	a.Height = a.Foot + 18
	return a
}

// interval is that of a figure as far as a logarithmic axis can show it.
func (c *comparedCell) interval() (low, high float64) {
	if c.Low == nil || *c.Low <= 0 {
		return c.Value, c.Value
	}
	return *c.Low, *c.High
}

// below is the largest of 1, 2 and 5 times a power of ten that is not above v.
func below(v float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(v)))
	for _, step := range []float64{5, 2} {
		if v >= step*power {
			return step * power
		}
	}
	return power
}

// next is the one after that.
func next(v float64) float64 {
	text := strconv.FormatFloat(v, 'e', 0, 64)
	if text[0] == '2' {
		return v * 2.5
	}
	return v * 2
}
