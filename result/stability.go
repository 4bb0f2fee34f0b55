package result

import (
	"math"
	"slices"
)

const (
	minCVIntervals = 5

	// minCliffIntervals is how many a test must have before a cliff is looked for, and minCliffSide how many lie at least on
	// either side of one.
	minCliffIntervals = 6
	minCliffSide      = 2

	// cliffDepth is what the rate must at most be after a cliff, of the one before.
	cliffDepth = 0.8
)

// cvPercent is the coefficient of variation of the rate over time, in per cent: 100 sqrt(sum d (r - m)^2 / sum d) / m, with
// d the length of an interval, r its rate and m the mean rate, bytes over time. Time weighs, so that a short interval, as the last
// of a test, counts little. nil: fewer than minCVIntervals.
func cvPercent(intervals []Interval) *float64 {
	if len(intervals) < minCVIntervals {
		return nil
	}
	var bytes, time float64
	for _, i := range intervals {
		bytes += float64(i.Bytes)
		time += float64(i.NS)
	}
	mean := bytes / time
	if !(mean > 0) || math.IsInf(mean, 1) {
		return nil
	}
	squares := 0.0
	for _, i := range intervals {
		if i.NS > 0 {
			off := float64(i.Bytes)/float64(i.NS) - mean
			squares += float64(i.NS) * off * off
		}
	}
	cv := 100 * math.Sqrt(squares/time) / mean
	return &cv
}

// steady is the intervals of t that say how even the module is. Those that hold operations of a random test's warm-up are left
// out; the operations tell, since an interval's time has the client's own share in it. So is the last of a linear write, which
// holds the fsync at the end: the time in which the module's cache empties is not the rate at which that chunk was written.
func (t *Test) steady() []Interval {
	if t.Name == SeqWrite || t.Name == SeqRewrite {
		return t.Intervals[:max(len(t.Intervals)-1, 0)]
	}
	left := t.WarmupOps
	for n, i := range t.Intervals {
		if left <= 0 {
			return t.Intervals[n:]
		}
		left -= i.Ops
	}
	return nil
}

// worstMBPerS is the lowest rate of an interval of at least a second, 10^6 bytes per second. What is shorter, such as what is left
// at the end of a test, would only tell of single operations.
func worstMBPerS(intervals []Interval) *float64 {
	var worst *float64
	for _, i := range intervals {
		if rate := float64(i.Bytes) * 1e3 / float64(i.NS); i.NS >= 1_000_000_000 && (worst == nil || rate < *worst) {
			worst = &rate
		}
	}
	return worst
}

// cliff looks for the place where the rate fell for good, as it does when a module's cache is full: the mb (10^6 bytes) before
// it, and the rate after in percent of the one before. mb is nil and percent 100 where there is none, both nil where
// there are too few intervals to say.
//
// It fits one and two levels to the logarithms of the rates by least squares, with the best of all places in between (the
// piecewise constant mean of Bai and Perron, Estimating and Testing Linear Models with Multiple Structural Changes,
// Econometrica 66, 1998, for one change), and takes the two if n ln(S1/S2) > 6 + 4 ln n, S being the sums of squares: the
// penalty of Schwarz's criterion for the three parameters more, raised until noise of any usual kind passes for none
// (docs/method.md); and if the medians of the two sides are apart by cliffDepth. Of an even number of rates the slower one in
// the middle stands for the side before and the quicker one for the side after, so that a single slow interval is never a
// cliff, even beside one other.
func cliff(intervals []Interval) (mb, percent *float64) {
	n := len(intervals)
	if n < minCliffIntervals {
		return nil, nil
	}
	logs := make([]float64, n)
	var sum, squares float64
	for i, interval := range intervals {
		if interval.Bytes <= 0 || interval.NS <= 0 {
			return nil, nil
		}
		logs[i] = math.Log(float64(interval.Bytes) / float64(interval.NS))
		sum += logs[i]
	}
	mean := sum / float64(n) // taken off, so that the differences of squares below stay exact
	for i := range logs {
		logs[i] -= mean
		squares += logs[i] * logs[i]
	}
	// With the mean off, two levels explain s^2 n / (i (n-i)), s the sum of the first i.
	best, at, first := 0.0, 0, 0.0
	for i := 1; i <= n-minCliffSide; i++ {
		first += logs[i-1]
		if explained := first * first * float64(n) / float64(i*(n-i)); i >= minCliffSide && first > 0 && explained > best {
			best, at = explained, i
		}
	}
	none := 100.0
	penalty := 6 + 4*math.Log(float64(n))
	if at == 0 || float64(n)*math.Log(squares/math.Max(squares-best, squares*1e-12)) <= penalty ||
		math.Exp(kth(logs[at:], (n-at)/2)-kth(logs[:at], (at-1)/2)) > cliffDepth {
		return nil, &none
	}
	var bytes, time [2]float64
	for i, interval := range intervals {
		side := 0
		if i >= at {
			side = 1
		}
		bytes[side] += float64(interval.Bytes)
		time[side] += float64(interval.NS)
	}
	before, after := bytes[0]/1e6, 100*bytes[1]/time[1]/(bytes[0]/time[0])
	return &before, &after
}

// kth is the value that has k others below it in order.
func kth(values []float64, k int) float64 {
	sorted := slices.Clone(values)
	slices.Sort(sorted)
	return sorted[k]
}
