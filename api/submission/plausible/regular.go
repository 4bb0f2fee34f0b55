package plausible

import (
	"maps"
	"slices"

	"flashdex/result"
)

// coarseClock finds a clock that was too coarse for most operations. Their mean is right then, but no percentile is.
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
	// regularParts is how many intervals or batches of one size never all take the same time to the nanosecond.
	regularParts = 5
	// regularOps is how many operations never all fall within the 0.8 % of one counter of the histogram.
	regularOps = 3000
)

// tooRegular finds times that somebody typed or computed instead of measuring.
func tooRegular(d *result.Document, t *result.Test, add report) {
	if showsTicks(d) {
		return
	}
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

// mostAlike looks for sizes of parts that all took the same time. It returns the largest number of parts of such a
// size, and their time.
func mostAlike[T any](parts []T, of func(T) (size, ns int64)) (n int, ns int64) {
	count, times := map[int64]int{}, map[int64]int64{} // by size; a time of 0 doesn't always mean the same
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

// intervalSum compares the duration of a random test's intervals with the operations' times plus the client's time
// between operations. The operations ran one after the other.
func intervalSum(d *result.Document, t *result.Test, add report) {
	if !t.IsRandom() || t.QueueDepth != 1 || d.Imported != nil {
		return
	}
	passed := result.SumIntervals(t.Intervals).NS
	busy := t.DurationNS + t.WarmupNS
	most := busy + t.OverheadNS
	if passed < busy || passed > most+most/100+tickNS {
		add("The intervals of %s last %.3f s, but its operations one after the other take %.3f s, "+
			"and the client between them %.3f s.", inSentence(t), seconds(passed), seconds(busy), seconds(t.OverheadNS))
	}
}

// deviceBytes requires the method's proof that the kernel counted at least 95 % of the test's bytes at the device.
func deviceBytes(d *result.Document, t *result.Test, add report) {
	moved := t.MovedBytes() + t.WarmupOps*t.BlockBytes
	if t.DeviceBytes < moved-moved/20 && d.Imported == nil { // another tool's output has no such count
		add("%s moved %d KiB, but the kernel counted only %d KiB at the device. "+
			"The rest never left the page cache, whose speed is not the module's.",
			testNames[t.Name], moved>>10, t.DeviceBytes>>10)
	}
}

// area compares each test area with the size of the module, and the number of operations with the size of the area.
func area(d *result.Document, add report) {
	size := d.Identity.SizeBytes
	if d.Imported != nil {
		size = int64(d.Module.CapacityGB * mostOfPrinted * 1e9)
	}
	for i := range d.Tests {
		t := &d.Tests[i]
		blocks, done := t.AreaBytes/t.BlockBytes, t.Ops+t.WarmupOps
		switch {
		case t.AreaBytes > size:
			add("The test area of %s has %d bytes, but the module only %d.", inSentence(t), t.AreaBytes, size)
			return
		case done > blocks && isOurs(d):
			add("%s did %d operations in an area of %d blocks, each of which is used once.", testNames[t.Name], done, blocks)
		case t.Ended == result.Complete && done < blocks &&
			(result.MethodOfTest(t.Name) == "" || t.Name == result.FillWrite): // other tests end when they know enough
			add("%s says that it did every block of its area, but the area has %d blocks, and it did %d.",
				testNames[t.Name], blocks, done)
		}
	}
}
