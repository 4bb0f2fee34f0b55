package model_test

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"flashdex/api/figure/model"
)

// mix is the standard mix of the worlds: ten classes, and two that nothing connects with these.
var mix = []float64{.20, .15, .12, .10, .10, .09, .08, .07, .05, .04, 0, 0}

func classes() (of []model.Class) {
	for _, part := range mix {
		of = append(of, model.Class{Mix: part, Spread: 1})
	}
	return of
}

func share(class int, values ...float64) model.Share {
	s := model.Share{Class: class, Cards: len(values), Classes: 1, Contributors: 1}
	for _, v := range values {
		s.LogRate += v / float64(len(values))
	}
	for _, v := range values {
		s.Scatter += (v - s.LogRate) * (v - s.LogRate)
	}
	return s
}

func example() [][]model.Share {
	return [][]model.Share{
		{share(0, 6.20), share(0, 6.35), share(3, 6.05, 6.15), share(3, 7.40)},
		{share(0, 6.60), share(0, 6.72), share(5, 6.95)},
		{share(3, 5.10), share(3, 5.02), share(0, 5.45)},
		{share(5, 6.40)},
	}
}

// A worked example: twelve shares of four modules, one of them a fake.
func TestExample(t *testing.T) {
	c := model.Calibrate(example(), classes(), model.RandomWrites)
	near := func(what string, got, want, within float64) {
		t.Helper()
		if math.Abs(got-want) > within {
			t.Errorf("%s: %.5f, want %.5f", what, got, want)
		}
	}
	near("φ", math.Sqrt(c.Phi2), 0.2869, 0.0005)
	near("τ", math.Sqrt(c.Tau2), 0.1547, 0.0005)
	near("σ", math.Sqrt(c.Sigma2), 0.3260, 0.0005)
	for h, want := range map[int]float64{0: -0.0064, 3: -0.1027, 5: 0.1091, 7: 0} {
		near("H", c.Effects[h], want, 0.0005)
	}
	want := []struct{ f, low, high, own, hosts, freedom, there, variance float64 }{
		{6.3289, 5.8104, 6.8475, 0.03371, 0.02766, 18.98, 6.2461, 0.03660},
		{6.7310, 6.1932, 7.2687, 0.04034, 0.02481, 17.34, 6.6300, 0.11981},
		{5.2725, 4.7139, 5.8312, 0.04034, 0.03021, 17.72, 5.1306, 0.03435},
		{6.2891, 5.3974, 7.1809, 0.10619, 0.06214, 12.27, 6.1882, 0.24251},
	}
	var estimates []model.Estimate
	var ranked []bool
	for i, shares := range example() {
		m, _ := c.Module(shares)
		e := c.Standard(&m)
		low, high := e.Interval(0.95)
		near("F", e.LogRate, want[i].f, 0.002)
		near("low", low, want[i].low, 0.002)
		near("high", high, want[i].high, 0.002)
		near("v_own", e.Own, want[i].own, 0.0002)
		near("v_host", e.Hosts, want[i].hosts, 0.0002)
		near("ν", e.Freedom, want[i].freedom, 0.1)
		there, measured := c.In(&m, 3)
		near("F in class 3", there.LogRate, want[i].there, 0.002)
		near("its variance", there.Variance(), want[i].variance, 0.0002)
		if measured != (i == 0 || i == 2) {
			t.Errorf("module %d: measured in class 3: %v", i, measured)
		}
		estimates, ranked = append(estimates, e), append(ranked, m.Contributors >= model.RankedFrom)
	}
	// The last module isn't ranked: this is where it would stand.
	order := []model.Place{{First: 1, Last: 2}, {First: 1, Last: 2}, {First: 3, Last: 3}, {First: 1, Last: 3}}
	if places := c.Places(estimates, ranked); !reflect.DeepEqual(places, order) {
		t.Errorf("places %v, want %v", places, order)
	}
}

// The order of shares makes no difference, not even to one bit.
func TestOrderMakesNoDifference(t *testing.T) {
	a, b := example(), example()
	for i := range b {
		rand.Shuffle(len(b[i]), func(x, y int) { b[i][x], b[i][y] = b[i][y], b[i][x] })
	}
	x, y := model.Calibrate(a, classes(), model.RandomWrites), model.Calibrate(b, classes(), model.RandomWrites)
	if !reflect.DeepEqual(x, y) {
		t.Errorf("the calibration differs:\n%+v\n%+v", x, y)
	}
	for i := range a {
		m, _ := x.Module(a[i])
		n, _ := y.Module(b[i])
		if !reflect.DeepEqual(m, n) {
			t.Errorf("module %d differs:\n%+v\n%+v", i, m, n)
		}
	}
}

// Equal shares may be counted instead of listed.
func TestEqualSharesAreCounted(t *testing.T) {
	listed, counted := example(), example()
	for i := range listed {
		listed[i] = append(listed[i], listed[i]...)
		for j := range counted[i] {
			counted[i][j].Contributors = 2
		}
	}
	x, y := model.Calibrate(listed, classes(), model.RandomWrites), model.Calibrate(counted, classes(), model.RandomWrites)
	for i := range listed {
		m, _ := x.Module(listed[i])
		n, _ := y.Module(counted[i])
		a, b := x.Standard(&m), y.Standard(&n)
		if m.Contributors != n.Contributors || math.Abs(a.LogRate-b.LogRate) > 1e-9 ||
			math.Abs(a.Variance()-b.Variance()) > 1e-9 || math.Abs(a.Freedom-b.Freedom) > 1e-6 {
			t.Errorf("module %d, listed: %+v, counted: %+v", i, a, b)
		}
	}
}

// Places equal what counting all pairs gives.
func TestPlacesCountAllPairs(t *testing.T) {
	for table := range 5 {
		d := world{confounded: 0.85, wrong: 0.1}.at(120, table)
		f := fit(d, model.RandomWrites)
		for i := range f.estimates {
			f.estimates[i].AtLeast = i%7 == 3
		}
		want := make([]model.Place, len(f.estimates))
		ranked := 0
		for i := range want {
			if f.ranked[i] {
				ranked++
			}
		}
		for i := range want {
			if want[i] = (model.Place{First: 1, Last: ranked}); !f.ranked[i] {
				want[i].Last++
			}
		}
		model.Surely(f.Calibration, f.estimates, 0.05, func(faster, slower int) {
			if f.ranked[faster] {
				want[slower].First++
			}
			if f.ranked[slower] {
				want[faster].Last--
			}
		})
		if got := f.Places(f.estimates, f.ranked); !reflect.DeepEqual(got, want) {
			t.Fatalf("places %v, want %v", got, want)
		}
	}
}

// Three modules that were measured in both of two classes connect the classes; two modules don't.
func TestClassesAreJoinedByThreeModules(t *testing.T) {
	classes := []model.Class{
		{Key: "a", Mix: 1, Spread: 1}, {Key: "b", Spread: 1}, {Key: "c", Spread: 1}, {Key: "d", Spread: 1},
	}
	both := func(x, y int) []model.Share { return []model.Share{share(x, 6), share(y, 6.5)} }
	c := model.Calibrate([][]model.Share{
		both(0, 1), both(0, 1), both(0, 1), both(1, 2), both(1, 2), both(1, 2), both(2, 3), both(2, 3),
	}, classes, model.RandomWrites)
	if want := []bool{true, true, true, false}; !reflect.DeepEqual(c.Joined, want) {
		t.Errorf("joined %v, want %v", c.Joined, want)
	}
	for class, want := range c.Joined {
		m, _ := c.Module([]model.Share{share(class, 6), share(class, 6), share(class, 6)})
		if c.Ranked(&m) != want {
			t.Errorf("a module measured in class %d is ranked: %v", class, !want)
		}
	}
	if m, _ := c.Module([]model.Share{share(0, 6), share(0, 6)}); c.Ranked(&m) {
		t.Error("a module of two contributors is ranked")
	}
}

// A calibration replaces another if its classes differ, or if what it learned has changed.
func TestCalibrationsDiffer(t *testing.T) {
	with := func(change func(*model.Calibration)) *model.Calibration {
		c := model.Calibrate(example(), classes(), model.RandomWrites)
		change(c)
		return c
	}
	old := with(func(*model.Calibration) {})
	for name, of := range map[string]struct {
		change func(*model.Calibration)
		want   bool
	}{
		"nothing":             {func(*model.Calibration) {}, false},
		"more shares":         {func(c *model.Calibration) { c.Shares++; c.Modules++ }, false},
		"an effect, a little": {func(c *model.Calibration) { c.Effects[3] += 0.2 * math.Sqrt(c.Covariance[3][3]) }, false},
		"an effect":           {func(c *model.Calibration) { c.Effects[3] -= 0.3 * math.Sqrt(c.Covariance[3][3]) }, true},
		"cards":               {func(c *model.Calibration) { c.Phi2 *= 1.12 }, true},
		"the interaction":     {func(c *model.Calibration) { c.Tau2 /= 1.12 }, true},
		"a contributor more":  {func(c *model.Calibration) { c.Classes[0].Contributors++ }, false},
		"enough contributors": {func(c *model.Calibration) { c.Classes[0].Contributors = 20 }, true},
		"a part of the mix":   {func(c *model.Calibration) { c.Classes[0].Mix += 0.02 }, true},
		"a hair of the mix":   {func(c *model.Calibration) { c.Classes[0].Mix += 0.005 }, false},
		"a class":             {func(c *model.Calibration) { c.Classes[11].Key = "new" }, true},
		"what is connected":   {func(c *model.Calibration) { c.Joined[11] = !c.Joined[11] }, true},
	} {
		if got := with(of.change).Differs(old); got != of.want {
			t.Errorf("%s: differs %v", name, got)
		}
	}
}

// Modules are compared with promises in the fastest class that twenty contributors own.
func TestTheFastestHostsThatManyHave(t *testing.T) {
	c := model.Calibrate(example(), classes(), model.RandomWrites)
	if _, ok := c.Fastest(); ok {
		t.Error("nobody has a host, and there is a fastest")
	}
	c.Classes[0].Contributors, c.Classes[3].Contributors, c.Classes[5].Contributors = 20, 90, 19
	if class, ok := c.Fastest(); !ok || class != 0 {
		t.Errorf("the fastest is %d, %v", class, ok)
	}
	c.Classes[5].Contributors = 20
	if class, _ := c.Fastest(); class != 5 {
		t.Errorf("the fastest is %d", class)
	}
}

// If twenty modules were measured in a class, shares near the fastest ones are held back. In other classes nobody
// knows.
func TestWhatAClassCarries(t *testing.T) {
	classes := []model.Class{{Key: "slow", Mix: 1, Spread: 1}, {Key: "fast", Spread: 1}}
	var modules [][]model.Share
	for i := range 20 {
		of := []model.Share{share(0, math.Log(19+float64(i)/20))}
		if i > 0 {
			of = append(of, share(1, math.Log(30+10*float64(i))))
		}
		modules = append(modules, of)
	}
	c := model.Calibrate(modules, classes, model.LinearRates)
	for _, of := range []struct {
		class    int
		rate     float64
		heldBack bool
	}{{0, 19, true}, {0, 14, false}, {1, 220, false}} {
		m, _ := c.Module([]model.Share{share(of.class, math.Log(of.rate))})
		if m.AtLeast() != of.heldBack {
			t.Errorf("%v MB/s in class %d are held back: %v", of.rate, of.class, m.AtLeast())
		}
	}
	m, _ := c.Module([]model.Share{share(1, math.Log(100)), share(1, math.Log(90))})
	if e, measured := c.In(&m, 0); math.Abs(math.Exp(e.LogRate)-20) > 1 || measured {
		t.Errorf("a module of 95 MB/s does %.0f where hosts carry 20, measured: %v", math.Exp(e.LogRate), measured)
	}
	if e, measured := c.In(&m, 1); math.Abs(math.Exp(e.LogRate)-95) > 1 || !measured || m.Cells[0].Contributors != 2 {
		t.Errorf("where it was measured it does %.0f, %v, %+v", math.Exp(e.LogRate), measured, m.Cells)
	}
	c.Classes[0].Contributors = 99
	if class, ok := c.Fastest(); ok {
		t.Errorf("its linear rate is compared with promises in class %d", class)
	}
	now := model.Calibrate(modules, c.Classes, model.LinearRates)
	if now.Differs(c) {
		t.Error("nothing came, and it differs")
	}
	if now.Carries[0] += 0.1; !now.Differs(c) {
		t.Error("what a class carries moved, and nothing differs")
	}
}

// A published rate may come from a slow bus, so it pulls no upload down. It doesn't make an upload "at least" either.
func TestAPublishedLinearRateOfAnUnknownBusPullsNothingDown(t *testing.T) {
	classes := []model.Class{{Key: "pi-4", Mix: 1, Spread: 1}, {Key: "published", Spread: 1, Published: true}}
	c := model.Calibrate(nil, classes, model.LinearRates)
	fast, slow, held := share(0, math.Log(40)), share(1, math.Log(10)), share(0, math.Log(40))
	slow.HeldBack, held.HeldBack = true, true
	for name, shares := range map[string][]model.Share{"a free card": {fast, slow}, "a card held back": {held, slow}} {
		m, _ := c.Module(shares)
		e := c.Standard(&m)
		if off := e.LogRate - math.Log(40); math.Abs(off) > 0.001 || e.AtLeast != shares[0].HeldBack {
			t.Errorf("%s: %.3f from what was uploaded, at least: %v", name, off, e.AtLeast)
		}
	}
	m, _ := c.Module([]model.Share{slow})
	if e := c.Standard(&m); !e.AtLeast || math.Abs(e.LogRate-math.Log(10)) > 1e-9 {
		t.Errorf("published alone: %+v", e)
	}
}

// Worked out by hand: cards differ by 0.3 and the estimate may be off by 0.4, so one more card is off by 0.5.
func TestSoManyCardsReachAPromise(t *testing.T) {
	c := &model.Calibration{Phi2: 0.09}
	e := model.Estimate{LogRate: 6, Own: 0.1, Hosts: 0.06}
	for promise, want := range map[float64]float64{6: 0.5, 5.5: 0.8413, 6.5: 0.1587, 0: 1} {
		if got := c.Reaching(e, promise); math.Abs(got-want) > 1e-4 {
			t.Errorf("%.4f reach %g, want %.4f", got, promise, want)
		}
	}
}

// The effect of a part of a class is distributed around the effect of the class. So evidence about the class is
// evidence about the part.
func TestAPartOfAClassIsAroundIt(t *testing.T) {
	classes := []model.Class{
		{Key: "usb", Mix: 0.5, Spread: 1}, {Key: "slot", Mix: 0.5, Spread: 1}, {Key: "usb/reader", Spread: 0.5},
		{Key: "ata", Spread: 1},
	}
	var modules [][]model.Share
	for i := range 30 {
		y := 6 + float64(i%7)/5
		modules = append(modules, []model.Share{share(0, y-0.5), share(1, y)})
	}
	c := model.Calibrate(modules, classes, model.RandomWrites)
	if off := c.Effects[2] - c.Effects[0]; math.Abs(off) > 0.01 || math.Abs(c.Effects[3]) > 0.05 {
		t.Errorf("a reader that nobody measured is %.2f from its class, another class %.2f from all", off, c.Effects[3])
	}
	if of, want := c.Covariance[2][2], c.Covariance[0][0]+0.5*c.Sigma2; math.Abs(of-want) > 0.01 {
		t.Errorf("the variance of the reader is %.3f, want %.3f", of, want)
	}
	for i := range modules {
		modules[i] = append(modules[i], share(2, 6+float64(i%7)/5-1))
	}
	c = model.Calibrate(modules, classes, model.RandomWrites)
	if off := c.Effects[2] - c.Effects[0]; math.Abs(off+0.5) > 0.1 {
		t.Errorf("a reader that is 0.5 below its class is %.2f from it", off)
	}
}
