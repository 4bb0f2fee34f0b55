package measure

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"syscall"
	"time"
	"unsafe"

	"flashdex/client/direct"
	"flashdex/result"
)

// poolBytes of random data are made before random writes. Each operation writes its number into every sector of its
// block. So no two sectors of a test are alike, and any processor is fast enough to keep the module busy.
const (
	poolBytes   = 4 << 20
	sectorBytes = 512
)

// syncFlags are the flags that open a file for a kind of Test.Sync.
var syncFlags = map[string]int{"dsync": syscall.O_DSYNC, "sync": syscall.O_SYNC}

// operations does the single operations of a test.
type operations struct {
	file       *os.File
	call       uintptr // SYS_WRITE or SYS_READ
	blockBytes int64
	memory     []byte // for a block to read, or random data for many blocks to write
	free       func()
	finish     func() (ns int64, err error) // ends the last operation and returns how long that took
}

// operations opens the area for the operations of a test.
func (a *area) operations(test, sync string, blockBytes int64) (o operations, err error) {
	o = operations{call: syscall.SYS_READ, blockBytes: blockBytes, finish: func() (int64, error) { return 0, nil }}
	flags, memoryBytes := os.O_RDONLY, blockBytes
	if writes(test) {
		o.call, flags, memoryBytes = syscall.SYS_WRITE, os.O_RDWR|syncFlags[sync], max(poolBytes, blockBytes)
	}
	if sync == "fsync" {
		o.finish = a.synced
	}
	if o.file, err = a.direct(flags); err != nil {
		return o, err
	}
	if o.memory, o.free, err = direct.Memory(memoryBytes); err != nil {
		o.file.Close()
		return o, err
	}
	if writes(test) {
		newRandom().Read(o.memory) // never fails
	}
	return o, nil
}

func (o operations) close() {
	o.free()
	o.file.Close()
}

// block prepares the block of operation op.
func (o operations) block(op int64) []byte {
	block := o.memory[op*o.blockBytes%int64(len(o.memory)):][:o.blockBytes]
	if o.call == syscall.SYS_WRITE {
		for at := int64(0); at < o.blockBytes; at += sectorBytes {
			binary.LittleEndian.PutUint64(block[at:], uint64(op))
		}
	}
	return block
}

// timed does operation op at an offset of the file. It returns how long that took. Only the transfer is timed; the last
// operation also includes finish.
//
// Go's scheduler doesn't know about the system call. If it did, it would take the processor away from a call of more
// than 20 µs and return it afterwards, and that time would count as the module's. On a loop device that made 4K writes
// 16 % slower than fio's; without it they are equal. The price is that the thread can do nothing else until the module
// answers. The client runs at least two threads, so that signals still get through.
func (o operations) timed(op, offset int64) (ns int64, err error) {
	block, fd := o.block(op), o.file.Fd()
	if _, err := syscall.Seek(int(fd), offset, io.SeekStart); err != nil {
		return 0, err
	}
	before := time.Now()
	n, _, errno := syscall.RawSyscall(o.call, fd, uintptr(unsafe.Pointer(&block[0])), uintptr(len(block)))
	ns = time.Since(before).Nanoseconds()
	switch {
	case errno != 0:
		n, err = 0, errno
	case int(n) != len(block):
		err = io.ErrUnexpectedEOF
	default:
		return ns, nil
	}
	return 0, fmt.Errorf("%d of %d bytes moved: %w", n, len(block), err)
}

// random does one operation on each block of the area, in random order, until rule has seen enough. It continues an
// earlier run, and counts that run's operations, too.
func (r *Run) random(
	ctx context.Context, a *area, test, sync string, blockBytes int64, rule result.Rule,
) (t result.Test, err error) {
	t = result.Test{
		Name: test, BlockBytes: blockBytes, Sync: sync, QueueDepth: 1, Direct: true, Engine: ownName, AreaBytes: a.bytes,
		TimeLimitNS: rule.MaxNS,
	}
	o, err := a.operations(test, sync, blockBytes)
	if err != nil {
		return t, err
	}
	defer o.close()
	sampler, latency := result.NewSampler(rule), result.NewHistogram()
	count := func(ns int64) {
		if sampler.Warm() {
			latency.Add(ns)
		}
		t.Ended = sampler.Add(ns)
	}
	past, keeping := r.part(t.Name), r.Keep != nil && t.Name != Trial
	seed := r.seed(past, t.BlockBytes)
	order := result.BlockOrder(seed, a.bytes/t.BlockBytes)
	for _, ns := range past.NS {
		count(ns)
	}
	var series result.Series
	for _, second := range past.Seconds {
		series.Add(second)
	}
	counters, err := r.Target.Disk.Counters()
	if err != nil {
		return t, err
	}
	counters = counters.Since(past.Moved)
	fresh, kept := Part{Test: t.Name, Seed: seed[:]}, counters.Plus(past.Moved)
	keep := func() {
		if now, err := r.Target.Disk.Counters(); err == nil && len(fresh.NS) > 0 {
			fresh.Moved = now.Since(kept)
			r.keep(Entry{Part: &fresh})
			fresh, kept = Part{Test: t.Name}, now
		}
	}
	var second result.Interval
	secondStart := time.Now()
	interval := func() {
		span := time.Since(secondStart)
		second.NS = span.Nanoseconds()
		secondStart = secondStart.Add(span)
		series.Add(second)
		if keeping {
			fresh.Seconds = append(fresh.Seconds, second)
		}
		second = result.Interval{}
	}
	for op := int64(len(past.NS)); t.Ended == ""; op++ {
		if second.Ops == 0 { // about once a second, when nothing is timed
			if err := r.Target.Same(); err != nil {
				keep()
				return t, err
			}
		}
		ns, err := o.timed(op, a.start+int64(order[op])*t.BlockBytes)
		if err != nil {
			err = fmt.Errorf("%s: operation %d: %w", t.Name, op+1, err)
		} else if ctx.Err() != nil {
			err = ctx.Err()
		}
		if err != nil {
			if second.Ops > 0 {
				interval()
			}
			keep()
			return t, err
		}
		if op+1 == rule.TotalOps || rule.MaxNS > 0 && sampler.ElapsedNS()+ns >= rule.MaxNS {
			took, err := o.finish()
			if err != nil {
				return t, err
			}
			ns += took
		}
		count(ns)
		if keeping {
			fresh.NS = append(fresh.NS, ns)
		}
		second.Ops++
		second.Bytes += t.BlockBytes
		second.MaxNS = max(second.MaxNS, ns)
		if time.Since(secondStart) >= time.Second || t.Ended != "" {
			interval()
			if r.due() {
				keep()
			}
			if t.Ended == "" {
				r.reportRandom(&t, op+1, rule, sampler)
			}
		}
	}
	t.Intervals = series.Intervals
	t.WarmupOps, t.WarmupNS = sampler.Warmup()
	t.Ops = sampler.Ops()
	t.Bytes = t.Ops * t.BlockBytes
	if r.Token != "" {
		t.Order = result.OrderSum(order[:t.Ops+t.WarmupOps])
	}
	t.Batches = sampler.Batches()
	t.Latency = latency.Buckets()
	t.DurationNS = result.SumBatches(t.Batches).NS
	t.OverheadNS = result.SumIntervals(t.Intervals).NS - t.DurationNS - t.WarmupNS
	if t.DeviceBytes, err = r.confirm(t.Name, sync, (t.Ops+t.WarmupOps)*t.BlockBytes, counters); err != nil {
		return t, err
	}
	if t.Ops == 0 {
		return t, fmt.Errorf("%s has no result: its first %d operations took all of its %d s; the module is broken, or too "+
			"slow to be measured", t.Name, t.WarmupOps, t.WarmupNS/1e9)
	}
	r.reportRandom(&t, t.Ops+t.WarmupOps, rule, sampler)
	return t, nil
}

func (r *Run) reportRandom(t *result.Test, ops int64, rule result.Rule, s *result.Sampler) {
	p := Progress{
		Test: t.Name, Elapsed: time.Duration(s.ElapsedNS()), Share: float64(ops) / float64(max(rule.TotalOps, 1)),
		Ops: ops, Bytes: ops * t.BlockBytes, Limit: time.Duration(rule.MaxNS), Done: t.Ended != "",
	}
	p.Left = r.left(t.Name, p.Limit-p.Elapsed)
	if p.Done { // as the report will have it: without the warm-up
		p.Elapsed, p.Ops, p.Bytes = time.Duration(t.DurationNS), t.Ops, t.Bytes
		p.Share = float64(t.Ops) / float64(max(rule.TotalOps, 1))
	}
	if p.Done && t.Name == result.RandWrite {
		p.KiBPerOp = float64(t.DeviceBytes) / float64(ops) / 1024
	}
	if r.Plan.Steps != nil {
		p.Test, p.Ops = label(t.Name, t.BlockBytes), 0
	}
	r.report(p)
}
