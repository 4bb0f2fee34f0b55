package publish

import (
	"math"
	"slices"
	"strings"

	"flashdex/api/figure"
	"flashdex/api/page"
	"flashdex/api/submission"
	"flashdex/result"
)

// steady sums up how steady a module's random writes are, from its newest results by one method. It says how long they
// took to settle in results that count, in how many others they didn't settle, and whether units differ from run to
// run. A run of one minute can't show what a module does only every few minutes. If no result counts, steady returns
// "".
func steady(newest []submission.Submission, method string) string {
	var seconds, open []float64
	units := map[[3]string][]figure.Figure{}
	for _, sub := range newest {
		iops, measured := figure.OfRun(sub.Tests).Find(figure.RandWriteIOPS)
		if !measured || sub.Method != method || sub.Profile != result.ProfileStandard {
			continue
		}
		if len(sub.NotRanked) > 0 {
			if len(sub.NotRanked) == 1 && strings.HasPrefix(sub.NotRanked[0], result.NotSettled) {
				open = append(open, iops.Value)
			}
			continue
		}
		for _, t := range sub.Tests {
			if t.Test == result.RandWrite && t.DurationNS != nil {
				seconds = append(seconds, float64(*t.DurationNS)/1e9)
			}
		}
		if unit := [3]string{sub.UnitTag, sub.HostClass, sub.Host}; sub.UnitTag != "" {
			units[unit] = append(units[unit], iops)
		}
	}
	if len(seconds) == 0 {
		return ""
	}
	between := func(values []float64) string {
		return span(result.Number(slices.Min(values)), result.Number(slices.Max(values)))
	}
	text := page.Counted(len(seconds), "result") + " settled, over " + between(seconds) + " s"
	if len(open) > 0 {
		text += "; " + result.Count(len(open)) + " did not, at " + between(open) + " IOPS"
	}
	most := 1.0
	for _, runs := range units {
		most = max(most, betweenRuns(runs))
	}
	if most > 1 {
		text += "; a unit differed " + ratio(most) + " times from run to run"
	}
	return text
}

// surelyApart is from how many standard errors of their difference on two runs of a unit surely differ. By chance, 1
// pair in 16,000 is so far apart.
const surelyApart = 4

// betweenRuns returns the greatest ratio between two of a unit's runs that isn't chance, or else 1.
func betweenRuns(runs []figure.Figure) float64 {
	most := 1.0
	for _, a := range runs {
		for _, b := range runs {
			error := math.Hypot(a.StandardError(), b.StandardError())
			if times := a.Value / b.Value; math.Log(times) > surelyApart*error { // false if an error is unknown (NaN)
				most = max(most, times)
			}
		}
	}
	return most
}
