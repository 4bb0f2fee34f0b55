package publish

import (
	"testing"

	"flashdex/api/submission"
	"flashdex/result"
)

// Rare pauses show in several runs: some runs don't settle, and runs of one unit differ.
func TestSteadySaysWhatSeveralRunsShow(t *testing.T) {
	t.Parallel()
	run := func(unit string, iops, seconds float64, notRanked ...string) submission.Submission {
		low, high, ns := iops*0.97, iops*1.03, int64(seconds*1e9)
		return submission.Submission{
			Method: result.MethodFlashdex1, Profile: result.ProfileStandard, UnitTag: unit, Host: "Pi", HostClass: "pi-4",
			NotRanked: notRanked, Tests: []result.Figures{{
				Test: result.RandWrite, BlockBytes: 4096, QueueDepth: 1,
				IOPS: &iops, IOPSLow: &low, IOPSHigh: &high, DurationNS: &ns,
			}},
		}
	}
	in := func(sub submission.Submission, host string) submission.Submission {
		sub.Host = host
		return sub
	}
	open := result.NotSettled + " within the time limit"
	quick, other := run("c", 10, 20), run("c", 10, 60)
	quick.Profile, other.Method = result.ProfileQuick, result.MethodStack1
	all := func(runs ...submission.Submission) []submission.Submission { return runs }
	const one, two = "1 result was steady over 62 s", "2 results were steady over 62 s"
	spoiled := "the system runs from the module"
	for name, c := range map[string]struct {
		newest []submission.Submission
		want   string
	}{
		"none":           {nil, ""},
		"none settled":   {all(run("a", 400, 240, open)), ""},
		"one":            {all(run("a", 400, 62)), one},
		"of other kinds": {all(run("a", 400, 62), quick, other), one},
		"spoiled":        {all(run("a", 400, 62), run("a", 100, 62, spoiled), run("a", 100, 240, open, spoiled)), one},
		"some open": {all(run("a", 400, 62), run("b", 410, 90.5), run("a", 300, 240, open)),
			"2 results were steady over 62 to 90.5 s; 1 wasn’t, at 300 IOPS"},
		"a unit agrees": {all(run("a", 400, 62), run("a", 430, 62)), two},
		"a unit differs": {all(run("a", 400, 62), run("a", 500, 62)),
			two + "; a unit differed 1.3 times from run to run"},
		"two units differ":        {all(run("a", 400, 62), run("b", 500, 62)), two},
		"two hosts differ":        {all(run("a", 400, 62), in(run("a", 500, 62), "PC")), two},
		"nobody knows which unit": {all(run("", 400, 62), run("", 500, 62)), two},
	} {
		got, unsteady := steady(c.newest, result.MethodFlashdex1)
		if got != c.want || unsteady != "" {
			t.Errorf("%s: %q and %q, want %q", name, got, unsteady, c.want)
		}
	}
	// Those that meet a pause don't count, so where they are many the figure is that of the others.
	many := all(run("a", 400, 62), run("b", 410, 62), run("a", 300, 240, open), run("b", 90, 240, open))
	const said = "2 of its 4 newest results were not steady, at 90 to 300 IOPS, and so don’t count here. It may be slower " +
		"than this."
	if _, unsteady := steady(many, result.MethodFlashdex1); unsteady != said {
		t.Errorf("half of the results are open, and the page says %q", unsteady)
	}
	for range 5 {
		many = append(many, run("c", 400, 62))
	}
	if _, unsteady := steady(many, result.MethodFlashdex1); unsteady != "" {
		t.Errorf("two of nine results are open, and the page says %q", unsteady)
	}
}
