package result

import "math"

const (
	// minLinearIntervals is how many intervals it takes to show how much a linear rate varies.
	minLinearIntervals = 5
	// maxLinearParts limits the number of parts from which the interval of a linear rate is computed, as BatchCount
	// does for random tests. In longer parts, neighbours depend less on each other.
	maxLinearParts = BatchCount
)

// tQuantiles are Student's t at 0.975 by degrees of freedom (R: qt(0.975, 2:19)).
var tQuantiles = [maxLinearParts]float64{
	2: 4.302652730, 3.182446305, 2.776445105, 2.570581836, 2.446911851, 2.364624252, 2.306004135, 2.262157163,
	2.228138852, 2.200985160, 2.178812830, 2.160368656, 2.144786688, 2.131449546, 2.119905299, 2.109815578, 2.100922040,
	tQuantile,
}

// addLinearInterval adds the 95 % interval of a linear rate, if there are at least minLinearIntervals intervals.
//
// The rate is bytes over time, so it has the error of a ratio estimator (Cochran, Sampling Techniques, 3rd ed., 6.4).
// The intervals, in order, form at most maxLinearParts parts. Part i moved B_i bytes in T_i; at the mean rate, it would
// have taken B_i sum(T)/sum(B). The difference, relative to the mean T, is x_i, and the sum of the x_i is 0. As in
// EstimateOf, the relative standard error of the time is sqrt(var(x) (1+r)/(1-r) / n), and the interval is widened for
// the skewness of the x_i. There are few parts, so two more steps count:
//   - r is the lag-1 autocorrelation of the x_i without its bias, (n r + 1) / (n - 3) (Kendall, Biometrika 41, 1954).
//   - Student's t has one degree of freedom less than n (1-r)/(1+r), the number of independent parts that tell as much
//     (Zwiers and von Storch, Journal of Climate 8, 1995), but at least two.
//
// A write ends with an interval that includes the fsync. One test can't show how much its time varies. We assume that
// it varies by as many per cent as a part does.
func (t *Test) addLinearInterval(f *Figures, steady []Interval) {
	if len(steady) < minLinearIntervals {
		return
	}
	parts := partsOf(steady)
	n := float64(len(parts))
	sum := SumIntervals(parts)
	if sum.Bytes <= 0 || sum.NS <= 0 {
		return
	}
	nsPerByte := float64(sum.NS) / float64(sum.Bytes)
	x := make([]float64, len(parts))
	for i, p := range parts {
		x[i] = (float64(p.NS) - float64(p.Bytes)*nsPerByte) * n / float64(sum.NS)
	}
	r, variance := 0.0, 0.0
	if squares, lagged := squaresAround(x, 0); squares > 0 {
		r, variance = min(max((n*lagged/squares+1)/(n-3), 0), 0.9), squares/(n-1)
	}
	student := tQuantiles[max(int(n*(1-r)/(1+r))-1, 2)]
	slower, faster := skewWidening(x, 0, student)
	share := float64(sum.NS) / float64(t.DurationNS) // the rest is the interval with the fsync
	half := student * math.Sqrt(variance*(share*share*(1+r)/(1-r)/n+(1-share)*(1-share)))
	if faster*half < 1 {
		f.MBPerSLow, f.MBPerSHigh = new(f.MBPerS/(1+slower*half)), new(f.MBPerS/(1-faster*half))
	}
}

// partsOf joins neighbours into maxLinearParts parts of about as many intervals each, if there are more intervals.
func partsOf(intervals []Interval) []Interval {
	n := min(len(intervals), maxLinearParts)
	parts := make([]Interval, n)
	for i := range parts {
		parts[i] = SumIntervals(intervals[i*len(intervals)/n : (i+1)*len(intervals)/n])
	}
	return parts
}
