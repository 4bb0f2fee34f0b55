package rest

import (
	"math"
	"testing"

	"flashdex/api/index"
)

func estimate(value float64, interval ...float64) index.Estimate {
	e := index.Estimate{Value: value}
	if len(interval) == 2 {
		e.Low, e.High = &interval[0], &interval[1]
	}
	return e
}

func TestDifferenceSaysWhichIsBetterOnlyWhereItShows(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		of, base    index.Estimate
		direction   string
		text, state string
	}{
		{estimate(150), estimate(100), "higher", "+50.0 %, better", "better"},
		{estimate(150), estimate(100), "lower", "+50.0 %, worse", "worse"},
		{estimate(50), estimate(100), "higher", "−50.0 %, worse", "worse"},
		{estimate(50), estimate(100), "lower", "−50.0 %, better", "better"},
		{estimate(100), estimate(100), "higher", "the same", "same"},
		{estimate(150), estimate(0), "higher", "", ""},
		{estimate(110, 95, 120), estimate(100, 90, 105), "higher", "+10.0 %, but the intervals overlap: no difference shown", "same"},
		{estimate(110, 106, 120), estimate(100, 90, 105), "higher", "+10.0 %, better", "better"},
		{estimate(110, 95, 120), estimate(100), "higher", "+10.0 %, better", "better"},
	} {
		if text, state := difference(c.of, c.base, c.direction); text != c.text || state != c.state {
			t.Errorf("%v against %v, %s is better: %q, %q; want %q, %q", c.of.Value, c.base.Value, c.direction, text, state, c.text, c.state)
		}
	}
}

func TestAxisHoldsEveryFigureWithItsInterval(t *testing.T) {
	t.Parallel()
	for _, values := range [][]index.Estimate{
		{estimate(3.9, 3.1, 4.4), estimate(842)}, {estimate(100), estimate(100)}, {estimate(0.0004), estimate(2e6, 1, 3e6)},
		{estimate(1), estimate(0), estimate(7.5, 0, 9)},
	} {
		cells := []*comparedCell{nil}
		above := 0
		for _, v := range values {
			cells = append(cells, &comparedCell{Estimate: v})
			if v.Value > 0 {
				above++
			}
		}
		a := axisOf(cells)
		if a == nil || len(a.Dots) != above {
			t.Fatalf("%v: %+v", values, a)
		}
		for _, d := range a.Dots {
			if d.Low < axisStart || d.Low > d.X || d.High < d.X || d.High > axisEnd {
				t.Errorf("%v: a dot at %v with its interval from %v to %v", values, d.X, d.Low, d.High)
			}
		}
		for i, tick := range a.Ticks {
			if math.IsNaN(tick.X) || i > 0 && tick.X <= a.Ticks[i-1].X {
				t.Errorf("%v: ticks %+v", values, a.Ticks)
			}
		}
	}
	if a := axisOf([]*comparedCell{{Estimate: estimate(5)}, {Estimate: estimate(0)}, nil}); a != nil {
		t.Errorf("one figure alone has an axis: %+v", a)
	}
}
