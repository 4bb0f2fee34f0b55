package plausible

import (
	"flashdex/result"
)

// intervalSum holds the time that went by in the intervals of a random test against the time of its operations, one after
// the other, and what the client took between them.
func intervalSum(d *result.Document, add func(string, ...any)) {
	for i := range d.Tests {
		t := &d.Tests[i]
		if !random(t) || t.QueueDepth != 1 || d.Imported != nil {
			continue
		}
		var passed int64
		for _, v := range t.Intervals {
			passed += v.NS
		}
		busy := t.DurationNS + t.WarmupNS
		most := busy + t.OverheadNS
		if passed < busy || passed > most+most/100+tickNS {
			add("The intervals of %s last %.3f s, but its operations one after the other %.3f s, and the client between them %.3f s.",
				lower(testNames[t.Name]), seconds(passed), seconds(busy), seconds(t.OverheadNS))
		}
	}
}

func seconds(ns int64) float64 { return float64(ns) / 1e9 }

// deviceBytes demands the method's proof: the kernel counted at the device at least 95 % of what the test moved.
func deviceBytes(d *result.Document, add func(string, ...any)) {
	for i := range d.Tests {
		t := &d.Tests[i]
		moved := (t.Ops + t.WarmupOps) * t.BlockBytes
		if t.DeviceBytes < moved-moved/20 && d.Imported == nil { // nobody counted for another tool
			add("%s moved %d KiB, but the kernel counted only %d KiB at the device. The rest never left the page cache, whose speed is not the module's.",
				testNames[t.Name], moved>>10, t.DeviceBytes>>10)
		}
	}
}

// area holds each test area against the module, and what was done in it against its size.
func area(d *result.Document, add func(string, ...any)) {
	size := d.Identity.SizeBytes
	if d.Imported != nil {
		size = int64(d.Module.CapacityGB * mostOfPrinted * 1e9)
	}
	for i := range d.Tests {
		t := &d.Tests[i]
		blocks, done := t.AreaBytes/t.BlockBytes, t.Ops+t.WarmupOps
		switch {
		case t.AreaBytes > size:
			add("The test area of %s has %d bytes, but the module only %d.", lower(testNames[t.Name]), t.AreaBytes, size)
			return
		case done > blocks && ours(d):
			add("%s did %d operations in an area of %d blocks, each of which is used once.", testNames[t.Name], done, blocks)
		case t.Ended == result.Complete && done < blocks:
			add("%s says that it did every block of its area, but that has %d, and it did %d.", testNames[t.Name], blocks, done)
		}
	}
}
