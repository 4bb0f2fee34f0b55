package ageing

import (
	"fmt"
	"math"

	"flashdex/result"
)

const (
	// Confidence is the confidence of the interval that is shown.
	Confidence = 0.95
	// doubt over the number of points is the chance of error at which a change is stated. People look at a unit after
	// each run, so a flat life has as many chances of a false alarm as it has points.
	doubt = 0.04

	// unitsDiffer is by how much the slopes of units of one module are taken to differ at least, as a standard deviation
	// in logarithms per year or TB: so that one unit with many runs doesn't stand for all.
	unitsDiffer = 0.05

	// noChange is the greatest change in percent that is called none, a tenth of the rate in a year or TB: runs of one day
	// differ by as much.
	noChange = 10

	normal = 1.959963985 // half of the interval of Confidence, in standard errors that are known
)

// Unit is the line of one unit, and the number of its owner. Units of the same owner share one weight.
type Unit struct {
	*Line
	Owner int
}

// The values of Change.Says.
const (
	Slower  = "slower"
	Faster  = "faster"
	Steady  = "steady"  // no change is shown, and none above noChange hides in the interval
	Unknown = "unknown" // too early to tell: the interval is wider, or only just without 0
)

// Change is how the rate of one unit, or the mean rate of several, changes, in percent of the rate before: −8 says that
// it is 92 % after a year, or after a TB.
type Change struct {
	Units        int     `json:"units"`
	Contributors int     `json:"contributors"`
	Runs         int     `json:"runs"`
	Percent      float64 `json:"percent"`
	Low          float64 `json:"low"` // the ends of its 95 % interval
	High         float64 `json:"high"`
	Says         string  `json:"says"`
}

// ChangeOf returns the change that units show, which must be at least one. The interval of one or two is about these
// units alone; that of three or more, also about how much they differ (Hartung and Knapp, A refined method for the
// meta-analysis of controlled clinical trials with binary outcome, 2001).
func ChangeOf(units []Unit) Change {
	c := Change{Units: len(units)}
	of := map[int]float64{} // units by owner
	for _, u := range units {
		of[u.Owner]++
		c.Runs += u.Runs
	}
	c.Contributors = len(of)
	var noise, freedom float64
	most := 0
	for _, u := range units {
		noise += float64(u.Points-2) * u.Noise * u.Noise
		freedom += float64(u.Points - 2)
		most = max(most, u.Points)
	}
	noise /= freedom
	between := variance(units, noise)
	weights, sum := make([]float64, len(units)), 0.0
	for i, u := range units {
		weights[i] = 1 / (noise/u.Spread + between) / of[u.Owner]
		sum += weights[i]
	}
	var slope, within, whole, squares float64
	for i, u := range units {
		weights[i] /= sum
		slope += weights[i] * u.Slope
	}
	for i, u := range units {
		w, off, alone := weights[i]*weights[i], u.Slope-slope, noise/u.Spread
		within += w * alone
		whole += w * (alone + between)
		squares += off * off / (alone + between)
	}
	differ := 0.0 // half of the interval that follows from how much units differ
	if n := float64(len(units)); n > 2 {
		differ = max(normal*math.Sqrt(whole), half(Confidence, math.Sqrt(whole*squares/(n-1)), n-1))
	}
	// The difference between units doesn't change from one look to the next, so only the noise is judged more strictly.
	shown := max(differ, half(Confidence, math.Sqrt(within), freedom))
	surely := max(differ, half(1-doubt/float64(most), math.Sqrt(within), freedom))
	c.Percent, c.Low, c.High = percent(slope), percent(slope-shown), percent(slope+shown)
	switch {
	case slope+surely < 0:
		c.Says = Slower
	case slope-surely > 0:
		c.Says = Faster
	case math.Abs(slope) <= shown && c.Low >= -noChange && c.High <= noChange:
		c.Says = Steady
	default:
		c.Says = Unknown
	}
	return c
}

// variance is that between the slopes of units of one module whose points have a variance of noise around their lines
// (DerSimonian and Laird, Meta-analysis in clinical trials, 1986). One or two units don't tell it.
func variance(units []Unit, noise float64) float64 {
	const least = unitsDiffer * unitsDiffer
	if len(units) < 3 {
		return least
	}
	var sum, squares, slope, distances float64
	for _, u := range units {
		w := u.Spread / noise
		sum, squares, slope = sum+w, squares+w*w, slope+w*u.Slope
	}
	slope /= sum
	for _, u := range units {
		distances += u.Spread / noise * (u.Slope - slope) * (u.Slope - slope)
	}
	return max(least, (distances-float64(len(units)-1))/(sum-squares/sum))
}

// Change returns the change that one unit shows.
func (l *Line) Change() Change { return ChangeOf([]Unit{{Line: l}}) }

// percent turns a difference of logarithms into a change in percent. It is at most a million, so that it stays a number
// in JSON.
func percent(logs float64) float64 { return min(100*math.Expm1(logs), 1e6) }

// Words says in a sentence what changes in a year or a TB: "gets slower: 8 % per year (3 to 14)". The interval has a
// confidence of 95 %.
func (c Change) Words(per string) string {
	switch c.Says {
	case Slower:
		return fmt.Sprintf("gets slower: %s %% per %s (%s to %s)", number(-c.Percent), per, number(-c.High), number(-c.Low))
	case Faster:
		return fmt.Sprintf("gets faster: %s %% per %s (%s to %s)", number(c.Percent), per, number(c.Low), number(c.High))
	case Steady:
		return fmt.Sprintf("shows no change: %s %% per %s (%s to %s)", signed(c.Percent), per, signed(c.Low), signed(c.High))
	}
	return fmt.Sprintf("too early to tell: %s to %s %% per %s", signed(c.Low), signed(c.High), per)
}

// number writes a percentage with at most two digits, since no interval is known any better.
func number(percent float64) string { return result.Number(result.Round(percent, 2)) }

// signed writes a percentage with its sign.
func signed(percent float64) string {
	switch text := number(math.Abs(percent)); {
	case percent > 0:
		return "+" + text
	case percent < 0:
		return "−" + text
	}
	return "0"
}
