// Package ageing tells from one unit's runs whether it got slower, and by how much per year or per TB written. Server
// and client both use it. docs/method.md#ageing explains it.
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
	// Apart is how long after the first run of a point a later run begins another point. Runs of a few days find the
	// unit in one state, so as separate points they would pretend to know more than they do.
	Apart = 30 * 24 * time.Hour

	year = 365.25 * 24 * time.Hour

	// sharper is by how many times the spread of the written amounts must exceed the spread that rounding alone makes.
	// At that limit, rounding makes the slope too small by one part in 25. Runs that are spread evenly reach it when
	// the unit was written, between the first and the last run, ten times as much as rounding can be off, half a step.
	sharper = 25

	// leastNoise is the least standard deviation of the logarithms of points around a line. Three points may lie on a
	// line by chance, as if nothing ever varied.
	leastNoise = 0.01
)

// Run is one run on one unit by one method in one host.
type Run struct {
	At        time.Time
	WrittenGB int64   // 10^9 bytes that were ever written to the unit before the run (result.Wear); 0: not known
	WrittenBy string  // who counted them; counts by different counters don't compare
	IOPS      float64 // of 4K random writes
	Error     float64 // relative standard error of IOPS; 0 or NaN: not known
}

// Line is a straight line through the logarithms of rates over the years, or over the written TB, by least squares.
type Line struct {
	Runs   int       `json:"runs"`
	Points int       `json:"points"` // runs less than Apart after a point's first run belong to that point
	First  time.Time `json:"first"`
	Last   time.Time `json:"last"`
	Slope  float64   `json:"slope"`  // of the natural logarithm of the rate, per year or TB
	Spread float64   `json:"spread"` // sum of the squared distances of the points from their mean, in years² or TB²
	Noise  float64   `json:"noise"`  // standard deviation of the logarithm of a point around the line

	PerTB *Line `json:"per_tb,omitempty"` // of a line over years: the same runs' line over written TB; nil: not known
}

// PerYear returns the line over years. It returns nil if there are fewer than LeastPoints points.
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

// PerTB returns the line over the written TB. It uses the longest stretch of runs in which one counter went on. It
// returns nil if too few runs know the count, or if so little was written that rounding would distort the line. If a
// counter goes back, a new stretch begins: a new file system begins a new count, for example.
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

// point is the mean of the runs that begin less than Apart after the first of them.
type point struct {
	x           float64
	y           float64 // mean natural logarithm of the rates
	variance    float64 // of y, by the errors of the runs alone
	writtenGB   float64 // mean
	runs        int
	first, last time.Time
}

// ordered sorts runs by time, or first by who counted the written bytes and then by time.
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
	sort.Stable(o) // sort.Slice would add 10 kB to the client
	return o.runs
}

// pointsOf joins runs to points. The runs must be in the order of their time. It leaves out runs without a rate.
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

// lasting returns the factor by which the variance of a slope grows if a disturbance lasts from one point to the next.
// It is (1+r)/(1-r) for the lag-1 autocorrelation r of n residuals, as docs/method.md has it for batches. Fitting a
// line hides a part of r, about (2+4r)/n, and lasting adds that again (Marriott and Pope, Biometrika 41, 1954; Kendall,
// Biometrika 41, 1954, for a mean: a line takes two parameters). Fewer than five points tell nothing about r. A sudden
// fall looks the same, so the factor is at most 2. A larger factor would hide falls that everybody sees.
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
