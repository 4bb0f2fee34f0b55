package ageing_test

import (
	"math"
	"testing"
	"time"

	"flashdex/result/ageing"
)

func near(got, want, within float64) bool { return math.Abs(got-want) <= within }

// monthly makes a run for each rate, 40 days apart.
func monthly(rates ...float64) (runs []ageing.Run) {
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for i, rate := range rates {
		runs = append(runs, ageing.Run{At: at.Add(time.Duration(i) * 40 * day), IOPS: rate,
			WrittenGB: int64(1000 + 1000*i), WrittenBy: "ext4"})
	}
	return runs
}

// The line through the logarithms 0, 0 and ln 0.9 has the slope ln 0.9 / 2 for each step. Its interval has one degree
// of freedom, with a quantile of 12.706.
func TestLineOfThreePoints(t *testing.T) {
	line := ageing.PerTB(monthly(100, 100, 90))
	step := math.Log(0.9) / 2
	if line == nil || !near(line.Slope, step, 1e-12) || !near(line.Spread, 2, 1e-12) ||
		!near(line.Noise, math.Abs(math.Log(0.9))/math.Sqrt(6), 1e-12) {
		t.Fatalf("%+v", line)
	}
	change := line.Change()
	low := 100 * math.Expm1(step-12.7062*line.Noise/math.Sqrt2)
	if !near(change.Percent, 100*math.Expm1(step), 1e-9) || !near(change.Low, low, 1e-2) || change.Says != ageing.Unknown {
		t.Errorf("%+v, want the lower end %v", change, low)
	}
	years := ageing.PerYear(monthly(100, 100, 90))
	if years == nil || !near(years.Slope, step*365.25/40, 1e-9) || !years.Last.Equal(years.First.Add(80*day)) {
		t.Errorf("%+v", years)
	}
}

func TestRunsOfOneMonthAreOnePoint(t *testing.T) {
	runs := monthly(100, 90, 80)
	for _, after := range []time.Duration{day, 29 * day} { // of the last run
		r := runs[2]
		r.At = r.At.Add(after)
		runs = append(runs, r)
	}
	runs[0], runs[4] = runs[4], runs[0] // in no order
	line := ageing.PerYear(runs)
	if line == nil || line.Points != 3 || line.Runs != 5 {
		t.Errorf("%+v", line)
	}
	next := runs[2]
	next.At = next.At.Add(30 * day)
	if line = ageing.PerYear(append(runs, next)); line.Points != 4 {
		t.Errorf("a run 30 days later is another point: %+v", line)
	}
}

func TestTooLittleMakesNoLine(t *testing.T) {
	if line := ageing.PerYear(monthly(100, 90)); line != nil {
		t.Errorf("of two points: %+v", line)
	}
	if line := ageing.PerYear(monthly(100, 0, 90, math.NaN(), math.Inf(1))); line != nil {
		t.Errorf("of runs without a rate: %+v", line)
	}
}

// written makes monthly runs that know these GB, unless they are 0, by one counter.
func written(gb ...int64) []ageing.Run {
	runs := monthly(make([]float64, len(gb))...)
	for i := range runs {
		if runs[i].IOPS, runs[i].WrittenGB = 100-float64(i), gb[i]; gb[i] == 0 {
			runs[i].WrittenBy = ""
		}
	}
	return runs
}

func pointsIn(line *ageing.Line) int {
	if line == nil {
		return 0
	}
	return line.Points
}

// Between the first point and the last, at least ten times the largest rounding error must be written, and one counter
// must go on.
func TestWhatTellsASlopePerTB(t *testing.T) {
	mixed, never := written(10, 20, 30, 40, 50), written(10, 20, 30, 40, 50)
	mixed[1].WrittenBy, mixed[3].WrittenBy = "module", "module"
	never[1].WrittenBy, never[3].WrittenBy, never[4].WrittenBy = "module", "module", "f2fs"
	for what, of := range map[string]struct {
		runs   []ageing.Run
		points int // 0: no line
	}{
		"evenly, and enough":               {written(100, 120, 140, 160, 180), 5},
		"evenly, and too little":           {written(100, 110, 120, 130, 140), 0},
		"enough for smaller figures":       {written(20, 22, 23, 25, 26), 5},
		"nothing":                          {written(50, 50, 50, 50, 50), 0},
		"long nothing, then little":        {written(100, 130, 130, 130, 130, 130, 130, 130, 130, 160), 0},
		"not known of one run":             {written(10, 0, 30, 40, 50), 4},
		"not known of most runs":           {written(10, 0, 0, 0, 50), 0},
		"another counter between":          {mixed, 3},
		"three counters":                   {never, 0},
		"a new file system":                {written(90, 99, 5, 15, 25, 35), 4},
		"a new file system near the end":   {written(50, 60, 70, 80, 5, 15, 25), 4},
		"a new file system in the middle":  {written(50, 60, 70, 5, 15, 25), 3},
		"a new file system each two times": {written(50, 60, 10, 20, 5, 15), 0},
	} {
		line := ageing.PerTB(of.runs)
		if points := pointsIn(line); points != of.points {
			t.Errorf("%s: %+v, want %d points", what, line, of.points)
		}
		if years := ageing.PerYear(of.runs); years == nil || pointsIn(years.PerTB) != of.points {
			t.Errorf("%s: the line over years has %+v", what, years.PerTB)
		}
	}
	if line := ageing.PerTB(written(50, 60, 70, 5, 15, 25)); line.Slope > -0.9 || line.Slope < -1.1 {
		t.Errorf("of two stretches: %+v", line) // 1 % for each 10 GB
	}
	if latest := ageing.PerTB(written(50, 60, 70, 5, 15, 25)); latest.First.Before(written(1, 1, 1, 1)[3].At) {
		t.Errorf("of two stretches, the earlier: %+v", latest)
	}
}

func TestSays(t *testing.T) {
	for want, rates := range map[string][]float64{
		ageing.Slower: {100, 97, 93, 90, 87, 84}, ageing.Faster: {84, 87, 90, 93, 97, 100},
		ageing.Steady: {100, 101, 99, 100, 101, 99}, ageing.Unknown: {100, 50, 100},
	} {
		line := ageing.PerYear(monthly(rates...))
		if change := line.Change(); change.Says != want {
			t.Errorf("%v: %+v, want %s", rates, change, want)
		}
	}
}

// No change is shown only where the interval leaves none out that matters.
func TestNoChangeIsNotSaidOfTheUnknown(t *testing.T) {
	for noise, want := range map[float64]string{0.04: ageing.Steady, 0.06: ageing.Unknown} {
		line := ageing.Line{Points: 10, Spread: 1, Noise: noise} // 8 degrees of freedom: 2.3 standard errors
		if c := line.Change(); c.Says != want {
			t.Errorf("%v: %s (%.1f to %.1f)", noise, c.Says, c.Low, c.High)
		}
	}
}

// unitsOf are an old unit with this slope and spread, and three that are young and don't change. Their owners differ.
func unitsOf(slope, spread float64) (units []ageing.Unit) {
	units = []ageing.Unit{{Line: &ageing.Line{Points: 24, Slope: slope, Spread: spread, Noise: 0.02}}}
	for owner := range 3 {
		young := &ageing.Line{Points: 3, Spread: 0.024, Noise: 0.02}
		units = append(units, ageing.Unit{Line: young, Owner: owner + 1})
	}
	return units
}

func TestOneOldUnitDoesNotSpeakForItsModule(t *testing.T) {
	units := unitsOf(-0.128, 13.8)
	if alone := units[0].Change(); alone.Says != ageing.Slower {
		t.Errorf("alone: %+v", alone)
	}
	if all := ageing.ChangeOf(units); all.Says != ageing.Unknown || all.Units != 4 {
		t.Errorf("%+v", all)
	}
}

// The interval of a module doesn't jump where one unit outweighs the others.
func TestAModulesIntervalGrowsSmoothly(t *testing.T) {
	before := 0.0
	for spread := 0.01; spread < 20; spread *= 1.02 {
		c := ageing.ChangeOf(unitsOf(-0.1, spread))
		wide := c.High - c.Low
		if before > 0 && !near(wide/before, 1, 0.03) {
			t.Errorf("spread %.3f: from %.2f to %.2f points", spread, before, wide)
		}
		before = wide
	}
}

// A contributor with many units must not decide for the module.
func TestAnOwnersUnitsShareOneWeight(t *testing.T) {
	unit := func(owner int, rates ...float64) ageing.Unit {
		line := ageing.PerYear(monthly(rates...))
		return ageing.Unit{Line: line, Owner: owner}
	}
	units := []ageing.Unit{unit(1, 100, 100, 100, 100), unit(2, 100, 80, 64, 51.2)}
	both := ageing.ChangeOf(units)
	for range 5 {
		units = append(units, units[1])
	}
	if many := ageing.ChangeOf(units); !near(many.Percent, both.Percent, 1e-6) || many.Contributors != 2 || many.Units != 7 {
		t.Errorf("%+v, want %+v", many, both)
	}
}

func TestWords(t *testing.T) {
	for want, c := range map[string]ageing.Change{
		"gets slower: 8 % per year (3 to 14)":             {Percent: -8, Low: -14, High: -3, Says: ageing.Slower},
		"gets faster: 8.1 % per year (3 to 14)":           {Percent: 8.12, Low: 3, High: 14, Says: ageing.Faster},
		"shows no change: −0.2 % per year (−3 to +2.5)":   {Percent: -0.2, Low: -3, High: 2.5, Says: ageing.Steady},
		"too early to tell: −98 to +1,000,000 % per year": {Percent: 0, Low: -98, High: 1e6, Says: ageing.Unknown},
	} {
		if got := c.Words("year"); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
