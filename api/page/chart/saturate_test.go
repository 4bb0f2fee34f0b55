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
	const said = "A long: 500 IOPS in the standard test, 300 IOPS in the first round, 1.67 in the last."
	if !strings.Contains(c.SVG, ">"+said+"<") {
		t.Errorf("the chart doesn't say %q", said)
	}
	rows := c.Numbers.Rows
	if len(rows) != 1+mostListed {
		t.Errorf("%d of 180 rounds are listed", len(rows)-1)
	}
	for i, want := range map[int][]string{
		0: {"A long, standard", "0.123", "500"}, 1: {"A long", "0.205", "300"}, len(rows) - 1: {"A long", "14.9", "1.67"},
	} {
		if diff := cmp.Diff(want, rows[i]); diff != "" {
			t.Errorf("row %d (-want +got):\n%s", i, diff)
		}
	}
	if _, ok := Rounds("x", []Profiled{short}); ok {
		t.Error("one round is no line")
	}
}

// A chart shows the rests that were measured, even if one is missing.
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
