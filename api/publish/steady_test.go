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
	const one, two = "1 result settled, over 62 s", "2 results settled, over 62 s"
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
			"2 results settled, over 62 to 90.5 s; 1 did not, at 300 IOPS"},
		"a unit agrees": {all(run("a", 400, 62), run("a", 430, 62)), two},
		"a unit differs": {all(run("a", 400, 62), run("a", 500, 62)),
			two + "; a unit differed 1.3 times from run to run"},
		"two units differ":        {all(run("a", 400, 62), run("b", 500, 62)), two},
		"two hosts differ":        {all(run("a", 400, 62), in(run("a", 500, 62), "PC")), two},
		"nobody knows which unit": {all(run("", 400, 62), run("", 500, 62)), two},
	} {
		if got := steady(c.newest, result.MethodFlashdex1); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
