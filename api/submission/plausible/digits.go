package plausible

import (
	"slices"

	"flashdex/result"
)

const (
	// digitTimes is how many times it takes to show how often each digit comes.
	digitTimes = 100
	// digitLimit is a value of chi-square with 9 degrees of freedom that chance exceeds once in 10^9 documents. It
	// leaves room for ticks of 40 ns, which hit the digits 3 and 2 times in turn: they add 0.04 for each time.
	digitLimit = 60
)

// hasFineClock lists the architectures whose usual clocks tick in less than 100 ns, or not in multiples of 100 ns.
var hasFineClock = append([]string{"aarch64"}, hasNoMicroseconds...)

// digits looks at the digit of the hundreds of ns in the times of a document, which is far below what any module or bus
// repeats. Measured times have every digit equally often; numbers that somebody typed or rounded don't.
func digits(d *result.Document, add report) {
	if !samplesOfOurs(d) || !slices.Contains(hasFineClock, d.Host.Arch) {
		return
	}
	var all []int64
	var count [10]int
	for _, list := range timesOf(d) {
		all = append(all, list.ns...)
		for _, v := range list.ns {
			count[v/100%10]++
		}
	}
	if unit, _ := unitOf(all); unit > 100 || distinct(all) < digitTimes {
		return // a coarse clock, which clock judges
	}
	expected := float64(len(all)) / 10
	var chiSquare float64
	most := 0
	for digit, n := range count {
		chiSquare += (float64(n) - expected) * (float64(n) - expected) / expected
		if n > count[most] {
			most = digit
		}
	}
	if limit := digitLimit + 0.04*float64(len(all)); chiSquare > limit {
		add("%d of %d times have the digit %d at their hundreds of ns. In measured times, each digit comes about as often.",
			count[most], len(all), most)
	}
}
