package ageing

import "math"

const (
	// Confidence is that of the interval that is shown.
	Confidence = 0.95
	// doubt is divided by the number of points to get the chance of error at which a change is stated. A unit is looked at
	// again after each run, so a flat life has as many chances of a false alarm as it has points.
	doubt = 0.04

	// unitsDiffer is by how much the slopes of units of one module are taken to differ, as a standard deviation in
	// logarithms per year: so that one unit with many runs doesn't stand for all.
	unitsDiffer = 0.05

	// widest limits an interval from which anything is told: a factor of 2 in a year, either way.
	widest = math.Ln2
)

// Unit is the line of one unit, and the number of whom it belongs to: units of the same owner share one weight.
type Unit struct {
	Line
	Owner int
}

// What a Change says.
const (
	Slower  = "slower"
	Faster  = "faster"
	Steady  = "steady"  // no change is shown
	Unknown = "unknown" // the interval is too wide to tell anything
)

// Change is the change of the rate of one unit or of the mean of several, in percent of the rate before: −8 says that
// it is 92 % after a year, or after a TB.
type Change struct {
	Units, Owners, Runs int
	Percent, Low, High  float64 // with a 95 % interval
	Says                string
}

// ChangeOf returns the change that units show, which must be at least one. The interval of one or two is about these
// units alone; that of three or more, also about how much they differ.
func ChangeOf(units []Unit) Change {
	c := Change{Units: len(units)}
	of := map[int]float64{} // units by owner
	for _, u := range units {
		of[u.Owner]++
		c.Runs += u.Runs
	}
	c.Owners = len(of)
	var noise, freedom float64
	most := 0
	for _, u := range units {
		noise += float64(u.Points-2) * u.Noise * u.Noise
		freedom += float64(u.Points - 2)
		most = max(most, u.Points)
	}
	noise /= freedom
	weights, sum := make([]float64, len(units)), 0.0
	for i, u := range units {
		weights[i] = 1 / (noise/u.Spread + unitsDiffer*unitsDiffer) / of[u.Owner]
		sum += weights[i]
	}
	var slope, within, between, squares float64
	for i, u := range units {
		weights[i] /= sum
		slope += weights[i] * u.Slope
	}
	for i, u := range units {
		w := weights[i] * weights[i]
		squares += w
		within += w * noise / u.Spread
		between += w * (u.Slope - slope) * (u.Slope - slope)
	}
	width := func(confidence float64) float64 {
		all := half(confidence, math.Sqrt(within), freedom)
		if count := 1 / squares; len(units) > 2 && count > 2 { // as many as units of equal weight
			all = max(all, half(confidence, math.Sqrt(between*count/(count-1)), count-1))
		}
		return all
	}
	shown := width(Confidence)
	c.Percent, c.Low, c.High = percent(slope), percent(slope-shown), percent(slope+shown)
	switch surely := width(1 - doubt/float64(most)); {
	case slope+surely < 0:
		c.Says = Slower
	case slope-surely > 0:
		c.Says = Faster
	case shown > widest:
		c.Says = Unknown
	default:
		c.Says = Steady
	}
	return c
}

// percent is a difference of logarithms as a change in percent, at most a million, so that it stays a number in JSON.
func percent(logs float64) float64 { return min(100*math.Expm1(logs), 1e6) }
