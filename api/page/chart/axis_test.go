package chart

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"flashdex/result"
)

func TestTicksAreRoundNumbers(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		high float64
		want []float64
	}{
		{268.4, []float64{0, 50, 100, 150, 200, 250, 300}}, {20, []float64{0, 5, 10, 15, 20}},
		{100, []float64{0, 20, 40, 60, 80, 100}}, {0.03, []float64{0, 0.01, 0.02, 0.03}},
		{1, []float64{0, 0.2, 0.4, 0.6, 0.8, 1}}, {0, []float64{0, 0.2, 0.4, 0.6, 0.8, 1}},
		{math.NaN(), []float64{0, 0.2, 0.4, 0.6, 0.8, 1}},
	} {
		s := linearScale("", tc.high)
		got := values(s)
		for i := range got {
			got[i] = math.Round(got[i]*1e6) / 1e6
		}
		if diff := cmp.Diff(tc.want, got); diff != "" || s.high < tc.high {
			t.Errorf("up to %v, scale to %v (-want +got):\n%s", tc.high, s.high, diff)
		}
	}
	for _, tc := range []struct {
		low, high float64
		want      []float64
	}{
		{546, 546, []float64{200, 500, 1000, 2000}},                  // a single value
		{0.5, 0.5, []float64{0.2, 0.5, 1}},                           // on a rung
		{3, 90, []float64{2, 5, 10, 20, 50, 100}},                    // every rung
		{3, 3000, []float64{10, 100, 1000}},                          // too many rungs: powers of ten
		{1e-3, 1e9, []float64{0.01, 1, 100, 10_000, 1_000_000, 1e8}}, // too many of these: every other
		{3, 101, []float64{2, 5, 10, 20, 50, 100, 200}},              // as many as fit
		{0.0011, 0.0049, []float64{0.001, 0.002, 0.005}},
	} {
		s := logScale("", extent{tc.low, tc.high})
		if diff := cmp.Diff(tc.want, values(s)); diff != "" || s.low > tc.low || s.high < tc.high {
			t.Errorf("%v to %v on %v to %v (-want +got):\n%s", tc.low, tc.high, s.low, s.high, diff)
		}
	}
}

func values(a axis) (at []float64) {
	for _, t := range a.ticks {
		at = append(at, t.at)
	}
	return at
}

func TestPlacesOnAScale(t *testing.T) {
	t.Parallel()
	log := scale{1, 1000, true}
	for v, want := range map[float64]float64{
		1: 0, 10: 33.33, 1000: 100, 5000: 100, 0: 0, -1: 0, math.NaN(): 0, math.Inf(1): 100,
	} {
		if got := log.percent(v); got != want {
			t.Errorf("%v lies at %v %%, want %v", v, got, want)
		}
	}
	d := drawing{plot: plot{10, 200, 0}, y: axis{scale: scale{0, 50, false}}}
	for _, v := range []float64{0, 25, 50} {
		d.y.number(v)
	}
	c, _ := d.finish("")
	if diff := cmp.Diff([]Tick{{210, "0"}, {110, "25"}, {10, "50"}}, drawn(t, c).Y); diff != "" {
		t.Error(diff)
	}
}

func TestLabelsAreShort(t *testing.T) {
	t.Parallel()
	for v, want := range map[float64]string{
		0: "0", 0.001: "0.001", 0.2: "0.2", 2.5: "2.5", 500: "500", 10_000: "10,000", 1e6: "1,000,000",
	} {
		if got := result.Number(v); got != want {
			t.Errorf("%v is labelled %q, want %q", v, got, want)
		}
	}
}
