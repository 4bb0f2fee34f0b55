package result

import "math"

// Figures is everything that is derived from the samples of one test. A nil pointer means that the samples can't say.
type Figures struct {
	Test       string
	BlockBytes int64
	QueueDepth int
	Sync       string
	Ended      Ended

	MBPerS        float64  // 10^6 bytes per second
	IOPS          *float64 // random tests
	IOPSLow       *float64 // 95 % interval
	IOPSHigh      *float64
	Trend         bool
	LastFifthIOPS *float64
	KiBPerOp      *float64 // what the device transferred for one operation
	P50NS         *int64
	P99NS         *int64 // from 300 operations on
	P999NS        *int64 // from 3,000 operations on
	MaxNS         *int64
	OverheadShare float64 // the client's own time over the whole, less what it took to make the data of a linear write
	SourceMBPerS  float64 // at which a linear write's random data were made, ahead of the timed part; 0 if that isn't known

	CVPercent    *float64 // coefficient of variation of the rate over time; nil: fewer than 5 intervals
	CliffMB      *float64 // linear write: 10^6 bytes written before the rate fell for good; nil: no fall seen, or too few intervals
	CliffPercent *float64 // linear write: the rate after that in percent of the one before; 100: no fall seen; nil: too few intervals
	WorstMBPerS  *float64 // linear tests: the lowest rate of an interval of at least a second; nil: none is so long
}

// Figures derives the figures of t. It expects a document that Check found consistent.
func (t *Test) Figures() Figures {
	f := Figures{Test: t.Name, BlockBytes: t.BlockBytes, QueueDepth: t.QueueDepth, Sync: t.Sync, Ended: t.Ended}
	if t.DurationNS > 0 {
		f.MBPerS = float64(t.Bytes) * 1e3 / float64(t.DurationNS)
	}
	if total := t.DurationNS + t.WarmupNS + t.OverheadNS; total > 0 && t.Name != Startup {
		f.OverheadShare = float64(max(t.OverheadNS-t.SourceNS, 0)) / float64(total)
	}
	if t.SourceNS > 0 {
		f.SourceMBPerS = float64(t.SourceBytes) * 1e3 / float64(t.SourceNS)
	}
	if t.Name == Startup {
		return f
	}
	steady := t.steady()
	f.CVPercent = cvPercent(steady)
	if !t.IsRandom() {
		f.WorstMBPerS = worstMBPerS(steady)
	}
	if t.Name == SeqWrite {
		f.CliffMB, f.CliffPercent = cliff(steady)
	}
	if !t.IsRandom() {
		return f
	}
	if len(t.Batches) == 0 && t.DurationNS > 0 { // imported: the mean is all that is known
		iops := float64(t.Ops) * 1e9 / float64(t.DurationNS)
		f.IOPS = &iops
	}
	if p := t.Percentiles; p != nil {
		f.P50NS, f.P99NS, f.P999NS, f.MaxNS = unlessZero(p.P50NS), unlessZero(p.P99NS), unlessZero(p.P999NS), unlessZero(p.MaxNS)
	}
	if e := EstimateOf(t.Batches); e.IOPS > 0 {
		f.IOPS = &e.IOPS
		f.Trend = e.Trend
		if e.Low > 0 && !math.IsInf(e.High, 1) {
			f.IOPSLow, f.IOPSHigh = &e.Low, &e.High
		}
		if e.LastFifth > 0 {
			f.LastFifthIOPS = &e.LastFifth
		}
	}
	f.KiBPerOp = t.kibPerOp()
	h := histograms.Get().(*Histogram)
	defer histograms.Put(h)
	h.hdr.Reset()
	if err := h.record(t.Latency); err == nil && h.Count() > 0 {
		f.P50NS = quantileNS(h, 0.50, 1)
		f.P99NS = quantileNS(h, 0.99, 300)
		f.P999NS = quantileNS(h, 0.999, 3000)
	}
	if slowest := t.slowestNS(); slowest > 0 {
		f.MaxNS = &slowest
	}
	return f
}

// IsRandom reports whether t is a test of random writes or reads.
func (t *Test) IsRandom() bool { return t.Name == RandWrite || t.Name == RandRead }

// kibPerOp is what the device transferred for one operation, warm-up included.
func (t *Test) kibPerOp() *float64 {
	ops := t.Ops + t.WarmupOps
	if ops <= 0 || t.DeviceBytes == 0 { // which no random test of ours has
		return nil
	}
	kib := float64(t.DeviceBytes) / 1024 / float64(ops)
	return &kib
}

// unlessZero is nil for what isn't known.
func unlessZero(ns int64) *int64 {
	if ns == 0 {
		return nil
	}
	return &ns
}

func quantileNS(h *Histogram, q float64, minOps int64) *int64 {
	if h.Count() < minOps {
		return nil
	}
	ns := h.QuantileNS(q)
	return &ns
}

func (t *Test) slowestNS() int64 {
	var slowest int64
	for _, i := range t.Intervals {
		slowest = max(slowest, i.MaxNS)
	}
	return slowest
}

// Test finds the test called name, or returns nil.
func (d *Document) Test(name string) *Test {
	for i := range d.Tests {
		if d.Tests[i].Name == name {
			return &d.Tests[i]
		}
	}
	return nil
}
