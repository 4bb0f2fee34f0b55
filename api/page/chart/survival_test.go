package chart

import (
	"strings"
	"testing"

	"flashdex/api/figure/survival"

	"github.com/google/go-cmp/cmp"
)

func TestSurvivalDrawsStepsIntervalAndThoseThatStillLive(t *testing.T) {
	t.Parallel()
	lives := survival.Curve([]survival.Life{{At: 100, Failed: true}, {At: 150}, {At: 200, Failed: true}, {At: 400}})
	c, ok := Survival("x", "Left", "cycles", []Lives{{Label: "all", Class: Main, Steps: lives},
		{Label: "none", Class: Several(1), Steps: survival.Curve(nil)}})
	if !ok || len(c.Key) != 2 {
		t.Fatalf("%v %+v", ok, c)
	}
	of := drawn(t, c)
	if len(of.Paths) != 2 || of.Paths[0].Class != Envelope || of.Paths[1] != (Path{Main, "M0 0H250V47.5H375V47.5H500V118.8H1000V118.8H1000"}) {
		t.Errorf("paths: %+v", of.Paths)
	}
	var censored []float64
	for _, l := range of.Lines {
		if l.Class == Main {
			censored = append(censored, l.X1)
		}
	}
	if diff := cmp.Diff([]float64{37.5, 100}, censored); diff != "" {
		t.Errorf("units that still live (-want +got):\n%s", diff)
	}
	if !strings.Contains(of.Desc, "all: 4 units, of which 2 failed; half of them last 200 cycles.") {
		t.Errorf("it says %q", of.Desc)
	}
	if len(c.Numbers.Rows) != 5 || c.Numbers.Rows[1][5] != "75" ||
		c.Numbers.Rows[0][6] != "" || c.Numbers.Rows[1][6] == "" { // as long as none has failed, nothing is known of how many do
		t.Errorf("%v", c.Numbers.Rows)
	}
	if _, ok := Survival("x", "Left", "cycles", nil); ok {
		t.Error("nothing is drawn")
	}
}

// Once the last unit has failed, the interval isn't known, and no path contains NaN.
func TestSurvivalOfOneDeadUnit(t *testing.T) {
	t.Parallel()
	c, ok := Survival("x", "Left", "cycles", []Lives{{Label: "all", Class: Main,
		Steps: survival.Curve([]survival.Life{{At: 7, Failed: true}})}})
	if !ok || strings.Contains(c.SVG, "NaN") {
		t.Errorf("%v %s", ok, c.SVG)
	}
	if got := MedianInterval(survival.Median{}); got != "" {
		t.Errorf("%q", got)
	}
}
