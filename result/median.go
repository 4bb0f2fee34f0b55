package result

import (
	"cmp"
	"math"
	"slices"
)

// UnitValue is what one unit of a module shows, and whose it is.
type UnitValue struct {
	Value       float64
	Contributor int // the same for all units of one contributor
}

// Median is a figure of a module over its units: the weighted median, in which all units of one contributor together weigh
// one, with its interval and the spread of the units.
type Median struct {
	Value               float64
	Low, High           float64 // interval of the median; 0 if Confidence is 0
	Confidence          float64 // that the interval covers the median: 0.95 or more; less where that few contributors can't give more; 0: fewer than 3
	P25, P75, Min, Max  float64 // weighted quartiles and extremes
	Units, Contributors int
}

// weightSlack is the share of all weight within which a sum of weights counts as equal to a bound: weights are fractions,
// whose sums are rounded.
const weightSlack = 1e-9

// MedianOf computes the median of values, which it sorts; ok is false if there are none. With one unit for each contributor
// it is the common median, and the quantiles are the inverse of the empirical distribution, averaged where it is flat
// (Hyndman and Fan, Sample Quantiles in Statistical Packages, The American Statistician 50, 1996, definition 2).
//
// Of C contributors, each of whom is one independent observation, the interval is for C >= 6 that of order statistics: it
// reaches from the value where k of them are reached from below to the one where k are reached from above, k being the
// largest for which it covers the median of any distribution with 95 % or more, 1 - 2 P(Bin(C, 1/2) < k) (David and
// Nagaraja, Order Statistics, 3rd ed., 7.1). Three to five can't reach 95 % in this way: for them it is the wider, on each
// side, of least to greatest and of Student's interval for the mean of the contributors' mean logarithms, which is that of the
// median if the figures are log-normal. Where a figure is not above 0, least to greatest alone, with the confidence it has.
func MedianOf(values []UnitValue) (m Median, ok bool) {
	if len(values) == 0 {
		return Median{}, false
	}
	slices.SortFunc(values, func(a, b UnitValue) int { return cmp.Compare(a.Value, b.Value) })
	units := map[int]int{}
	for _, v := range values {
		units[v.Contributor]++
	}
	w := weighted{values: values, weights: make([]float64, len(values)), total: float64(len(units))}
	for i, v := range values {
		w.weights[i] = 1 / float64(units[v.Contributor])
	}
	m = Median{
		Value: w.quantile(0.5), P25: w.quantile(0.25), P75: w.quantile(0.75), Min: values[0].Value, Max: values[len(values)-1].Value,
		Units: len(values), Contributors: len(units),
	}
	switch c := len(units); {
	case c >= 6:
		k, confidence := medianOrder(c)
		m.Low, m.High, m.Confidence = w.fromBelow(float64(k)), w.fromAbove(float64(k)), confidence
	case c >= 3:
		m.Low, m.High, m.Confidence = m.Min, m.Max, 1-math.Pow(2, float64(1-c))
		if m.Min > 0 {
			low, high := logInterval(values, units)
			m.Low, m.High, m.Confidence = min(m.Low, low), max(m.High, high), confidenceLevel
		}
	}
	return m, true
}

// confidenceLevel is that of all intervals, where it can be reached.
const confidenceLevel = 0.95

// weighted are values in rising order, what they weigh, and the sum of that.
type weighted struct {
	values  []UnitValue
	weights []float64
	total   float64
}

// quantile is the middle between the least value up to which the values weigh at least a share p of all, and the least
// up to which they weigh more.
func (w weighted) quantile(p float64) float64 {
	sum, lower, found := 0.0, 0.0, false
	for i, v := range w.values {
		sum += w.weights[i]
		if !found && sum > w.total*(p-weightSlack) {
			lower, found = v.Value, true
		}
		if sum > w.total*(p+weightSlack) {
			return (lower + v.Value) / 2
		}
	}
	return lower
}

// fromBelow is the least value up to which the values weigh at least so much.
func (w weighted) fromBelow(weight float64) float64 {
	sum := 0.0
	for i, v := range w.values {
		if sum += w.weights[i]; sum > weight-w.total*weightSlack {
			return v.Value
		}
	}
	return w.values[len(w.values)-1].Value
}

// fromAbove is the greatest value from which on the values weigh at least so much.
func (w weighted) fromAbove(weight float64) float64 {
	sum := 0.0
	for i := len(w.values) - 1; i >= 0; i-- {
		if sum += w.weights[i]; sum > weight-w.total*weightSlack {
			return w.values[i].Value
		}
	}
	return w.values[0].Value
}

// medianOrder is the largest k for which the k-th least and the k-th greatest of n values, n at least 6, enclose the median
// with confidenceLevel, and the confidence with which they do.
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

// logInterval is Student's interval for the mean of the contributors' mean logarithms, as values. All are above 0.
func logInterval(values []UnitValue, units map[int]int) (low, high float64) {
	var means []float64
	at := map[int]int{} // contributors in the order of their least values, so that the sums come out the same every time
	for _, v := range values {
		i, known := at[v.Contributor]
		if !known {
			i = len(means)
			at[v.Contributor], means = i, append(means, 0)
		}
		means[i] += math.Log(v.Value) / float64(units[v.Contributor])
	}
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
