package plausible

import "flashdex/result"

// intervalSum compares the duration of a random test's intervals with the sum of its operations' times, which ran one
// after the other, and the client's time between them.
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

// deviceBytes requires the method's proof: the kernel counted at least 95 % of the test's bytes at the device.
func deviceBytes(d *result.Document, t *result.Test, add report) {
	moved := (t.Ops + t.WarmupOps) * t.BlockBytes
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
		case t.Ended == result.Complete && done < blocks:
			add("%s says that it did every block of its area, but the area has %d blocks, and it did %d.",
				testNames[t.Name], blocks, done)
		}
	}
}
