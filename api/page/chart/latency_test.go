package chart

import (
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"flashdex/result"
)

// Of 3,000 operations 2,970 took 1 ms, and 30 took 100 ms: 99 % took no longer than 1 ms, 99.9 % no longer than 100 ms.
// From there on fewer than 3 lie beyond.
func TestLatencyIsDrawnAsFarAsItIsKnown(t *testing.T) {
	t.Parallel()
	test := &result.Test{
		Name: result.RandWrite, Ops: 3000,
		Latency: []result.Bucket{{1_000_000, 2970}, {100_000_000, 30}},
	}
	points := latencies(test)
	if first, last := points[0], points[len(points)-1]; first.x != firstNines || math.Abs(last.x-3) > 1e-9 {
		t.Errorf("from %v to %v nines", first, last)
	}
	for _, p := range points {
		want := 1.0
		if p.x > 2.01 { // the 2,971st of 3,000
			want = 100
		}
		if math.Abs(p.y/want-1) > 0.01 {
			t.Errorf("%.3f nines: %v ms, want %v", p.x, p.y, want)
		}
	}
	c, ok := Latency("x", "Latency", []Run{{Label: "it", Class: Main, Test: test}})
	if !ok {
		t.Fatal("nothing is drawn")
	}
	if diff := cmp.Diff(
		[][]string{{"50 %", "1"}, {"90 %", "1"}, {"99 %", "1"}, {"99.9 %", "100"}}, c.Numbers.Rows,
	); diff != "" {
		t.Errorf("table (-want +got):\n%s", diff)
	}
	labels := ""
	of := drawn(t, c)
	for _, tick := range of.X {
		labels += tick.Label + " "
	}
	if labels != "50 % 90 % 99 % 99.9 % " || of.X[0].At != 0 || of.X[3].At != 100 {
		t.Errorf("ticks %v", of.X)
	}
	if !strings.HasPrefix(of.Paths[0].D, "M0 ") || !strings.Contains(of.Paths[0].D, "L1000 ") {
		t.Errorf("path %s", of.Paths[0].D)
	}
}

// If a run is too short for the tail that another one shows, the table says so.
func TestTooFewOperationsAreToldInTheTable(t *testing.T) {
	t.Parallel()
	of := func(ops int64) *result.Test {
		return &result.Test{Name: result.RandRead, Latency: []result.Bucket{{500_000, ops}}}
	}
	c, _ := Latency(
		"x", "Latency",
		[]Run{{Label: "long", Class: Several(0), Test: of(1_000_000)}, {Label: "short", Class: Several(1), Test: of(100)}},
	)
	if got := c.Numbers.Rows[4]; len(c.Numbers.Rows) != 5 || got[2] != "too few operations" || got[1] == got[2] {
		t.Errorf("%v", c.Numbers.Rows)
	}
}

// The curve agrees with the figures of the same run.
func TestTheCurveMeetsTheFigures(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../submission/plausible/testdata/emulated-usb.json")
	if err != nil {
		t.Fatal(err)
	}
	var doc result.Document
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	test := doc.Test(result.RandWrite)
	f := test.Figures()
	c, _ := Latency("x", "Latency", []Run{{Label: "", Class: Main, Test: test}})
	for row, ns := range map[int]*int64{0: f.P50NS, 2: f.P99NS, 3: f.P999NS} {
		if want := result.Number(float64(*ns) / 1e6); c.Numbers.Rows[row][1] != want {
			t.Errorf("%v, want %s", c.Numbers.Rows[row], want)
		}
	}
}
