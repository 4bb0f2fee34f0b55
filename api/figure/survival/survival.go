// Package survival estimates how long units last when some of them have not failed yet.
package survival

import (
	"cmp"
	"math"
	"slices"
)

// Life is how long one unit lasted. A unit that has not failed by At is censored: all that is known is that it lasts
// longer.
type Life struct {
	At     float64 // in any unit, at least 0
	Failed bool
}

// Step is the estimate from one time on until the next step.
type Step struct {
	At       float64
	AtRisk   int // units that had neither failed nor been censored before At
	Failed   int // how many of them failed at At
	Censored int // how many of them were censored at At, after the ones that failed
	Survival float64

	// The 95 % interval of Survival. Both are NaN (unknown) when no unit is left. As long as no unit has failed, the
	// interval is unknown too, and both are 1.
	Low, High float64
}

// z is the 97.5 % quantile of the normal distribution.
const z = 1.959963984540054

// Curve estimates the share of units that outlive each time (Kaplan and Meier, Nonparametric estimation from incomplete
// observations, 1958). The interval is Greenwood's on the scale of log(-log(S)), which never leaves 0 to 1 (Kalbfleisch
// and Prentice, The Statistical Analysis of Failure Time Data, 1980). The first step is at 0.
func Curve(lives []Life) []Step {
	lives = slices.Clone(lives)
	slices.SortFunc(lives, func(a, b Life) int { return cmp.Compare(a.At, b.At) })
	steps := []Step{{AtRisk: len(lives), Survival: 1, Low: 1, High: 1}}
	greenwood := 0.0 // the sum of failed / (at risk * remaining)
	for i := 0; i < len(lives); {
		at := Step{At: lives[i].At, AtRisk: len(lives) - i, Survival: steps[len(steps)-1].Survival}
		for ; i < len(lives) && lives[i].At == at.At; i++ {
			if lives[i].Failed {
				at.Failed++
			} else {
				at.Censored++
			}
		}
		remain := at.AtRisk - at.Failed
		at.Survival *= float64(remain) / float64(at.AtRisk)
		greenwood += float64(at.Failed) / (float64(at.AtRisk) * float64(remain))
		at.Low, at.High = interval(at.Survival, greenwood)
		if at.At == 0 {
			steps = steps[:0]
		}
		steps = append(steps, at)
	}
	return steps
}

// interval returns the 95 % interval of a share that survives.
func interval(share, greenwood float64) (low, high float64) {
	switch share {
	case 1:
		return 1, 1
	case 0:
		return math.NaN(), math.NaN()
	}
	wide := z * math.Sqrt(greenwood) / math.Abs(math.Log(share))
	return math.Pow(share, math.Exp(wide)), math.Pow(share, math.Exp(-wide))
}

// Median is the time that half of the units outlive.
type Median struct {
	At        *float64 // nil: more than half of them lasted as long as they were watched
	Low, High *float64 // its 95 % interval; nil: not known
	Longest   float64  // the longest time that any unit was watched
	Units     int
	Failed    int // how many of them failed
}

// MedianOf reads the median where the curve crosses one half, and its interval where the curve's limits do (Brookmeyer
// and Crowley, A Confidence Interval for the Median Survival Time, 1982).
func MedianOf(steps []Step) Median {
	m := Median{Units: steps[0].AtRisk, Longest: steps[len(steps)-1].At}
	for _, s := range steps {
		m.Failed += s.Failed
	}
	m.At = crossing(steps, func(s Step) float64 { return s.Survival })
	m.Low = crossing(steps, func(s Step) float64 { return s.Low })
	m.High = crossing(steps, func(s Step) float64 { return s.High })
	return m
}

// crossing returns the time from which on a curve is below one half. If the curve is exactly one half for a while,
// crossing returns the middle of that while, as R does. nil: the curve stays above one half, or is unknown there.
func crossing(steps []Step, curve func(Step) float64) *float64 {
	const half, rounding = 0.5, 1e-12
	for i, s := range steps {
		v := curve(s)
		if !(v <= half+rounding) {
			continue
		}
		at, until := s.At, s.At
		if v > half-rounding {
			for _, later := range steps[i+1:] {
				if until = later.At; curve(later) != v {
					break
				}
			}
		}
		at = (at + until) / 2
		return &at
	}
	return nil
}
