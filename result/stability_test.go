package result

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// at returns intervals of one second with these rates in MB/s.
func at(rates ...float64) (intervals []Interval) {
	for _, r := range rates {
		intervals = append(intervals, Interval{Ops: 1, Bytes: int64(math.Round(r * 1e6)), NS: 1e9})
	}
	return intervals
}

func pair(mb, percent *float64) (a, b float64) {
	a, b = math.NaN(), math.NaN()
	if mb != nil {
		a = *mb
	}
	if percent != nil {
		b = *percent
	}
	return a, b
}

// Worked out by hand.
func TestCVByHand(t *testing.T) {
	t.Parallel()
	if cv := cvPercent(at(10, 20, 10, 20, 10, 20)); cv == nil || math.Abs(*cv-100.0/3) > 1e-9 {
		t.Errorf("10 and 20 in turn: %v, want 5/15", cv)
	}
	if cv := cvPercent(at(7, 7, 7, 7, 7)); cv == nil || *cv != 0 {
		t.Errorf("a constant rate: %v", cv)
	}
	if cv := cvPercent(at(1, 2, 3, 4)); cv != nil {
		t.Errorf("four intervals: %v", *cv)
	}
	// An interval's weight is its length. The last one is a hundredth as long.
	rest := append(at(10, 10, 10, 10, 10), Interval{Bytes: 20e4, NS: 1e7})
	m := 50.2 / 5.01
	want := 100 * math.Sqrt((5*(10-m)*(10-m)+0.01*(20-m)*(20-m))/5.01) / m
	if cv := cvPercent(rest); cv == nil || math.Abs(*cv-want) > 1e-9 {
		t.Errorf("with a short rest: %v, want %v", cv, want)
	}
}

func TestWarmupIsNoVariation(t *testing.T) {
	t.Parallel()
	test := Test{WarmupOps: 5, Intervals: []Interval{{Ops: 3}, {Ops: 3}, {Ops: 4}, {Ops: 5}}}
	if left := test.steady(); len(left) != 2 || left[0].Ops != 4 {
		t.Errorf("left are %v", left)
	}
	test.WarmupOps = 0
	if left := test.steady(); len(left) != 4 {
		t.Errorf("without a warm-up left are %v", left)
	}
	// The two operations of the warm-up are slow; the second one is in the second interval.
	test = Test{Name: RandWrite, WarmupOps: 2, Intervals: at(1, 2, 8, 8, 8, 8, 8)}
	if f := test.Figures(); f.CVPercent == nil || *f.CVPercent != 0 || f.CliffPercent != nil {
		t.Errorf("after the warm-up: CV %v, cliff %v; want 0 and none", f.CVPercent, f.CliffPercent)
	}
	test.WarmupOps = 3
	if f := test.Figures(); f.CVPercent != nil {
		t.Errorf("four intervals after the warm-up have a CV of %v", *f.CVPercent)
	}
}

// The last interval of a linear write includes the fsync. A read has none.
func TestFsyncIsNoVariation(t *testing.T) {
	t.Parallel()
	w := Test{Name: SeqWrite, Intervals: at(40, 40, 40, 10, 10, 10, 10, 10, 1)}
	f := w.Figures()
	if mb, percent := pair(f.CliffMB, f.CliffPercent); mb != 120 || !same(percent, 25) {
		t.Errorf("cliff after %v MB to %v %%, want 120 and 25", mb, percent)
	}
	w.Intervals = at(20, 20, 20, 20, 20, 20, 20, 20, 1)
	if f := w.Figures(); f.CVPercent == nil || *f.CVPercent != 0 || f.CliffMB != nil || *f.CliffPercent != 100 {
		t.Errorf("constant but for the fsync: CV %v, cliff %v", *f.CVPercent, f.CliffMB)
	}
	r := Test{Name: SeqRead, Intervals: at(40, 40, 40, 40, 10, 10, 10, 10)}
	if f := r.Figures(); f.CVPercent == nil || !same(*f.CVPercent, 60) || f.CliffMB != nil || f.CliffPercent != nil {
		t.Errorf("read at 40 and then 10: CV %v, cliff %v; want 15/25 and none", f.CVPercent, f.CliffPercent)
	}
	if f := (&Test{Name: SeqWrite}).Figures(); f.CVPercent != nil || f.CliffPercent != nil {
		t.Error("a write without intervals is even")
	}
}

func TestCliffByHand(t *testing.T) {
	t.Parallel()
	nan := math.NaN()
	for name, tc := range map[string]struct {
		rates       []float64
		mb, percent float64
	}{
		"a cache of 120 MB":    {[]float64{40, 40.1, 39.9, 10, 10.1, 9.9, 10}, 120, 25},
		"constant":             {[]float64{20, 20, 20, 20, 20, 20, 20, 20}, nan, 100},
		"one slow interval":    {[]float64{20, 20.2, 19.9, 4, 20.1, 20, 19.8, 20}, nan, 100},
		"slow at the end once": {[]float64{20, 20.2, 19.9, 20.1, 20, 19.8, 20, 4}, nan, 100},
		"it rises more than it falls": {slices.Concat(slices.Repeat([]float64{10}, 90), slices.Repeat([]float64{40}, 110),
			slices.Repeat([]float64{14}, 100)), 5300, 100 * 14 / 26.5},
		"two slow at the end":       {[]float64{20, 20.2, 19.9, 20.1, 20, 19.8, 4, 4}, 120, 100 * 4 * 6 / 120.},
		"it rises":                  {[]float64{10, 10.1, 9.9, 40, 40.1, 39.9, 40}, nan, 100},
		"a tenth less is no cliff":  {[]float64{40, 40, 40, 40, 36, 36, 36, 36}, nan, 100},
		"too few":                   {[]float64{40, 40, 10, 10, 10}, nan, nan},
		"no time was taken for one": {[]float64{40, 40, 0, 10, 10, 10}, nan, nan},
	} {
		mb, percent := pair(cliff(at(tc.rates...)))
		if !same(mb, tc.mb) || !same(percent, tc.percent) {
			t.Errorf("%s: after %v MB to %v %%, want %v and %v", name, mb, percent, tc.mb, tc.percent)
		}
	}
}

func same(a, b float64) bool {
	return math.IsNaN(a) && math.IsNaN(b) || math.Abs(a-b) < 1e-9*max(1, math.Abs(b))
}

// The odd interval may be anywhere, among any number of others.
func TestOneOddIntervalIsNoCliff(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		rates := rapid.SliceOfN(rapid.Float64Range(19, 21), minCliffIntervals, 60).Draw(t, "rates")
		odd := rapid.OneOf(rapid.Float64Range(0.1, 10), rapid.Float64Range(40, 1000)).Draw(t, "odd")
		for i := range rates {
			series := at(rates...)
			series[i].Bytes = int64(odd * 1e6)
			if mb, percent := cliff(series); mb != nil || *percent != 100 {
				t.Fatalf("%v MB/s at %d: a cliff after %v MB to %v %%", odd, i, *mb, *percent)
			}
		}
	})
}

func TestConstantRatesAreEven(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		rate := rapid.Int64Range(1, 1000).Draw(t, "bytes per ns")
		var intervals []Interval
		for _, ns := range rapid.SliceOfN(rapid.Int64Range(1, 4e9), minCliffIntervals, 100).Draw(t, "ns") {
			intervals = append(intervals, Interval{Bytes: rate * ns, NS: ns})
		}
		if cv := cvPercent(intervals); cv == nil || *cv != 0 {
			t.Fatalf("CV %v", cv)
		}
		if mb, percent := cliff(intervals); mb != nil || *percent != 100 {
			t.Fatalf("a cliff after %v MB", *mb)
		}
	})
}

func TestScaleDoesNotMatter(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		rates := rapid.SliceOfN(rapid.Float64Range(1, 100), 5, 40).Draw(t, "rates")
		for i := rapid.IntRange(0, len(rates)).Draw(t, "fall at"); i < len(rates); i++ {
			rates[i] /= 100
		}
		factor := float64(rapid.IntRange(2, 50).Draw(t, "factor"))
		slow, quick := at(rates...), at(rates...)
		for i := range quick {
			quick[i].Bytes *= int64(factor)
		}
		if a, b := *cvPercent(slow), *cvPercent(quick); math.Abs(a-b) > 1e-6 {
			t.Fatalf("CV %v and %v", a, b)
		}
		mb, percent := pair(cliff(slow))
		mb2, percent2 := pair(cliff(quick))
		if !same(mb*factor, mb2) || math.Abs(percent-percent2) > 1e-6 {
			t.Fatalf("cliff after %v MB to %v %%, and after %v to %v", mb, percent, mb2, percent2)
		}
	})
}

func TestStabilityAgreesWithNumpy(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/stability.json")
	if err != nil {
		t.Fatal(err)
	}
	var fixture struct {
		Series []struct {
			Bytes, NS   []int64
			CV          float64
			MB, Percent *float64
		}
	}
	if err := json.Unmarshal(text, &fixture); err != nil || len(fixture.Series) < 30 {
		t.Fatal(len(fixture.Series), err)
	}
	cliffs := 0
	for n, s := range fixture.Series {
		var intervals []Interval
		for i := range s.Bytes {
			intervals = append(intervals, Interval{Bytes: s.Bytes[i], NS: s.NS[i]})
		}
		if cv := cvPercent(intervals); cv == nil || !same(*cv, s.CV) {
			t.Errorf("series %d: CV %v, numpy says %v", n, cv, s.CV)
		}
		mb, percent := pair(cliff(intervals))
		wantMB, wantPercent := pair(s.MB, s.Percent)
		if !same(mb, wantMB) || !same(percent, wantPercent) {
			t.Errorf("series %d: cliff %v, %v; numpy says %v, %v", n, mb, percent, wantMB, wantPercent)
		}
		if s.MB != nil {
			cliffs++
		}
	}
	if cliffs < 5 || cliffs > len(fixture.Series)-5 {
		t.Errorf("%d of %d series have a cliff", cliffs, len(fixture.Series))
	}
}

// docs/method.md publishes the shares.
func TestCliffsAreFoundAndNoiseIsNot(t *testing.T) {
	t.Parallel()
	const trials = 2000
	random := rand.New(rand.NewPCG(8, 21))
	white := func(sd float64) func() func() float64 {
		return func() func() float64 { return func() float64 { return sd * random.NormFloat64() } }
	}
	noises := []struct {
		name  string
		begin func() func() float64
		most  float64 // share of false alarms
	}{
		{"noise of 5 %", white(0.05), 0.001},
		{"noise of 30 %", white(0.3), 0.01},
		{"pauses: one interval in ten a fifth as quick", func() func() float64 {
			return func() float64 {
				if random.Float64() < 0.1 {
					return math.Log(0.2)
				}
				return 0.05 * random.NormFloat64()
			}
		}, 0.01},
		{"noise of 20 % that lasts (autocorrelation 0.5)", func() func() float64 {
			last := 0.0
			return func() float64 {
				last = 0.5*last + 0.2*math.Sqrt(0.75)*random.NormFloat64()
				return last
			}
		}, 0.04},
	}
	for _, n := range []int{6, 8, 30, 300} {
		for _, noise := range noises {
			alarms := 0
			hits := map[float64]int{0.5: 0, 0.2: 0}
			for range trials {
				draw := noise.begin()
				noisy := make([]float64, n)
				for i := range noisy {
					noisy[i] = 30 * math.Exp(draw())
				}
				if mb, _ := cliff(at(noisy...)); mb != nil {
					alarms++
				}
				where := max(n/4, minCliffSide) + random.IntN(n/2)
				for depth := range hits {
					fallen := append([]float64{}, noisy...)
					for i := where; i < n; i++ {
						fallen[i] *= depth
					}
					if mb, _ := cliff(at(fallen...)); mb != nil {
						hits[depth]++
					}
				}
			}
			share := func(k int) float64 { return float64(k) / trials }
			t.Logf("%d intervals, %s: false alarms %.4f, fall to a half found %.3f, to a fifth %.3f", n, noise.name,
				share(alarms), share(hits[0.5]), share(hits[0.2]))
			if share(alarms) > noise.most {
				t.Errorf("%d intervals, %s: %.4f false alarms", n, noise.name, share(alarms))
			}
			if n == 8 && noise.name == "noise of 30 %" && share(hits[0.2]) < 0.8 {
				t.Errorf("a fall to a fifth is found in %.3f of all trials of %s", share(hits[0.2]), noise.name)
			}
			if noise.name == "noise of 5 %" && share(hits[0.5]) < 0.99 {
				t.Errorf("%d intervals, %s: a fall to a half is found in %.3f of all trials", n, noise.name, share(hits[0.5]))
			}
		}
	}
}
