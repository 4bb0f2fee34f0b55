package result

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// roundsAt returns rounds with these rates.
func roundsAt(iops ...float64) (rounds []Interval) {
	for _, rate := range iops {
		rounds = append(rounds, Interval{Ops: int64(60 * rate), NS: 60_000_000_000})
	}
	return rounds
}

// SNIA's rule, by hand: with a mean of 100, the last five rounds are within 20 of each other, and their line rises or
// falls by at most 10 from the first to the last. The five rounds before have a mean from 90 to 110, and so have the
// five before those.
func TestSteady(t *testing.T) {
	t.Parallel()
	five := []float64{100, 100, 100, 100, 100}
	after := func(before []float64, last ...float64) []Interval {
		return roundsAt(slices.Concat(before, five, last)...)
	}
	for name, c := range map[string]struct {
		rounds []Interval
		want   bool
	}{
		"even":              {after(five, five...), true},
		"few":               {roundsAt(slices.Concat(five, five)...), false},
		"none":              {nil, false},
		"range 19":          {after(five, 100, 91, 110, 99, 100), true},
		"range 21":          {after(five, 100, 89, 110, 101, 100), false},
		"slope 9":           {after(five, 95.5, 97.75, 100, 102.25, 104.5), true},
		"slope 11":          {after(five, 94.5, 97.25, 100, 102.75, 105.5), false},
		"falls by 11":       {after(five, 105.5, 102.75, 100, 97.25, 94.5), false},
		"slow fall":         {roundsAt(118, 116, 114, 112, 110, 108, 107, 106, 105, 104, 103, 102, 101, 100, 99), false},
		"as fast as before": {after([]float64{108, 108, 108, 108, 108}, five...), true},
		"stopped":           {after(five, 0, 0, 0, 0, 0), false},
	} {
		if got := Steady(c.rounds); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// These modules fall to a steady rate, exponentially and with noise from round to round. The rate that is called steady
// is near the true one.
func TestSimulatedSaturation(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	for name, c := range map[string]struct{ tau, noise, tolerance float64 }{
		"at once":          {0.01, 0.02, 0.05},
		"in five rounds":   {5, 0.02, 0.08},
		"in twenty rounds": {20, 0.02, 0.35},
		"noisy":            {5, 0.05, 0.12},
	} {
		worst, never := 0.0, 0
		for range 200 {
			fresh, last := 500+500*random.Float64(), 20+100*random.Float64()
			var rates []float64
			for k := 0; k < 180 && !Steady(roundsAt(rates...)); k++ {
				rates = append(rates, (last+(fresh-last)*math.Exp(-float64(k)/c.tau))*math.Exp(c.noise*random.NormFloat64()))
			}
			if len(rates) == 180 {
				never++
				continue
			}
			worst = max(worst, math.Abs(average(rates[len(rates)-steadyRounds:])/last-1))
		}
		t.Logf("%s: at most %.0f %% off, %d of 200 never", name, 100*worst, never)
		if worst > c.tolerance || never > 20 {
			t.Errorf("%s: %.2f off, %d never", name, worst, never)
		}
	}
}

// The figure is about the last rounds alone. There is none before they are steady.
func TestFiguresOfRounds(t *testing.T) {
	t.Parallel()
	rounds := func(rates ...float64) (of Test) {
		of.Name = RoundWrite
		for _, rate := range rates {
			for range RoundIntervals {
				of.Intervals = append(of.Intervals, Interval{Ops: int64(3 * rate), NS: 3_000_000_000, MaxNS: 5})
			}
		}
		return of
	}
	steady := rounds(900, 500, 105, 100, 105, 105, 105, 105, 105, 105, 105, 105, 100, 100, 100, 100, 100)
	steady.Intervals = append(steady.Intervals, Interval{Ops: 1, NS: 3_000_000_000}) // of an unfinished round
	f := steady.Figures()
	if f.IOPS == nil || *f.IOPS != 100 || f.IOPSLow != nil {
		t.Errorf("%+v", f)
	}
	falling := rounds(900, 800, 700, 600, 500, 400, 350, 300, 250, 200, 180, 160, 140, 120, 100, 80)
	if f := falling.Figures(); f.IOPS != nil || *f.MaxNS != 5 {
		t.Errorf("before it is steady: %+v", f)
	}
}

// By hand: 32 writes in 0.1 s after a minute, and in 0.32 s without a rest.
func TestRests(t *testing.T) {
	t.Parallel()
	rested := Test{Name: RestedWrite, Intervals: []Interval{{Ops: 9000, NS: 5e9, Kind: Kind{AsideOps: 9000}}}}
	for _, rest := range RestsNS {
		ns, samples := int64(10_000_000*RestedOps), 4
		switch rest {
		case 0:
			samples = 16
		case RestsNS[3]:
			ns = 3_125_000 * RestedOps
		}
		for range samples {
			rested.Intervals = append(rested.Intervals, Interval{Kind: Kind{RestNS: rest}, Ops: RestedOps, NS: ns})
		}
	}
	f := rested.Figures()
	if f.Ratio == nil || math.Abs(*f.Ratio-3.2) > 1e-9 || *f.RatioLow > 3.2 || *f.RatioHigh < 3.2 {
		t.Errorf("%+v", f)
	}
	if rate := rested.RateAfterRest(RestsNS[3]); rate == nil || *rate != 320 {
		t.Errorf("after a minute: %v", rate)
	}
	if rate := rested.RateAfterRest(5); rate != nil {
		t.Errorf("after a rest that was not: %v", *rate)
	}
	mixed := Test{Name: Mixed}
	for range 40 {
		mixed.Intervals = append(mixed.Intervals, Interval{Ops: 200, Reads: 140, NS: 1e9})
	}
	if f := mixed.Figures(); f.IOPS == nil || *f.IOPS != 200 || f.Ratio != nil {
		t.Errorf("%+v", f)
	}
}
