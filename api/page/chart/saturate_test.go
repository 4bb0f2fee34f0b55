package chart

import (
	"strings"
	"testing"

	"flashdex/result"

	"github.com/google/go-cmp/cmp"
)

// saturated returns the tests of a run with this many rounds, each slower than the one before, from 300 IOPS on.
func saturated(rounds int) []result.Test {
	of := result.Test{Name: result.RoundWrite, BlockBytes: 4096}
	for i := range rounds {
		for range result.RoundIntervals {
			of.Intervals = append(of.Intervals, result.Interval{
				Ops: 1000, Bytes: 4096_000, NS: int64(1+i) * 1e9 / 300 * 1000,
			})
		}
	}
	return []result.Test{
		{Name: result.RandWrite, BlockBytes: 4096, Ops: 30_000, Bytes: 30_000 * 4096, DurationNS: 60e9}, of,
	}
}

func TestRoundsStandBesideTheStandardTest(t *testing.T) {
	t.Parallel()
	long := Profiled{Letter: "A", Label: "long", Class: Several(0), Tests: saturated(180)}
	short := Profiled{Letter: "B", Label: "short", Class: Several(1), Tests: saturated(1)}
	c, ok := Rounds("x", []Profiled{long, short})
	if !ok {
		t.Fatal("nothing is drawn")
	}
	of := drawn(t, c)
	if len(of.Paths) != 1 || len(of.Dots) != 1 {
		t.Errorf("%d lines and %d points of the standard test, want those of the long run alone", len(of.Paths), len(of.Dots))
	}
	const said = "A long: 500 IOPS as it was, over 256 MiB, 300 IOPS in the first round, 1.67 in the last."
	if !strings.Contains(c.SVG, ">"+said+"<") {
		t.Errorf("the chart doesn't say %q", said)
	}
	rows := c.Numbers.Rows
	if len(rows) != 1+mostListed {
		t.Errorf("%d of 180 rounds are listed", len(rows)-1)
	}
	for i, want := range map[int][]string{
		0: {"A long, as it was", "0.123", "500"}, 1: {"A long", "0.205", "300"}, len(rows) - 1: {"A long", "14.9", "1.67"},
	} {
		if diff := cmp.Diff(want, rows[i]); diff != "" {
			t.Errorf("row %d (-want +got):\n%s", i, diff)
		}
	}
	if _, ok := Rounds("x", []Profiled{short}); ok {
		t.Error("one round is no line")
	}
}

// What is left is that of the same area. The steady rate is that of another one, all of the module.
func TestWhatIsLeftComparesTheSameArea(t *testing.T) {
	t.Parallel()
	tests := append(saturated(20), result.Test{Name: result.FullWrite, BlockBytes: 4096, Ops: 12_000, DurationNS: 60e9})
	for i := range tests[1].Intervals {
		tests[1].Intervals[i].NS = 1e10 // 100 IOPS, and steady
	}
	p := ProfileOf(result.MethodSaturate1, "x-", []Profiled{
		{Letter: "A", Label: "a run", Class: Several(0), Tests: tests},
		{Letter: "B", Label: "a run", Class: Several(1), Tests: tests[:2]}, // whose last test is missing
	})
	want := [][]string{
		{"A a run", "500", "", "", "", "100", "20", "200", "40"}, {"B a run", "500", "", "", "", "100", "20", "", ""},
	}
	if diff := cmp.Diff(want, p.Tables[0].Rows); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// What a chart says of rests is what was measured, also where a rest is missing.
func TestRestsAreNamed(t *testing.T) {
	t.Parallel()
	rested := func(rests ...int64) []Profiled {
		of := result.Test{Name: result.RestedWrite, BlockBytes: 4096}
		for i, rest := range rests {
			of.Intervals = append(of.Intervals, result.Interval{
				Kind: result.Kind{RestNS: rest}, Ops: result.RestedOps, NS: result.RestedOps * 1e9 / int64(100*(i+1)),
			})
		}
		return []Profiled{{Label: "a run", Class: Main, Tests: []result.Test{of}}}
	}
	for said, rests := range map[string][]int64{
		"a run: 100 IOPS without a rest, 200 after 60 s of rest.":    {0, 60e9},
		"a run: 100 IOPS after 1 s of rest, 200 after 10 s of rest.": {1e9, 10e9},
	} {
		if c, ok := Rests("x", rested(rests...)); !ok || !strings.Contains(c.SVG, ">"+said+"<") {
			t.Errorf("the chart of %v doesn't say %q: %s", rests, said, c.SVG)
		}
	}
	if _, ok := Rests("x", rested(0)); ok {
		t.Error("one rest is no line")
	}
}
