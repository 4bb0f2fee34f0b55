package publish

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"flashdex/api/figure"
	"flashdex/api/page"
	"flashdex/api/submission"
	"flashdex/result"
)

// steady says over which time the rate of random writes was steady in those of a module's newest results that count by
// one method, in how many others it wasn't, and whether units differ from run to run: what a module does every few
// minutes doesn't show in a run of one. It is empty where no result counts. unsteady is a sentence where so many others
// weren't that the figure is too high: none of them counts, and most of them met a pause.
func steady(newest []submission.Submission, method string) (text, unsteady string) {
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
		return "", ""
	}
	between := func(values []float64) string {
		return span(result.Number(slices.Min(values)), result.Number(slices.Max(values)))
	}
	were, weren := " was", "wasn’t"
	if len(seconds) > 1 {
		were = " were"
	}
	if len(open) > 1 {
		weren = "weren’t"
	}
	text = page.Counted(len(seconds), "result") + were + " steady over " + between(seconds) + " s"
	if len(open) > 0 {
		text += "; " + result.Count(len(open)) + " " + weren + ", at " + between(open) + " IOPS"
	}
	if all := len(seconds) + len(open); len(open) >= leastUnsteady && len(open)*unsteadyShare >= all {
		unsteady = fmt.Sprintf("%s of its %s newest results were not steady, at %s IOPS, and so don’t count here. It may "+
			"be slower than this.", result.Count(len(open)), result.Count(all), between(open))
	}
	most := 1.0
	for _, runs := range units {
		most = max(most, betweenRuns(runs))
	}
	if most > 1 {
		text += "; a unit differed " + ratio(most) + " times from run to run"
	}
	return text, unsteady
}

// A page warns beside a figure from leastUnsteady results on that weren't steady, if they are one of unsteadyShare.
const (
	leastUnsteady = 2
	unsteadyShare = 4
)

// surelyApart is how many standard errors of their difference surely separate two runs of a unit. By chance, 1 pair in
// 16,000 is so far apart.
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
