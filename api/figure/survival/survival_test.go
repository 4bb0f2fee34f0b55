package survival

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

var nearly = cmpopts.EquateApprox(0, 1e-9)

// known turns an unknown number of R's into NaN.
func known(v *float64) float64 {
	if v == nil {
		return math.NaN()
	}
	return *v
}

func TestCurveAgreesWithR(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/survfit.json")
	if err != nil {
		t.Fatal(err)
	}
	var fixture struct {
		Samples []struct {
			At, Failed, Times, Events []float64
			AtRisk                    []int `json:"at_risk"`
			Survival                  []float64
			Low, High, Median         []*float64
		}
	}
	if err := json.Unmarshal(text, &fixture); err != nil || len(fixture.Samples) != 14 {
		t.Fatalf("%d samples, %v", len(fixture.Samples), err)
	}
	for n, s := range fixture.Samples {
		var lives []Life
		for i, at := range s.At {
			lives = append(lives, Life{at, s.Failed[i] > 0})
		}
		steps := Curve(lives)
		median := MedianOf(steps)
		if steps[0].Failed == 0 && steps[0].Censored == 0 {
			steps = steps[1:] // R begins at the first unit that fails or leaves
		}
		if len(steps) != len(s.Times) {
			t.Fatalf("sample %d: %d steps, R has %d", n, len(steps), len(s.Times))
		}
		for i, got := range steps {
			want := Step{s.Times[i], s.AtRisk[i], int(s.Events[i]), got.Censored, s.Survival[i], known(s.Low[i]), known(s.High[i])}
			if got.Survival == 1 { // R gives no interval as long as nothing failed
				want.Low, want.High = 1, 1
			}
			if diff := cmp.Diff(want, got, nearly, cmpopts.EquateNaNs()); diff != "" {
				t.Errorf("sample %d, step %d (-R +got):\n%s", n, i, diff)
			}
		}
		want := Median{s.Median[0], s.Median[1], s.Median[2], median.Longest, len(s.At), median.Failed}
		if diff := cmp.Diff(want, median, nearly); diff != "" {
			t.Errorf("sample %d, median (-R +got):\n%s", n, diff)
		}
	}
}

// This is a sample that textbooks print: 21 children in remission, 9 of whom relapsed, with a median of 23 weeks. The
// standard errors are Greenwood's, as in Kleinbaum and Klein, Survival Analysis. SAS has the same interval, from 13
// weeks on with no upper end.
func TestMedianOfATextbook(t *testing.T) {
	t.Parallel()
	var lives []Life
	for i, at := range []float64{6, 6, 6, 7, 10, 13, 16, 22, 23, 6, 9, 10, 11, 17, 19, 20, 25, 32, 32, 34, 35} {
		lives = append(lives, Life{at, i < 9})
	}
	m := MedianOf(Curve(lives))
	if m.At == nil || *m.At != 23 || m.Low == nil || *m.Low != 13 || m.High != nil || m.Units != 21 || m.Failed != 9 ||
		m.Longest != 35 {
		t.Errorf("%+v", m)
	}
}

func TestNoneFailedAndNoUnits(t *testing.T) {
	t.Parallel()
	if m := MedianOf(Curve([]Life{{10, false}, {20, false}})); m.At != nil || m.Low != nil || m.Longest != 20 {
		t.Errorf("%+v", m)
	}
	if m := MedianOf(Curve(nil)); m.At != nil || m.Units != 0 {
		t.Errorf("%+v", m)
	}
}
