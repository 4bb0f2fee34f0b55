package result

import (
	"math"
	"math/rand/v2"
	"testing"
)

// linear is a linear test of intervals of 100 MB that took these times.
func linear(name string, seconds ...float64) *Test {
	t := &Test{Name: name, BlockBytes: 1 << 20}
	for _, s := range seconds {
		t.Intervals = append(t.Intervals, Interval{Bytes: 100e6, NS: int64(s * 1e9)})
	}
	sum := SumIntervals(t.Intervals)
	t.Bytes, t.DurationNS = sum.Bytes, sum.NS
	return t
}

// By hand: eight intervals of 9 and 11 s in turn have a variance of 8/7 · 0.1² relative to their mean, a negative
// autocorrelation, which counts as 0, and no skewness. t(0.975, 7) is 2.3646. A last interval of 20 s includes the
// fsync. Then the time is 100 s. Of these, 80 s are the eight intervals', with an eighth of their variance, and 20 s
// are one interval's.
func TestLinearIntervalByHand(t *testing.T) {
	t.Parallel()
	times := []float64{9, 11, 9, 11, 9, 11, 9, 11}
	for name, c := range map[string]struct {
		test *Test
		half float64
	}{
		SeqRead:    {linear(SeqRead, times...), 2.364624252 * math.Sqrt(0.08/7/8)},
		SeqWrite:   {linear(SeqWrite, append(times, 20)...), 2.364624252 * math.Sqrt(0.08/7*(0.64/8+0.04))},
		SeqRewrite: {linear(SeqRewrite, append(times, 20)...), 2.364624252 * math.Sqrt(0.08/7*(0.64/8+0.04))},
	} {
		f := c.test.Figures()
		low, high := pair(f.MBPerSLow, f.MBPerSHigh)
		if !same(low, f.MBPerS/(1+c.half)) || !same(high, f.MBPerS/(1-c.half)) {
			t.Errorf("%s: %v to %v MB/s around %v, want a half width of %v", name, low, high, f.MBPerS, c.half)
		}
	}
}

func TestLinearIntervalNeedsIntervals(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]*Test{
		"four":              linear(SeqRead, 9, 11, 9, 11),
		"four and an fsync": linear(SeqWrite, 9, 11, 9, 11, 30),
		"none":              linear(SeqRead),
		"nothing moved":     {Name: SeqRead, DurationNS: 5, Intervals: make([]Interval, 6)},
		// One pause of an hour: the rate may be anything.
		"an endless stall": linear(SeqRead, 1, 1, 1, 3600, 1, 1),
		"random writes":    {Name: RandWrite, DurationNS: 60e9, Bytes: 6e8, Intervals: at(9, 11, 9, 11, 9, 11)},
	} {
		if f := test.Figures(); f.MBPerSLow != nil || f.MBPerSHigh != nil {
			t.Errorf("%s: an interval from %v to %v MB/s", name, *f.MBPerSLow, *f.MBPerSHigh)
		}
	}
	if f := linear(SeqRead, 10, 10, 10, 10, 10).Figures(); f.MBPerSLow == nil || *f.MBPerSLow != 10 || *f.MBPerSHigh != 10 {
		t.Errorf("an even rate has the interval %v to %v MB/s", f.MBPerSLow, f.MBPerSHigh)
	}
}

// A chunk of another size that took as long for each byte changes nothing.
func TestLinearIntervalOfUnequalChunks(t *testing.T) {
	t.Parallel()
	even := linear(SeqRead, 10, 10, 10, 10, 10, 10)
	even.Intervals[0] = Interval{Bytes: 25e6, NS: 2.5e9}
	even.Intervals[5] = Interval{Bytes: 75e6, NS: 7.5e9}
	sum := SumIntervals(even.Intervals)
	even.Bytes, even.DurationNS = sum.Bytes, sum.NS
	if f := even.Figures(); f.MBPerSLow == nil || !same(*f.MBPerSLow, 10) || !same(*f.MBPerSHigh, 10) {
		t.Errorf("an even rate has the interval %v to %v MB/s", *f.MBPerSLow, *f.MBPerSHigh)
	}
}

// docs/method.md publishes the shares.
func TestLinearIntervalCoversTheRate(t *testing.T) {
	t.Parallel()
	const trials = 1000
	random := rand.New(rand.NewPCG(20, 12))
	white := func(sd float64) func() func() float64 {
		return func() func() float64 { return func() float64 { return math.Exp(sd * random.NormFloat64()) } }
	}
	lasting := func(r, sd float64) func() func() float64 {
		return func() func() float64 {
			last := sd * random.NormFloat64()
			return func() float64 {
				now := last
				last = r*last + sd*math.Sqrt(1-r*r)*random.NormFloat64()
				return math.Exp(now)
			}
		}
	}
	logNormal := func(sd float64) float64 { return math.Exp(sd * sd / 2) }
	for _, noise := range []struct {
		name  string
		begin func() func() float64 // the times of intervals
		mean  float64               // of the times
		least float64               // coverage
	}{
		{"5 %", white(0.05), logNormal(0.05), 0.93},
		{"30 %", white(0.3), logNormal(0.3), 0.93},
		{"every tenth interval five times as long", func() func() float64 {
			return func() float64 {
				if random.Float64() < 0.1 {
					return 5
				}
				return math.Exp(0.05*random.NormFloat64()) / logNormal(0.05)
			}
		}, 1.4, 0.44},
		{"20 % that lasts (autocorrelation 0.5)", lasting(0.5, 0.2), logNormal(0.2), 0.91},
		{"20 % that lasts (autocorrelation 0.8)", lasting(0.8, 0.2), logNormal(0.2), 0.83},
	} {
		for _, n := range []int{5, 8, 14, 50, 300} {
			for _, name := range []string{SeqRead, SeqWrite} {
				covered, widths := 0, []float64{}
				for range trials {
					draw := noise.begin()
					times := make([]float64, n)
					for i := range times {
						times[i] = draw()
					}
					truth := 100 / noise.mean
					if name == SeqWrite { // the fsync takes as long as two intervals
						times = append(times, 3*draw())
						truth = 100 * float64(n+1) / (float64(n+3) * noise.mean)
					}
					f := linear(name, times...).Figures()
					if f.MBPerSLow == nil || *f.MBPerSLow <= truth && truth <= *f.MBPerSHigh {
						covered++
					}
					if f.MBPerSLow != nil {
						widths = append(widths, (*f.MBPerSHigh-*f.MBPerSLow)/2/f.MBPerS)
					}
				}
				share := float64(covered) / trials
				t.Logf("%s, %s, %d intervals: covers %.1f %%, median half width %.1f %%", noise.name, name, n, 100*share,
					100*Median(widths))
				if share < noise.least {
					t.Errorf("%s, %s, %d intervals: the interval covers the rate in %.1f %%", noise.name, name, n, 100*share)
				}
			}
		}
	}
}
