package result

import (
	"math"
	"slices"
	"sort"
)

const (
	minCVIntervals = 5

	minCliffIntervals = 6 // in a test with a cliff
	minCliffSide      = 2 // on each side of a cliff

	// cliffDepth is the highest ratio of the rate after a cliff to the rate before it.
	cliffDepth = 0.8
)

// cvPercent returns the coefficient of variation of the rate over time in per cent: 100 sqrt(sum d (r - m)^2 / sum d) /
// m, where d is the length of an interval, r its rate, and m the mean rate (bytes divided by time). The weight d lets
// short intervals, such as the last one of a test, count little. It returns nil for fewer than minCVIntervals.
func cvPercent(intervals []Interval) *float64 {
	if len(intervals) < minCVIntervals {
		return nil
	}
	sum := SumIntervals(intervals)
	time := float64(sum.NS)
	mean := float64(sum.Bytes) / time
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

// steady returns the intervals of t that show how even the module's rate is. It leaves out a random test's warm-up; it
// counts operations to find its end, because the time of an interval includes the client's own. It also leaves out the
// last interval of a linear write, since that includes the final fsync and so the emptying of the module's cache.
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

// worstMBPerS returns the lowest rate of an interval of at least a second, in 10^6 bytes per second. Shorter intervals,
// such as the rest at the end of a test, would only show single operations. It returns nil if every interval is
// shorter.
func worstMBPerS(intervals []Interval) *float64 {
	var worst *float64
	for _, i := range intervals {
		if rate := float64(i.Bytes) * 1e3 / float64(i.NS); i.NS >= 1_000_000_000 && (worst == nil || rate < *worst) {
			worst = &rate
		}
	}
	return worst
}

// cliff finds the place where the rate fell for good, as it does when a module's cache is full. It returns the data
// written before it in mb (10^6 bytes), and the rate after it in percent of the rate before. If there is no cliff, mb
// is nil and percent 100. If there are too few intervals, both are nil.
//
// cliff fits one level and two levels to the logarithms of the rates by least squares, at the best of all places for
// the change (the piecewise constant mean of Bai and Perron, Estimating and Testing Linear Models with Multiple
// Structural Changes, Econometrica 66, 1998, for one change). There is a cliff if two conditions hold:
//   - n ln(S1/S2) > 6 + 4 ln n, where S1 and S2 are the sums of squares. This is the penalty of Schwarz's criterion for
//     three more parameters, raised until no usual kind of noise passes for a cliff (docs/method.md).
//   - The medians of the two sides differ by cliffDepth. For an even number of rates, the slower middle rate represents
//     the side before and the faster one the side after. So a single slow interval next to another one is no cliff.
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
	mean := sum / float64(n) // subtracted so that the differences of squares stay exact
	for i := range logs {
		logs[i] -= mean
		squares += logs[i] * logs[i]
	}
	// With the mean subtracted, two levels explain s^2 n / (i (n-i)), where s is the sum of the first i.
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
	before, after := SumIntervals(intervals[:at]), SumIntervals(intervals[at:])
	beforeMB := float64(before.Bytes) / 1e6
	ratio := 100 * float64(after.Bytes) / float64(after.NS) / (float64(before.Bytes) / float64(before.NS))
	return &beforeMB, &ratio
}

// kth returns the value with index k in ascending order.
func kth(values []float64, k int) float64 {
	values = slices.Clone(values)
	//lint:ignore S1032 sort.Float64s is a generic sort of its own, which takes 8 kB of the client
	sort.Sort(sort.Float64Slice(values))
	return values[k]
}
