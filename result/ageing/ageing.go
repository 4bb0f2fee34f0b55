// Package ageing tells from the runs of one unit whether it got slower, and by how much a year or a TB written.
// Server and client use it alike: docs/method.md#ageing explains it.
package ageing

import (
	"math"
	"sort"
	"time"

	"flashdex/result"
)

const (
	// LeastPoints is how many points make a line whose noise can be estimated.
	LeastPoints = 3
	// Apart is how long after the first run of a point a later run begins another one. Runs of a few days meet the unit in
	// one state, so they would pretend to know more than they do.
	Apart = 30 * 24 * time.Hour

	year = 365.25 * 24 * time.Hour

	// sharper is by how much the spread of what was written must exceed what rounding alone makes of it. The slope is too
	// small by one part in so many then. Runs that are spread evenly have it when ten times the greatest error of
	// rounding, half a step, was written between the first and the last.
	sharper = 25

	// leastNoise is the least standard deviation of the logarithms of points around a line. Three points may lie on a line
	// by chance, and then look as if nothing ever varied.
	leastNoise = 0.01
)

// Run is one run on one unit by one method in one host.
type Run struct {
	At        time.Time
	WrittenGB int64   // 10^9 bytes that were ever written to the unit before the run, as result.Wear has it; 0: not known
	WrittenBy string  // who counted them; the counts of two don't compare
	IOPS      float64 // of 4K random writes
	Error     float64 // relative standard error of IOPS; 0 or NaN: not known
}

// Line is a straight line through the logarithms of rates over the years, or over the TB written, by least squares.
type Line struct {
	Runs   int       `json:"runs"`
	Points int       `json:"points"` // runs less than Apart after the first of them are one point
	First  time.Time `json:"first"`
	Last   time.Time `json:"last"`
	Slope  float64   `json:"slope"`  // of the natural logarithm of the rate, per year or TB
	Spread float64   `json:"spread"` // sum of the squared distances of the points from their mean, in years² or TB²
	Noise  float64   `json:"noise"`  // standard deviation of the logarithm of a point around the line

	PerTB *Line `json:"per_tb,omitempty"` // of a line over years: that of the same runs over the TB written; nil: not known
}

// PerYear returns the line over years; nil: there are fewer than LeastPoints points.
func PerYear(runs []Run) *Line {
	points := pointsOf(sorted(runs, false))
	for i := range points {
		points[i].x = float64(points[i].last.Sub(points[0].first)) / float64(year)
		points[i].x -= float64(points[i].last.Sub(points[i].first)) / float64(year) / 2
	}
	line := lineOf(points)
	if line != nil {
		line.PerTB = PerTB(runs)
	}
	return line
}

// Points counts the points that runs make.
func Points(runs []Run) int { return len(pointsOf(sorted(runs, false))) }

// PerTB returns the line over what was written to the unit, of the longest stretch of runs in which one counter went on;
// nil: too few know it, or so little was written that rounding would distort the line. A counter that goes back begins
// anew, as that of a file system does that was made anew.
func PerTB(runs []Run) (longest *Line) {
	order := sorted(runs, true)
	from := 0
	for i, r := range order {
		next := i + 1
		if next < len(order) && order[next].WrittenBy == r.WrittenBy && order[next].WrittenGB >= r.WrittenGB {
			continue
		}
		points, rounding := pointsOf(order[from:next]), 0.0
		for k := range points {
			p := &points[k]
			step := float64(result.StepGB(int64(p.writtenGB))) / 1000
			p.x, rounding = p.writtenGB/1000, rounding+step*step/12
		}
		line := lineOf(points)
		if line != nil && line.Spread >= sharper*rounding && (longest == nil || line.Points >= longest.Points) {
			longest = line
		}
		from = next
	}
	return longest
}

// point is the mean of runs that are less than Apart after the first of them.
type point struct {
	x           float64
	y           float64 // mean natural logarithm of the rates
	variance    float64 // of y, by the errors of the runs alone
	writtenGB   float64 // mean
	runs        int
	first, last time.Time
}

// ordered sorts runs by their time, or by who counted what was written and then by their time.
type ordered struct {
	runs      []*Run
	byCounter bool
}

func (o *ordered) Len() int      { return len(o.runs) }
func (o *ordered) Swap(a, b int) { o.runs[a], o.runs[b] = o.runs[b], o.runs[a] }
func (o *ordered) Less(a, b int) bool {
	if x, y := o.runs[a], o.runs[b]; !o.byCounter || x.WrittenBy == y.WrittenBy {
		return x.At.Before(y.At)
	} else {
		return x.WrittenBy < y.WrittenBy
	}
}

func sorted(runs []Run, byCounter bool) []*Run {
	o := &ordered{byCounter: byCounter}
	for i := range runs {
		o.runs = append(o.runs, &runs[i])
	}
	sort.Stable(o) // sort.Slice would be 10 kB of the client
	return o.runs
}

// pointsOf joins runs, which come in the order of their time, to points. It leaves out runs without a rate.
func pointsOf(runs []*Run) (points []point) {
	for _, r := range runs {
		if !(r.IOPS > 0) || math.IsInf(r.IOPS, 0) {
			continue
		}
		if n := len(points); n == 0 || r.At.Sub(points[n-1].first) >= Apart {
			points = append(points, point{first: r.At})
		}
		p := &points[len(points)-1]
		p.y += math.Log(r.IOPS)
		p.writtenGB += float64(r.WrittenGB)
		if r.Error > 0 {
			p.variance += r.Error * r.Error
		}
		p.runs, p.last = p.runs+1, r.At
	}
	for i := range points {
		p := &points[i]
		n := float64(p.runs)
		p.y, p.writtenGB, p.variance = p.y/n, p.writtenGB/n, p.variance/n/n
	}
	return points
}

func lineOf(points []point) *Line {
	n := float64(len(points))
	if len(points) < LeastPoints {
		return nil
	}
	line := &Line{Points: len(points), First: points[0].first, Last: points[len(points)-1].last}
	var meanX, meanY, variance float64
	for _, p := range points {
		line.Runs += p.runs
		meanX, meanY, variance = meanX+p.x/n, meanY+p.y/n, variance+p.variance/n
	}
	var products float64
	for _, p := range points {
		line.Spread += (p.x - meanX) * (p.x - meanX)
		products += (p.x - meanX) * (p.y - meanY)
	}
	if !(line.Spread > 1e-9) {
		return nil
	}
	line.Slope = products / line.Spread
	var squares, lagged, before float64
	for _, p := range points {
		off := p.y - meanY - line.Slope*(p.x-meanX)
		squares, lagged, before = squares+off*off, lagged+off*before, off
	}
	alone := max(squares/(n-2), variance, leastNoise*leastNoise)
	line.Noise = math.Sqrt(alone * lasting(lagged/squares, n))
	return line
}

// lasting returns the factor by which the variance of a slope grows if what disturbs a point lasts to the next one,
// from the lag-1 autocorrelation r of n residuals: (1+r)/(1-r), as docs/method.md has it for batches. A line that is
// fitted hides a part of it, about (2+4r)/n (Marriott and Pope, Biometrika 41, 1954; Kendall, Biometrika 41, 1954, for
// a mean: a line takes two parameters), which is added again. From fewer than five points nothing can be told. A sudden
// fall looks alike, so the factor is at most 2: more would hide falls that everybody sees.
func lasting(r, n float64) float64 {
	const most = 1.0 / 3
	if n < 5 || math.IsNaN(r) {
		return 1
	}
	r = min(max((r+2/n)/(1-4/n), 0), most)
	return (1 + r) / (1 - r)
}

// half returns half the width of the interval of a mean with a standard error and degrees of freedom.
func half(confidence, standardError, freedom float64) float64 {
	return result.Student((1+confidence)/2, freedom) * standardError
}
