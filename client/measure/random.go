package measure

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"syscall"
	"time"

	"flashdex/client/direct"
	"flashdex/result"
)

// poolBytes of random data are made before random writes. Every operation writes its number into each sector of its
// block, so that no two sectors of a test are alike, and any processor is fast enough to keep the module busy.
const (
	poolBytes   = 4 << 20
	sectorBytes = 512
)

// syncFlags are the flags that open a file for a kind of Test.Sync.
var syncFlags = map[string]int{"dsync": syscall.O_DSYNC, "sync": syscall.O_SYNC}

func (r *Run) randWrite(ctx context.Context, a *area) (result.Test, error) {
	rule := r.Plan.RandWrite(a.bytes / randomBytes)
	rule.MaxNS = r.randWriteLimit().Nanoseconds()
	return r.randomTest(ctx, a, result.RandWrite, r.Plan.Sync, randomBytes, rule)
}

func (r *Run) randRead(ctx context.Context, a *area) (result.Test, error) {
	return r.randomTest(ctx, a, result.RandRead, "none", randomBytes, r.Plan.RandRead(a.bytes/randomBytes))
}

func (r *Run) randomTest(
	ctx context.Context, a *area, test, sync string, blockBytes int64, rule result.Rule,
) (t result.Test, err error) {
	o, release, err := a.operations(test, sync, blockBytes)
	if err != nil {
		return t, err
	}
	defer release()
	t = result.Test{Name: test, BlockBytes: blockBytes, Sync: sync}
	err = r.random(ctx, &t, a, rule, o)
	return t, err
}

// operation does the single operations of a test. Only transfer is timed, and finish as a part of the last one.
type operation struct {
	fd       int
	prepare  func(op int64) (block []byte)
	transfer func(fd int, block []byte) (int, error)
	finish   func() error
}

// operations opens the area for the operations of a test. release closes it.
func (a *area) operations(test, sync string, blockBytes int64) (o operation, release func(), err error) {
	flags := os.O_RDONLY
	o.transfer, o.finish = rawRead, func() error { return nil }
	if writes(test) {
		flags, o.transfer = os.O_RDWR|syncFlags[sync], rawWrite
	}
	if sync == "fsync" {
		o.finish = a.file.Sync
	}
	file, err := a.direct(flags)
	if err != nil {
		return o, nil, err
	}
	prepare, free, err := blocks(test, blockBytes)
	if err != nil {
		file.Close()
		return o, nil, err
	}
	o.fd, o.prepare = int(file.Fd()), prepare
	return o, func() { free(); file.Close() }, nil
}

// blocks returns a function that prepares the block of each operation, and one that releases the memory.
func blocks(test string, bytes int64) (func(op int64) []byte, func(), error) {
	if !writes(test) {
		block, free, err := direct.Memory(bytes)
		return func(int64) []byte { return block }, free, err
	}
	all := max(poolBytes, bytes)
	pool, free, err := direct.Memory(all)
	if err != nil {
		return nil, nil, err
	}
	newRandom().Read(pool) // never fails
	return func(op int64) []byte {
		payload := pool[op*bytes%all:][:bytes]
		for at := int64(0); at < bytes; at += sectorBytes {
			binary.LittleEndian.PutUint64(payload[at:], uint64(op))
		}
		return payload
	}, free, nil
}

// timed does operation op at an offset of the file. It returns how long that took.
func (o operation) timed(op, offset int64) (ns int64, err error) {
	block := o.prepare(op)
	if err := seek(o.fd, offset); err != nil {
		return 0, err
	}
	before := time.Now()
	n, err := o.transfer(o.fd, block)
	ns = time.Since(before).Nanoseconds()
	if err == nil && n != len(block) {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return 0, fmt.Errorf("%d of %d bytes moved: %w", n, len(block), err)
	}
	return ns, nil
}

// finished ends the last operation. It returns how long that took.
func (o operation) finished() (ns int64, err error) {
	before := time.Now()
	if err := o.finish(); err != nil {
		return 0, fmt.Errorf("the module didn't take the data: %w", err)
	}
	return time.Since(before).Nanoseconds(), nil
}

// random fills t. It does one operation on each block of the area, in random order, until rule has seen enough. It
// continues an earlier run, whose operations count as its own.
func (r *Run) random(ctx context.Context, t *result.Test, a *area, rule result.Rule, o operation) error {
	t.QueueDepth, t.Direct, t.Engine, t.AreaBytes = 1, true, ownName, a.bytes
	t.TimeLimitNS = rule.MaxNS
	sampler, latency := result.NewSampler(rule), result.NewHistogram()
	count := func(ns int64) {
		if sampler.Warm() {
			latency.Add(ns)
		}
		t.Ended = sampler.Add(ns)
	}
	past, keeping := r.part(t.Name), r.Keep != nil && t.Name != Trial
	order := permutation(past.Seed, a.bytes/t.BlockBytes)
	for _, ns := range past.NS {
		count(ns)
	}
	var series result.Series
	for _, second := range past.Seconds {
		series.Add(second)
	}
	counters, err := r.Target.Disk.Counters()
	if err != nil {
		return err
	}
	counters = counters.Since(past.Moved)
	fresh, kept := Part{Test: t.Name, Seed: past.Seed}, counters.Plus(past.Moved)
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
			return err
		}
		if op+1 == rule.TotalOps || rule.MaxNS > 0 && sampler.ElapsedNS()+ns >= rule.MaxNS {
			took, err := o.finished()
			if err != nil {
				return err
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
				r.reportRandom(t, op+1, rule, sampler)
			}
		}
	}
	t.Intervals = series.Intervals
	t.WarmupOps, t.WarmupNS = sampler.Warmup()
	t.Ops = sampler.Ops()
	t.Bytes = t.Ops * t.BlockBytes
	t.Batches = sampler.Batches()
	t.Latency = latency.Buckets()
	t.DurationNS = result.SumBatches(t.Batches).NS
	t.OverheadNS = result.SumIntervals(t.Intervals).NS - t.DurationNS - t.WarmupNS
	if t.DeviceBytes, err = r.confirm(t.Name, (t.Ops+t.WarmupOps)*t.BlockBytes, counters); err != nil {
		return err
	}
	if t.Ops == 0 {
		return fmt.Errorf("%s has no result: its first %d operations took all of its %d s; the module is broken, or too "+
			"slow to be measured", t.Name, t.WarmupOps, t.WarmupNS/1e9)
	}
	r.reportRandom(t, t.Ops+t.WarmupOps, rule, sampler)
	return nil
}

func (r *Run) reportRandom(t *result.Test, ops int64, rule result.Rule, s *result.Sampler) {
	p := Progress{
		Test: t.Name, Elapsed: time.Duration(s.ElapsedNS()), Share: float64(ops) / float64(max(rule.TotalOps, 1)),
		Ops: ops, Bytes: ops * t.BlockBytes, Done: t.Ended != "",
	}
	p.Left = r.left(t.Name, time.Duration(rule.MaxNS)-p.Elapsed)
	if p.Done && t.Name == result.RandWrite {
		p.KiBPerOp = float64(t.DeviceBytes) / float64(ops) / 1024
	}
	if r.Plan.Steps != nil {
		p.Test, p.Ops = label(t.Name, t.BlockBytes), 0
	}
	r.report(p)
}
