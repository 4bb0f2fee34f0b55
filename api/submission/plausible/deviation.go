package plausible

import (
	"fmt"
	"math"
)

const (
	// MinOthers is how many other contributors a comparison needs. With fewer, their spread is too uncertain; see the
	// simulation in docs/moderation.md.
	MinOthers = 7

	// MaxScore is the largest robust score that isn't a finding: 3.5, after Iglewicz and Hoaglin, How to Detect and
	// Handle Outliers (1993).
	MaxScore = 3.5

	// madScale turns the median absolute deviation into an estimate of a normal distribution's standard deviation (Leys et
	// al., Detecting outliers: Do not use standard deviation around the mean, use absolute deviation around the median,
	// Journal of Experimental Social Psychology 49, 2013).
	madScale = 1.4826

	// MinSpread is the smallest standard deviation of the logarithm that Deviates assumes for one module. A figure that is
	// up to 3.4 times faster or slower is therefore no finding, however closely the others agree. 0.35 is between the
	// median (0.20) and the mean (0.47) of what several people published about one module's 4K random writes;
	// docs/moderation.md.
	MinSpread = 0.35
)

// Passing returns the range of figures that don't deviate from other contributors' figures. others has one value for
// each contributor. It takes the distance from their median on a logarithmic scale, where half as fast and twice as
// fast are equally far away. low and high are MaxScore robust standard deviations away. ok is false if there are fewer
// than MinOthers others. Values that are not finite numbers above 0 don't count.
func Passing(others []float64) (low, median, high float64, ok bool) {
	logs := logsOf(others)
	if len(logs) < MinOthers {
		return 0, 0, 0, false
	}
	center, spread := middle(logs), spreadWithin(logs)
	return math.Exp(center - MaxScore*spread), math.Exp(center), math.Exp(center + MaxScore*spread), true
}

// Deviates compares one figure of a module, such as IOPS, with the same figure of other contributors. It reports a
// finding if the figure is outside the range that passes.
func Deviates(value float64, others []float64) (Finding, bool) {
	low, median, high, ok := Passing(others)
	if !ok || !(value > 0) || math.IsInf(value, 1) || value >= low && value <= high {
		return Finding{}, false
	}
	return Finding{Rule: "deviates", Severity: Quarantine, Reason: fmt.Sprintf(
		"The figure %.4g is far from what %d others measured of the module: "+
			"their median is %.4g, and figures from %.4g to %.4g pass.", value, len(logsOf(others)), median, low, high)}, true
}
