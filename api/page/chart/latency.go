package chart

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"flashdex/result"
)

// Latencies are drawn from the median to the point where 3 operations lie beyond, at most to 99.99 %. Of a share q of
// the operations there are -log10(1-q) nines.
const (
	firstNines  = 0.30102999566398119521 // 50 %
	lastNines   = 4.0                    // 99.99 %
	minBeyond   = 3
	ninesPerDot = 0.05
)

// ninesTicks are the percentiles at the foot and in the table.
var ninesTicks = []struct {
	percent float64
	label   string
}{{50, "50 %"}, {90, "90 %"}, {99, "99 %"}, {99.9, "99.9 %"}, {99.99, "99.99 %"}}

func nines(percent float64) float64 { return -math.Log10(1 - percent/100) }

// point is a latency that a share of operations, given in nines, did not exceed.
type point struct{ nines, ms float64 }

// curve is the latency of a random test at rising percentiles.
func curve(t *result.Test) (points []point) {
	var ops int64
	for _, b := range t.Latency {
		ops += max(b.Count, 0)
	}
	if ops < 2*minBeyond {
		return nil
	}
	last := math.Min(lastNines, math.Log10(float64(ops)/minBeyond))
	at := []float64{last}
	for n := firstNines; n < last-1e-9; n += ninesPerDot {
		at = append(at, n)
	}
	for _, t := range ninesTicks { // so that the line shows the same values as the table
		if n := nines(t.percent); n <= last+1e-9 {
			at = append(at, n)
		}
	}
	slices.Sort(at)
	at = slices.CompactFunc(at, func(a, b float64) bool { return math.Abs(a-b) < 1e-9 })
	shares := make([]float64, len(at))
	for i, n := range at {
		shares[i] = 1 - math.Pow(10, -n)
	}
	latencies, err := result.QuantilesNS(t.Latency, shares)
	if err != nil || latencies[len(latencies)-1] == 0 {
		return nil
	}
	for i, ns := range latencies {
		points = append(points, point{at[i], float64(ns) / 1e6})
	}
	return points
}

// Latency draws how long operations of one random test took in several runs, by percentile. Across, every further nine
// has the same width; upward the scale is logarithmic. The last run lies on top. The table has the numbers of Main, or
// of each of Several. ok is false if there is nothing to draw.
func Latency(id, title string, runs []Run) (c Chart, ok bool) {
	var curves [][]point
	var drawn []Run
	var all extent
	end := 2.0
	for _, r := range runs {
		points := curve(r.Test)
		if len(points) == 0 {
			continue
		}
		drawn, curves = append(drawn, r), append(curves, points)
		for _, p := range points {
			all.add(p.ms)
		}
		end = math.Max(end, points[len(points)-1].nines)
	}
	if len(drawn) == 0 {
		return Chart{}, false
	}
	x := scale{firstNines, end, false}
	y, yTicks := logScale(all)
	c = Chart{
		ID: id, Title: title, Height: lineHeight, Plot: linePlot,
		X: Axis{Name: "share of operations that took no longer"}, Y: Axis{"ms", y.upward(yTicks, linePlot)},
		Table: Table{Head: []string{"Of the operations"}},
	}
	for _, t := range ninesTicks {
		if nines(t.percent) <= x.high+1e-9 {
			c.X.Ticks = append(c.X.Ticks, Tick{x.percent(nines(t.percent)), t.label})
			c.Table.Rows = append(c.Table.Rows, []string{t.label})
		}
	}
	behind := 0
	for i, r := range drawn {
		places := make([]place, len(curves[i]))
		for k, p := range curves[i] {
			places[k] = place{x.at(p.nines), y.down(p.ms, linePlot)}
		}
		c.addRun(r, line(places), places[len(places)-1])
		switch r.Class {
		case Behind:
			behind++
			continue
		case Main:
		default:
			c.Desc += " " + r.Label + ":"
		}
		c.addPercentiles(r.Label, curves[i])
	}
	c.addEnds()
	c.Desc = strings.TrimSpace(c.Desc + thinLines(behind))
	return c, true
}

// addPercentiles adds the numbers of one run to the table and the description.
func (c *Chart) addPercentiles(label string, points []point) {
	c.Table.Head = append(c.Table.Head, strings.TrimSpace(label+" took at most, ms"))
	for row, tick := range ninesTicks[:len(c.Table.Rows)] {
		cell := "too few operations"
		for _, p := range points {
			if math.Abs(p.nines-nines(tick.percent)) < 1e-9 {
				cell = result.Number(p.ms)
				c.Desc += fmt.Sprintf(" %s took at most %s ms.", tick.label, cell)
			}
		}
		c.Table.Rows[row] = append(c.Table.Rows[row], cell)
	}
}
