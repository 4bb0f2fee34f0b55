package plausible

import (
	"math"
	"math/bits"

	"flashdex/result"
)

// counter returns the range of latencies in ns, both ends included, that HdrHistogram counts together with latencyNS at
// two significant digits: at first 256 counters of 1 ns, then half as many of twice the width for each power of two.
func counter(latencyNS int64) (low, high int64) {
	shift := max(bits.Len64(uint64(latencyNS))-8, 0)
	low = latencyNS >> shift << shift
	return low, low + 1<<shift - 1
}

// slowest returns the range in ns that holds the slowest operation of a histogram.
func slowest(latency []result.Bucket) (low, high int64) {
	for _, b := range latency {
		from, to := counter(b.LatencyNS())
		low, high = max(low, from), max(high, to)
	}
	return low, high
}

// leastNS is the least time in ns that an operation takes on any device: for a system call, the block layer and an
// interrupt.
const leastNS = 1_000

// leastOnBusNS is the least time in ns that an operation takes on a bus, not counting the transfer of its bytes. The
// fastest published module, an eMMC of 7,950 IOPS at queue depth 1, takes 126 µs. Solid-state disks that answer from
// their memory take about 25 µs.
var leastOnBusNS = map[string]float64{"sd": 20_000, "mmc": 20_000, "usb": 20_000, "ata": 10_000, "cf": 10_000}

var busOfForm = map[string]string{"sd": "sd", "microsd": "sd", "emmc": "mmc", "usb": "usb", "cf": "cf"}

// floorNS returns the shortest time that one operation of t can take on the bus of d.
func floorNS(d *result.Document, t *result.Test) float64 {
	kind := d.Identity.Bus
	if d.Imported != nil {
		kind = busOfForm[d.Module.Form]
	}
	floor := max(leastOnBusNS[kind], leastNS)
	if b := busOf(d); b.mbPerS > 0 {
		floor += float64(t.BlockBytes) * 1e3 / (b.mbPerS * busMargin)
	}
	return floor
}

func latencyImpossible(_ *result.Document, t *result.Test, add report) {
	if share := shareBelow(t, leastNS); share > 0.5 {
		add("%s did %.0f %% of its operations in less than 1 µs each, which is less than the way through the kernel takes.",
			testNames[t.Name], 100*share)
	}
}

func latencyFloor(d *result.Document, t *result.Test, add report) {
	floor := floorNS(d, t)
	if share := shareBelow(t, floor); share > 0.5 && floor > leastNS && shareBelow(t, leastNS) <= 0.5 {
		add("%s did %.0f %% of its operations in less than %.0f µs each, "+
			"which is less than the module's bus and its controller take.", testNames[t.Name], 100*share, floor/1e3)
	}
}

// importedRate finds random operations whose mean time is shorter than the module's bus and controller allow, because
// the page cache answered them. It reports only one test, because an imported table has a test for each size.
func importedRate(d *result.Document, add report) {
	for i := range d.Tests {
		t := &d.Tests[i]
		each := float64(t.DurationNS) * float64(t.QueueDepth) / float64(t.Ops)
		if floor := floorNS(d, t); d.Imported != nil && t.IsRandom() && each < floor {
			add("%s took %.1f µs for each operation, and the bus and the controller of such a module take %.1f µs at least: "+
				"the page cache of the computer answered.", testNames[t.Name], each/1e3, floor/1e3)
			return
		}
	}
}

// shareBelow returns the share of the operations that took less than ns. It ignores operations of 0 ns, which were too
// short for a coarse clock.
func shareBelow(t *result.Test, ns float64) float64 {
	if !t.IsRandom() || t.QueueDepth != 1 {
		return 0
	}
	var below, timed int64
	for _, b := range t.Latency {
		if b.LatencyNS() == 0 {
			continue
		}
		timed += b.Count()
		if _, high := counter(b.LatencyNS()); float64(high) < ns {
			below += b.Count()
		}
	}
	return float64(below) / float64(max(timed, 1))
}

func latencySum(d *result.Document, t *result.Test, add report) {
	if !t.IsRandom() || len(t.Latency) == 0 {
		return
	}
	var low, high float64
	for _, b := range t.Latency {
		from, to := counter(b.LatencyNS())
		low += float64(from) * float64(b.Count())
		high += float64(to) * float64(b.Count())
	}
	ns, rounding := float64(t.DurationNS), 1e-9
	if d.Imported != nil { // several operations were in flight, time between them counts, and fio's bins are 1.6 % wide
		ns, rounding, high = ns*float64(t.QueueDepth)+tickNS, 0.02, math.Inf(1)
	}
	if ns < low*(1-rounding) || ns > high*(1+rounding) {
		add("%s took %.3f s, but the latencies of its operations add up to between %.3f and %.3f s.",
			testNames[t.Name], ns/1e9, low/1e9, high/1e9)
	}
}

// slowestOperation compares the slowest operation of the intervals, which include the warm-up, with the histogram,
// which doesn't.
func slowestOperation(_ *result.Document, t *result.Test, add report) {
	var ofIntervals int64
	for _, v := range t.Intervals {
		ofIntervals = max(ofIntervals, v.MaxNS)
		if v.MaxNS > v.NS && t.QueueDepth == 1 {
			add("%s holds an operation of %.3f ms in an interval of %.3f ms.",
				testNames[t.Name], milliseconds(v.MaxNS), milliseconds(v.NS))
			break
		}
	}
	if p := t.Percentiles; p != nil && p.MaxNS > t.DurationNS+tickNS {
		add("%s holds an operation of %.3f ms in %.3f ms.",
			testNames[t.Name], milliseconds(p.MaxNS), milliseconds(t.DurationNS))
	}
	low, high := slowest(t.Latency)
	if !t.IsRandom() || high == 0 || ofIntervals == 0 {
		return
	}
	if ofIntervals < low || ofIntervals > max(high, t.WarmupNS) {
		add("The slowest operation of %s took %.3f ms by its intervals and %.3f ms by its latencies.",
			inSentence(t), milliseconds(ofIntervals), milliseconds(low))
	}
}
