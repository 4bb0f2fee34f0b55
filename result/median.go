package result

import (
	"cmp"
	"math"
	"slices"
)

// UnitValue is what one unit of a module shows, and whose it is.
type UnitValue struct {
	Value       float64
	Contributor int // from 0 on; the same for all units of one contributor
}

// Median is a figure of a module over its units: the weighted median, in which all units of one contributor together weigh
// one, with its interval and the spread of the units.
type Median struct {
	Value               float64
	Low, High           float64 // interval of the median; 0 if Confidence is 0
	Confidence          float64 // that the interval covers the median: 0.95 or more, but for what MedianOf tells; 0: fewer than 3
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
// Nagaraja, Order Statistics, 3rd ed., 7.1). That is exact where cards of one contributor are alike; one contributor with
// many that differ can take up to 3.1 percentage points off it (docs/method.md). Three to five can't reach 95 % in this way:
// for them it is the wider, on each side, of least to greatest and of Student's interval for the mean of the contributors'
// mean logarithms, which is that of the median if the figures are log-normal. Where a figure is not above 0, least to
// greatest alone, with the confidence it has.
func MedianOf(values []UnitValue) (m Median, ok bool) {
	if len(values) == 0 {
		return Median{}, false
	}
	slices.SortFunc(values, func(a, b UnitValue) int { return cmp.Compare(a.Value, b.Value) })
	units, contributors := unitsOf(values)
	w := weighted{values: values, weights: make([]float64, len(values)), total: float64(contributors)}
	for i := range values {
		w.weights[i] = 1 / float64(units[i])
	}
	m = Median{
		Value: w.quantile(0.5), P25: w.quantile(0.25), P75: w.quantile(0.75), Min: values[0].Value, Max: values[len(values)-1].Value,
		Units: len(values), Contributors: contributors,
	}
	switch c := contributors; {
	case c >= 6:
		k, confidence := medianOrder(c)
		m.Low, m.High, m.Confidence = w.fromBelow(float64(k)), w.fromAbove(float64(k)), confidence
	case c >= 3:
		m.Low, m.High, m.Confidence = m.Min, m.Max, 1-math.Pow(2, float64(1-c))
		if m.Min > 0 {
			low, high := logInterval(w)
			m.Low, m.High, m.Confidence = min(m.Low, low), max(m.High, high), confidenceLevel
		}
	}
	return m, true
}

// unitsOf counts, for each value, its contributor's units, and all contributors.
func unitsOf(values []UnitValue) (units []int, contributors int) {
	largest := 0
	for _, v := range values {
		largest = max(largest, v.Contributor)
	}
	units = make([]int, len(values))
	if largest < 16*len(values) { // a list is ten times as fast as a map
		list := make([]int, largest+1)
		for _, v := range values {
			if list[v.Contributor]++; list[v.Contributor] == 1 {
				contributors++
			}
		}
		for i, v := range values {
			units[i] = list[v.Contributor]
		}
		return units, contributors
	}
	counts := map[int]int{}
	for _, v := range values {
		counts[v.Contributor]++
	}
	for i, v := range values {
		units[i] = counts[v.Contributor]
	}
	return units, len(counts)
}

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
