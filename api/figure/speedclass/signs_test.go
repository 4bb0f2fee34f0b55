package speedclass_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"flashdex/api/figure"
	"flashdex/api/figure/speedclass"
)

func TestSignsAreWhatWasMissedByFarForCertain(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		printed    []string
		figures    figure.Set
		conditions speedclass.Conditions
		want       []string
	}{
		"missed by its upper end": {[]string{"A1"}, card(within(80, 90, 100), alone(1600), alone(20)), slot,
			[]string{"4K random write: 100 IOPS measured where A1 promises 500."}},
		"missed, but not by far": {[]string{"A1"}, card(alone(260), alone(1600), alone(20)), slot, nil},
		"missed by just so far": {[]string{"A1"}, card(alone(249), alone(1600), alone(20)), slot,
			[]string{"4K random write: 249 IOPS measured where A1 promises 500."}},
		"two missed by far": {[]string{"A1"}, card(alone(1), alone(2), alone(20)), slot,
			[]string{"4K random write: 1 IOPS measured where A1 promises 500.",
				"4K random read: 2 IOPS measured where A1 promises 1500."}},
		"reached":                  {[]string{"A1"}, card(alone(600), alone(1600), alone(20)), slot, nil},
		"A2 without command queue": {[]string{"A2"}, card(alone(1), alone(1), alone(20)), slot, nil},
		"a missed promise beside an excused": {[]string{"A1"}, card(alone(90), alone(1600), alone(1)), on(0),
			[]string{"4K random write: 90 IOPS measured where A1 promises 500."}},
		"a result that isn't ranked, by much": {[]string{"A1"}, card(alone(1), alone(1), alone(1)),
			speedclass.Conditions{Method: slot.Method, BusMBPerS: 104, NotRanked: []string{"busy"}}, nil},
	} {
		var got []string
		for _, sign := range speedclass.Signs(speedclass.Of(classes(t), c.printed, c.figures, c.conditions)) {
			if got = append(got, sign.What); sign.Key != "far-below-class" || sign.Name == "" || sign.Caveat == "" {
				t.Errorf("%s: %+v", name, sign)
			}
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
