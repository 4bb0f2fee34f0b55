package result

import (
	"cmp"
	"math"
	"slices"
)

// Figures holds everything that is derived from the samples of one test. A nil pointer means that the samples don't
// tell.
type Figures struct {
	Test       string
	BlockBytes int64
	QueueDepth int
	Sync       string
	Ended      Ended

	MBPerS        float64  // 10^6 bytes per second
	MBPerSLow     *float64 // 95 % interval, of linear tests
	MBPerSHigh    *float64
	IOPS          *float64 // random tests
	IOPSLow       *float64 // 95 % interval
	IOPSHigh      *float64
	Trend         bool
	LastFifthIOPS *float64
	KiBPerOp      *float64 // transferred by the device for one operation
	P50NS         *int64
	P99NS         *int64  // from 300 operations on
	P999NS        *int64  // from 3,000 operations on
	MaxNS         *int64  // the warm-up included
	OverheadShare float64 // the client's own share of the time, without making the data of a linear write
	SourceMBPerS  float64 // rate at which the client made the data of a linear write beforehand; 0: not known

	// Random tests: the operations and the time that MaxNS is the maximum of, and figures that don't depend on these.
	Ops               *int64 // counted
	DurationNS        *int64 // sum of these operations' latencies
	Stalls100MS       Stalls // operations above 0.1 s
	Stalls1S          Stalls // operations above 1 s
	Longest1000NS     *int64 // half of all stretches of 1,000 operations stay within this; nil: fewer than 1,000
	Longest1000LowNS  *int64 // 95 % interval
	Longest1000HighNS *int64 // nil: not known

	// 95 % intervals of percentiles. They are never stored.
	P99LowNS, P99HighNS, P999LowNS, P999HighNS *int64

	CVPercent    *float64 // coefficient of variation of the rate over time; nil: fewer than 5 intervals
	CliffMB      *float64 // linear write: 10^6 bytes before the rate fell for good; nil: no fall, or too few intervals
	CliffPercent *float64 // linear write: rate after the fall in percent of before; 100: no fall; nil: too few intervals
	WorstMBPerS  *float64 // linear tests: the lowest rate of an interval of at least a second; nil: none is so long

	// BufferBytes is the size of the buffer in which the arriving data would have waited, including the block under
	// way. It is nil if StreamWrite did not keep up.
	BufferBytes *int64

	// MethodStructure1
	OpenUnits           *int64 // to so many places in turn it writes as fast as to one; MostPlaces: or more
	AllocationUnitBytes *int64 // the unit that the module opens as a whole
	PageBytes           *int64 // AcrossWrite: the unit that it writes as a whole

	// Ratio compares times for MethodStructure1: a write with one place more than OpenUnits to one with OpenUnits, an
	// unaligned write to an aligned one, a write in the middle to one at the beginning. Otherwise it compares rates:
	// with MostDepth under way to one at a time, and after the longest rest to no rest.
	Ratio     *float64
	RatioLow  *float64 // 99.9 % interval
	RatioHigh *float64

	// MethodQueue1
	UnderWay *float64 // average number of operations that the kernel had waiting or under way at MostDepth
	WrongOps *int64   // CheckedRead, MethodEndure1: operations that failed, or found other data than were written
}

// keptUp reports whether the module wrote a stream as fast as it came: all of it, and in the last quarter a block was
// less than a second behind. Whatever falls behind more and more loses data later. A module that stalls in every
// interval catches up between the stalls, so the longest times say nothing of it where the shortest are known.
func (t *Test) keptUp() bool {
	last := t.Intervals[len(t.Intervals)*3/4:]
	return t.Ended == Complete && slices.ContainsFunc(last, func(v Interval) bool {
		return cmp.Or(v.LeastBehindNS, v.BehindNS) < 1e9
	})
}

// Figures derives t's figures. Check must have found t consistent.
func (t *Test) Figures() Figures {
	f := Figures{Test: t.Name, BlockBytes: t.BlockBytes, QueueDepth: t.QueueDepth, Sync: t.Sync, Ended: t.Ended}
	if t.DurationNS > 0 {
		f.MBPerS = float64(t.Bytes) * 1e3 / float64(t.DurationNS)
	}
	if t.SourceNS > 0 {
		f.SourceMBPerS = float64(t.SourceBytes) * 1e3 / float64(t.SourceNS)
	}
	switch own := ownTests[t.Name]; {
	case own == MethodStructure1:
		t.addStructure(&f)
		return f
	case own == MethodQueue1:
		t.addQueue(&f)
		return f
	case own == MethodMixed1:
		t.addMixed(&f)
		return f
	case own == MethodEndure1:
		t.addEndurance(&f)
		return f
	case t.Name == RoundWrite:
		t.addRounds(&f)
		return f
	}
	if t.Name == Startup || t.ofFiles() { // these intervals are no rates over time
		return f
	}
	if pace := t.PaceBytesPerS(); pace > 0 { // the rate of the recording; its pauses are not the client's own time
		f.MBPerS = float64(t.Bytes) * 1e3 / float64(t.DurationNS+t.OverheadNS)
		if t.Name == StreamWrite {
			all := SumIntervals(t.Intervals)
			if t.keptUp() { // else the buffer would have gone on growing
				f.BufferBytes = new(t.BlockBytes + int64(float64(pace)*float64(all.BehindNS)/1e9))
			}
			f.MaxNS, f.Ops, f.DurationNS = unlessZero(all.MaxNS), unlessZero(t.Ops), unlessZero(t.DurationNS)
			t.addLatencies(&f)
		}
		return f
	}
	if total := t.DurationNS + t.WarmupNS + t.OverheadNS; total > 0 {
		f.OverheadShare = float64(max(t.OverheadNS-t.SourceNS, 0)) / float64(total)
	}
	if p := t.Percentiles; p != nil { // imported
		f.P50NS, f.P99NS, f.P999NS = unlessZero(p.P50NS), unlessZero(p.P99NS), unlessZero(p.P999NS)
		f.MaxNS = unlessZero(p.MaxNS)
	}
	steady := t.steady()
	f.CVPercent = cvPercent(steady)
	if t.Name == SeqWrite || t.Name == FillWrite {
		f.CliffMB, f.CliffPercent = cliff(steady)
	}
	if t.IsRandom() {
		t.addRandomFigures(&f)
	} else {
		t.addLinearInterval(&f, steady)
		f.WorstMBPerS = worstMBPerS(steady)
	}
	return f
}

func (t *Test) addRandomFigures(f *Figures) {
	if e := EstimateOf(t.Batches); e.IOPS > 0 {
		f.addRate(e)
		f.LastFifthIOPS, f.Trend = unlessZero(e.LastFifth), e.Trend
	} else if len(t.Batches) == 0 && t.DurationNS > 0 { // imported: only the mean is known
		f.IOPS = unlessZero(float64(t.Ops) * 1e9 / float64(t.DurationNS))
	}
	f.Ops, f.DurationNS, f.KiBPerOp = unlessZero(t.Ops), unlessZero(t.DurationNS), t.kibPerOp()
	t.addLatencies(f)
	f.MaxNS = cmp.Or(unlessZero(SumIntervals(t.Intervals).MaxNS), f.MaxNS)
}

// addRate adds an estimated rate, if there is one, and its interval, if it is known.
func (f *Figures) addRate(e Estimate) {
	if e.IOPS > 0 {
		f.IOPS = &e.IOPS
	}
	if e.Low > 0 && !math.IsInf(e.High, 1) {
		f.IOPSLow, f.IOPSHigh = &e.Low, &e.High
	}
}

// addLatencies adds the figures that the histogram shows.
func (t *Test) addLatencies(f *Figures) {
	ops, _ := countOf(t.Latency) // QuantilesNS returns the same error
	if ns, err := QuantilesNS(t.Latency, []float64{0.50, 0.99, 0.999}); err == nil && ops > 0 {
		of := t.latencies(ops)
		f.Stalls100MS, f.Stalls1S = of.stalls(shortStallNS), of.stalls(longStallNS)
		f.P50NS, f.P99NS, f.P999NS = &ns[0], nil, nil
		if ops >= 300 {
			f.P99NS = &ns[1]
			_, f.P99LowNS, f.P99HighNS = of.exceeded(0.01)
		}
		if ops >= longestOf {
			var longest int64
			longest, f.Longest1000LowNS, f.Longest1000HighNS = of.exceeded(longestShare)
			f.Longest1000NS = &longest
		}
		if ops >= 3000 {
			f.P999NS = &ns[2]
			_, f.P999LowNS, f.P999HighNS = of.exceeded(0.001)
		}
	}
}

// StallsAbove counts the operations that took longer than ns, in a test with a histogram.
func (t *Test) StallsAbove(ns int64) Stalls {
	ops, err := countOf(t.Latency)
	if err != nil || ops == 0 {
		return Stalls{}
	}
	of := t.latencies(ops)
	return of.stalls(ns)
}

// IsRandom reports whether t is a test of random writes or reads of each block once.
func (t *Test) IsRandom() bool {
	return t.Name == RandWrite || t.Name == RandRead || t.Name == FullWrite
}

// kibPerOp returns how many KiB the device transferred for one operation, warm-up included. It returns nil if nobody
// counted.
func (t *Test) kibPerOp() *float64 {
	ops := t.Ops + t.WarmupOps
	if ops <= 0 {
		return nil
	}
	return unlessZero(float64(t.DeviceBytes) / 1024 / float64(ops))
}

// unlessZero returns nil for 0, which stands for unknown.
func unlessZero[T int64 | float64](v T) *T {
	if v == 0 {
		return nil
	}
	return &v
}

// Test returns the first test with this name, or nil.
func (d *Document) Test(name string) *Test {
	return d.find(func(t Test) bool { return t.Name == name })
}

// TestOf returns the test with this name and block size, or nil.
func (d *Document) TestOf(name string, blockBytes int64) *Test {
	return d.find(func(t Test) bool { return t.Name == name && t.BlockBytes == blockBytes })
}

func (d *Document) find(is func(Test) bool) *Test {
	if i := slices.IndexFunc(d.Tests, is); i >= 0 {
		return &d.Tests[i]
	}
	return nil
}
