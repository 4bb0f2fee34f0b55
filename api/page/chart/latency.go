package chart

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"flashdex/result"
)

// Latencies are drawn from the median to the point beyond which 3 operations lie, at most to 99.99 %. A share q of the
// operations has -log10(1-q) nines.
const (
	firstNines  = 0.30102999566398119521 // 50 %
	lastNines   = 4.0                    // 99.99 %
	minBeyond   = 3
	ninesPerDot = 0.05
)

// ninesTicks are the percentiles at the foot and in the table.
var ninesTicks = []tick{
	{nines(50), "50 %"}, {nines(90), "90 %"}, {nines(99), "99 %"}, {nines(99.9), "99.9 %"}, {nines(99.99), "99.99 %"},
}

func nines(percent float64) float64 { return -math.Log10(1 - percent/100) }

func same(a, b float64) bool { return math.Abs(a-b) < 1e-9 }

// latencies returns, for rising shares of a random test's operations in nines, the latency in ms that each share didn't
// exceed.
func latencies(t *result.Test) (points []point) {
	var ops int64
	for _, b := range t.Latency {
		ops += max(b.Count(), 0)
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
		if t.at <= last+1e-9 {
			at = append(at, t.at)
		}
	}
	slices.Sort(at)
	at = slices.CompactFunc(at, same)
	shares := make([]float64, len(at))
	for i, n := range at {
		shares[i] = 1 - math.Pow(10, -n)
	}
	ns, err := result.QuantilesNS(t.Latency, shares)
	if err != nil || ns[len(ns)-1] == 0 {
		return nil
	}
	for i := range ns {
		points = append(points, point{at[i], float64(ns[i]) / 1e6})
	}
	return points
}

// Latency draws how long operations of one random test took in several runs, by percentile. Across, every further nine
// has the same width; upward the scale is logarithmic. The last run lies on top. The table has Main's numbers, or the
// numbers of each of Several. ok is false if there is nothing to draw.
func Latency(id, title string, runs []Run) (c Chart, ok bool) {
	var all extent
	curves := make([][]point, len(runs))
	most := 2.0
	for i, r := range runs {
		curves[i] = latencies(r.Test)
		for _, p := range curves[i] {
			all.add(p.y)
			most = math.Max(most, p.x)
		}
	}
	if all.high == 0 {
		return Chart{}, false
	}
	d := drawing{
		Chart: Chart{Title: title, Numbers: Numbers{Head: []string{"Of the operations"}}}, id: id, plot: linePlot,
		x: scale{firstNines, most, false}.labelled("share of operations that took no longer", ninesTicks),
		y: logScale("ms", all),
	}
	for _, t := range d.x.ticks {
		d.row(t.label)
	}
	said, behind := "", 0
	for i, r := range runs {
		points := curves[i]
		if len(points) == 0 {
			continue
		}
		d.run(r, d.curve(points), points[len(points)-1])
		switch r.Class {
		case Behind:
			behind++
			continue
		case Main:
		default:
			said += " " + r.Label + ":"
		}
		d.Numbers.Head = append(d.Numbers.Head, strings.TrimSpace(r.Label+" took at most, ms"))
		for row, tick := range d.x.ticks {
			cell := "too few operations"
			if at := slices.IndexFunc(points, func(p point) bool { return same(p.x, tick.at) }); at >= 0 {
				cell = result.Number(points[at].y)
				said += fmt.Sprintf(" %s took at most %s ms.", tick.label, cell)
			}
			d.Numbers.Rows[row] = append(d.Numbers.Rows[row], cell)
		}
	}
	return d.finish(strings.TrimSpace(said + thinLines(behind)))
}
