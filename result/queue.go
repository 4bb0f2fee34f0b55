package result

// Tests of MethodQueue1. The operations of an interval have the same Kind.Depth. The figures are about operations at
// MostDepth. For SameRead, they are about one at a time.
const (
	SameRead    = "same-read"    // the same block, one at a time: the time that host and bus take for a read
	QueuedRead  = "queued-read"  // at random, with Depth under way
	QueuedWrite = "queued-write" // the same; the module may keep them in its cache until an fsync
	CheckedRead = "checked-read" // reads beside discarded blocks, and compares with the written data
)

// Depths are the numbers of operations that QueuedRead and QueuedWrite keep under way.
var Depths = [...]int64{1, 2, 4, 8, 16, MostDepth}

// QueueIntervalNS is how long an interval that counts lasts at least, of tests that keep operations under way.
const QueueIntervalNS = 500_000_000

// MostDepth is as many operations as the queue of an SD card holds.
const MostDepth = 32

// Queued reports whether a test does operations at several depths.
func Queued(test string) bool { return test == QueuedRead || test == QueuedWrite }

// AtDepth returns the rate of the operations at a depth in IOPS, with its 95 % interval. 0: not measured, or not known.
func (t *Test) AtDepth(depth int64) Estimate {
	return EstimateOf(batchesOf(t.counted(Kind{Depth: depth})))
}

// SecondsAt returns for how long the operations at a depth were measured.
func (t *Test) SecondsAt(depth int64) float64 {
	return float64(SumIntervals(t.counted(Kind{Depth: depth})).NS) / 1e9
}

// counted returns the intervals of a kind that count.
func (t *Test) counted(kind Kind) (intervals []Interval) {
	for _, v := range t.Intervals {
		if v.Kind == kind {
			intervals = append(intervals, v)
		}
	}
	return intervals
}

// batchesOf joins intervals into at most BatchCount batches.
func batchesOf(intervals []Interval) (batches []Batch) {
	for _, part := range partsOf(intervals) {
		batches = append(batches, Batch{Ops: part.Ops, NS: part.NS})
	}
	return batches
}

// UnderWay returns how many operations the kernel had under way on average at a depth. 0: not known.
func (t *Test) UnderWay(depth int64) float64 {
	sum := SumIntervals(t.counted(Kind{Depth: depth}))
	if sum.NS <= 0 {
		return 0
	}
	return float64(sum.UnderWayNS) / float64(sum.NS)
}

// Gain returns how many times as many operations a test did at MostDepth as in the same time one at a time.
func (t *Test) Gain() Ratio {
	times := TimesOf(t.Intervals)
	return RatioOf(times[Kind{Depth: 1}], times[Kind{Depth: MostDepth}])
}

// addQueue adds the figures of a test of MethodQueue1.
func (t *Test) addQueue(f *Figures) {
	depth := int64(MostDepth)
	if t.Name == SameRead {
		depth = 1
	}
	if t.Name == CheckedRead {
		f.WrongOps = new(t.WrongOps)
	} else {
		f.addRate(t.AtDepth(depth))
	}
	if Queued(t.Name) {
		if gain := t.Gain(); gain.Low > 0 {
			f.Ratio, f.RatioLow, f.RatioHigh = &gain.Times, &gain.Low, &gain.High
		}
		f.UnderWay = unlessZero(t.UnderWay(MostDepth))
	}
	f.MaxNS = unlessZero(SumIntervals(t.Intervals).MaxNS)
}
