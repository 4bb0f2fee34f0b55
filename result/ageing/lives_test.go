package ageing_test

import (
	"encoding/csv"
	"flag"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"flashdex/data"
	"flashdex/result"
	"flashdex/result/ageing"
)

// life is a simulated unit: its measurements each month or so, and its true rates.
type life struct {
	runs    []ageing.Run
	truth   []float64 // natural logarithms of the rates without noise
	written []float64 // TB, before rounding
}

// axis is the quantity that a line goes over: years or TB.
type axis struct {
	line func([]ageing.Run) *ageing.Line // nil: it tells nothing
	x    func(l *life, run int) float64
}

var (
	perYear = axis{ageing.PerYear, func(l *life, i int) float64 { return l.runs[i].At.Sub(l.runs[0].At).Hours() / 24 / 365.25 }}
	perTB   = axis{ageing.PerTB, func(l *life, i int) float64 { return l.written[i] }}
)

const day = 24 * time.Hour

// lifeOf simulates a life of one shape. noise is a standard deviation in logarithms.
func lifeOf(shape string, noise float64, runs int, r *rand.Rand) life {
	var l life
	at, written := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), 0.1+r.Float64()
	tbPerYear, perTB, stepAt := 0.5+5*r.Float64(), -0.01-0.04*r.Float64(), 0.2+0.6*r.Float64()
	depth, start, drift := -0.1-0.4*r.Float64(), math.Log(50+1000*r.Float64()), 0.0
	if strings.HasPrefix(shape, "old") { // so much was written before that rounding hides most of what follows
		written *= 10
	}
	begun := written
	for i := range runs {
		truth, off := start, noise*r.NormFloat64()
		switch shape {
		case "linear", "old linear":
			truth += perTB * (written - begun)
		case "step":
			if float64(i) >= stepAt*float64(runs) {
				truth += depth
			}
		case "disturbed": // something else ran beside one run in ten
			if r.Float64() < 0.1 {
				off -= 0.7
			}
		case "drifting": // the state of the unit lasts beyond a month
			drift = 0.5*drift + noise*math.Sqrt(0.75)*r.NormFloat64()
			off = drift
		case "seasonal": // it is 5 % slower in the cold of winter
			off += 0.05 * math.Sin(2*math.Pi*float64(at.YearDay())/365)
		}
		l.truth, l.written = append(l.truth, truth), append(l.written, written)
		l.runs = append(l.runs, ageing.Run{At: at, WrittenGB: result.WrittenGB(int64(written * 1e12)), WrittenBy: "ext4",
			IOPS: math.Exp(truth + off), Error: 0.01})
		passed := 30*day + time.Duration(r.ExpFloat64()*float64(5*day))
		at = at.Add(passed)
		written += tbPerYear * passed.Hours() / 24 / 365.25 * (0.5 + r.Float64())
	}
	return l
}

// trueSlope is the slope of the straight line through the truth of the first n runs, over the exact written amounts.
func (l *life) trueSlope(n int, over axis) float64 {
	var meanX, meanY, spread, products float64
	for i := range n {
		meanX, meanY = meanX+over.x(l, i)/float64(n), meanY+l.truth[i]/float64(n)
	}
	for i := range n {
		x := over.x(l, i) - meanX
		spread, products = spread+x*x, products+x*(l.truth[i]-meanY)
	}
	return products / spread
}

// tally counts lives of one kind. told is how many have a statement at the end; covered, near and slower are parts of
// these.
type tally struct{ lives, alarms, told, covered, near, slower int }

// watch looks at a life after each run, as the client and the site do. The last look decides all but the alarms.
func (c *tally) watch(l *life, over axis) {
	c.lives++
	alarmed := false
	for n := ageing.LeastPoints; n <= len(l.runs); n++ {
		line := over.line(l.runs[:n])
		if line == nil {
			continue
		}
		change := line.Change()
		says := change.Says
		last := n == len(l.runs)
		if says != ageing.Slower && says != ageing.Faster && !last {
			continue
		}
		slope := l.trueSlope(n, over)
		alarmed = alarmed || says == ageing.Slower && slope > -1e-9 || says == ageing.Faster && slope < 1e-9
		if !last {
			continue
		}
		c.told++
		truth := 100 * math.Expm1(slope)
		if says == ageing.Slower {
			c.slower++
		}
		if change.Low <= truth && truth <= change.High {
			c.covered++
		}
		if math.Abs(change.Percent-truth) <= 5 {
			c.near++
		}
	}
	if alarmed {
		c.alarms++
	}
}

func (c *tally) add(of tally) {
	c.lives, c.alarms, c.covered = c.lives+of.lives, c.alarms+of.alarms, c.covered+of.covered
	c.near, c.slower, c.told = c.near+of.near, c.slower+of.slower, c.told+of.told
}

func share(n, of int) float64 { return 100 * float64(n) / float64(of) }

func (c *tally) String() string {
	return fmt.Sprintf("false alarm in %.1f %%, told of %.1f %%; of these: interval holds %.1f %%, slope within 5 points "+
		"%.1f %%, called slower %.1f %%", share(c.alarms, c.lives), share(c.told, c.lives), share(c.covered, c.told),
		share(c.near, c.told), share(c.slower, c.told))
}

func simulated(shape string, noise float64, runs, lives int, over axis) (c tally) {
	r := rand.New(rand.NewPCG(uint64(runs), uint64(noise*1000)))
	for range lives {
		l := lifeOf(shape, noise, runs, r)
		c.watch(&l, over)
	}
	return c
}

// These are 200 lives of ten to 24 monthly runs. At most 5 % of the flat lives have a false alarm, however often they
// are looked at. The slope of the others is within 5 points where the noise allows it. The interval holds as often as
// it says.
func TestTwoHundredLives(t *testing.T) {
	var flat, others, all tally
	for _, runs := range []int{10, 24} {
		for _, noise := range []float64{0.01, 0.02} {
			flat.add(simulated("flat", noise, runs, 30, perYear))
			others.add(simulated("linear", noise, runs, 15, perYear))
			others.add(simulated("step", noise, runs, 5, perYear))
		}
	}
	t.Logf("flat: %v", &flat)
	t.Logf("linear and step: %v", &others)
	for _, runs := range []int{10, 24} { // more noise is only told, see TestSlopeIsAsSureAsItCanBe
		var noisy tally
		noisy.add(simulated("linear", 0.05, runs, 30, perYear))
		noisy.add(simulated("step", 0.05, runs, 10, perYear))
		t.Logf("linear and step with noise of 5 %%, %d runs: %v", runs, &noisy)
	}
	all.add(flat)
	all.add(others)
	if all.lives != 200 {
		t.Errorf("%d lives, want 200", all.lives)
	}
	if share(flat.alarms, flat.lives) > 5 {
		t.Errorf("flat lives: %v", &flat)
	}
	if share(others.near, others.lives) < 95 {
		t.Errorf("linear and step: %v", &others)
	}
	if share(all.covered, all.lives) < 93 {
		t.Errorf("all: %v", &all)
	}
}

// likelyNear is the chance that a slope is within 5 points of the truth if its error is normal.
func likelyNear(slope, deviation float64) float64 {
	below := func(points float64) float64 {
		off := math.Log(max(math.Exp(slope)+points/100, 0)) - slope
		return math.Erfc(-off/deviation/math.Sqrt2) / 2
	}
	return below(5) - below(-5)
}

// By Cramér and Rao, an unbiased slope through runs with normal noise has a standard error of at least noise / √spread,
// whoever estimates it. So no line is within 5 points more often than that allows. The noise of published runs of one
// card (TestNoiseOfRepeatedRuns) allows 95 % with ten runs, and one of 5 % doesn't.
func TestSlopeIsAsSureAsItCanBe(t *testing.T) {
	const lives = 1000
	twoErrors := 200 * math.Sqrt(0.05*0.95/float64(lives)) // in percent
	for name, over := range map[string]axis{"year": perYear, "TB": perTB} {
		for _, c := range []struct {
			noise  float64
			runs   int
			isNear bool // within 5 points in 95 % of lives
		}{{0.012, 10, true}, {0.02, 10, true}, {0.05, 10, false}, {0.05, 17, true}, {0.1, 10, false}} {
			r := rand.New(rand.NewPCG(uint64(c.runs), uint64(1000*c.noise)))
			var squares, bounds, possible float64
			hits, told := 0, 0
			for i := range lives {
				l := lifeOf([]string{"flat", "linear", "step"}[i%3], c.noise, c.runs, r)
				line := over.line(l.runs)
				if line == nil {
					continue
				}
				told++
				truth, bound := l.trueSlope(c.runs, over), c.noise/math.Sqrt(line.Spread)
				off := line.Slope - truth
				squares, bounds = squares+off*off, bounds+bound*bound
				possible += likelyNear(truth, bound)
				if math.Abs(100*(math.Expm1(line.Slope)-math.Expm1(truth))) <= 5 {
					hits++
				}
			}
			error, bound := math.Sqrt(squares/float64(told)), math.Sqrt(bounds/float64(told))
			most := 100 * possible / float64(told)
			t.Logf("| %d | %s | %.1f %% | %.1f %% | %.1f %% | %.2f | %.0f %% | %.0f %% |", c.runs, name, 100*c.noise,
				100*bound, 100*error, error/bound, most, share(hits, told))
			if told < lives*9/10 || error > 1.15*bound {
				t.Errorf("%d runs, noise of %.1f %%: the slope per %s of %d lives is off by %.2f times the least", c.runs,
					100*c.noise, name, told, error/bound)
			}
			if math.Abs(share(hits, told)-most) > 2*twoErrors {
				t.Errorf("%d runs, noise of %.1f %%: %.1f %% of slopes per %s are within 5 points, and %.1f %% can be", c.runs,
					100*c.noise, share(hits, told), name, most)
			}
			if name == "year" && c.isNear != (share(hits, told) >= 95) {
				t.Errorf("%d runs, noise of %.1f %%: %.1f %% are within 5 points", c.runs, 100*c.noise, share(hits, told))
			}
		}
	}
}

// No published source has monthly runs of one unit, so these followed each other: three on each of eight microSD cards,
// with and without the command queue, and ten on each of three SD Express cards, once with a fan and once without.
func TestNoiseOfRepeatedRuns(t *testing.T) {
	for _, c := range []struct {
		file, note  string
		least, most float64 // percent, of the groups; pooled is that of all
		pooled      float64
	}{
		{"bret_rpi_microsd_review", "", 0.01, 2.8, 1.2},
		{"m1cha_sdexpress", "Q1T1; run of 10", 0.4, 24, 11},
	} {
		file, err := data.FS.Open("published/" + c.file + ".csv")
		if err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(file).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		at := map[string]int{}
		for i, name := range rows[0] {
			at[name] = i
		}
		runs, ofRun := map[string][]float64{}, regexp.MustCompile(`run \d+`) // natural logarithms of the rates
		for _, row := range rows[1:] {
			note := ofRun.ReplaceAllString(row[at["note"]], "run")
			iops, err := strconv.ParseFloat(row[at["value"]], 64)
			if err != nil || row[at["metric"]] != "rand_write" || row[at["unit"]] != "IOPS" || row[at["record_kb"]] != "4" ||
				!ofRun.MatchString(row[at["note"]]) || !strings.HasPrefix(note, c.note) {
				continue
			}
			key := strings.Join([]string{row[at["product"]], row[at["capacity_gb"]], row[at["vendor"]], note}, ", ")
			runs[key] = append(runs[key], math.Log(iops))
		}
		least, most, squares, freedom := math.Inf(1), 0.0, 0.0, 0.0
		for _, of := range slices.Sorted(maps.Keys(runs)) {
			mean, sum, n := 0.0, 0.0, float64(len(runs[of]))
			for _, v := range runs[of] {
				mean += v / n
			}
			for _, v := range runs[of] {
				sum += (v - mean) * (v - mean)
			}
			deviation := 100 * math.Sqrt(sum/(n-1))
			t.Logf("%.2f %% in %d runs of %s", deviation, len(runs[of]), of)
			least, most, squares, freedom = min(least, deviation), max(most, deviation), squares+sum, freedom+n-1
		}
		pooled := 100 * math.Sqrt(squares/freedom)
		t.Logf("%s: %d groups, %.2f to %.1f %%, together %.1f %%", c.file, len(runs), least, most, pooled)
		if math.Abs(least-c.least) > 0.05 || math.Abs(most-c.most) > 0.5 || math.Abs(pooled-c.pooled) > 0.5 {
			t.Errorf("%s: %.2f to %.1f %%, together %.1f %%; the texts say %g to %g, and %g", c.file, least, most, pooled,
				c.least, c.most, c.pooled)
		}
	}
}

var long = flag.Bool("long", false, "simulate as many lives as docs/decisions/0039-ageing.md tells of")

// docs/decisions/0039-ageing.md has a part of this table.
func TestTableOfLives(t *testing.T) {
	lives, lengths := 100, []int{3, 10, 24}
	if *long {
		lives, lengths = 400, []int{3, 5, 10, 24, 60}
	}
	twoErrors := 200 * math.Sqrt(0.05*0.95/float64(lives)) // in percent
	for _, runs := range lengths {
		for _, shape := range []string{"flat", "disturbed", "seasonal", "drifting", "linear", "step"} {
			for _, noise := range []float64{0.02, 0.05, 0.1, 0.2} {
				c := simulated(shape, noise, runs, lives, perYear)
				t.Logf("| %d | %s | %.0f %% | %.1f %% | %.1f %% | %.0f %% | %.0f %% |", runs, shape, 100*noise,
					share(c.alarms, lives), share(c.covered, lives), share(c.near, lives), share(c.slower, lives))
				if shape == "flat" && share(c.alarms, lives) > 5+twoErrors ||
					shape != "drifting" && shape != "seasonal" && share(c.covered, lives) < 95-twoErrors {
					t.Errorf("%s with %.0f %%, %d runs: %v", shape, 100*noise, runs, &c)
				}
			}
		}
	}
}

// docs/decisions/0039-ageing.md has a part of this table. The written amounts are rounded to two digits.
func TestSlopePerTBWritten(t *testing.T) {
	lives := 200
	if *long {
		lives = 4000
	}
	twoErrors := 200 * math.Sqrt(0.05*0.95/float64(lives)) // in percent
	for _, runs := range []int{10, 24} {
		for _, noise := range []float64{0.01, 0.02, 0.05} {
			for _, shape := range []string{"flat", "old flat", "linear", "old linear", "step"} {
				c := simulated(shape, noise, runs, lives, perTB)
				t.Logf("| %d | %s | %.0f %% | %.0f %% | %.1f %% | %.1f %% | %.0f %% | %.0f %% |", runs, shape, 100*noise,
					share(c.told, lives), share(c.alarms, lives), share(c.covered, c.told), share(c.near, c.told),
					share(c.slower, c.told))
				if share(c.alarms, lives) > 5 || share(c.covered, c.told) < 95-twoErrors ||
					noise < 0.03 && share(c.near, c.told) < 95 {
					t.Errorf("%s with %.0f %%, %d runs: %v", shape, 100*noise, runs, &c)
				}
			}
		}
	}
}

// The change per year and the change per TB are stated side by side. A life that doesn't change has two chances of a
// false alarm, but they mostly coincide.
func TestTwoStatements(t *testing.T) {
	lives := 200
	if *long {
		lives = 2000
	}
	for _, noise := range []float64{0.02, 0.05, 0.1} {
		r := rand.New(rand.NewPCG(uint64(1000*noise), 3))
		alarms := 0
		for range lives {
			l := lifeOf("flat", noise, 24, r)
			var years, tb tally
			years.watch(&l, perYear)
			tb.watch(&l, perTB)
			alarms += max(years.alarms, tb.alarms)
		}
		t.Logf("noise of %.0f %%: false alarm of either in %.1f %%", 100*noise, share(alarms, lives))
		if share(alarms, lives) > 5+200*math.Sqrt(0.05*0.95/float64(lives)) { // two standard errors
			t.Errorf("noise of %.0f %%: false alarm of either in %.1f %%", 100*noise, share(alarms, lives))
		}
	}
}

// Units of one module age differently. The interval for three or more units is about all units of the module.
func TestUnitsOfOneModule(t *testing.T) {
	for _, units := range []int{1, 3, 10} {
		var alarms, covered int
		const modules = 400
		r := rand.New(rand.NewPCG(uint64(units), 7))
		for range modules {
			var of []ageing.Unit
			for i := range units {
				l := lifeOf("flat", 0.05, 6+r.IntN(12), r)
				differs := 0.0
				if units > 1 {
					differs = 0.05 * r.NormFloat64() // a year
				}
				for k := range l.runs {
					l.runs[k].IOPS *= math.Exp(differs * l.runs[k].At.Sub(l.runs[0].At).Hours() / 24 / 365.25)
				}
				line := ageing.PerYear(l.runs)
				of = append(of, ageing.Unit{Line: line, Owner: i})
			}
			change := ageing.ChangeOf(of)
			if change.Says == ageing.Slower || change.Says == ageing.Faster {
				alarms++
			}
			if change.Low <= 0 && change.High >= 0 {
				covered++
			}
		}
		t.Logf("%d units: false alarm in %.1f %%, interval holds %.1f %%", units, share(alarms, modules), share(covered, modules))
		if share(alarms, modules) > 5 || share(covered, modules) < 91 {
			t.Errorf("%d units: false alarm in %.1f %%, interval holds %.1f %%", units, share(alarms, modules),
				share(covered, modules))
		}
	}
}
