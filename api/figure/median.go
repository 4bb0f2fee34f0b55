package figure

import (
	"maps"
	"math"
	"slices"
)

// UnitValue is the value of one unit and its contributor.
type UnitValue struct {
	Value       float64
	Contributor int // from 0 on; the same for all units of one contributor
}

// weightSlack is the tolerance, as a share of the total weight, within which a sum of weights equals a bound, because
// sums of fractions are rounded.
const weightSlack = 1e-9

// MedianOf computes the weighted median of values, which it sorts, with its interval and the spread of the units. All
// units of one contributor together weigh one. ok is false if there are no values.
//
// Quantiles. With one unit for each contributor this is the common median. Quantiles are the inverse of the empirical
// distribution, averaged where it is flat (Hyndman and Fan, Sample Quantiles in Statistical Packages, The American
// Statistician 50, 1996, definition 2).
//
// Interval of C contributors, each of whom is one independent observation:
//   - C >= 6: order statistics. k is the largest number for which 1 - 2 P(Bin(C, 1/2) < k) is at least 95 %. The
//     interval reaches from the value at which the weight from below reaches k to the value at which the weight from
//     above does. It covers the median of any distribution with that confidence (David and Nagaraja, Order Statistics,
//     3rd ed., 7.1), exactly where the cards of one contributor are alike. One contributor with many different cards
//     can take up to 3.1 percentage points off (docs/method.md).
//   - 3 <= C <= 5: order statistics can't reach 95 %. On each side the interval is the wider of two: the extreme value,
//     and Student's interval for the mean of the contributors' mean logarithms. The latter is an interval of the median
//     if figures are log-normal. If a value is not above 0, the extremes alone, with the confidence that they have.
//   - C < 3: none.
//   - None either whose upper end is 0: that no card stalled while it was tested does not show that none ever will.
func MedianOf(values []UnitValue) (f Figure, ok bool) {
	d := DistributionOf(values)
	if f, ok = d.median(); ok && d.needsValues() && f.Min > 0 {
		low, high := logInterval(values)
		f = f.within(min(*f.Low, low), max(*f.High, high), confidenceLevel)
	}
	return f, ok
}

// weightsOf returns the weight of each value and the number of contributors.
func weightsOf(values []UnitValue) (weights []float64, contributors int) {
	counts := map[int]int{}
	for _, v := range values {
		counts[v.Contributor]++
	}
	for _, v := range values {
		weights = append(weights, 1/float64(counts[v.Contributor]))
	}
	return weights, len(counts)
}

// confidenceLevel is the confidence of all intervals that can reach it.
const confidenceLevel = 0.95

// medianOrder returns the largest k for which the k-th least and the k-th greatest of n values enclose the median with
// confidenceLevel, and the exact confidence. n is at least 6.
func medianOrder(n int) (k int, confidence float64) {
	// outside is 2 P(Bin(n, 1/2) < k), summed from its largest term down.
	outside := func(k int) float64 {
		i := float64(k - 1)
		a, _ := math.Lgamma(float64(n) + 1)
		b, _ := math.Lgamma(i + 1)
		c, _ := math.Lgamma(float64(n) - i + 1)
		term := math.Exp(a - b - c - float64(n)*math.Ln2)
		sum := 0.0
		for ; i >= 0 && term > sum*1e-17; i-- {
			sum += term
			term *= i / (float64(n) - i + 1)
		}
		return 2 * sum
	}
	k = max(int(float64(n)/2-0.98*math.Sqrt(float64(n)))+2, 1) // at least the k that is sought
	for k > 1 && outside(k) > 1-confidenceLevel {
		k--
	}
	return k, 1 - outside(k)
}

// studentQuantiles are t(0.975) by degrees of freedom (R: qt(0.975, 2:4)).
var studentQuantiles = [...]float64{2: 4.302652729749464, 3: 3.182446305283708, 4: 2.776445105197793}

// logInterval returns Student's interval for the mean of the contributors' mean logarithms, converted back to values.
// All values must be above 0.
func logInterval(values []UnitValue) (low, high float64) {
	weights, _ := weightsOf(values)
	sums := map[int]float64{}
	for i, v := range values {
		sums[v.Contributor] += math.Log(v.Value) * weights[i]
	}
	means := slices.Sorted(maps.Values(sums)) // sorted, so that rounding doesn't depend on the order of values
	n := float64(len(means))
	var mean, squares float64
	for _, m := range means {
		mean += m / n
	}
	for _, m := range means {
		squares += (m - mean) * (m - mean)
	}
	half := studentQuantiles[len(means)-1] * math.Sqrt(squares/(n-1)/n)
	return math.Exp(mean - half), math.Exp(mean + half)
}
