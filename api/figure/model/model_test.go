package model_test

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"flashdex/api/figure/model"
)

// The standard mix and classes of the worlds: ten classes, and two that nothing connects with these.
var mix = []float64{.20, .15, .12, .10, .10, .09, .08, .07, .05, .04, 0, 0}

func classes() (of []model.Class) {
	for _, part := range mix {
		of = append(of, model.Class{Mix: part, Spread: 1})
	}
	return of
}

func share(contributor uint64, class int, values ...float64) model.Share {
	s := model.Share{Contributor: contributor, Class: class, Cards: len(values)}
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
		{share(0, 0, 6.20), share(1, 0, 6.35), share(2, 3, 6.05, 6.15), share(3, 3, 7.40)},
		{share(0, 0, 6.60), share(4, 0, 6.72), share(5, 5, 6.95)},
		{share(6, 3, 5.10), share(2, 3, 5.02), share(1, 0, 5.45)},
		{share(7, 5, 6.40)},
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
	// The last one isn't ranked: that is where it would stand.
	order := []model.Place{{First: 1, Last: 2}, {First: 1, Last: 2}, {First: 3, Last: 3}, {First: 1, Last: 3}}
	if places := c.Places(estimates, ranked); !reflect.DeepEqual(places, order) {
		t.Errorf("places %v, want %v", places, order)
	}
}

// The order in which shares, contributors and modules come makes no difference to a bit of any number.
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
