package result

import (
	"math"
	"sort"
)

// Ratio is how many times as long as others some operations took. Low and High are the 99.9 % interval, since a run
// compares about forty times; they are 0 and +Inf where there are too few samples for one.
type Ratio struct{ Times, Low, High float64 }

// ratioError is the share of intervals of a Ratio that may miss.
const ratioError = 0.001

// maxRatioSamples limits the samples on a side, and so the pairs of both sides.
const maxRatioSamples = 64

// RatioOf compares the samples of one kind of operation with those of others, all in ns for an operation. The estimate
// is the median of the ratios of all pairs, and its interval holds those that a rank test does not reject (Hodges and
// Lehmann, Annals of Mathematical Statistics 34, 1963). So a few samples that are far from the others, of a card that
// tidies up now and then, change little.
func RatioOf(samples, others []float64) Ratio {
	samples, others = samples[:min(len(samples), maxRatioSamples)], others[:min(len(others), maxRatioSamples)]
	var pairs []float64
	for _, a := range samples {
		for _, b := range others {
			if a > 0 && b > 0 {
				pairs = append(pairs, a/b)
			}
		}
	}
	r := Ratio{High: math.Inf(1)}
	if len(pairs) == 0 || len(pairs) < len(samples)*len(others) {
		return r
	}
	//lint:ignore S1032 sort.Float64s is a generic sort of its own, which takes 8 kB of the client
	sort.Sort(sort.Float64Slice(pairs))
	r.Times = math.Sqrt(pairs[(len(pairs)-1)/2] * pairs[len(pairs)/2])
	if outside := pairsOutside(len(samples), len(others)); outside > 0 {
		r.Low, r.High = pairs[outside-1], pairs[len(pairs)-outside]
	}
	return r
}

// pairsOutside returns which of the sorted pairs of n and m samples is the first of the interval, counted from 1, and
// by symmetry from the end; 0: there are too few. With n and m samples of one distribution, the number of pairs in
// which the first is larger has the distribution of Mann and Whitney (Annals of Mathematical Statistics 18, 1947),
// whose counts are the coefficients of a Gaussian polynomial.
func pairsOutside(n, m int) int {
	orders := make([]float64, n*m/2+1) // in how many orders so many pairs are the larger first; the others mirror them
	orders[0] = 1
	all := 1.0
	for i := 1; i <= n; i++ {
		all *= float64(m+i) / float64(i)
		for u := len(orders) - 1; u >= m+i; u-- {
			orders[u] -= orders[u-m-i]
		}
		for u := i; u < len(orders); u++ {
			orders[u] += orders[u-i]
		}
	}
	tail := 0.0
	for u, count := range orders {
		if tail += count; tail > all*ratioError/2 {
			return u
		}
	}
	return 0
}
