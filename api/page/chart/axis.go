package chart

import (
	"math"

	"flashdex/result"
)

// extent is the range of values that a logarithmic scale must hold: values above 0.
type extent struct{ low, high float64 }

func drawable(v float64) bool { return v > 0 && !math.IsInf(v, 1) }

// add widens the extent. It ignores values that no logarithmic scale can hold.
func (e *extent) add(values ...float64) {
	for _, v := range values {
		switch {
		case !drawable(v):
		case e.high == 0:
			e.low, e.high = v, v
		default:
			e.low, e.high = math.Min(e.low, v), math.Max(e.high, v)
		}
	}
}

// axis is one side of the plot: a scale with labels at some values.
type axis struct {
	scale
	name  string
	ticks []tick
}

type tick struct {
	at    float64
	label string
}

// number labels a value.
func (a *axis) number(v float64) { a.ticks = append(a.ticks, tick{v, result.Number(v)}) }

// labelled returns an axis with the ticks that lie on the scale.
func (s scale) labelled(name string, ticks []tick) axis {
	a := axis{scale: s, name: name}
	for _, t := range ticks {
		if t.at >= s.low-1e-9 && t.at <= s.high+1e-9 {
			a.ticks = append(a.ticks, t)
		}
	}
	return a
}

// scale places values between 0 and 1.
type scale struct {
	low, high float64
	log       bool
}

// at returns the place of v. Values beyond an end, and NaN, lie at that end.
func (s scale) at(v float64) float64 {
	low, high := s.low, s.high
	if s.log {
		if !(v > 0) {
			return 0
		}
		low, high, v = math.Log(low), math.Log(high), math.Log(v)
	}
	if !(v > low) {
		return 0
	}
	return math.Min((v-low)/(high-low), 1)
}

// percent is the place of v in percent of a plot's width.
func (s scale) percent(v float64) float64 { return hundredth(100 * s.at(v)) }

// linearScale returns a scale from 0 to the first multiple of a step that isn't below high, in three to six steps. A
// step is 1, 2 or 5 times a power of ten.
func linearScale(name string, high float64) axis {
	if !drawable(high) {
		high = 1
	}
	step := math.Pow(10, math.Floor(math.Log10(high/3)))
	for _, times := range []float64{5, 2} {
		if high/(step*times) >= 2.5 {
			step *= times
			break
		}
	}
	n := math.Ceil(high/step - 1e-9)
	a := axis{scale: scale{0, n * step, false}, name: name}
	for i := range int(n) + 1 {
		a.number(float64(i) * step)
	}
	return a
}

// rung returns the i-th of the numbers 1, 2, 5, 10, 20, 50 and so on; below 1 for a negative i.
func rung(i int) float64 {
	power, digit := i/3, i%3
	if digit < 0 {
		power, digit = power-1, digit+3
	}
	if power < 0 { // exact: 1e-3 is nearer to a thousandth than ten times a ten-thousandth
		return [...]float64{1, 2, 5}[digit] / math.Pow(10, float64(-power))
	}
	return [...]float64{1, 2, 5}[digit] * math.Pow(10, float64(power))
}

// rungBelow is the index of the greatest rung that isn't above v.
func rungBelow(v float64) int {
	i := 3*int(math.Floor(math.Log10(v))) - 1 // surely below, whatever rounding did to the logarithm
	for rung(i+1) <= v {
		i++
	}
	return i
}

// maxLogTicks is how many labels fit next to each other on a phone.
const maxLogTicks = 7

// logScale returns a scale that holds the extent. It reaches from one rung to another, at least two rungs further.
// Every rung has a tick. If that is too many, every power of ten has one, or every few powers.
func logScale(name string, e extent) axis {
	if e.high == 0 { // no value that it can hold
		e = extent{1, 1}
	}
	first, last := rungBelow(e.low), rungBelow(e.high)
	if rung(last) < e.high {
		last++
	}
	for last-first < 2 {
		first, last = first-1, last+1
	}
	a := axis{scale: scale{rung(first), rung(last), true}, name: name}
	for every := 0; every == 0 || len(a.ticks) > maxLogTicks; every += 3 {
		a.ticks = nil
		for i := first; i <= last; i++ {
			if i%max(every, 1) == 0 {
				a.number(rung(i))
			}
		}
	}
	return a
}
