package rest

import (
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
