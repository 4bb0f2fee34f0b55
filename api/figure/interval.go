package figure

import (
	"maps"
	"math"
	"slices"
)

// confidenceLevel is the confidence of all intervals where it can be reached.
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
	k = max(int(float64(n)/2-0.98*math.Sqrt(float64(n)))+2, 1) // no smaller than what is sought
	for k > 1 && outside(k) > 1-confidenceLevel {
		k--
	}
	return k, 1 - outside(k)
}

// studentQuantiles are t(0.975) by degrees of freedom (R: qt(0.975, 2:4)).
var studentQuantiles = [...]float64{2: 4.302652729749464, 3: 3.182446305283708, 4: 2.776445105197793}

// logInterval returns Student's interval of the mean of the contributors' mean logarithms, as values. All values must
// be above 0.
func logInterval(values []UnitValue) (low, high float64) {
	weights, _ := weightsOf(values)
	sums := map[int]float64{}
	for i, v := range values {
		sums[v.Contributor] += math.Log(v.Value) * weights[i]
	}
	means := slices.Sorted(maps.Values(sums)) // in order, so that rounding is the same in whatever order the values came
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
