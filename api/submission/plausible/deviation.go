package plausible

import (
	"fmt"
	"math"

	"flashdex/result"
)

const (
	// MinOthers is how many others must have been measured before a figure is held against them. With fewer, their spread is
	// too uncertain: see the simulation in docs/moderation.md.
	MinOthers = 7

	// MaxScore is the largest robust score that is no finding: 3.5, after Iglewicz and Hoaglin, How to Detect and Handle
	// Outliers (1993).
	MaxScore = 3.5

	// madScale makes the median absolute deviation estimate the standard deviation of a normal distribution
	// (Leys et al., Detecting outliers: Do not use standard deviation around the mean, use absolute deviation around the
	// median, Journal of Experimental Social Psychology 49, 2013).
	madScale = 1.4826

	// MinSpread is the least standard deviation of the logarithm that figures of one module are taken to have, so that others
	// who happen to agree don't make a finding of one who doesn't: up to 3.4 times faster or slower is none, however much the
	// others agree. It is between the median (0.20) and the mean (0.47) of what was published of one module's 4K random writes
	// by several people; docs/moderation.md.
	MinSpread = 0.35
)

// Deviates holds one figure of a module, such as IOPS, against the same figure as others measured it, one value of each
// contributor. All are above 0 and compared on a logarithmic scale: half and twice as fast are equally far. It reports a
// finding if the figure is more than MaxScore robust standard deviations from the others' median, and none with fewer than
// MinOthers others.
func Deviates(value float64, others []float64) (Finding, bool) {
	logs := make([]float64, 0, len(others))
	for _, v := range others {
		if v > 0 && !math.IsInf(v, 1) {
			logs = append(logs, math.Log(v))
		}
	}
	if len(logs) < MinOthers || !(value > 0) || math.IsInf(value, 1) {
		return Finding{}, false
	}
	center := result.Median(logs)
	deviations := make([]float64, len(logs))
	for i, v := range logs {
		deviations[i] = math.Abs(v - center)
	}
	spread := max(madScale*result.Median(deviations), MinSpread)
	score := (math.Log(value) - center) / spread
	if math.Abs(score) <= MaxScore {
		return Finding{}, false
	}
	return Finding{Rule: "deviates", Severity: Quarantine, Reason: fmt.Sprintf(
		"The figure %.4g is far from what %d others measured of the module: their median is %.4g, and figures from %.4g to %.4g pass.",
		value, len(logs), math.Exp(center), math.Exp(center-MaxScore*spread), math.Exp(center+MaxScore*spread))}, true
}
