package result

import "math"

// MaxKiBPerOp is what a ranked 4K random write may cost at the device: more means that the file system wrote its own
// data along with every operation, so that the figure is the file system's as much as the module's.
const MaxKiBPerOp = 4.4

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
	OverheadShare float64 // the client's own time over the whole
}

// Figures derives the figures of t. It expects a document that Check found consistent.
func (t *Test) Figures() Figures {
	f := Figures{Test: t.Name, BlockBytes: t.BlockBytes, QueueDepth: t.QueueDepth, Sync: t.Sync, Ended: t.Ended}
	if t.DurationNS > 0 {
		f.MBPerS = float64(t.Bytes) * 1e3 / float64(t.DurationNS)
	}
	if total := t.DurationNS + t.WarmupNS + t.OverheadNS; total > 0 {
		f.OverheadShare = float64(t.OverheadNS) / float64(total)
	}
	if t.Name != RandWrite && t.Name != RandRead {
		return f
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
	if ops := t.Ops + t.WarmupOps; ops > 0 {
		kib := float64(t.DeviceBytes) / 1024 / float64(ops)
		f.KiBPerOp = &kib
	}
	if h, err := HistogramOf(t.Latency); err == nil && h.Count() > 0 {
		f.P50NS = quantileNS(h, 0.50, 1)
		f.P99NS = quantileNS(h, 0.99, 300)
		f.P999NS = quantileNS(h, 0.999, 3000)
	}
	if slowest := t.slowestNS(); slowest > 0 {
		f.MaxNS = &slowest
	}
	return f
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

// NotRanked lists, in words, why the result is shown but not ranked. An empty list means that it is ranked.
func (d *Document) NotRanked() []string {
	var reasons []string
	if d.Method != MethodFlashdex1 || d.Profile != ProfileStandard {
		reasons = append(reasons, "only the standard profile is ranked")
	}
	for _, code := range d.Spoilers {
		reasons = append(reasons, SpoilerText(code))
	}
	for i := range d.Tests {
		if r := d.Tests[i].notStandard(); r != "" {
			reasons = append(reasons, r)
		}
	}
	t := d.Test(RandWrite)
	if t == nil {
		return append(reasons, "there is no 4K random write test")
	}
	if t.AreaBytes != StandardAreaBytes {
		reasons = append(reasons, "the test area is not 256 MiB")
	}
	f := t.Figures()
	if t.Ended == TimeLimit {
		reasons = append(reasons, "random writes varied too much to settle within the time limit")
	}
	if f.KiBPerOp != nil && *f.KiBPerOp > MaxKiBPerOp {
		reasons = append(reasons, "the file system wrote more than 4.4 KiB for each 4 KiB")
	}
	return reasons
}

// notStandard says in words how the test differs from the method's, or "".
func (t *Test) notStandard() string {
	switch {
	case !t.Direct:
		return "the " + t.Name + " test went through the page cache"
	case t.Name == RandWrite && (t.BlockBytes != 4096 || t.QueueDepth != 1 || t.Sync != "dsync"):
		return "random writes were not 4 KiB, queue depth 1, O_DSYNC"
	case t.Name == RandRead && (t.BlockBytes != 4096 || t.QueueDepth != 1):
		return "random reads were not 4 KiB, queue depth 1"
	case t.Name == SeqWrite && t.Sync == "none":
		return "linear writes were not flushed within the time"
	}
	return ""
}

// SpoilerText explains a code of Document.Spoilers in a few words.
func SpoilerText(code string) string {
	if text, ok := spoilers[code]; ok {
		return text
	}
	return code
}

var spoilers = map[string]string{
	"busy-device": "something else used the module during the test",
	"busy-cpu":    "other programs kept the processor busy",
	"root-disk":   "the system runs from the module",
	"interrupted": "the test was stopped early",
}
