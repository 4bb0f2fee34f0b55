package chart

import (
	"math"

	"flashdex/api/figure"
	"flashdex/result"
)

// extent is the range of values that a logarithmic scale must hold: values above 0.
type extent struct{ low, high float64 }

func drawable(v float64) bool { return v > 0 && !math.IsInf(v, 1) }

// add widens the extent. Values that no logarithmic scale can hold are left out.
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

// addInterval adds the ends of an interval, if there is one.
func (e *extent) addInterval(f figure.Figure) {
	if f.HasInterval() {
		e.add(f.Ends())
	}
}

// scale places values between 0 and 1.
type scale struct {
	low, high float64
	log       bool
}

// at is the place of v. Values beyond an end, and NaN, lie at that end.
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

// down is the place of v in pixels below the plot's top.
func (s scale) down(v float64, p Plot) float64 { return float64(p.Height) * (1 - s.at(v)) }

// across makes ticks along the foot.
func (s scale) across(values []float64) []Tick {
	ticks := make([]Tick, len(values))
	for i, v := range values {
		ticks[i] = Tick{s.percent(v), result.Number(v)}
	}
	return ticks
}

// upward makes ticks along the side of a plot.
func (s scale) upward(values []float64, p Plot) []Tick {
	ticks := make([]Tick, len(values))
	for i, v := range values {
		ticks[i] = Tick{tenth(float64(p.Top) + s.down(v, p)), result.Number(v)}
	}
	return ticks
}

// linearScale reaches from 0 to the first multiple of a step that is not below high, in three to six steps. A step is
// 1, 2 or 5 times a power of ten.
func linearScale(high float64) (s scale, ticks []float64) {
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
	n := int(math.Ceil(high/step - 1e-9))
	for i := range n + 1 {
		ticks = append(ticks, float64(i)*step)
	}
	return scale{0, float64(n) * step, false}, ticks
}

// rung is the i-th of the numbers 1, 2, 5, 10, 20, 50 and so on; below 1 for a negative i.
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
	i := 3 * int(math.Floor(math.Log10(v)))
	for rung(i) > v {
		i--
	}
	for rung(i+1) <= v {
		i++
	}
	return i
}

// maxLogTicks is how many labels fit next to each other on a phone.
const maxLogTicks = 7

// logScale reaches from one rung to another, at least two rungs further, and holds the extent. Every rung has a tick.
// Where that is too many, every power of ten, or every few powers.
func logScale(e extent) (s scale, ticks []float64) {
	first, last := rungBelow(e.low), rungBelow(e.high)
	if rung(last) < e.high {
		last++
	}
	for last-first < 2 {
		first, last = first-1, last+1
	}
	for i := first; i <= last; i++ {
		ticks = append(ticks, rung(i))
	}
	for every := 1; len(ticks) > maxLogTicks; every++ {
		ticks = ticks[:0]
		for i := first; i <= last; i++ {
			if i%(3*every) == 0 {
				ticks = append(ticks, rung(i))
			}
		}
	}
	return scale{rung(first), rung(last), true}, ticks
}
