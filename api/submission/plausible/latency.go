package plausible

import (
	"math/bits"

	"flashdex/result"
)

// A latency of a histogram stands for all from low to high ns, both included, that HdrHistogram keeps in one counter with two
// significant digits: 256 to a power of two at first, then half as many of twice the width in each further one.
func counter(latencyNS int64) (low, high int64) {
	shift := max(bits.Len64(uint64(latencyNS))-8, 0)
	low = latencyNS >> shift << shift
	return low, low + 1<<shift - 1
}

// atMost counts the operations of a histogram that took at most ns.
func atMost(latency []result.Bucket, ns float64) (ops int64) {
	for _, b := range latency {
		if low, _ := counter(b.LatencyNS); float64(low) <= ns {
			ops += b.Count
		}
	}
	return ops
}

// extremes is the range in which the slowest operation of a histogram lies, in ns.
func extremes(latency []result.Bucket) (low, high int64) {
	for _, b := range latency {
		from, to := counter(b.LatencyNS)
		low, high = max(low, from), max(high, to)
	}
	return low, high
}

// Fixed parts of an operation, in ns, beside the time in which the bus carries its bytes.
const (
	leastNS    = 1_000  // a system call, the block layer and the device's interrupt, whatever the device
	leastATANS = 10_000 // solid-state disks that answer from their memory take about 25 µs
	leastBusNS = 20_000 // SD, eMMC and USB: the fastest published, an eMMC of 7,950 IOPS at queue depth 1, takes 126 µs
)

// floorNS is the least that one operation of t can take on the bus of d.
func floorNS(d *result.Document, t *result.Test) float64 {
	least := float64(leastNS)
	kind := d.Identity.Bus
	if d.Imported != nil {
		kind = map[string]string{"sd": "sd", "microsd": "sd", "emmc": "mmc", "usb": "usb", "cf": "ata"}[d.Module.Form]
	}
	switch kind {
	case "sd", "mmc", "usb":
		least = leastBusNS
	case "ata":
		least = leastATANS
	}
	if b := busOf(d); b.mbPerS > 0 {
		least += float64(t.BlockBytes) * 1e3 / (b.mbPerS * busMargin)
	}
	return least
}

func latencyImpossible(d *result.Document, add func(string, ...any)) {
	for i := range d.Tests {
		t := &d.Tests[i]
		if share := fast(t, leastNS); share > 0.5 {
			add("%s did %.0f %% of its operations in less than 1 µs each, which is less than the way through the kernel takes.",
				testNames[t.Name], 100*share)
		}
	}
}

func latencyFloor(d *result.Document, add func(string, ...any)) {
	for i := range d.Tests {
		t := &d.Tests[i]
		floor := floorNS(d, t)
		if share := fast(t, floor); share > 0.5 && floor > leastNS && fast(t, leastNS) <= 0.5 {
			add("%s did %.0f %% of its operations in less than %.0f µs each, which is less than the module's bus and its controller take.",
				testNames[t.Name], 100*share, floor/1e3)
		}
	}
}

// fast is the share of the operations that took less than ns. One of 0 ns was too short for a coarse clock and says nothing.
func fast(t *result.Test, ns float64) float64 {
	if !random(t) || t.QueueDepth != 1 {
		return 0
	}
	var below, timed int64
	for _, b := range t.Latency {
		if b.LatencyNS == 0 {
			continue
		}
		timed += b.Count
		if _, high := counter(b.LatencyNS); float64(high) < ns {
			below += b.Count
		}
	}
	return float64(below) / float64(max(timed, 1))
}

func latencySum(d *result.Document, add func(string, ...any)) {
	for i := range d.Tests {
		t := &d.Tests[i]
		if !random(t) || len(t.Latency) == 0 {
			continue
		}
		var low, high float64
		for _, b := range t.Latency {
			from, to := counter(b.LatencyNS)
			low += float64(from) * float64(b.Count)
			high += float64(to) * float64(b.Count)
		}
		if ns := float64(t.DurationNS); ns < low*(1-1e-9) || ns > high*(1+1e-9) {
			add("%s took %.3f s, but the latencies of its operations add up to between %.3f and %.3f s.",
				testNames[t.Name], ns/1e9, low/1e9, high/1e9)
		}
	}
}

// slowestOperation compares the slowest operation of the intervals, warm-up included, with the histogram, which is without.
func slowestOperation(d *result.Document, add func(string, ...any)) {
	for i := range d.Tests {
		t := &d.Tests[i]
		var slowest int64
		for _, v := range t.Intervals {
			slowest = max(slowest, v.MaxNS)
			if v.MaxNS > v.NS && t.QueueDepth == 1 {
				add("%s holds an operation of %.3f ms in an interval of %.3f ms.", testNames[t.Name], float64(v.MaxNS)/1e6, float64(v.NS)/1e6)
				break
			}
		}
		if p := t.Percentiles; p != nil && p.MaxNS > t.DurationNS+tickNS {
			add("%s holds an operation of %.3f ms in %.3f ms.", testNames[t.Name], float64(p.MaxNS)/1e6, float64(t.DurationNS)/1e6)
		}
		low, high := extremes(t.Latency)
		if !random(t) || high == 0 || slowest == 0 {
			continue
		}
		if slowest < low || slowest > max(high, t.WarmupNS) {
			add("The slowest operation of %s took %.3f ms by its intervals and %.3f ms by its latencies.",
				lower(testNames[t.Name]), float64(slowest)/1e6, float64(low)/1e6)
		}
	}
}
