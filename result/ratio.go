package result

import (
	"math"
	"sort"
)

// Ratio is how many times as long some operations took as others. Low and High are its 99.9 % interval, since a run
// compares about forty times. With too few samples for an interval, they are 0 and +Inf.
type Ratio struct{ Times, Low, High float64 }

// ratioError is the share of a Ratio's intervals that may miss.
const ratioError = 0.001

// maxRatioSamples limits the samples on each side, and so the number of pairs.
const maxRatioSamples = 64

// RatioOf compares the samples of one kind of operation with other samples, all in ns for an operation. The estimate is
// the median of the ratios of all pairs. Its interval holds the ratios that a rank test does not reject (Hodges and
// Lehmann, Annals of Mathematical Statistics 34, 1963). So a few samples far from the others change little, as when a
// card tidies up now and then.
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

// pairsOutside returns where the interval begins among the sorted pairs of n and m samples, counted from 1. By
// symmetry, it ends there counted from the end. It returns 0 if there are too few samples. If n and m samples have one
// distribution, the number of pairs in which the first is larger has the distribution of Mann and Whitney (Annals of
// Mathematical Statistics 18, 1947). Its counts are the coefficients of a Gaussian polynomial.
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
