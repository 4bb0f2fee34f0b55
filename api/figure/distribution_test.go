package figure

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

// For twenty contributors with the values 1 to 20, the quartiles lie between 5 and 6, 10 and 11, 15 and 16, and the
// interval reaches from the 6th to the 15th.
func TestThinDistributionKeepsWhatAMedianIsMadeOf(t *testing.T) {
	t.Parallel()
	var values []float64
	for i := range 20 {
		values = append(values, float64(i+1))
	}
	d := DistributionOf(units(values...))
	d.Thin(0)
	gap := func(n int) Step { return Step{math.NaN(), float64(n), n} }
	one := func(v float64) Step { return Step{v, 1, 1} }
	want := []Step{one(1), gap(3), one(5), one(6), gap(3), one(10), one(11), gap(3), one(15), one(16), gap(3), one(20)}
	if diff := cmp.Diff(want, d.Steps, cmpopts.EquateNaNs()); diff != "" {
		t.Errorf("steps (-want +got):\n%s", diff)
	}
	whole, _ := MedianOf(units(values...))
	if m, ok := d.Median(); !cmp.Equal(m, whole) || !ok {
		t.Errorf("%+v, %v; want %+v", m, ok, whole)
	}
	// A value in a gap changes the gap's weight, and moves the median to the next kept values.
	if !d.Replace(nil, []float64{12.5}) {
		t.Fatal("an added value is refused")
	}
	if m, ok := d.Median(); !ok || m.Value != 11 || m.N != 21 {
		t.Errorf("with 12.5: %+v, %v", m, ok)
	}
	// After two more, the median needs values that were dropped.
	if !d.Replace(nil, []float64{30}) || !d.Replace(nil, []float64{31}) {
		t.Fatal("an added value is refused")
	}
	if m, ok := d.Median(); ok {
		t.Errorf("of unknown values: %+v", m)
	}
	if d.Replace([]float64{15.5}, nil) {
		t.Error("a value that isn't there was taken away")
	}
}

// A changed distribution gives the same median as a new one, or says that it doesn't know.
func TestAChangedDistributionIsThatOfTheValues(t *testing.T) {
	t.Parallel()
	known := 0
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.Map(rapid.IntRange(0, 60), func(n int) float64 { return float64(n) / 4 })
		all := rapid.SliceOfN(rapid.SliceOfN(value, 0, 4), 8, 60).Draw(t, "contributors")
		list := func() (values []UnitValue) {
			for i, of := range all {
				for _, v := range of {
					values = append(values, UnitValue{v, i})
				}
			}
			return values
		}
		d := DistributionOf(list())
		d.Thin(rapid.IntRange(0, 5).Draw(t, "keep"))
		for range 10 {
			i := rapid.IntRange(0, len(all)-1).Draw(t, "contributor")
			before := all[i]
			all[i] = slices.Clone(rapid.SliceOfN(value, 0, 4).Draw(t, "values"))
			if !d.Replace(before, all[i]) {
				t.Fatal("what was there isn't")
			}
			m, ok := d.Median()
			if !ok {
				continue
			}
			known++
			want, _ := MedianOf(list())
			if diff := cmp.Diff(want, m, nearly); diff != "" {
				t.Fatalf("changed (-anew +changed):\n%s", diff)
			}
		}
	})
	if known == 0 {
		t.Error("no median was known: this tests nothing")
	}
}
