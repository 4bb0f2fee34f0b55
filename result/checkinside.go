package result

import (
	"math"
	"slices"
)

// checkInside checks the tests of the methods that look into a module. These tests have intervals of Kinds and their
// own limits.
func (t *Test) checkInside(add report, d *Document) {
	sum := SumIntervals(t.Intervals)
	device := d.Target.Kind == "device"
	t.checkArea(add, d)
	if own := MethodOfTest(t.Name); own != "" && own != d.Method {
		add("/name", "only the method %s has this test", own)
	}
	if sync, depth := t.doneBy(); depth > 0 && (t.Sync != sync || t.QueueDepth != depth || !t.Direct) {
		add("/sync", "%s has %d operations under way at most, past the page cache, with the sync %q", t.Name, depth, sync)
	}
	if t.Name != CheckedRead && t.WrongOps+t.DiscardOps > 0 || t.WrongOps > t.Ops || t.RightAloneOps > t.WrongOps {
		add("/wrong_ops", "%s did not compare %d operations", t.Name, t.WrongOps)
	}
	if stream := t.Name == StreamWrite; stream != (t.RateBytesPerS > 0) || stream != (d.Method == MethodRecorder1) {
		add("/rate_bytes_per_s", "tests with a rate of their own are those of the method %s, and it has no others",
			MethodRecorder1)
	}
	switch t.Name {
	case StreamWrite:
		if t.BlockBytes != 1<<20 && t.BlockBytes != 4096 {
			add("/block_bytes", "the method has no such test with blocks of %d bytes", t.BlockBytes)
		}
		took := float64(t.DurationNS + t.OverheadNS)
		if came := float64(t.Bytes) * 1e9 / float64(max(t.RateBytesPerS, 1)); took < 0.999*came {
			add("/duration_ns", "%d bytes had not come by then", t.Bytes)
		}
		if float64(sum.BehindNS) > took {
			add("/intervals", "nothing waited for %d ns in a test of %.0f ns", sum.BehindNS, took)
		}
	case AcrossWrite:
		if t.BlockBytes != PageBlockBytes && t.BlockBytes != UnalignedBytes {
			add("/block_bytes", "the method has no such test with blocks of %d bytes", t.BlockBytes)
		}
	case TurnWrite, GapWrite, KeptWrite, PlaceWrite, SameRead, QueuedRead, QueuedWrite, CheckedRead, RoundWrite,
		FullWrite, Mixed, RestedWrite:
		if t.BlockBytes != 4096 {
			add("/block_bytes", "the method has no such test with blocks of %d bytes", t.BlockBytes)
		}
	}
	switch {
	case device && (t.Name == StreamWrite || t.Name == CheckedRead):
		add("/name", "this test writes files, and the target is a device")
	case !device && (t.Name == PlaceWrite || t.Name == AcrossWrite && t.BlockBytes == PageBlockBytes):
		add("/name", "where on the module a file lies is not known, so this test takes a device")
	case t.DiscardOps > 0 && d.Target.Discards == DiscardsNone:
		add("/discard_ops", "a device that takes no discards did not do %d", t.DiscardOps)
	case t.Name == FillWrite && (t.Ended == Complete) != (t.Bytes == t.AreaBytes):
		add("/ended", "it ended as %s after %d of %d bytes", t.Ended, t.Bytes, t.AreaBytes)
	case t.Name == RoundWrite && (t.Ended == Complete || t.Ended == Converged && !Steady(RoundsOf(t.Intervals))):
		add("/ended", "its rounds don't end as %s", t.Ended)
	case t.Name == Mixed && t.Ops > 0 && math.Abs(float64(sum.Reads)/float64(t.Ops)-mixedShare) > sixErrors(t.Ops):
		add("/intervals", "%d of %d operations read, where chance has %d of %d read", sum.Reads, t.Ops, MixedReads,
			MixedOf)
	}
	rests := 0.0
	places, known := d.placesInTurn()
	switch {
	case t.Name == GapWrite && !known:
		add("/name", "%s writes to one place more than %s finds open, and that is not known", GapWrite, TurnWrite)
	case t.Name == KeptWrite && known:
		add("/name", "%s looks for what %s has found already", KeptWrite, TurnWrite)
	}
	for i, v := range t.Intervals {
		if t.Name == GapWrite && v.Places != 1 && v.Places != places+1 {
			add("/intervals", "interval %d is of %d places, where %d can be open", i, v.Places, places)
		}
		if least := t.LeastIntervalNS(); v.AsideOps == 0 && v.NS < least {
			add("/intervals", "interval %d takes %d ns, where none of %s takes less than %d", i, v.NS, t.Name, least)
		}
		switch {
		case !t.does(v.Kind, v.Ops), v.Reads > 0 && (t.Name != Mixed || v.Reads > v.Ops),
			v.AsideOps > 0 && v.AsideOps != v.Ops, v.AtBytes+v.GapBytes+v.AcrossBytes > t.AreaBytes:
			add("/intervals", "interval %d is of operations that %s doesn't do", i, t.Name)
		case v.UnderWayNS > 0 && (MethodOfTest(t.Name) != MethodQueue1 ||
			float64(v.UnderWayNS) > mostUnderWay*(float64(v.NS)+1e9)): // the kernel may count a second late
			add("/intervals", "interval %d had operations under way for %d ns in %d ns", i, v.UnderWayNS, v.NS)
		}
		rests += float64(v.RestNS)
	}
	if rests > float64(t.OverheadNS) {
		add("/overhead_ns", "the rests alone took %.0f ns", rests)
	}
}

// mostAreaBytes are the largest areas of methods that look into a module, but for what MethodSaturate1 does with all of
// it. A module that is slow fills less in time.
var mostAreaBytes = map[string]int64{
	MethodStructure1: StructureAreaBytes, MethodQueue1: StandardAreaBytes, MethodMixed1: StandardAreaBytes,
	MethodSaturate1: StandardAreaBytes,
}

// checkArea checks the area of a test of these methods.
func (t *Test) checkArea(add report, d *Document) {
	most := mostAreaBytes[d.Method]
	before := RandWrite // whose area it has
	switch t.Name {
	case FillWrite:
		if d.Target.Kind == "device" && t.AreaBytes != EndureBytes(d.Identity.SizeBytes) {
			add("/area_bytes", "a fill writes all of a device but its first MiB, and not %d bytes", t.AreaBytes)
		}
		return
	case RoundWrite:
		most, before = math.MaxInt64, FillWrite
	case FullWrite:
	default:
		before = ""
	}
	if most > 0 && t.AreaBytes > most {
		add("/area_bytes", "%d bytes are more than the %d that %s takes at most", t.AreaBytes, most, d.Method)
	}
	if before == "" {
		return
	}
	if of := d.Test(before); of == nil || of.AreaBytes != t.AreaBytes || before == FillWrite && of.Ended != Complete {
		add("/area_bytes", "no %s has written these %d bytes before", before, t.AreaBytes)
	}
}

// placesInTurn returns to how many places TurnWrite found the module to write as fast as to one; known: and to no more.
func (d *Document) placesInTurn() (places int64, known bool) {
	t := d.Test(TurnWrite)
	if t == nil {
		return 0, false
	}
	found, oneMore := PlacesOf(t.Intervals)
	return found.Low, oneMore.Times > 0
}

// LeastIntervalNS is how long an interval of a test takes at least if it counts; 0: it has no least time.
func (t *Test) LeastIntervalNS() int64 {
	switch t.Name {
	case RoundWrite:
		return RoundIntervalNS
	case SameRead, QueuedRead, QueuedWrite:
		return QueueIntervalNS
	}
	return 0
}

// doneBy returns the sync and the queue depth of a test that one of these methods alone has; a depth of 0: of another.
func (t *Test) doneBy() (sync string, depth int) {
	switch {
	case t.Name == SameRead:
		return "none", 1
	case t.Name == QueuedRead || t.Name == CheckedRead:
		return "none", MostDepth
	case t.Name == QueuedWrite:
		return "fsync", MostDepth
	case t.Name == EndureRead:
		return "none", 1
	case t.Name == FillWrite || t.Name == StreamWrite || t.Name == EndureWrite:
		return "fsync", 1
	case MethodOfTest(t.Name) != "":
		return "dsync", 1
	}
	return "", 0
}

const (
	mixedShare   = float64(MixedReads) / MixedOf
	mostUnderWay = 1024 // operations that a kernel's queue holds
)

// sixErrors is six standard errors of the share of reads in so many operations.
func sixErrors(ops int64) float64 { return 6 * math.Sqrt(mixedShare*(1-mixedShare)/float64(ops)) }

// does reports whether a test does operations of a kind, and so many in an interval.
func (t *Test) does(kind Kind, ops int64) bool {
	aside := kind.AsideOps > 0
	kind.AsideOps = 0
	switch t.Name {
	case TurnWrite:
		return kind == Kind{Places: kind.Places} && kind.Places > 0 && (aside || ops == StructureOps)
	case GapWrite:
		return kind == Kind{Places: kind.Places, GapBytes: kind.GapBytes, AtBytes: kind.AtBytes} && kind.Places > 0 &&
			(kind.GapBytes > 0) == (kind.AtBytes > 0) && (aside || ops == StructureOps)
	case KeptWrite:
		if kind.GapBytes > 0 && !aside { // each of these writes tells by itself
			ops *= StructureOps
		}
		return kind == Kind{Places: kind.Places, GapBytes: kind.GapBytes, AtBytes: kind.AtBytes} && kind.Places > 0 &&
			(kind.GapBytes > 0) == (kind.AtBytes > 0) && (aside || ops == StructureOps)
	case AcrossWrite:
		return kind == Kind{AcrossBytes: kind.AcrossBytes} && (aside || ops == StructureOps) &&
			(kind.AcrossBytes == 0 || kind.AcrossBytes >= UnalignedBytes && kind.AcrossBytes <= MostPageBytes &&
				kind.AcrossBytes&(kind.AcrossBytes-1) == 0)
	case PlaceWrite:
		return kind == Kind{AtBytes: kind.AtBytes} && (aside || ops == StructureOps)
	case RestedWrite:
		return kind == Kind{RestNS: kind.RestNS} && slices.Contains(RestsNS[:], kind.RestNS) &&
			(aside || ops == RestedOps)
	case SameRead:
		return kind == Kind{Depth: 1}
	case QueuedRead, QueuedWrite:
		return kind == Kind{Depth: kind.Depth} && slices.Contains(Depths[:], kind.Depth)
	case CheckedRead:
		return kind == Kind{Depth: MostDepth}
	case Mixed:
		return kind == Kind{}
	}
	return kind == Kind{} && !aside
}
