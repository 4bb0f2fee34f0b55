package plausible

import (
	"cmp"
	"slices"

	"flashdex/result"
)

// byTheClient reports whether the client's loop over single operations made the samples of a test.
func byTheClient(d *result.Document, t *result.Test) bool {
	return samplesOfOurs(d) && t.IsRandom() && t.Engine == "flashdex" && t.QueueDepth == 1 && t.BlockBytes > 0 && t.Ops > 0
}

const second = 1_000_000_000

// idleNS returns the time of the intervals outside of the operations.
func idleNS(t *result.Test) int64 {
	return max(result.SumIntervals(t.Intervals).NS-t.DurationNS-t.WarmupNS, 0)
}

// intervalsLeaveSeconds compares the intervals of a random test with the client's loop, which ends an interval with the
// operation that completes a second. It reports whether it found a contradiction.
func intervalsLeaveSeconds(d *result.Document, t *result.Test, add report) bool {
	// A resumed run joins the parts of the interrupted second, and a long run joins seconds (result.Series).
	if wasResumed(d) || result.SumIntervals(t.Intervals).NS >= result.MaxIntervals*second {
		return false
	}
	for i, v := range t.Intervals {
		longest := second + slowestOf(v) + idleNS(t)
		if i < len(t.Intervals)-1 && v.NS < second || v.NS > longest {
			add("Interval %d of %s took %d ns. The client ends each but the last with the operation that completes a second: "+
				"after %d to %d ns.", i+1, inSentence(t), v.NS, second, longest)
			return true
		}
	}
	return false
}

// slowestOf returns the longest time in ns that an operation of v can have taken.
func slowestOf(v result.Interval) int64 {
	if v.MaxNS == 0 { // not recorded
		return v.NS
	}
	return v.MaxNS
}

// samples compares the intervals, batches and latencies of a random test with each other and with the client's loop.
// They all hold the same operations. It also compares the intervals and latencies of a stream. Every bound follows from
// the order of the operations, so honest samples can't break it.
func samples(d *result.Document, t *result.Test, add report) {
	if t.Name == result.StreamWrite && len(t.Latency) > 0 {
		slowestOfIntervals(t, add)
		return
	}
	if byTheClient(d, t) && !intervalsLeaveSeconds(d, t, add) && len(t.Latency) > 0 &&
		!batchesLeaveIntervals(t, add) && !batchesLeaveLatencies(t, add) {
		slowestOfIntervals(t, add)
	}
}

// batchesLeaveIntervals compares the time of all operations up to the end of each batch with the intervals. It reports
// whether it found something.
func batchesLeaveIntervals(t *result.Test, add report) bool {
	fastest, _ := counter(t.Latency[0].LatencyNS())
	at, took := t.WarmupOps, t.WarmupNS // operations up to the end of a batch, and their time
	var before result.Interval          // the sum of all intervals that were over then
	next, idle := 0, idleNS(t)
	for n := range len(t.Batches) + 1 {
		if n > 0 {
			at, took = at+t.Batches[n-1].Ops, took+t.Batches[n-1].NS
		}
		for next < len(t.Intervals)-1 && before.Ops+t.Intervals[next].Ops < at {
			before = result.SumIntervals([]result.Interval{before, t.Intervals[next]})
			next++
		}
		if next >= len(t.Intervals) {
			return false
		}
		v := t.Intervals[next]
		done, left, slowest := at-before.Ops, before.Ops+v.Ops-at, slowestOf(v)
		most := min(before.NS+atMost(done, slowest, v.NS), before.NS+v.NS-left*fastest)
		least := max(before.NS+v.NS-atMost(left, slowest, v.NS),
			before.NS+(at-max(before.Ops, t.WarmupOps))*fastest) - idle
		if took < least || took > most {
			add("The first %d operations of %s took %.3f s by the batches, but between %.3f and %.3f s by the intervals.",
				at, inSentence(t), seconds(took), seconds(least), seconds(most))
			return true
		}
	}
	return false
}

// atMost returns the longest time in ns that ops operations can take if each takes at most slowest ns, but not more
// than limit.
func atMost(ops, slowest, limit int64) int64 {
	if slowest > 0 && ops > limit/slowest {
		return limit
	}
	return ops * slowest
}

// batchesLeaveLatencies compares the slowest batches with equally many of the slowest operations. It reports whether it
// found a contradiction.
func batchesLeaveLatencies(t *result.Test, add report) bool {
	slowestFirst := slices.SortedFunc(slices.Values(t.Batches), func(a, b result.Batch) int {
		return cmp.Compare(float64(b.NS)*float64(a.Ops), float64(a.NS)*float64(b.Ops))
	})
	var sum result.Batch
	var taken, most float64 // operations of the histogram, from the slowest on, and their longest time
	next := len(t.Latency) - 1
	for n, b := range slowestFirst {
		sum = result.SumBatches([]result.Batch{sum, b})
		for next >= 0 && taken+float64(t.Latency[next].Count()) <= float64(sum.Ops) {
			_, high := counter(t.Latency[next].LatencyNS())
			taken, most = taken+float64(t.Latency[next].Count()), most+float64(t.Latency[next].Count())*float64(high)
			next--
		}
		bound := most
		if next >= 0 {
			_, high := counter(t.Latency[next].LatencyNS())
			bound += (float64(sum.Ops) - taken) * float64(high)
		}
		if float64(sum.NS) > bound*(1+1e-9) {
			add("The slowest %d batches of %s took %.3f s, but its %d slowest operations took at most %.3f s.",
				n+1, inSentence(t), seconds(sum.NS), sum.Ops, bound/1e9)
			return true
		}
	}
	return false
}

// slowestMargin is larger than the histogram's rounding.
const slowestMargin = 1.05

// slowestOfIntervals compares the slowest operation of each interval after the warm-up, from the slowest on, with the
// slowest operations of the histogram.
func slowestOfIntervals(t *result.Test, add report) {
	var slowest []int64
	var ops int64
	for _, v := range t.Intervals {
		if ops >= t.WarmupOps {
			slowest = append(slowest, v.MaxNS)
		}
		ops += v.Ops
	}
	slices.SortFunc(slowest, func(a, b int64) int { return cmp.Compare(b, a) })
	next, left := len(t.Latency)-1, t.Latency[len(t.Latency)-1].Count()
	for n, ns := range slowest {
		for left == 0 && next > 0 {
			next--
			left = t.Latency[next].Count()
		}
		left--
		if _, high := counter(t.Latency[next].LatencyNS()); float64(ns) > slowestMargin*float64(high) {
			add("In %d intervals of %s, an operation took at least %.3f ms, but only %d operations were so slow.",
				n+1, inSentence(t), milliseconds(ns), n)
			return
		}
	}
}
