package result

import "math"

// Tests of MethodSaturate1, after SeqWrite and RandWrite as in MethodFlashdex1.
const (
	FillWrite  = "fill-write"  // a line over the whole module, or over its free space in a directory
	RoundWrite = "round-write" // at random over all of that, until Steady
	FullWrite  = "full-write"  // RandWrite once more over its area, after all that
)

const (
	// RoundIntervals is the number of intervals of RoundWrite in a round, which so takes a minute or more: each takes
	// RoundIntervalNS at least.
	RoundIntervals  = 20
	RoundIntervalNS = 3_000_000_000
	// steadyRounds are the rounds that are compared: SNIA, Solid State Storage Performance Test Specification 2.0.2,
	// 2.1.26.
	steadyRounds = 5
	// steadyRange is the most that the rates of these rounds may differ, and steadySlope the most that they may rise or
	// fall from the first to the last, relative to their mean.
	steadyRange = 0.20
	steadySlope = 0.10
)

// RoundsOf joins the intervals of RoundWrite into rounds. It leaves out an unfinished round.
func RoundsOf(intervals []Interval) (rounds []Interval) {
	for ; len(intervals) >= RoundIntervals; intervals = intervals[RoundIntervals:] {
		rounds = append(rounds, SumIntervals(intervals[:RoundIntervals]))
	}
	return rounds
}

// Steady reports whether the last rounds are steady by SNIA's rule. They must also be as fast as the five rounds before
// them, and as the five before those, since a slow fall stays within SNIA's rule for hours.
func Steady(rounds []Interval) bool {
	if len(rounds) < 3*steadyRounds {
		return false
	}
	last, before := rounds[len(rounds)-steadyRounds:], rounds[len(rounds)-3*steadyRounds:]
	mean := average(ratesOf(last))
	for range 2 {
		if mean <= 0 || math.Abs(average(ratesOf(before[:steadyRounds]))/mean-1) > steadySlope {
			return false
		}
		before = before[steadyRounds:]
	}
	least, most, slope := math.Inf(1), 0.0, 0.0
	for i, rate := range ratesOf(last) {
		least, most = min(least, rate), max(most, rate)
		x := float64(i) - (steadyRounds-1)/2
		slope += x * rate / 10 // 10 is the sum of the squares of x, for 5 rounds
	}
	return most-least <= steadyRange*mean && math.Abs(slope)*(steadyRounds-1) <= steadySlope*mean
}

// ratesOf returns the rates of intervals in operations per second.
func ratesOf(intervals []Interval) (iops []float64) {
	for _, v := range intervals {
		rate := 0.0
		if v.NS > 0 {
			rate = float64(v.Ops) * 1e9 / float64(v.NS)
		}
		iops = append(iops, rate)
	}
	return iops
}

// addRounds adds the figures of RoundWrite: the rate of the last rounds, if they are steady. It has no interval, since
// the rule chose the rounds for being alike.
func (t *Test) addRounds(f *Figures) {
	f.MaxNS = unlessZero(SumIntervals(t.Intervals).MaxNS)
	if rounds := RoundsOf(t.Intervals); Steady(rounds) {
		sum := SumIntervals(rounds[len(rounds)-steadyRounds:])
		f.IOPS = new(float64(sum.Ops) * 1e9 / float64(sum.NS))
	}
}
