package publish

import (
	"math"
	"strings"
	"testing"

	"flashdex/api/figure"
)

func TestDotsStandBetweenTheLeastAndTheGreatest(t *testing.T) {
	t.Parallel()
	for _, of := range []struct {
		values          []float64
		least, greatest float64
		want            string
	}{
		{[]float64{200, 100, 150, math.NaN(), 300}, 100, 200, "96.0% 4.0% 50.0%"},
		{[]float64{100, 200}, 100, 200, ""},
		{[]float64{100, 100, 100}, 100, 100, ""},
		{nil, 0, 0, ""},
	} {
		var at []string
		for part := range strings.SplitSeq(dots(of.values, of.least, of.greatest), `cx="`) {
			if place, _, drawn := strings.Cut(part, `"`); drawn && strings.HasSuffix(place, "%") {
				at = append(at, place)
			}
		}
		if got := strings.Join(at, " "); got != of.want {
			t.Errorf("%v: %q, want %q", of.values, got, of.want)
		}
	}
	units := []figure.Unit{{Values: make([]float64, len(figure.FigureKeys))}}
	units[0].Values[2] = 7
	if got := valuesOf(units, figure.FigureKeys[2]); len(got) != 1 || got[0] != 7 {
		t.Errorf("%v", got)
	}
}
