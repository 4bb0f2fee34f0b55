package copies

import (
	"math"
	"math/bits"
	"slices"

	"flashdex/result"
)

// alarm is the probability that two independent series or histograms count as copies. 10^6 results have 5·10^11 pairs,
// but the index compares far fewer.
const alarm = 1e-12

// Near returns the test of these samples that repeats an earlier one, and how, in words that follow "the"; empty: none
// does.
func (s *Samples) Near(earlier *Samples) (test, how string) {
	for _, t := range s.tests {
		for _, o := range earlier.tests {
			for _, ours := range t.series {
				for _, theirs := range o.series {
					switch {
					case ours.kind != theirs.kind || len(ours.values) != len(theirs.values):
					case ours.followsOrder(theirs):
						return t.test, "times of its " + ours.kind + " go up and down together"
					case ours.sameValues(theirs):
						return t.test, "times of its " + ours.kind + " have the same proportions"
					}
				}
			}
		}
	}
	if test := s.sameHistograms(earlier); test != "" {
		return test, "numbers of its operations at each latency agree more closely than chance allows"
	}
	return "", ""
}

const (
	// leastOrdered is the length of the shortest series whose order can tell a copy.
	leastOrdered = 16
	// leastCorrelation is more than a pattern of up to eight levels explains. Within the levels, the ranks of two
	// honest runs are independent, so their correlation is at most 1 - 1/8².
	leastCorrelation = 0.985
	// mostIndependent is the correlation from which on two series depend on each other by their order.
	mostIndependent = 0.5
	// leastDifference is the relative difference between sums of 1000 operations that vary by 0.1 % each.
	leastDifference = 3e-5
)

// followsOrder compares two series in their order, by the correlation of ranks (Spearman). No outlier dominates it, and
// it stays the same when all values are scaled or shifted. Honest runs of one unit may share a trend, or pauses at the
// same operations. So both the values and their second differences must agree: a trend doesn't show in the differences,
// and a pattern of pauses shows less there. And the series must be closer than noise.
func (s series) followsOrder(o series) bool {
	if len(s.values) < leastOrdered || correlation(s.ranked, o.ranked) < leastCorrelation {
		return false
	}
	r := correlation(ranks(differences(s.values), s.tick), ranks(differences(o.values), o.tick))
	// Fisher's transformation; 1.06 is for ranks (Fieller, Hartley and Pearson 1957, Biometrika 44). Second differences
	// depend on their neighbours, by -2/3 and 1/6, which adds 94 % to the variance (Bartlett 1935, JRSS 98).
	z := math.Atanh(min(r, 1-1e-12)) * math.Sqrt((float64(len(s.values)-2)-3)/(1.06*1.94))
	return r >= leastCorrelation && math.Erfc(z/math.Sqrt2)/2 < alarm && s.isClose(o)
}

// isClose reports whether a series differs from the other one, scaled and shifted, by less than sums of independent
// operations can, or only by the ticks of fine clocks.
func (s series) isClose(o series) bool {
	scale, shift := fit(o.values, s.values)
	var chi2, furthest float64
	for i, v := range s.values {
		off := v - scale*o.values[i] - shift
		chi2 += off * off * s.sizes[i]
		furthest = max(furthest, math.Abs(off))
	}
	steps := 2 * (s.tick + math.Abs(scale)*o.tick)
	return furthest <= steps && steps <= leastDifference*s.sorted[len(s.sorted)/2] ||
		s.noise > 0 && lowerGamma(float64(len(s.values)-2)/2, chi2/(s.noise*s.noise)/2) < alarm
}

// fit returns the least-squares line through the points (x, y).
func fit(x, y []float64) (slope, shift float64) {
	n := float64(len(x))
	var sx, sy, sxx, sxy float64
	for i := range x {
		sx, sy = sx+x[i], sy+y[i]
	}
	for i := range x {
		sxx, sxy = sxx+(x[i]-sx/n)*(x[i]-sx/n), sxy+(x[i]-sx/n)*(y[i]-sy/n)
	}
	slope = sxy / sxx
	return slope, sy/n - slope*sx/n
}

// correlation returns the correlation of the ranks of two series; 0: one of them has a single level.
func correlation(a, b []float64) float64 {
	var ab, aa, bb float64
	for i := range a {
		ab, aa, bb = ab+a[i]*b[i], aa+a[i]*a[i], bb+b[i]*b[i]
	}
	if aa == 0 || bb == 0 {
		return 0
	}
	return ab / math.Sqrt(aa*bb)
}

func differences(values []float64) (second []float64) {
	for i := 1; i+1 < len(values); i++ {
		second = append(second, values[i]-(values[i-1]+values[i+1])/2)
	}
	return second
}

// ranks returns the rank of each value around a mean of 0. Values closer than a tick share one.
func ranks(values []float64, tick float64) []float64 {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, k int) int {
		switch {
		case values[i] < values[k]:
			return -1
		case values[i] > values[k]:
			return 1
		}
		return 0
	})
	ranked := make([]float64, len(values))
	for i := 0; i < len(order); {
		k := i + 1
		for k < len(order) && values[order[k]]-values[order[k-1]] < tick/2 {
			k++
		}
		for _, at := range order[i:k] {
			ranked[at] = float64(i+k-1)/2 - float64(len(order)-1)/2
		}
		i = k
	}
	return ranked
}

// sameValues compares two series regardless of order, after both were shifted and scaled to the same median and
// quartiles. Each value has a counterpart of the same rank in the other series. Divide the distance of counterparts by
// the sum of this distance and the distance to the neighbours: for independent series, the quotient is about uniform or
// larger. So the sum of its logarithms is at most Gamma distributed (Fisher's method). Series that rise together are
// not independent, so they must be closer than noise.
func (s series) sameValues(o series) bool {
	n := len(s.sorted)
	low, middle, high := places(n)
	aScale, bScale := 1/s.spread(), 1/o.spread()
	tick := s.tick*aScale + o.tick*bScale
	var sum float64
	var counted int
	for i := 1; i < n-1; i++ {
		if i == low || i == middle || i == high {
			continue // equal because of the alignment
		}
		a := func(i int) float64 { return (s.sorted[i] - s.sorted[middle]) * aScale }
		apart := math.Abs(a(i)-(o.sorted[i]-o.sorted[middle])*bScale) + tick
		around := max((a(i+1)-a(i-1))/2, tick)
		sum -= math.Log(apart / (apart + around))
		counted++
	}
	return counted > 0 && upperGamma(counted, sum) < alarm &&
		(correlation(s.ranked, o.ranked) < mostIndependent || s.isClose(o))
}

const (
	leastCount = 5    // operations of both histograms in a cell of the chi-squared test
	leastCells = 20   // the fewest such cells
	steps      = 5    // steps tried on both sides of the first scale and shift
	step       = 2e-4 // between them, of the mean
	tries      = 1 + 2*(2*steps+1)*2*2
	mostUnlike = 0.7 // chi-squared of a cell at the first scale; copies that can be told have less
)

// sameHistograms returns the test whose histogram is most surely a copy of an earlier one; "": all may have been
// measured. It combines the probabilities of all tests, which measured different operations (Fisher's method). One test
// may be enough.
func (s *Samples) sameHistograms(earlier *Samples) (test string) {
	least, sum, tests := 1.0, 0.0, 0
	for _, t := range s.tests {
		if len(t.latency) < leastCells {
			continue
		}
		chance := closeness(earlier.tests, t.latency)
		if chance < least {
			least, test = chance, t.test
		}
		sum, tests = sum-math.Log(max(chance, math.SmallestNonzeroFloat64)), tests+1
	}
	if tests == 0 || min(least*float64(tests), upperGamma(tests, sum)) >= alarm {
		return ""
	}
	return test
}

// closeness returns the probability that b is by chance as close as it is to one of the earlier histograms: as they
// are, scaled, or shifted. It tries other scales and shifts only with the histogram that is closest at the first.
// Otherwise two documents with a hundred histograms would keep a fold busy for a quarter of a minute.
func closeness(earlier []testSamples, b []result.Bucket) float64 {
	chance, least := 1.0, mostUnlike
	var closest pair
	for _, t := range earlier {
		p, ok := pairOf(t.latency, b)
		if !ok {
			continue
		}
		chance = min(chance, p.chance(mapping{scale: 1}, 1))
		if unlike := p.unlike(); unlike < least {
			closest, least = p, unlike
		}
	}
	if closest.b == nil {
		return min(1, tries*chance)
	}
	for _, scales := range []bool{false, true} {
		for i := -steps; i <= steps; i++ {
			for _, spread := range []bool{false, true} {
				for _, buckets := range []int{1, 2} {
					chance = min(chance, closest.chance(closest.at(i, scales, spread), buckets))
				}
			}
		}
	}
	return min(1, tries*chance)
}

// pair is two histograms to compare.
type pair struct {
	a, b          []result.Bucket
	ratio         float64 // of their numbers of operations
	lowA, middleA float64 // means of a, see meanOf
	middleB       float64
}

// pairOf returns false if the histograms are too small to tell anything, or hold too different numbers of operations.
func pairOf(a, b []result.Bucket) (p pair, ok bool) {
	inA, lowA, middleA := meanOf(a)
	inB, _, middleB := meanOf(b)
	if len(a) < leastCells || len(b) < leastCells || max(inA, inB) > 1.2*min(inA, inB) {
		return p, false
	}
	return pair{a, b, inA / inB, lowA, middleA, middleB}, true
}

// at returns the i-th scale or shift to try. The means give the first one, except for the width of the buckets.
func (p pair) at(i int, scales, spread bool) mapping {
	mean, to := p.lowA, p.middleB*(1+step*float64(i))
	if spread {
		mean = p.middleA
	}
	if scales {
		return mapping{to / mean, 0, spread}
	}
	return mapping{1, to - mean, spread}
}

// unlike returns the least chi-squared per cell of four buckets at the first scale and shift.
func (p pair) unlike() float64 {
	least := math.Inf(1)
	for _, scales := range []bool{false, true} {
		for _, spread := range []bool{false, true} {
			if chi2, cells := p.chi2(p.at(0, scales, spread), 4); cells > 0 {
				least = min(least, chi2/float64(cells))
			}
		}
	}
	return least
}

// mapping scales and shifts the latencies of a histogram. It takes them at the lower end of their bucket, as a program
// that scales a document does, or spreads them over the bucket, as the operations were.
type mapping struct {
	scale, shift float64
	spread       bool
}

// chance returns the lower tail of a chi-squared test (Numerical Recipes, section 14.3: samples of different sizes).
// Each of its cells joins at least buckets buckets of b.
func (p pair) chance(m mapping, buckets int) float64 {
	chi2, cells := p.chi2(m, buckets)
	if cells < leastCells {
		return 1
	}
	return lowerGamma(float64(cells-2)/2, chi2/2) // the sum and the scale are fitted
}

// chi2 compares b with a. If a bucket of a is spread over several cells, it adds less than its share to their
// variances.
func (p pair) chi2(m mapping, buckets int) (chi2 float64, cells int) {
	a, b, ratio := p.a, p.b, p.ratio
	var fromA, variance, fromB float64 // of the operations in a cell
	next, left, held := 0, 1.0, 0      // share of the next bucket of a that is left
	for j, bucket := range b {
		end := float64(bucket.LatencyNS()) + width(bucket)
		if j == len(b)-1 {
			end = math.Inf(1)
		}
		for next < len(a) {
			at, n, rest := m.scale*float64(a[next].LatencyNS())+m.shift, float64(a[next].Count()), 0.0
			if w := m.scale * width(a[next]); m.spread {
				rest = min(left, max(0, (at+w-end)/w))
			} else if at >= end {
				rest = left
			}
			fromA, variance, left = fromA+(left-rest)*n, variance+(left-rest)*(left-rest)*n, rest
			if rest > 0 {
				break
			}
			next, left = next+1, 1
		}
		fromB, held = fromB+float64(bucket.Count()), held+1
		if last := j == len(b)-1; last || held >= buckets && fromA/ratio+fromB >= 2*leastCount {
			off := math.Abs(fromB-fromA/ratio) + 0.5 // counts are whole numbers
			chi2 += off * off / (fromB + variance/ratio/ratio)
			cells, fromA, variance, fromB, held = cells+1, 0, 0, 0, 0
			if most := cells + (len(b)-2-j+buckets)/buckets; chi2 > float64(most) { // no copy, whatever follows
				return chi2, most
			}
		}
	}
	return chi2, cells
}

// meanOf returns the number of operations and their mean latency, at the lower ends of the buckets or in the middle.
func meanOf(buckets []result.Bucket) (n, low, middle float64) {
	for _, b := range buckets {
		ops := float64(b.Count())
		n, low, middle = n+ops, low+ops*float64(b.LatencyNS()), middle+ops*(float64(b.LatencyNS())+width(b)/2)
	}
	return n, low / n, middle / n
}

// width returns the width of a bucket of result.Histogram.
func width(b result.Bucket) float64 {
	return float64(int64(1) << max(bits.Len64(uint64(b.LatencyNS()))-8, 0))
}

// upperGamma is the chance that a Gamma distribution with an integer shape exceeds x.
func upperGamma(shape int, x float64) float64 {
	sum, logTerm := 0.0, -x
	for k := range shape {
		if k > 0 {
			logTerm += math.Log(x) - math.Log(float64(k))
		}
		sum += math.Exp(logTerm)
	}
	return sum
}

// lowerGamma is the chance that a Gamma distribution stays below x, for x up to its mean; else 1. By its power series
// (Abramowitz and Stegun 6.5.29).
func lowerGamma(shape, x float64) float64 {
	switch {
	case x <= 0:
		return 0
	case x > shape: // at least a half; the series would be long
		return 1
	}
	logGamma, _ := math.Lgamma(shape + 1)
	term, sum := 1.0, 1.0
	for k := 1.0; term > 1e-16*sum; k++ {
		term *= x / (shape + k)
		sum += term
	}
	return min(1, math.Exp(shape*math.Log(x)-x-logGamma)*sum)
}
