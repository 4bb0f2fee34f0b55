package plausible

import (
	"maps"
	"slices"

	"flashdex/result"
)

// coarseClock finds a clock that was too coarse for most operations: their mean is right, but no percentile is.
func coarseClock(_ *result.Document, t *result.Test, add report) {
	var untimed int64
	for _, b := range t.Latency {
		if b.LatencyNS() == 0 {
			untimed += b.Count()
		}
	}
	if t.IsRandom() && 2*untimed > t.Ops {
		add("The computer's clock showed no time at all for %d of the %d operations of %s, "+
			"so nobody can know their percentiles.", untimed, t.Ops, inSentence(t))
	}
}

const (
	// regularParts is the number of intervals or batches of one size that never take the same time to the nanosecond.
	regularParts = 5
	// regularOps is the number of operations that never all fall within the 0.8 % of one counter of the histogram.
	regularOps = 3000
)

// tooRegular finds times that somebody typed or computed instead of measuring.
func tooRegular(_ *result.Document, t *result.Test, add report) {
	const message = "%d %s of %s took %d ns each, to the nanosecond. Measured times differ."
	n, ns := mostAlike(t.Intervals, func(v result.Interval) (size, ns int64) { return v.Bytes, v.NS })
	if n >= regularParts {
		add(message, n, "intervals", inSentence(t), ns)
	}
	n, ns = mostAlike(t.Batches, func(b result.Batch) (size, ns int64) { return b.Ops, b.NS })
	if n >= regularParts {
		add(message, n, "batches", inSentence(t), ns)
	}
	if len(t.Latency) == 1 && t.Ops >= regularOps && !isTick(t.DurationNS) {
		add("All %d operations of %s took the same time. Measured times differ.", t.Ops, inSentence(t))
	}
}

// mostAlike finds the sizes whose parts all took the same time. It returns the largest number of parts of such a size,
// and their time.
func mostAlike[T any](parts []T, of func(T) (size, ns int64)) (n int, ns int64) {
	count, times := map[int64]int{}, map[int64]int64{} // by size; a time of 0 is not always the same
	for _, p := range parts {
		size, ns := of(p)
		if count[size]++; count[size] > 1 && times[size] != ns {
			ns = 0
		}
		times[size] = ns
	}
	for _, size := range slices.Sorted(maps.Keys(count)) {
		if !isTick(times[size]) && count[size] > n {
			n, ns = count[size], times[size]
		}
	}
	return n, ns
}

// isTick reports whether a clock of at most 1,000 Hz could show the time. Such a clock shows steady times as equal.
func isTick(ns int64) bool { return ns%1_000_000 == 0 }
