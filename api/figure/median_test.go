package figure

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

// units returns values of one contributor each.
func units(values ...float64) (list []UnitValue) {
	for i, v := range values {
		list = append(list, UnitValue{v, i})
	}
	return list
}

var nearly = cmpopts.EquateApprox(1e-9, 0)

func TestMedianAgreesWithScipy(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/median.json")
	if err != nil {
		t.Fatal(err)
	}
	var fixture struct {
		Samples []struct {
			Values                                  []float64
			Median, P25, P75, Low, High, Confidence float64
		}
		Orders []struct {
			N, K       int
			Confidence float64
		}
	}
	if err := json.Unmarshal(text, &fixture); err != nil || len(fixture.Samples) < 20 || len(fixture.Orders) < 40 {
		t.Fatalf("%d samples, %d orders, %v", len(fixture.Samples), len(fixture.Orders), err)
	}
	for _, s := range fixture.Samples {
		got, _ := MedianOf(units(s.Values...))
		n := len(s.Values)
		want := Figure{Value: s.Median, P25: s.P25, P75: s.P75, Min: got.Min, Max: got.Max, N: n, Contributors: n}
		if s.Confidence > 0 {
			want = want.within(s.Low, s.High, s.Confidence)
		}
		if diff := cmp.Diff(want, got, nearly); diff != "" {
			t.Errorf("of %d (-scipy +got):\n%s", len(s.Values), diff)
		}
	}
	for _, o := range fixture.Orders {
		if k, confidence := medianOrder(o.N); k != o.K || math.Abs(confidence-o.Confidence) > 1e-9 {
			t.Errorf("of %d: k %d with %.12f, scipy says %d with %.12f", o.N, k, confidence, o.K, o.Confidence)
		}
	}
}

func TestAMedianOfNothingButZerosHasNoInterval(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		values []float64
		want   bool
	}{
		{[]float64{0, 0, 0}, false},
		{[]float64{0, 0, 0, 0, 0, 0, 0}, false},
		{[]float64{0, 0, 3}, true},
		{[]float64{0, 0, 0, 0, 0, 0, 0, 0, 0, 3}, false}, // the interval of ten leaves out the greatest value
		{[]float64{0, 0, 0, 0, 0, 0, 3}, true},
	} {
		f, ok := MedianOf(units(c.values...))
		if !ok || f.HasInterval() != c.want || (f.Confidence > 0) != c.want {
			t.Errorf("of %v: %+v, %v; want an interval: %v", c.values, f, ok, c.want)
		}
		if f.Apart(f) {
			t.Errorf("of %v: the data show which of two equal figures is larger", c.values)
		}
	}
}

// Worked out by hand.
func TestMedianOfContributorsWithSeveralUnits(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		values []UnitValue
		want   Figure
	}{
		// The weights are 1/3, 1/3, 1/3 and 1: a half of 2 is passed at 40, three quarters are reached there too.
		"three cards of one, one of another": {[]UnitValue{{40, 2}, {10, 1}, {30, 1}, {20, 1}},
			Figure{Value: 35, P25: 20, P75: 40, Min: 10, Max: 40, N: 4, Contributors: 2}},
		"figures of 0 have no logarithm": {units(0, 0, 3, 5),
			Figure{Value: 1.5, P25: 0, P75: 4, Min: 0, Max: 5, N: 4, Contributors: 4}.within(0, 5, 0.875)},
		// For six contributors k is 1. The contributor with two cards weighs 1/2 at each end, so it takes the next card
		// to reach 1.
		"an end that weighs a half": {[]UnitValue{{1, 0}, {100, 0}, {2, 1}, {3, 2}, {4, 3}, {5, 4}, {6, 5}},
			Figure{Value: 4, P25: 2.5, P75: 5.5, Min: 1, Max: 100, N: 7, Contributors: 6}.within(2, 6, 0.96875)},
	} {
		got, ok := MedianOf(tc.values)
		if diff := cmp.Diff(tc.want, got, nearly); diff != "" || !ok {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	if _, ok := MedianOf(nil); ok {
		t.Error("nothing has a median")
	}
}

func TestMedianStaysInItsBounds(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) UnitValue {
			return UnitValue{rapid.Float64Range(0, 1e6).Draw(t, "value"), rapid.IntRange(0, 12).Draw(t, "contributor")}
		}), 1, 60).Draw(t, "values")
		m, ok := MedianOf(values)
		if !ok || !(m.Min <= m.P25 && m.P25 <= m.Value && m.Value <= m.P75 && m.P75 <= m.Max) {
			t.Fatalf("out of order: %+v", m)
		}
		if m.Confidence > 0 && !(*m.Low <= m.Value && m.Value <= *m.High) || (m.Confidence > 0) != (m.Contributors >= 3) {
			t.Fatalf("the interval: %+v", m)
		}
	})
}

func BenchmarkMedianOf(b *testing.B) {
	random := rand.New(rand.NewPCG(1, 2))
	all := make([]UnitValue, 250_000)
	for i := range all {
		all[i] = UnitValue{random.ExpFloat64(), random.IntN(100_000)}
	}
	values := make([]UnitValue, len(all))
	for b.Loop() {
		copy(values, all)
		MedianOf(values)
	}
}
