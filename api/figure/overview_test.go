package figure

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestUnitsToDrawReachFromTheSlowestToTheFastest(t *testing.T) {
	t.Parallel()
	of := func(values ...float64) (units []Unit) {
		for _, v := range values {
			units = append(units, Unit{Values: Padded([]float64{v})})
		}
		return units
	}
	for name, tc := range map[string]struct {
		units  []Unit
		median float64
		want   []int
	}{
		"nine":              {of(90, 10, 50, 30, 70, 20, 80, 40, 60), 52, []int{2, 1, 3, 4, 0}},
		"two":               {of(5, 4), 4.5, []int{1, 0}},
		"one":               {of(7), 7, []int{0}},
		"one without":       {of(math.NaN(), 7, 9), 8, []int{1, 2}},
		"none with":         {of(math.NaN(), math.NaN()), math.NaN(), []int{0}},
		"none":              {nil, math.NaN(), nil},
		"a median of zeros": {of(0, 0, 1), 0, []int{0, 2}},
	} {
		if diff := cmp.Diff(tc.want, ChartedUnits(tc.units, tc.median)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
