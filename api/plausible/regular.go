package plausible

import (
	"unicode"

	"flashdex/result"
)

// coarseClock finds a computer whose clock couldn't time most of the operations. Their sum is right in the mean, but no
// percentile is.
func coarseClock(d *result.Document, add func(string, ...any)) {
	for i := range d.Tests {
		t := &d.Tests[i]
		if untimed := atMost(t.Latency, 0); random(t) && 2*untimed > t.Ops {
			add("The computer's clock showed no time at all for %d of the %d operations of %s, so that their percentiles aren't known.",
				untimed, t.Ops, lower(testNames[t.Name]))
		}
	}
}

const (
	// regularIntervals of the same size don't all take the same time to the nanosecond.
	regularIntervals = 5
	// regularOps operations don't all fall within the 0.8 % of one counter of the histogram.
	regularOps = 3000
)

// tooRegular finds times that were typed or computed and not measured.
func tooRegular(d *result.Document, add func(string, ...any)) {
	for i := range d.Tests {
		t := &d.Tests[i]
		if n, ns := alike(t); n >= regularIntervals {
			add("%d intervals of %s took %d ns each, to the nanosecond. Measured times differ.", n, lower(testNames[t.Name]), ns)
		}
		if len(t.Latency) == 1 && t.Ops >= regularOps && !ticks(t.Latency[0].LatencyNS) {
			add("All %d operations of %s took the same time. Measured times differ.", t.Ops, lower(testNames[t.Name]))
		}
	}
}

// alike finds the largest number of intervals with the same bytes, if all of these took the same time, and the time.
func alike(t *result.Test) (n int, ns int64) {
	type kind struct{ count, ns int64 }
	kinds := map[int64]kind{}
	for _, v := range t.Intervals {
		k, seen := kinds[v.Bytes]
		switch {
		case !seen:
			k = kind{1, v.NS}
		case k.ns == v.NS:
			k.count++
		default:
			k.ns = -1
		}
		kinds[v.Bytes] = k
	}
	for _, k := range kinds {
		if k.ns > 0 && !ticks(k.ns) && int(k.count) > n {
			n, ns = int(k.count), k.ns
		}
	}
	return n, ns
}

// ticks says whether a time may be what a clock of at most 1000 Hz shows, on which steady times are alike.
func ticks(ns int64) bool { return ns%1_000_000 == 0 }

// lower writes the name of a test inside a sentence.
func lower(s string) string {
	return string(unicode.ToLower(rune(s[0]))) + s[1:]
}
