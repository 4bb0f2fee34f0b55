package measure

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"syscall"
	"time"

	"flashdex/result"
)

// poolBytes of random data are made ahead of random writes. Every operation stamps its number into each sector of its
// block, so that no two sectors of a test are alike, and no processor is too slow to keep the module busy.
const (
	poolBytes   = 4 << 20
	sectorBytes = 512
)

// syncFlags are how a file is opened for a kind of Test.Sync.
var syncFlags = map[string]int{"dsync": syscall.O_DSYNC, "sync": syscall.O_SYNC}

func (r *Run) randWrite(ctx context.Context, a *area) (result.Test, error) {
	rule := r.Plan.RandWrite(a.bytes / randomBytes)
	rule.MaxNS = r.randWriteLimit().Nanoseconds()
	file, err := a.direct(syscall.O_RDWR | syncFlags[r.Plan.Sync])
	if err != nil {
		return result.Test{}, err
	}
	defer file.Close()
	prepare, free, err := blocks(result.RandWrite, randomBytes)
	if err != nil {
		return result.Test{}, err
	}
	defer free()
	t := result.Test{Name: result.RandWrite, BlockBytes: randomBytes, Sync: r.Plan.Sync}
	err = r.random(ctx, &t, a, rule, int(file.Fd()), operation{prepare, rawWrite, nothing})
	return t, err
}

func (r *Run) randRead(ctx context.Context, a *area) (result.Test, error) {
	file, err := a.direct(syscall.O_RDONLY)
	if err != nil {
		return result.Test{}, err
	}
	defer file.Close()
	prepare, free, err := blocks(result.RandRead, randomBytes)
	if err != nil {
		return result.Test{}, err
	}
	defer free()
	t := result.Test{Name: result.RandRead, BlockBytes: randomBytes, Sync: "none"}
	err = r.random(ctx, &t, a, r.Plan.RandRead(a.bytes/randomBytes), int(file.Fd()), operation{prepare, rawRead, nothing})
	return t, err
}

// operation is what one operation of a test does. Only transfer is timed, and finish as part of the last one.
type operation struct {
	prepare  func(op int64) []byte // makes ready the block
	transfer func(fd int, block []byte) (int, error)
	finish   func() error
}

func nothing() error { return nil }

// blocks returns what makes ready the block of each operation, and a function that gives the memory back.
func blocks(test string, bytes int64) (func(op int64) []byte, func(), error) {
	if !writes(test) {
		block, free, err := aligned(bytes)
		return func(int64) []byte { return block }, free, err
	}
	all := max(poolBytes, bytes)
	pool, free, err := aligned(all)
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

// timed does one operation at an offset of the file and returns how long it took.
func (o operation) timed(fd int, offset int64, block []byte) (ns int64, err error) {
	if err := seek(fd, offset); err != nil {
		return 0, err
	}
	before := time.Now()
	n, err := o.transfer(fd, block)
	ns = time.Since(before).Nanoseconds()
	if err == nil && n != len(block) {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return 0, fmt.Errorf("%d of %d bytes moved: %w", n, len(block), err)
	}
	return ns, nil
}

// finished does what is to be done after the last operation and returns how long it took.
func (o operation) finished() (ns int64, err error) {
	before := time.Now()
	if err := o.finish(); err != nil {
		return 0, fmt.Errorf("the module didn't take the data: %w", err)
	}
	return time.Since(before).Nanoseconds(), nil
}

// random fills t by going over the blocks of the area in a random order, each once, until rule has seen enough. It begins where an
// earlier run has got to, whose operations count as its own.
func (r *Run) random(ctx context.Context, t *result.Test, a *area, rule result.Rule, fd int, o operation) error {
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
		ns, err := o.timed(fd, a.start+int64(order[op])*t.BlockBytes, o.prepare(op))
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
	for _, b := range t.Batches {
		t.DurationNS += b.NS
	}
	t.OverheadNS = -t.DurationNS - t.WarmupNS
	for _, i := range t.Intervals {
		t.OverheadNS += i.NS
	}
	if t.DeviceBytes, err = r.confirm(t.Name, (t.Ops+t.WarmupOps)*t.BlockBytes, counters); err != nil {
		return err
	}
	if t.Ops == 0 {
		return fmt.Errorf("%s has no result: its first %d operations took %d s, which is all the time there was; "+
			"the module is broken, or slower than can be measured", t.Name, t.WarmupOps, t.WarmupNS/1e9)
	}
	r.reportRandom(t, t.Ops+t.WarmupOps, rule, sampler)
	return nil
}

func (r *Run) reportRandom(t *result.Test, ops int64, rule result.Rule, s *result.Sampler) {
	p := Progress{Test: t.Name, Elapsed: time.Duration(s.ElapsedNS()), Share: float64(ops) / float64(max(rule.TotalOps, 1)), Ops: ops, Bytes: ops * t.BlockBytes, Done: t.Ended != ""}
	p.Left = r.left(t.Name, time.Duration(rule.MaxNS)-p.Elapsed)
	if p.Done && t.Name == result.RandWrite {
		p.KiBPerOp = float64(t.DeviceBytes) / float64(ops) / 1024
	}
	if r.Plan.Steps != nil {
		p.Test, p.Ops = label(t.Name, t.BlockBytes), 0
	}
	r.report(p)
}
