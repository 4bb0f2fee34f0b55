package plausible

import (
	"cmp"
	"slices"

	"flashdex/result"
)

// coarseClock finds a clock that was too coarse for most operations: their mean is right, but no percentile is.
func coarseClock(_ *result.Document, t *result.Test, add report) {
	var untimed int64
	for _, b := range t.Latency {
		if b.LatencyNS == 0 {
			untimed += b.Count
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

// part is an interval or a batch: its bytes or operations, and its time.
type part struct{ size, ns int64 }

// tooRegular finds times that somebody typed or computed instead of measuring.
func tooRegular(_ *result.Document, t *result.Test, add report) {
	var intervals, batches []part
	for _, v := range t.Intervals {
		intervals = append(intervals, part{v.Bytes, v.NS})
	}
	for _, b := range t.Batches {
		batches = append(batches, part{b.Ops, b.NS})
	}
	const message = "%d %s of %s took %d ns each, to the nanosecond. Measured times differ."
	if n, ns := mostAlike(intervals); n >= regularParts {
		add(message, n, "intervals", inSentence(t), ns)
	}
	if n, ns := mostAlike(batches); n >= regularParts {
		add(message, n, "batches", inSentence(t), ns)
	}
	if len(t.Latency) == 1 && t.Ops >= regularOps && !isTick(t.DurationNS) {
		add("All %d operations of %s took the same time. Measured times differ.", t.Ops, inSentence(t))
	}
}

// mostAlike finds the sizes whose parts all took the same time. It returns the largest number of parts of such a size,
// and their time. It sorts parts.
func mostAlike(parts []part) (n int, ns int64) {
	slices.SortFunc(parts, func(a, b part) int { return cmp.Or(cmp.Compare(a.size, b.size), cmp.Compare(a.ns, b.ns)) })
	for len(parts) > 0 {
		end := slices.IndexFunc(parts, func(p part) bool { return p.size != parts[0].size })
		if end < 0 {
			end = len(parts)
		}
		if first, last := parts[0].ns, parts[end-1].ns; first == last && !isTick(first) && end > n {
			n, ns = end, first
		}
		parts = parts[end:]
	}
	return n, ns
}

// isTick reports whether a clock of at most 1,000 Hz could show the time. Such a clock shows steady times as equal.
func isTick(ns int64) bool { return ns%1_000_000 == 0 }
