package result

import (
	"math"
	"sort"
)

// BatchCount is the number of batches from which the interval of a random test is computed.
const BatchCount = 20

// tQuantile is Student's t at 0.975 with BatchCount-1 = 19 degrees of freedom.
const tQuantile = 2.093024054

// Estimate is the mean latency of a random test as IOPS, with the 95 % confidence interval of batch means. The variance
// of the batches is multiplied by (1+r)/(1-r) for their lag-1 autocorrelation r, and the interval is widened for their
// skewness (docs/method.md). With too few operations, Low and High are 0 and HalfWidth is +Inf.
type Estimate struct {
	Ops       int64
	IOPS      float64
	Low, High float64
	HalfWidth float64 // of the interval, relative to the mean latency, before the skewness widens it
	Trend     bool    // the means of the batches rise or fall by more than 10 % over the test, beyond chance
	LastFifth float64 // IOPS of the last fifth of the operations, which shows the direction of a drift
}

// SumBatches joins batches into one.
func SumBatches(batches []Batch) (all Batch) {
	for _, b := range batches {
		all.Ops += b.Ops
		all.NS += b.NS
	}
	return all
}

// minBatchOps is the smallest number of operations that gives a batch a meaningful mean.
const minBatchOps = 4

// EstimateOf computes the estimate from the batches of a random test, in the order in which they ran.
func EstimateOf(batches []Batch) Estimate {
	all := SumBatches(batches)
	e := Estimate{HalfWidth: math.Inf(1), Ops: all.Ops}
	if all.Ops <= 0 || all.NS <= 0 {
		return e
	}
	mean := float64(all.NS) / float64(all.Ops)
	e.IOPS = 1e9 / mean
	if len(batches) != BatchCount {
		return e
	}
	means := make([]float64, BatchCount)
	for i, b := range batches {
		if b.Ops < minBatchOps {
			return e
		}
		means[i] = float64(b.NS) / float64(b.Ops)
	}
	center := average(means)
	e.HalfWidth = halfWidth(means, center) / mean
	slower, faster := skewWidening(means, center, tQuantile)
	e.Low = 1e9 / (mean * (1 + slower*e.HalfWidth))
	if faster*e.HalfWidth < 1 {
		e.High = 1e9 / (mean * (1 - faster*e.HalfWidth))
	} else {
		e.High = math.Inf(1)
	}
	e.Trend = hasTrend(means, center)
	if last := SumBatches(batches[BatchCount-BatchCount/5:]); last.NS > 0 {
		e.LastFifth = 1e9 * float64(last.Ops) / float64(last.NS)
	}
	return e
}

func halfWidth(means []float64, center float64) float64 {
	n := float64(len(means))
	squares, lagged := squaresAround(means, center)
	if squares == 0 {
		return 0
	}
	r := min(max(lagged/squares, 0), 0.9)
	variance := squares / (n - 1) * (1 + r) / (1 - r)
	return tQuantile * math.Sqrt(variance/n)
}

// squaresAround returns the sum of the squared differences of values from center, and the sum of the products of the
// differences of neighbours. Their ratio is the lag-1 autocorrelation.
func squaresAround(values []float64, center float64) (squares, lagged float64) {
	for i, v := range values {
		squares += (v - center) * (v - center)
		if i > 0 {
			lagged += (v - center) * (values[i-1] - center)
		}
	}
	return squares, lagged
}

// hasTrend fits a straight line to the batch means by least squares. It reports a trend if the line rises or falls by
// more than 10 % of the mean, and its slope differs from 0 by more than 2.5 standard errors.
func hasTrend(means []float64, center float64) bool {
	n := float64(len(means))
	var sxx, sxy float64
	for i, m := range means {
		x := float64(i) - (n-1)/2
		sxx += x * x
		sxy += x * (m - center)
	}
	slope := sxy / sxx
	var residuals float64
	for i, m := range means {
		r := m - center - slope*(float64(i)-(n-1)/2)
		residuals += r * r
	}
	standardError := math.Sqrt(residuals / (n - 2) / sxx)
	return math.Abs(slope)*(n-1) > 0.1*center && math.Abs(slope) > 2.5*standardError
}

func average(values []float64) float64 {
	var sum float64
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// Median sorts values and returns the middle one, or the mean of the two in the middle. It is NaN if there are none.
func Median(values []float64) float64 {
	n := len(values)
	if n == 0 {
		return math.NaN()
	}
	//lint:ignore S1032 sort.Float64s is a generic sort of its own, which takes 8 kB of the client
	sort.Sort(sort.Float64Slice(values))
	return (values[(n-1)/2] + values[n/2]) / 2
}

// skewWidening returns two factors of at least 1, by which the slower and the faster side of a mean's symmetric
// interval must grow. student is the quantile that made the interval. A few batches far above the others suggest that
// there are slower ones that the test didn't meet. The method is the cube-root transformation of Student's t (Hall
// 1992; Willink 2005).
func skewWidening(means []float64, center, student float64) (slower, faster float64) {
	n := float64(len(means))
	var squares, cubes float64
	for _, m := range means {
		d := m - center
		squares += d * d
		cubes += d * d * d
	}
	if squares == 0 {
		return 1, 1
	}
	skewness := n / ((n - 1) * (n - 2)) * cubes / math.Pow(squares/(n-1), 1.5)
	a := skewness / (6 * math.Sqrt(n))
	const symmetric = 1e-6 // below it the transformation is the identity, and numerically unstable
	if math.Abs(a) < symmetric {
		return 1, 1
	}
	transformed := func(t float64) float64 { return (math.Cbrt(1+6*a*(t-a)) - 1) / (2 * a) }
	return max(-transformed(-student)/student, 1), max(transformed(student)/student, 1)
}
