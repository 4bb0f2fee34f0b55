package chart

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"flashdex/result"
)

// Latency is drawn from the median on, and up to where 3 operations lie beyond, at most to 99.99 %.
const (
	firstNines  = 0.30102999566398119521 // 50 %
	lastNines   = 4.0                    // 99.99 %
	minBeyond   = 3
	ninesPerDot = 0.05
)

// ninesTicks are the percentiles that stand at the foot and in the table. Of a share q of operations there are -log10(1-q)
// nines.
var ninesTicks = []struct {
	percent float64
	label   string
}{{50, "50 %"}, {90, "90 %"}, {99, "99 %"}, {99.9, "99.9 %"}, {99.99, "99.99 %"}}

// point is a latency that a share of operations, given in nines, did not exceed.
type point struct{ nines, ms float64 }

// curve is the latency of a random test at rising percentiles.
func curve(t *result.Test) []point {
	var ops int64
	for _, b := range t.Latency {
		ops += max(b.Count, 0)
	}
	if ops < 2*minBeyond {
		return nil
	}
	last := math.Min(lastNines, math.Log10(float64(ops)/minBeyond))
	var at []float64
	for nines := firstNines; nines < last-1e-9; nines += ninesPerDot {
		at = append(at, nines)
	}
	for _, t := range ninesTicks { // so that the line shows what the table says
		if n := nines(t.percent); n <= last+1e-9 {
			at = append(at, n)
		}
	}
	at = append(at, last)
	slices.Sort(at)
	at = slices.CompactFunc(at, func(a, b float64) bool { return math.Abs(a-b) < 1e-9 })
	shares := make([]float64, len(at))
	for i, n := range at {
		shares[i] = 1 - math.Pow(10, -n)
	}
	latencies, err := result.QuantilesNS(t.Latency, shares)
	if err != nil {
		return nil
	}
	points := make([]point, len(at))
	for i, ns := range latencies {
		points[i] = point{at[i], float64(ns) / 1e6}
	}
	return points
}

func nines(percent float64) float64 { return -math.Log10(1 - percent/100) }

// Latency draws how long operations of runs of one random test took, by percentile: across in nines, so that every further
// nine has the same width, and logarithmic upward. The last of runs lies on top; the numbers in the table are those of Main,
// or of each of Several. ok is false if there is nothing to draw.
func Latency(id, title string, runs []Run) (c Chart, ok bool) {
	type curved struct {
		Run
		points []point
	}
	var all []curved
	low, high, end := math.Inf(1), 0.0, 0.0
	for _, r := range runs {
		points := curve(r.Test)
		if len(points) == 0 || !(points[len(points)-1].ms > 0) {
			continue
		}
		all = append(all, curved{r, points})
		for _, p := range points {
			if p.ms > 0 {
				low = math.Min(low, p.ms)
			}
			high = math.Max(high, p.ms)
		}
		end = math.Max(end, points[len(points)-1].nines)
	}
	if len(all) == 0 {
		return Chart{}, false
	}
	x := scale{firstNines, math.Max(end, 2), false}
	y, yTicks := logScale(low, high)
	c = Chart{ID: id, Title: title, Height: lineHeight, Plot: linePlot, X: Axis{Name: "share of operations that took no longer"}, Y: Axis{"ms", y.upward(yTicks, linePlot)}}
	c.Table.Head = []string{"Of the operations"}
	for _, t := range ninesTicks {
		if nines(t.percent) <= x.high+1e-9 {
			c.X.Ticks = append(c.X.Ticks, Tick{x.percent(nines(t.percent)), t.label})
			c.Table.Rows = append(c.Table.Rows, []string{t.label})
		}
	}
	behind := 0
	var ends []Text
	for _, r := range all {
		var d strings.Builder
		last := ""
		for i, p := range r.points {
			at := units(x.at(p.nines)) + " " + pixels(y.down(p.ms, linePlot))
			switch {
			case i == 0:
				d.WriteString("M" + at)
			case at != last:
				d.WriteString("L" + at)
			}
			last = at
		}
		c.Paths = append(c.Paths, Path{r.Class, d.String()})
		c.name(r.Run)
		end := r.points[len(r.points)-1]
		ends = append(ends, endOf(r.Run, x.at(end.nines), y.down(end.ms, linePlot)))
		switch r.Class {
		case Behind:
			behind++
			continue
		case Main:
		default:
			c.Desc += " " + r.Label + ":"
		}
		c.addPercentiles(r.Label, r.points)
	}
	c.addEnds(ends)
	if behind > 0 {
		c.Desc += fmt.Sprintf(" Thin lines: %d other runs.", behind)
	}
	c.Desc = strings.TrimSpace(c.Desc)
	return c, true
}

// addPercentiles adds the numbers of one run to the table and the description.
func (c *Chart) addPercentiles(label string, points []point) {
	c.Table.Head = append(c.Table.Head, strings.TrimSpace(label+" took at most, ms"))
	row := 0
	for _, p := range points {
		if row == len(c.Table.Rows) || math.Abs(p.nines-nines(ninesTicks[row].percent)) > 1e-9 {
			continue
		}
		c.Table.Rows[row] = append(c.Table.Rows[row], result.Number(p.ms))
		c.Desc += fmt.Sprintf(" %s took at most %s ms.", ninesTicks[row].label, result.Number(p.ms))
		row++
	}
	for ; row < len(c.Table.Rows); row++ {
		c.Table.Rows[row] = append(c.Table.Rows[row], "too few operations")
	}
}
