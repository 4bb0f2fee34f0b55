package result

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// measuredWrites is a test of random writes with these latencies in seconds.
func measuredWrites(seconds []float64) *Test {
	t := &Test{Name: RandWrite, BlockBytes: 4096, QueueDepth: 1, Ops: int64(len(seconds))}
	h, series := NewHistogram(), Series{}
	for _, s := range seconds {
		ns := int64(s * 1e9)
		h.Add(ns)
		series.Add(Interval{Ops: 1, Bytes: 4096, NS: ns, MaxNS: ns})
		t.DurationNS += ns
	}
	t.Bytes, t.Latency, t.Intervals = 4096*t.Ops, h.Buckets(), series.Intervals
	return t
}

// Two cards stall as often for each operation, and as long. Other writes take 1 ms on one and 50 ms on the other. In a
// test of a minute, the faster card does fifty times as many writes, and so shows a longer worst write. The figures
// that compare modules are the same.
func TestTheSameStallsAreTheSameInATestOfAMinute(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(31, 4))
	card := func(seconds float64) *Test {
		var all []float64
		for sum := 0.0; sum < 60; sum += all[len(all)-1] {
			all = append(all, seconds*math.Exp(0.2*random.NormFloat64()))
			if random.Float64() < 0.004 {
				all[len(all)-1] = 0.06 * math.Pow(1-random.Float64(), -1/1.8)
			}
		}
		return measuredWrites(all)
	}
	const trials = 200
	longer, apart := 0, map[string]int{}
	for range trials {
		quick, slow := card(0.001).Figures(), card(0.05).Figures()
		if *quick.MaxNS > 2**slow.MaxNS {
			longer++
		}
		compare := func(what string, low1, high1, low2, high2 *float64) {
			if high1 != nil && low2 != nil && *high1 < *low2 || high2 != nil && low1 != nil && *high2 < *low1 {
				apart[what]++
			}
		}
		for what, of := range map[string]func(*Figures) Stalls{
			"above 0.1 s": func(f *Figures) Stalls { return f.Stalls100MS },
			"above 1 s":   func(f *Figures) Stalls { return f.Stalls1S },
		} {
			_, low1, high1 := of(&quick).Times(1000 / float64(*quick.Ops))
			_, low2, high2 := of(&slow).Times(1000 / float64(*slow.Ops))
			compare(what, low1, high1, low2, high2)
		}
		ms := func(ns *int64) *float64 {
			if ns == nil {
				return nil
			}
			return new(float64(*ns) / 1e6)
		}
		compare("longest of 1,000", ms(quick.Longest1000LowNS), ms(quick.Longest1000HighNS), ms(slow.Longest1000LowNS),
			ms(slow.Longest1000HighNS))
	}
	t.Logf("of %d pairs, the worst write is over twice as long in %d; intervals are apart: %v", trials, longer, apart)
	if longer < trials/2 {
		t.Errorf("the worst write is over twice as long in %d of %d: this tests nothing", longer, trials)
	}
	for what, n := range apart {
		if n > trials/20 {
			t.Errorf("%s: the intervals of cards that stall alike are apart in %d of %d", what, n, trials)
		}
	}
}

// One test's figures, worked out by hand.
func TestStallsByHand(t *testing.T) {
	t.Parallel()
	seconds := slices.Repeat([]float64{0.01}, 5994)
	seconds = append(seconds, 0.2, 0.3, 0.4, 1.5, 2.5, 3.5)
	f := measuredWrites(seconds).Figures()
	if *f.Ops != 6000 || *f.Stalls100MS.Count != 6 || *f.Stalls1S.Count != 3 || *f.MaxNS != 3_500_000_000 {
		t.Errorf("%d operations, %d above 0.1 s, %d above 1 s", *f.Ops, *f.Stalls100MS.Count, *f.Stalls1S.Count)
	}
	// 6,000 operations are six times a thousand. Half of these thousands have an operation that is longer than the
	// fifth longest: 2^(-1/1000) of 6,000 is 5995.8.
	if got := float64(*f.Longest1000NS) / 1e9; math.Abs(got/0.3-1) > 0.01 {
		t.Errorf("the longest of 1,000 takes %v s, want 0.3", got)
	}
	value, low, high := f.Stalls1S.Times(1000 / float64(*f.Ops))
	if !same(*value, 0.5) || *low >= *value || *high <= *value {
		t.Errorf("above 1 s are %v (%v to %v) of 1,000", *value, *low, *high)
	}
}

// The histogram of a document may be in any order.
func TestStallsOfAHistogramInAnyOrder(t *testing.T) {
	t.Parallel()
	test := measuredWrites(append(slices.Repeat([]float64{0.01}, 6000), 0.2, 0.3, 0.4, 1.5, 2.5, 3.5))
	want := test.Figures()
	slices.Reverse(test.Latency)
	if f := test.Figures(); *f.Longest1000NS != *want.Longest1000NS || *f.Longest1000LowNS != *want.Longest1000LowNS {
		t.Errorf("backward, the longest of 1,000 takes %d ns, else %d", *f.Longest1000NS, *want.Longest1000NS)
	}
}

// A test that is too short for a figure doesn't tell it.
func TestLongestNeedsOperations(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]struct{ value, high bool }{999: {}, 1000: {value: true}, 5321: {value: true},
		5322: {true, true}} {
		f := measuredWrites(slices.Repeat([]float64{0.011, 0.012}, n)[:n]).Figures()
		if (f.Longest1000NS != nil) != want.value || (f.Longest1000HighNS != nil) != want.high {
			t.Errorf("%d operations: longest of 1,000 %v, upper end %v", n, f.Longest1000NS, f.Longest1000HighNS)
		}
	}
	dd := measuredWrites([]float64{1, 2, 3})
	dd.Latency = nil // one process for each operation
	if f := dd.Figures(); f.Stalls100MS.Count != nil || f.Stalls1S.Low != nil {
		t.Errorf("without latencies there are %d stalls", *f.Stalls100MS.Count)
	}
	if value, _, _ := (Stalls{}).Times(3); value != nil {
		t.Error("stalls that nobody counted have a rate")
	}
}

// R: qchisq(0.025, 2*n)/2 and qchisq(0.975, 2*n+2)/2. The last two use the approximation.
func TestPoissonIntervals(t *testing.T) {
	t.Parallel()
	for n, want := range map[float64][2]float64{
		0: {0, 3.688879}, 1: {0.025318, 5.571643}, 2: {0.242209, 7.224688}, 10: {4.795389, 18.390356},
		50: {37.110737, 65.918401}, 100: {81.363968, 121.627330},
	} {
		low, high := poissonInterval(n)
		if math.Abs(low-want[0]) > 1e-4*(1+want[0]) || math.Abs(high-want[1]) > 1e-4*want[1] {
			t.Errorf("a count of %v has the interval %v to %v, want %v", n, low, high, want)
		}
	}
	// 7 in bunches of 2 are 3.5 bunches. So the ends are twice the ends for 3 and for 4.
	low, high := countInterval(7, 2)
	low3, _ := poissonInterval(3)
	_, high4 := poissonInterval(4)
	if low != 2*low3 || high != 2*high4 {
		t.Errorf("7 in bunches of 2 have the interval %v to %v", low, high)
	}
}

// The bounds are compared with sums of exact probabilities.
func TestBinomialBounds(t *testing.T) {
	t.Parallel()
	for _, share := range []float64{0.01, 0.001, longestShare} {
		for _, n := range []int{300, 367, 1000, 5321, 5322, 20_000, 65_536} {
			logOf := func(k int) float64 {
				a, _ := math.Lgamma(float64(n) + 1)
				b, _ := math.Lgamma(float64(k) + 1)
				c, _ := math.Lgamma(float64(n-k) + 1)
				return a - b - c + float64(k)*math.Log(share) + float64(n-k)*math.Log1p(-share)
			}
			wantFew, wantMany, sum := -1, 0, 0.0
			for k := 0; sum < 0.975; k++ {
				if sum += math.Exp(logOf(k)); sum <= 0.025 {
					wantFew = k
				}
				wantMany = k
			}
			if few, many := binomialBounds(float64(n), share); few != wantFew || many != wantMany {
				t.Errorf("%d with a share of %v: %d and %d, want %d and %d", n, share, few, many, wantFew, wantMany)
			}
		}
	}
}

// docs/method.md publishes the shares. The truth of a bunch comes from a very long test.
func TestStallIntervalsCover(t *testing.T) {
	t.Parallel()
	const trials = 300
	random := rand.New(rand.NewPCG(5, 77))
	// stalls makes a card that stalls with this chance in each write, in bunches of this mean size.
	card := func(chance, bunch float64, ops int) []float64 {
		all := make([]float64, ops)
		stalling := false
		for i := range all {
			if stalling {
				stalling = random.Float64() >= 1/bunch
			}
			if !stalling {
				stalling = random.Float64() < chance/bunch
			}
			if all[i] = 0.004 * math.Exp(0.3*random.NormFloat64()); stalling {
				all[i] = 0.12 * math.Pow(1-random.Float64(), -1/1.5)
			}
		}
		return all
	}
	for _, c := range []struct {
		chance, bunch float64
		ops           int
		least         float64
	}{
		{0.001, 1, 15_000, 0.92}, {0.001, 1, 2000, 0.92}, {0.01, 1, 15_000, 0.92}, {0.0001, 1, 15_000, 0.92},
		{0.001, 5, 15_000, 0.70}, {0.01, 5, 15_000, 0.80}, {0.01, 20, 15_000, 0.75},
	} {
		long := measuredWrites(card(c.chance, c.bunch, 3_000_000)).latencies(3_000_000)
		truth := 1000 * float64(long.above(shortStallNS)) / float64(long.ops)
		longest, _, _ := long.exceeded(longestShare)
		covered, coveredLongest := 0, 0
		for range trials {
			f := measuredWrites(card(c.chance, c.bunch, c.ops)).Figures()
			_, low, high := f.Stalls100MS.Times(1000 / float64(*f.Ops))
			if *low <= truth && truth <= *high {
				covered++
			}
			if *f.Longest1000LowNS <= longest && (f.Longest1000HighNS == nil || longest <= *f.Longest1000HighNS) {
				coveredLongest++
			}
		}
		share, shareLongest := float64(covered)/trials, float64(coveredLongest)/trials
		t.Logf("%v of 1,000 in bunches of %v, %d operations: stalls %.1f %%, longest %.1f %%", truth, c.bunch, c.ops, 100*share,
			100*shareLongest)
		if share < c.least || shareLongest < c.least {
			t.Errorf("%v of 1,000 in bunches of %v, %d operations: the intervals cover %.1f %% and %.1f %%", truth, c.bunch,
				c.ops, 100*share, 100*shareLongest)
		}
	}
}
