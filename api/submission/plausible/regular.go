package plausible

import (
	"cmp"
	"slices"
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
	// regularParts are so many intervals or batches of one size that they don't all take the same time to the nanosecond.
	regularParts = 5
	// regularOps are so many operations that they don't all fall within the 0.8 % of one counter of the histogram.
	regularOps = 3000
)

// tooRegular finds times that were typed or computed and not measured.
func tooRegular(d *result.Document, add func(string, ...any)) {
	for i := range d.Tests {
		t := &d.Tests[i]
		name := lower(testNames[t.Name])
		var intervals, batches [][2]int64
		for _, v := range t.Intervals {
			intervals = append(intervals, [2]int64{v.Bytes, v.NS})
		}
		for _, b := range t.Batches {
			batches = append(batches, [2]int64{b.Ops, b.NS})
		}
		if n, ns := alike(intervals); n >= regularParts {
			add("%d intervals of %s took %d ns each, to the nanosecond. Measured times differ.", n, name, ns)
		}
		if n, ns := alike(batches); n >= regularParts {
			add("%d batches of %s took %d ns each, to the nanosecond. Measured times differ.", n, name, ns)
		}
		if len(t.Latency) == 1 && t.Ops >= regularOps && !ticks(t.DurationNS) {
			add("All %d operations of %s took the same time. Measured times differ.", t.Ops, name)
		}
	}
}

// alike takes sizes and times of a test's parts. Of the sizes whose parts all took the same time, it finds the one with the
// most parts, and the time.
func alike(parts [][2]int64) (n int, ns int64) {
	slices.SortFunc(parts, func(a, b [2]int64) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	for len(parts) > 0 {
		end := slices.IndexFunc(parts, func(p [2]int64) bool { return p[0] != parts[0][0] })
		if end < 0 {
			end = len(parts)
		}
		if first, last := parts[0][1], parts[end-1][1]; first == last && !ticks(first) && end > n {
			n, ns = end, first
		}
		parts = parts[end:]
	}
	return n, ns
}

// ticks says whether a time may be what a clock of at most 1000 Hz shows, on which steady times are alike.
func ticks(ns int64) bool { return ns%1_000_000 == 0 }

// lower writes the name of a test inside a sentence.
func lower(s string) string {
	return string(unicode.ToLower(rune(s[0]))) + s[1:]
}
