package result

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
	d := DistributionOf(values)
	if m, ok = d.median(); ok && d.needsValues() && m.Min > 0 {
		low, high := logInterval(values)
		m.Low, m.High, m.Confidence = min(m.Low, low), max(m.High, high), confidenceLevel
	}
	return m, ok
}

// weightsOf tells what each value weighs, and how many contributors there are.
func weightsOf(values []UnitValue) (weights []float64, contributors int) {
	largest := 0
	for _, v := range values {
		largest = max(largest, v.Contributor)
	}
	weights = make([]float64, len(values))
	if largest < 16*len(values) { // a list is ten times as fast as a map
		list := make([]int, largest+1)
		for _, v := range values {
			if list[v.Contributor]++; list[v.Contributor] == 1 {
				contributors++
			}
		}
		for i, v := range values {
			weights[i] = 1 / float64(list[v.Contributor])
		}
		return weights, contributors
	}
	counts := map[int]int{}
	for _, v := range values {
		counts[v.Contributor]++
	}
	for i, v := range values {
		weights[i] = 1 / float64(counts[v.Contributor])
	}
	return weights, len(counts)
}
