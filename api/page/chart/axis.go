package chart

import (
	"math"

	"flashdex/result"
)

// scale places values between 0 and 1.
type scale struct {
	low, high float64
	log       bool
}

// at is where v lies; what is beyond an end, or no number, lies at that end.
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

// percent is the place in a plot's width.
func (s scale) percent(v float64) float64 { return hundredth(100 * s.at(v)) }

// maxLogTicks is how many labels fit side by side on a phone.
const maxLogTicks = 7

// linearScale reaches from 0 to the least multiple of a step of 1, 2 or 5 times a power of ten that is not below high, in
// three to six steps.
func linearScale(high float64) (scale, []float64) {
	if !(high > 0) || math.IsInf(high, 1) {
		high = 1
	}
	step := math.Pow(10, math.Floor(math.Log10(high/3)))
	for _, times := range []float64{5, 2} {
		if high/(step*times) >= 2.5 {
			step *= times
			break
		}
	}
	n := int(math.Ceil(high/step - 1e-9))
	var ticks []float64
	for i := range n + 1 {
		ticks = append(ticks, float64(i)*step)
	}
	return scale{0, float64(n) * step, false}, ticks
}

// ladder is the i-th of the numbers 1, 2, 5, 10, 20, 50 and so on; below 1 for a negative i.
func ladder(i int) float64 {
	power, digit := i/3, i%3
	if digit < 0 {
		power, digit = power-1, digit+3
	}
	if power < 0 { // exact: 1e-3 is nearer to a thousandth than ten times a ten-thousandth
		return [...]float64{1, 2, 5}[digit] / math.Pow(10, float64(-power))
	}
	return [...]float64{1, 2, 5}[digit] * math.Pow(10, float64(power))
}

// rung is the i of the greatest ladder(i) that isn't above v.
func rung(v float64) int {
	i := 3 * int(math.Floor(math.Log10(v)))
	for ladder(i) > v {
		i--
	}
	for ladder(i+1) <= v {
		i++
	}
	return i
}

// logScale reaches from a rung of the ladder 1, 2, 5 to another, so that both values, which are above 0, lie within and at least
// two steps apart. It is ticked at every rung, or at every power of ten, or every few of them, where that is too many.
func logScale(low, high float64) (scale, []float64) {
	first, last := rung(low), rung(high)
	if ladder(last) < high {
		last++
	}
	for last-first < 2 {
		first, last = first-1, last+1
	}
	var ticks []float64
	for i := first; i <= last; i++ {
		ticks = append(ticks, ladder(i))
	}
	for every := 1; len(ticks) > maxLogTicks; every++ {
		ticks = ticks[:0]
		for i := first; i <= last; i++ {
			if i%(3*every) == 0 {
				ticks = append(ticks, ladder(i))
			}
		}
	}
	return scale{ladder(first), ladder(last), true}, ticks
}

// across are ticks along the foot, in percent.
func (s scale) across(values []float64) []Tick {
	ticks := []Tick{}
	for _, v := range values {
		ticks = append(ticks, Tick{s.percent(v), result.Number(v)})
	}
	return ticks
}

// upward are ticks along the side of a plot, in pixels.
func (s scale) upward(values []float64, p Plot) []Tick {
	ticks := []Tick{}
	for _, v := range values {
		ticks = append(ticks, Tick{tenth(float64(p.Top) + s.down(v, p)), result.Number(v)})
	}
	return ticks
}

// down is how far below the plot's top v lies, in pixels.
func (s scale) down(v float64, p Plot) float64 { return float64(p.Height) * (1 - s.at(v)) }
