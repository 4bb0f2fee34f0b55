package plausible

import (
	"math"
	"slices"

	"flashdex/result"
)

// samplesOfOurs reports whether the client's loop over single operations made the random tests of a document.
func samplesOfOurs(d *result.Document) bool {
	return isOurs(d) || result.OfReference(d.Method)
}

// wasResumed reports whether a run was interrupted. The profiles reference and saturate can be resumed.
func wasResumed(d *result.Document) bool { return d.Resumed > 0 && !isOurs(d) }

// times are the lengths of the intervals or batches of one test in ns, in order.
type times struct {
	of   string
	test *result.Test
	ns   []int64
	unit int64 // the largest power of ten that divides all
}

// timesOf returns all lists of times of a document. The client reads every one of them from one clock.
func timesOf(d *result.Document) (all []times) {
	for i := range d.Tests {
		t := &d.Tests[i]
		intervals := times{of: "the intervals of " + inSentence(t), test: t}
		for _, v := range t.Intervals {
			intervals.ns = append(intervals.ns, v.NS)
		}
		batches := times{of: "the batches of " + inSentence(t), test: t}
		for _, b := range t.Batches {
			batches.ns = append(batches.ns, b.NS)
		}
		all = append(all, intervals, batches)
	}
	return all
}

// leastDistinct is how many different times it takes to show the tick of a clock. By chance, all of them are multiples
// of ten ticks once in 10^8 documents.
const leastDistinct = 8

// distinct counts the different values.
func distinct(ns []int64) int { return len(slices.Compact(slices.Sorted(slices.Values(ns)))) }

// unitOf returns the largest number that divides every time, and the largest power of ten that does.
func unitOf(ns []int64) (unit, decimal int64) {
	for _, v := range ns {
		for v != 0 {
			unit, v = v, unit%v
		}
	}
	decimal = 1
	for unit > 0 && unit%(decimal*10) == 0 {
		decimal *= 10
	}
	return unit, decimal
}

const (
	// A microsecond is the shortest tick that the times of a whole document show surely. Shorter ticks aren't a whole
	// number of ns, or the kernel stretches them by up to 500 ppm to follow NTP: by 520 ns in each ms, ten ticks of a
	// Raspberry Pi.
	microsecond = 1_000
	millisecond = 1_000_000
	// contradictingUnits is the ratio of units from which on two lists can't be from one clock.
	contradictingUnits = 100
)

// hasNoMicroseconds lists the architectures whose Linux has no clock with a tick of 1 µs: an x86 computer has the TSC,
// HPET (10 to 25 MHz), the ACPI timer (3.58 MHz), Hyper-V's (10 MHz), the PIT (1.19 MHz) or the kernel's own tick.
var hasNoMicroseconds = []string{"x86_64", "i386", "i486", "i586", "i686"}

// clock finds times that can't be from one clock. A kernel counts in ticks of its clock or, if it has no better one, in
// its own ticks of 1 to 10 ms. A clock may begin to follow NTP, so a later test may have finer times than an earlier
// one, but no coarser ones.
func clock(d *result.Document, add report) {
	if !samplesOfOurs(d) || wasResumed(d) { // another start of the computer may have another clock
		return
	}
	var all []int64
	var before []times // lists of tests before and of this one
	for _, list := range timesOf(d) {
		all = append(all, list.ns...)
		if distinct(list.ns) < leastDistinct {
			continue
		}
		_, list.unit = unitOf(list.ns)
		for _, other := range before {
			coarse, fine := list, other
			if other.test == list.test && other.unit > list.unit {
				coarse, fine = other, list
			}
			if coarse.unit >= microsecond && coarse.unit/fine.unit >= contradictingUnits {
				add("All times in %s are multiples of %d ns, and in %s only of %d ns. One clock gave both.",
					coarse.of, coarse.unit, fine.of, fine.unit)
				return
			}
		}
		before = append(before, list)
	}
	unit, decimal := unitOf(all)
	switch {
	case distinct(all) < 2*leastDistinct || decimal < microsecond:
	case decimal < millisecond && slices.Contains(hasNoMicroseconds, d.Host.Arch):
		add("All times are multiples of %d ns, and no clock of a computer with %s ticks so.", decimal, d.Host.Arch)
	case decimal == 10*microsecond || decimal == 100*microsecond:
		add("All times are multiples of %d ns, and no clock ticks so.", decimal)
	default:
		betweenTicks(d, unit, add)
	}
}

// showsTicks reports whether every operation of a document took a whole number of ms, as with the kernel's own tick.
// NTP may have stretched the tick by up to 500 ppm, so the times of intervals and batches may not show it.
func showsTicks(d *result.Document) bool {
	const stretch = 500e-6
	timed := false
	for i := range d.Tests {
		for _, b := range d.Tests[i].Latency {
			low, high := counter(b.LatencyNS())
			least, most := float64(low)*(1-stretch), float64(high)*(1+stretch)
			if math.Ceil(least/millisecond) > math.Floor(most/millisecond) {
				return false
			}
			timed = true
		}
	}
	return timed
}

// betweenTicks finds operations whose time lies between two ticks of the clock.
func betweenTicks(d *result.Document, tick int64, add report) {
	for i := range d.Tests {
		for _, b := range d.Tests[i].Latency {
			if low, high := counter(b.LatencyNS()); low > 0 && (low-1)/tick == high/tick {
				add("All times are multiples of %d ns, but %d operations of %s took between %d and %d ns.",
					tick, b.Count(), inSentence(&d.Tests[i]), low, high)
				return
			}
		}
	}
}
