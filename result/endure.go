package result

import "fmt"

// Tests of MethodEndure1. An interval is a pass over the whole module, a part of one, or several passes that were
// joined. If an operation fails, or finds other data than were written, the test counts it and goes on.
const (
	EndureWrite = "endure-write" // a line over the whole module, again and again
	EndureRead  = "endure-read"  // the same, to compare it with what was written
)

const (
	// EndureBlockBytes is the size of these tests' operations.
	EndureBlockBytes = 1 << 20
	// DeadOps is how many places all over a module must fail in a row before it is called dead.
	DeadOps = 64
	// CheckpointBytes is how much is written between two checkpoints.
	CheckpointBytes = 1e12
	// MostEndureBytes and MostEndureNS are the most that a document holds: a petabyte, and nearly three years of one test.
	MostEndureBytes = 1e15
	MostEndureNS    = 9e16
	// mostIntervalNS is the longest interval. If every operation of a pass fails after half a minute, the pass takes
	// longer, and so has several intervals.
	mostIntervalNS = 2.3e15
)

// EndureBytes is the area of MethodEndure1 on a device of so many bytes, in whole blocks. It is all of the device
// except its first block, which bears a mark.
func EndureBytes(deviceBytes int64) int64 {
	return (deviceBytes - EndureBlockBytes) / EndureBlockBytes * EndureBlockBytes
}

// How a module's life ended in MethodEndure1. A module that was Stopped lasts longer than it was watched.
const (
	Dead    Ended = "dead"    // DeadOps places all over it failed
	Gone    Ended = "gone"    // no host can use it any more, as its owner says
	Stopped Ended = "stopped" // by its owner
)

// EndsLife reports whether a module was dead at the end of its test.
func (e Ended) EndsLife() bool { return e == Dead || e == Gone }

// endsEndurance reports whether only a test of MethodEndure1 ends in this way.
func (e Ended) endsEndurance() bool { return e.EndsLife() || e == Stopped }

// Checkpoint sums up what was written and found by the time that another CheckpointBytes were full.
type Checkpoint struct {
	Bytes     int64  `json:"bytes"` // written, or tried
	NS        int64  `json:"ns"`    // how long that took so far
	WrongOps  int64  `json:"wrong_ops,omitempty"`
	FailedOps int64  `json:"failed_ops,omitempty"`
	Tag       string `json:"tag"` // 32 hex digits of HMAC-SHA-256(secret, Text)
}

// Text is the text that the Tag of a checkpoint signs: the run, the unit, the checkpoint and the previous tag.
func (c Checkpoint) Text(id, unitTag, before string) string {
	return fmt.Sprintf("flashdex checkpoint\n%s\n%s\n%d\n%d\n%d\n%d\n%s\n", id, unitTag, c.Bytes, c.NS, c.WrongOps,
		c.FailedOps, before)
}

// Passes collects the operations of a test of MethodEndure1, in an interval for each pass over Ops blocks. When there
// would be more than MaxIntervals, it joins them in pairs, but never across the first error.
type Passes struct {
	Ops       int64 // of a pass
	Intervals []Interval
	Sum       Interval
}

// Add adds operations of one pass.
func (p *Passes) Add(v Interval) {
	inPass := p.Sum.Ops%p.Ops > 0
	p.Sum = SumIntervals([]Interval{p.Sum, v})
	if last := len(p.Intervals) - 1; last >= 0 && inPass && p.Intervals[last].NS+v.NS <= mostIntervalNS {
		p.Intervals[last] = SumIntervals([]Interval{p.Intervals[last], v})
		return
	}
	if len(p.Intervals) == MaxIntervals {
		p.join()
	}
	p.Intervals = append(p.Intervals, v)
}

func (p *Passes) join() {
	var joined []Interval
	for i := 0; i < len(p.Intervals); i++ {
		v := p.Intervals[i]
		if i+1 < len(p.Intervals) {
			next := p.Intervals[i+1]
			first := v.errors() == 0 && next.errors() > 0 && SumIntervals(joined).errors() == 0
			if !first && v.NS+next.NS <= mostIntervalNS {
				v = SumIntervals([]Interval{v, next})
				i++
			}
		}
		joined = append(joined, v)
	}
	p.Intervals = joined
}

// errors is how many operations failed or found other data than were written.
func (v Interval) errors() int64 { return v.WrongOps + v.FailedOps }

// MovedBytes is how many bytes the device must have counted at least. It leaves out the operations that failed.
func (t *Test) MovedBytes() int64 {
	return t.Bytes - SumIntervals(t.Intervals).FailedOps*t.BlockBytes
}

// Life is how long a module lasted in MethodEndure1, in cycles. A cycle writes all of it once.
type Life struct {
	Cycles     float64
	Dead       bool    // else it lasts longer
	FirstError float64 // cycles up to the end of the first interval with an error; 0: none was seen
	WrongOps   int64   // of both tests
	FailedOps  int64
}

// Then returns a life that continues with another run of the same module.
func (l Life) Then(next Life) Life {
	if l.FirstError == 0 && next.FirstError > 0 {
		l.FirstError = l.Cycles + next.FirstError
	}
	l.Cycles, l.Dead = l.Cycles+next.Cycles, next.Dead
	l.WrongOps, l.FailedOps = l.WrongOps+next.WrongOps, l.FailedOps+next.FailedOps
	return l
}

// LifeOf derives a module's life from the tests of a document. ok is false if they are another method's.
func LifeOf(tests []Test) (life Life, ok bool) {
	for i := range tests {
		t := &tests[i]
		if t.Name != EndureWrite && t.Name != EndureRead || t.AreaBytes <= 0 {
			continue
		}
		if t.Name == EndureWrite {
			ok, life.Cycles, life.Dead = true, float64(t.Bytes)/float64(t.AreaBytes), t.Ended.EndsLife()
		}
		sum := SumIntervals(t.Intervals)
		life.WrongOps, life.FailedOps = life.WrongOps+sum.WrongOps, life.FailedOps+sum.FailedOps
		bytes := int64(0)
		for _, v := range t.Intervals {
			bytes += v.Bytes
			if at := float64(bytes) / float64(t.AreaBytes); v.errors() > 0 {
				if life.FirstError == 0 || at < life.FirstError {
					life.FirstError = at
				}
				break
			}
		}
	}
	return life, ok
}

// addEndurance adds the figures of a test of MethodEndure1.
func (t *Test) addEndurance(f *Figures) {
	if t.DurationNS > 0 {
		f.MBPerS = float64(t.MovedBytes()) * 1e3 / float64(t.DurationNS)
	}
	wrong := SumIntervals(t.Intervals).errors()
	f.WrongOps = &wrong
}

// checkEndurance checks the tests of MethodEndure1 by themselves and beside each other.
func (d *Document) checkEndurance(add report) {
	written, read := d.Test(EndureWrite), d.Test(EndureRead)
	for i := range d.Tests {
		t := &d.Tests[i]
		here := fmt.Sprintf("/tests/%d", i)
		if own := MethodOfTest(t.Name) == MethodEndure1; !own {
			if t.Ended.endsEndurance() {
				add(here+"/ended", "only tests of the method %s end as %s", MethodEndure1, t.Ended)
			}
			if sum := SumIntervals(t.Intervals); sum.errors() > 0 {
				add(here+"/intervals", "only tests of the method %s count what failed", MethodEndure1)
			}
			if len(t.Checkpoints) > 0 {
				add(here+"/checkpoints", "only %s has them", EndureWrite)
			}
			continue
		}
		t.checkPasses(here, add)
	}
	if d.Method != MethodEndure1 {
		return
	}
	if written == nil {
		add("/tests", "nothing was written")
		return
	}
	if d.Target.Kind != "device" || written.AreaBytes != EndureBytes(d.Identity.SizeBytes) {
		add("/target", "the method takes a whole device, all of it but its first MiB")
	}
	failed := SumIntervals(written.Intervals).errors()
	if read != nil {
		failed += SumIntervals(read.Intervals).errors()
		if read.AreaBytes != written.AreaBytes || read.Ended != written.Ended {
			add("/tests", "both tests are over one area and end as one")
		}
		if read.Bytes > written.Bytes {
			add("/tests", "%d bytes were read, and only %d written before", read.Bytes, written.Bytes)
		}
	}
	if (read == nil || read.Bytes < written.Bytes-written.AreaBytes) && written.Bytes > written.AreaBytes {
		add("/tests", "each pass is read before the next is written")
	}
	if written.Ended == Dead && failed < DeadOps {
		add("/tests", "%d errors are too few for a module that is called dead", failed)
	}
}

// checkPasses checks a test of MethodEndure1.
func (t *Test) checkPasses(here string, add report) {
	if !t.Ended.endsEndurance() && t.Ended != TimeLimit {
		add(here+"/ended", "%s doesn't end as %s", t.Name, t.Ended)
	}
	if t.BlockBytes != EndureBlockBytes || t.AreaBytes < EndureBlockBytes || t.AreaBytes%EndureBlockBytes != 0 {
		add(here+"/area_bytes", "%d bytes are not whole blocks of %d", t.AreaBytes, int64(EndureBlockBytes))
	}
	for i, v := range t.Intervals {
		if v.errors() > v.Ops || t.Name == EndureWrite && v.WrongOps > 0 {
			add(here+"/intervals", "interval %d has %d operations, %d wrong and %d failed", i, v.Ops, v.WrongOps, v.FailedOps)
		}
	}
	if t.Name != EndureWrite && len(t.Checkpoints) > 0 {
		add(here+"/checkpoints", "only %s has them", EndureWrite)
	}
	var before Checkpoint
	for i, c := range t.Checkpoints {
		grows := c.Bytes >= before.Bytes+CheckpointBytes && c.NS >= before.NS && c.WrongOps >= before.WrongOps &&
			c.FailedOps >= before.FailedOps
		if !grows || c.Bytes > t.Bytes || c.NS > t.DurationNS {
			add(fmt.Sprintf("%s/checkpoints/%d", here, i), "it doesn't follow on the one before, or lies beyond the end")
		}
		before = c
	}
}
