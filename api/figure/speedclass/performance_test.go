package speedclass_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/figure/speedclass"
)

func TestPerformanceIsWhatWasMissedForCertain(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		printed    []string
		figures    figure.Set
		conditions speedclass.Conditions
		want       []catalogue.Performance
	}{
		"missed by its upper end": {[]string{"A1"}, card(within(80, 90, 100), alone(1600), alone(20)), slot,
			[]catalogue.Performance{{Class: "A1", Measure: "4K random write", Unit: "IOPS", Promised: 500, Measured: 100}}},
		"reached":                  {[]string{"A1"}, card(alone(600), alone(1600), alone(20)), slot, nil},
		"A2 without command queue": {[]string{"A2"}, card(alone(1), alone(1), alone(20)), slot, nil},
		"a missed promise beside an excused": {[]string{"A1"}, card(alone(90), alone(1600), alone(1)), on(0),
			[]catalogue.Performance{{Class: "A1", Measure: "4K random write", Unit: "IOPS", Promised: 500, Measured: 90}}},
		"a result that isn't ranked, by much": {[]string{"A1"}, card(alone(1), alone(1), alone(1)),
			speedclass.Conditions{Method: slot.Method, BusMBPerS: 104, NotRanked: []string{"busy"}}, nil},
	} {
		got := speedclass.Performance(speedclass.Of(classes(t), c.printed, c.figures, c.conditions))
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
