package result

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// R 4.2 computes these by wilcox.test(x, y, conf.int = TRUE, conf.level = 0.999, exact = TRUE) on the logarithms.
func TestRatioAsRComputesIt(t *testing.T) {
	t.Parallel()
	fast := []float64{1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7}
	slow := []float64{3, 3.2, 3.4, 3.6, 3.8, 4, 4.2, 4.4}
	r := RatioOf(slow, fast)
	for name, c := range map[string]struct{ got, want float64 }{
		"times": {r.Times, 2.738613}, "low": {r.Low, 1.882353}, "high": {r.High, 4},
	} {
		if math.Abs(c.got/c.want-1) > 1e-6 {
			t.Errorf("%s: %.6f, R has %.6f", name, c.got, c.want)
		}
	}
	if r := RatioOf(slow[:4], fast[:4]); r.Low != 0 || !math.IsInf(r.High, 1) || r.Times == 0 {
		t.Errorf("four samples each have an interval: %+v", r)
	}
	if r := RatioOf(nil, fast); r.Times != 0 || r.Low != 0 || !math.IsInf(r.High, 1) {
		t.Errorf("no samples have a ratio: %+v", r)
	}
	if r := RatioOf([]float64{0}, fast); r.Times != 0 || r.Low != 0 {
		t.Errorf("a time of nothing has a ratio: %+v", r)
	}
}

// The interval misses no more often than it says, with few samples and with many. Outliers hardly widen it.
func TestRatioCovers(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	const rounds = 20_000
	for _, n := range []int{8, 24} {
		missed := 0
		for range rounds {
			some := func(times float64) (of []float64) {
				for range n {
					v := times * math.Exp(0.3*random.NormFloat64())
					if random.IntN(20) == 0 {
						v *= 50
					}
					of = append(of, v)
				}
				return of
			}
			if r := RatioOf(some(3), some(1)); r.Low > 3 || r.High < 3 {
				missed++
			}
		}
		if share := float64(missed) / rounds; share > 1.7*ratioError {
			t.Errorf("%d samples each: %.2f %% miss, want 0.1 %%", n, 100*share)
		}
	}
	if a, b := make([]float64, 64), make([]float64, 64); true {
		for i := range a {
			a[i], b[i] = 2*(1+float64(i)/1000), 1+float64(i)/1000
		}
		a[10] *= 100
		if r := RatioOf(a, b); r.Low < 1.9 || r.High > 2.1 {
			t.Errorf("one sample of 64 changes the interval to %+v", r)
		}
	}
}

// writes returns samples of one kind. Each write takes so many ms.
func writes(kind Kind, samples int, ms ...float64) (all []Interval) {
	for i := range samples {
		ns := int64(ms[i%len(ms)] * 1e6 * (1 + float64(i)/1000))
		all = append(all, Interval{Kind: kind, Ops: StructureOps, NS: StructureOps * ns, MaxNS: ns})
	}
	return all
}

func TestPlaces(t *testing.T) {
	t.Parallel()
	turns := func(n int64, ms ...float64) []Interval { return writes(Kind{Places: n}, 12, ms...) }
	aside := turns(3, 1)
	for i := range aside {
		aside[i].AsideOps = aside[i].Ops
	}
	for name, c := range map[string]struct {
		of    [][]Interval
		want  Range
		times float64
	}{
		"found":                     {[][]Interval{turns(1, 2), turns(5, 2), turns(6, 60)}, Range{5, 5}, 30},
		"between":                   {[][]Interval{turns(1, 2), turns(4, 2), turns(8, 60)}, Range{4, 7}, 0},
		"no limit":                  {[][]Interval{turns(1, 2), turns(64, 2)}, Range{64, 64}, 0},
		"no limit so far":           {[][]Interval{turns(1, 2), turns(16, 2)}, Range{16, 64}, 0},
		"nothing":                   {nil, Range{}, 0},
		"without one":               {[][]Interval{turns(2, 2), turns(3, 60)}, Range{}, 0},
		"contradictory":             {[][]Interval{turns(1, 2), turns(2, 60), turns(3, 2)}, Range{}, 0},
		"bit by bit":                {[][]Interval{turns(1, 2), turns(5, 2.9), turns(6, 3.1)}, Range{}, 0},
		"some find their unit open": {[][]Interval{turns(1, 2), turns(5, 2), turns(6, 60, 60, 15)}, Range{5, 5}, 0},
		"as slow at times": {[][]Interval{writes(Kind{Places: 1}, 24, 2), writes(Kind{Places: 5}, 60, 60, 2, 2, 2),
			writes(Kind{Places: 6}, 60, 60)},
			Range{5, 5}, 0},
		"slow once": {[][]Interval{turns(1, 2), writes(Kind{Places: 5}, 12, 2), writes(Kind{Places: 5}, 1, 60), turns(6, 60)},
			Range{5, 5}, 30},
		"aside": {[][]Interval{turns(1, 2), aside, turns(2, 2)}, Range{2, 64}, 0},
	} {
		var all []Interval
		for _, some := range c.of {
			all = append(all, some...)
		}
		places, oneMore := PlacesOf(all)
		if places != c.want || math.Abs(oneMore.Times-c.times) > 0.01*c.times {
			t.Errorf("%s: %+v, %+v; want %+v, %v", name, places, oneMore, c.want, c.times)
		}
	}
	// The slowest write shows what the sample's mean hides.
	for slowest, want := range map[float64]bool{3: false, 4 / 3.: false, 1.25: true} {
		uneven := turns(6, 60)
		for i := range uneven {
			uneven[i].MaxNS = int64(slowest * float64(uneven[i].NS) / StructureOps)
		}
		if _, oneMore := PlacesOf(slices.Concat(turns(1, 2), turns(5, 2), uneven)); oneMore.Times > 0 != want {
			t.Errorf("with one write %.2f times the mean, they tell %+v", slowest, oneMore)
		}
	}
}

// gapsAt returns the writes of a search for the boundary in (at+low, at+high].
func gapsAt(at, low, high int64) []Interval {
	return append(writes(Kind{Places: 4, AtBytes: at, GapBytes: low}, 12, 2),
		writes(Kind{Places: 4, AtBytes: at, GapBytes: high}, 12, 60)...)
}

func TestUnit(t *testing.T) {
	t.Parallel()
	const mib, step = 1 << 20, 128 << 10
	less := writes(Kind{Places: 1}, 24, 2)
	found := func(boundaries ...int64) (all []Interval) {
		all = append(all, less...)
		from := int64(100)
		for _, b := range boundaries {
			all = append(all, gapsAt(from, b-from-step, b-from)...)
			from = b + GapSlackBytes
		}
		return all
	}
	for name, c := range map[string]struct {
		intervals []Interval
		want      int64 // UsualBytes
		high      bool
	}{
		"found":           {found(4*mib, 8*mib, 12*mib), 4 * mib, true},
		"three times one": {found(6*mib, 12*mib, 18*mib), 6 * mib, true},
		"no usual size":   {found(5*mib, 10*mib, 15*mib), 0, true},
		"two boundaries":  {found(4*mib, 8*mib), 0, false},
		"other distances": {found(4*mib, 8*mib, 20*mib), 0, false},
		"without others":  {found(4*mib, 8*mib, 12*mib)[len(less):], 0, false},
		"smaller than the step": {append(append(append(less, gapsAt(1, step/2, step)...),
			gapsAt(2*step, step/2, step)...), gapsAt(4*step, step/2, step)...), 0, false},
		"fast beyond slow": {append(found(4*mib, 8*mib, 12*mib),
			writes(Kind{Places: 4, AtBytes: 100, GapBytes: 9 * mib}, 12, 2)...), 0, false},
	} {
		of := Test{Name: GapWrite, Intervals: c.intervals, AreaBytes: 2 << 30}
		if unit := of.Unit(); unit.UsualBytes() != c.want || unit.High > 0 != c.high {
			t.Errorf("%s: %+v, usual %d; want %d", name, unit, unit.UsualBytes(), c.want)
		}
	}
	small := Test{Name: GapWrite, Intervals: found(4*mib, 8*mib, 12*mib), AreaBytes: 256 * mib}
	if unit := small.Unit(); unit != (Range{}) {
		t.Errorf("where places may share a unit, it is %+v", unit)
	}
	for of, want := range map[Range]int64{
		{Low: 3_900_000, High: 4_400_000}: 4 * mib, {Low: 1, High: 512}: 512, {Low: 4 * mib, High: 6 * mib}: 0,
		{Low: 5 * mib, High: 5*mib + 9}: 0, {}: 0, {Low: 700, High: 800}: 768,
	} {
		if got := of.UsualBytes(); got != want {
			t.Errorf("%+v: %d, want %d", of, got, want)
		}
	}
}

// KeptWrite tells how many units are open together only if it tried enough others, each of which was opened, and knows
// the size of a unit: nothing else tells that two others were two.
func TestKeptTogether(t *testing.T) {
	t.Parallel()
	const mib, step, most = 1 << 20, 128 << 10, 8
	others := func(ops int64) []Interval { return writes(Kind{Places: most + 1}, int(ops/StructureOps), 60) }
	unit := slices.Concat(gapsAt(100*mib, 4*mib-step, 4*mib), gapsAt(104*mib+GapSlackBytes, 4*mib-2*step, 4*mib-step),
		gapsAt(108*mib, 4*mib-2*step, 4*mib))
	open := slices.Concat(writes(Kind{Places: 1}, 24, 2), writes(Kind{Places: most}, 24, 2))
	for name, c := range map[string]struct {
		intervals  []Interval
		open, unit int64
	}{
		"found":          {slices.Concat(open, unit, others(BesideOps(most))), most, 4 * mib},
		"one too few":    {slices.Concat(open, unit, others(BesideOps(most)-StructureOps)), 0, 4 * mib},
		"of any size":    {slices.Concat(open, others(BesideOps(most))), 0, 0},
		"not one closed": {slices.Concat(open, unit, writes(Kind{Places: most + 1}, 24, 2)), 0, 4 * mib},
		"some stay open": {slices.Concat(open, unit, others(BesideOps(most)), writes(Kind{Places: most + 1}, 1, 2)), 0,
			4 * mib},
	} {
		f := (&Test{Name: KeptWrite, BlockBytes: 4096, AreaBytes: 2 << 30, Intervals: c.intervals}).Figures()
		var got [2]int64
		for i, v := range []*int64{f.OpenUnits, f.AllocationUnitBytes} {
			if v != nil {
				got[i] = *v
			}
		}
		if want := [2]int64{c.open, c.unit}; got != want || f.Ratio != nil != (c.open > 0) {
			t.Errorf("%s: %d, ratio %v; want %d", name, got, f.Ratio, want)
		}
	}
	for n, want := range map[int64]int64{1: 48, 5: 48, 6: 52, 32: 232} {
		if got := BesideOps(n); got != want || float64(got) < besideTimes*float64(n+1) {
			t.Errorf("beside %d: %d others, want %d", n, got, want)
		}
	}
}

func TestPage(t *testing.T) {
	t.Parallel()
	across := func(ms ...float64) (t Test) {
		t.Intervals = writes(Kind{}, 24, 2)
		for i, of := range ms {
			t.Intervals = append(t.Intervals, writes(Kind{AcrossBytes: 4096 << i}, 24, of)...)
		}
		return t
	}
	for name, c := range map[string]struct {
		of   Test
		want Range
	}{
		"16 KiB":         {across(2, 2, 3, 3, 3), Range{16384, 16384}},
		"4 KiB or less":  {across(3, 3, 3, 3, 3), Range{1, 4096}},
		"none":           {across(2, 2, 2, 2, 2), Range{}},
		"not all larger": {across(2, 3, 2, 3, 3), Range{}},
		"one is missing": {across(2, 2, 3, 3), Range{}},
		"64 KiB":         {across(2, 2, 2, 2, 3), Range{65536, 65536}},
	} {
		if got := c.of.Page(); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}

// A test's figures hold what it tells, and nothing else.
func TestFiguresOfStructure(t *testing.T) {
	t.Parallel()
	turns := Test{Name: TurnWrite, BlockBytes: 4096, AreaBytes: 2 << 30, Bytes: 4096, DurationNS: 1_000_000}
	for _, n := range []int64{1, 5, 6} {
		ms := 2.0
		if n == 6 {
			ms = 60
		}
		turns.Intervals = append(turns.Intervals, writes(Kind{Places: n}, 12, ms)...)
	}
	f := turns.Figures()
	if f.OpenUnits == nil || *f.OpenUnits != 5 || f.Ratio == nil || math.Abs(*f.Ratio-30) > 0.1 || *f.RatioLow > 30 ||
		*f.RatioHigh < 30 || f.CVPercent != nil || f.MBPerS != 4.096 {
		t.Errorf("%+v", f)
	}
	turns.AreaBytes = 1 << 30
	if f := turns.Figures(); f.OpenUnits != nil || f.Ratio != nil {
		t.Errorf("places that may share a unit: %+v", f)
	}
	turns.AreaBytes, turns.Intervals = 2<<30, turns.Intervals[:24]
	if f := turns.Figures(); f.OpenUnits != nil || f.Ratio != nil {
		t.Errorf("without a limit: %+v", f)
	}
	place := Test{Name: PlaceWrite, BlockBytes: 4096,
		Intervals: append(writes(Kind{}, 12, 1), writes(Kind{AtBytes: 1 << 30}, 12, 3)...)}
	if f := place.Figures(); f.Ratio == nil || math.Abs(*f.Ratio-3) > 0.01 || f.OpenUnits != nil {
		t.Errorf("%+v", f)
	}
	place.Intervals = place.Intervals[:2]
	if f := place.Figures(); f.Ratio != nil {
		t.Errorf("two samples have a ratio: %+v", f)
	}
}
