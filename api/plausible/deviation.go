package plausible

import (
	"fmt"
	"math"
	"slices"
)

const (
	// MinOthers is how many other units of a module must have been measured before a figure is held against them.
	MinOthers = 5

	// MaxScore is the largest robust score that is no finding: 3.5, after Iglewicz and Hoaglin, How to Detect and Handle
	// Outliers (1993).
	MaxScore = 3.5

	// madScale makes the median absolute deviation estimate the standard deviation of a normal distribution
	// (Leys et al., Detecting outliers: Do not use standard deviation around the mean, use absolute deviation around the
	// median, Journal of Experimental Social Psychology 49, 2013).
	madScale = 1.4826

	// MinSpread is the least standard deviation of the logarithm that a module's units are taken to have.
	MinSpread = 0.25
)

// Deviates holds a figure of one unit, above 0, against those of the other units of its module, on a logarithmic scale:
// half and twice as fast are equally far. It reports a finding if the figure is more than MaxScore robust standard deviations from
// their median, and none with fewer than MinOthers others.
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
	center := median(logs)
	deviations := make([]float64, len(logs))
	for i, v := range logs {
		deviations[i] = math.Abs(v - center)
	}
	spread := max(madScale*median(deviations), MinSpread)
	score := (math.Log(value) - center) / spread
	if math.Abs(score) <= MaxScore {
		return Finding{}, false
	}
	return Finding{Rule: "deviates", Severity: Quarantine, Reason: fmt.Sprintf(
		"The figure, %.4g, is far from those of the %d other units of the module: their median is %.4g, and nearly all lie between %.4g and %.4g.",
		value, len(logs), math.Exp(center), math.Exp(center-MaxScore*spread), math.Exp(center+MaxScore*spread))}, true
}

// median sorts values.
func median(values []float64) float64 {
	slices.Sort(values)
	n := len(values)
	return (values[(n-1)/2] + values[n/2]) / 2
}
