package result

import (
	"math"
	"slices"
	"sort"
	"sync"
)

// A test of random operations ends after a time. So a fast module does more operations in it than a slow one, meets
// more stalls, and has a longer longest operation, even where both stall as often for each operation. Modules are
// therefore compared by the stalls of 1,000 operations or of a minute, and by the longest of 1,000 operations.

// Stalls counts the counted operations of a random test that took longer than a time.
type Stalls struct {
	Count     *int64   // nil: there are no latencies
	Low, High *float64 // 95 % interval of the mean count of tests like this one
}

// Times returns the count and its interval for another exposure: factor times as many operations, or as much time.
func (s Stalls) Times(factor float64) (value, low, high *float64) {
	if s.Count == nil || s.Low == nil || s.High == nil {
		return nil, nil, nil
	}
	return new(float64(*s.Count) * factor), new(*s.Low * factor), new(*s.High * factor)
}

const (
	shortStallNS = 100_000_000
	longStallNS  = 1_000_000_000
)

// longestOf is the number of operations whose longest is Figures.Longest1000NS.
const longestOf = 1000

// longestShare is the share of operations that take longer than the median longest of longestOf.
var longestShare = 1 - math.Exp(-math.Ln2/longestOf)

// latencies holds the latencies of a random test.
type latencies struct {
	buckets   []Bucket // in ascending order
	ops       int64    // in buckets
	intervals []Interval
}

// latencies returns the latencies of t, whose histogram holds so many operations. A document may list it in any order.
func (t *Test) latencies(ops int64) latencies {
	buckets := slices.Clone(t.Latency)
	sort.Sort(byLatency(buckets)) // package slices would make a sort of its own for them, 10 kB of the client
	return latencies{buckets, ops, t.steady()}
}

type byLatency []Bucket

func (b byLatency) Len() int           { return len(b) }
func (b byLatency) Less(i, j int) bool { return b[i].LatencyNS() < b[j].LatencyNS() }
func (b byLatency) Swap(i, j int)      { b[i], b[j] = b[j], b[i] }

// above returns how many operations took longer than ns.
func (l *latencies) above(ns int64) (count int64) {
	for _, b := range l.buckets {
		if b.LatencyNS() > ns {
			count += b.Count()
		}
	}
	return count
}

func (l *latencies) stalls(ns int64) Stalls {
	count := l.above(ns)
	low, high := countInterval(count, l.bunching(ns))
	return Stalls{&count, &low, new(min(high, float64(l.ops)))}
}

// bunching returns how many times as much the number of operations above ns varies as if each came independently of the
// others. It is at least 1.
//
// Each interval of the test shows its longest operation. Let a share p of the intervals without an operation above ns
// be followed by one with it. If bunches begin at random, -ln(1-p) of them begin in an interval's operations. The mean
// size c of a bunch is how many times as many single operations there are. If the sizes are geometric, the number then
// varies 2c-1 times as much. If hardly any interval is without, bunches don't show.
func (l *latencies) bunching(ns int64) float64 {
	var ops int64 // in intervals without one
	without, begun, within := 1.0, 0.0, false
	for _, v := range l.intervals {
		if v.MaxNS <= ns {
			without, ops, within = without+1, ops+v.Ops, false
		} else if !within {
			begun, within = begun+1, true
		}
	}
	if begun == 0 || ops == 0 {
		return 1
	}
	bunches := -math.Log(1 - begun/without)
	single := float64(l.above(ns)) / float64(l.ops) * float64(ops) / (without - 1)
	return max(2*single/bunches-1, 1)
}

// exceeded returns the latency that a share of the operations exceeds, and its 95 % interval from order statistics. The
// interval holds for any distribution (David and Nagaraja, Order Statistics, 3rd ed., 7.1). It counts bunches in place
// of operations. high is nil if even the longest operation may be shorter than that latency.
func (l *latencies) exceeded(share float64) (value int64, low, high *int64) {
	value = l.longest(float64(l.ops) - math.Ceil((1-share)*float64(l.ops)))
	bunching := l.bunching(value - 1)
	few, many := binomialBounds(float64(l.ops)/bunching, share)
	low = new(l.longest(math.Ceil(bunching * float64(many))))
	if few >= 0 {
		high = new(l.longest(math.Floor(bunching * float64(few))))
	}
	return value, low, high
}

// longest returns the latency of the operation that is the longest but for so many.
func (l *latencies) longest(but float64) (ns int64) {
	for _, b := range slices.Backward(l.buckets) {
		if ns = b.LatencyNS(); but < float64(b.Count()) {
			break
		}
		but -= float64(b.Count())
	}
	return ns
}

// binomialBounds returns bounds of a binomial count of n with this share. few is the largest number that the count
// stays within in at most one of 40 cases; -1 if there is none. many is the smallest number that it stays within in at
// least 39 of 40 cases.
func binomialBounds(n, share float64) (few, many int) {
	mean := n * share
	k := max(math.Floor(mean-8*math.Sqrt(mean)-8), 0) // smaller counts have no weight
	term := k*math.Log(share) + (n-k)*math.Log(1-share)
	for i := 1.0; i <= k; i++ { // math.Lgamma and its parts would add 20 kB to the client
		term += math.Log((n - k + i) / i)
	}
	term = math.Exp(term)
	few = -1
	for sum := term; ; k++ {
		if sum <= 0.025 {
			few = int(k)
		}
		if sum >= 0.975 || k >= n {
			return few, int(k)
		}
		term *= (n - k) / (k + 1) * share / (1 - share)
		sum += term
	}
}

// countInterval returns the 95 % interval of the mean of a count that varies bunching times as much as a Poisson count.
// It takes the interval of the number of bunches, rounded to the cautious side.
func countInterval(count int64, bunching float64) (low, high float64) {
	bunches := float64(count) / bunching
	low, _ = poissonInterval(math.Floor(bunches))
	_, high = poissonInterval(math.Ceil(bunches))
	return low * bunching, high * bunching
}

// poissonInterval is Garwood's exact 95 % interval (Biometrika 28, 1936) of the mean of a Poisson count.
func poissonInterval(count float64) (low, high float64) {
	if bounds := smallCounts(); count < float64(len(bounds)) {
		return bounds[int(count)][0], bounds[int(count)][1]
	}
	// Wilson and Hilferty's approximation of chi-squared (1931) is within 0.01 % here.
	bound := func(k, z float64) float64 { return k * math.Pow(1-1/(9*k)+z/(3*math.Sqrt(k)), 3) }
	return bound(count, -normalQuantile), bound(count+1, normalQuantile)
}

// normalQuantile is the normal distribution's quantile at 0.975.
const normalQuantile = 1.959963985

// smallCounts returns the ends of the intervals of small counts.
var smallCounts = sync.OnceValue(func() (bounds [100][2]float64) {
	// most returns the probability of at most this count.
	most := func(count int, mean float64) (sum float64) {
		term := math.Exp(-mean)
		for i := range count + 1 {
			sum += term
			term *= mean / float64(i+1)
		}
		return sum
	}
	// meanWhere returns the mean at which most has this probability. That probability falls as the mean grows.
	meanWhere := func(count int, probability float64) float64 {
		low, high := 0.0, 2*float64(count)+10
		for range 60 {
			if middle := (low + high) / 2; most(count, middle) > probability {
				low = middle
			} else {
				high = middle
			}
		}
		return low
	}
	for count := range bounds {
		if count > 0 {
			bounds[count][0] = meanWhere(count-1, 0.975)
		}
		bounds[count][1] = meanWhere(count, 0.025)
	}
	return bounds
})
