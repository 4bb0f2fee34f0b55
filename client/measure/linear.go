package measure

import (
	"context"
	"errors"
	"math/rand/v2"
	"syscall"
	"time"

	"flashdex/client/direct"
	"flashdex/result"
)

// chunkTime is the longest time that a chunk should take, so that the time limits hold.
const chunkTime = 2 * time.Second

// engine moves chunks of the test area linearly, in operations of a step's block. Only transfer is timed.
type engine struct {
	name, version string
	random        *rand.ChaCha8                                        // makes the data to write
	prepare       func(bytes int64) error                              // makes the data for a chunk to write
	transfer      func(ctx context.Context, offset, bytes int64) error // writes or reads
	close         func()
}

// opener makes an engine for a linear test of dd with chunks of at most chunkBytes.
type opener func(s Step, a *area, chunkBytes int64) (engine, error)

// ownName is how results name the client as an engine.
const ownName = "flashdex"

// newOwn returns the client's own engine, for machines whose dd is missing or doesn't do direct I/O.
func (r *Run) newOwn(s Step, a *area, chunkBytes int64) (e engine, err error) {
	file, err := a.direct(syscall.O_RDWR)
	if err != nil {
		return e, err
	}
	block := s.blockBytes()
	move, size := file.ReadAt, block // of one operation to read, or a chunk to write
	if writes(s.Test) {
		move, size = file.WriteAt, chunkBytes
	}
	memory, free, err := direct.Memory(size)
	if err != nil {
		file.Close()
		return e, err
	}
	e.name, e.random, e.close = ownName, newRandom(), func() { free(); file.Close() }
	e.prepare = func(bytes int64) error {
		if s.Zeros {
			return nil // as the memory is
		}
		_, err := e.random.Read(memory[:bytes])
		return err
	}
	e.transfer = func(ctx context.Context, offset, bytes int64) error {
		for done := int64(0); done < bytes && ctx.Err() == nil; done += block {
			if _, err := move(memory[done%size:][:block], a.start+offset+done); err != nil {
				return err
			}
		}
		return ctx.Err()
	}
	return e, nil
}

// prime overwrites the area as often as the plan says. If the time ends, the area shrinks to the written bytes.
func (r *Run) prime(ctx context.Context, a *area) error {
	r.priming = true
	defer func() { r.priming = false }()
	for range r.Plan.AreaPasses {
		if _, err := r.linear(ctx, a, Step{Test: result.SeqWrite}); err != nil {
			return err
		}
	}
	return nil
}

// linear fills the area or reads it, with dd. If dd is missing, fails or doesn't reach the device, it uses the client's
// own engine. If that was a write, it uses that engine for all later linear writes, too.
func (r *Run) linear(ctx context.Context, a *area, s Step) (result.Test, error) {
	if writes(s.Test) && r.ownWrites {
		return r.linearBy(ctx, r.newOwn, a, s)
	}
	t, err := r.linearBy(ctx, r.newDD, a, s)
	if err == nil || ctx.Err() != nil || errors.Is(err, syscall.ENOSPC) {
		return t, err
	}
	if err := r.Target.Same(); err != nil { // the cause may be a card that was taken out
		return t, err
	}
	if writes(s.Test) {
		r.ownWrites = true
		// A dd that ignores direct I/O leaves dirty pages. They must not be written while the next engine is timed.
		if err := a.empty(); err != nil {
			return t, err
		}
	}
	return r.linearBy(ctx, r.newOwn, a, s)
}

// linearBy runs a linear test with one engine. If a write that makes the area runs out of time, the area shrinks to the
// written bytes.
func (r *Run) linearBy(ctx context.Context, open opener, a *area, s Step) (t result.Test, err error) {
	test, block, ours := s.Test, s.blockBytes(), s.blockBytes() == linearBytes
	t = result.Test{Name: test, BlockBytes: block, QueueDepth: 1, Sync: "none", Direct: true, Ended: result.Complete}
	bytes, least, limit := a.bytes, int64(0), r.Plan.SeqRead
	if writes(test) {
		bytes, least, limit, t.Sync = r.Plan.AreaBytes, r.Plan.MinAreaBytes, r.Plan.SeqWrite, "fsync"
	}
	if !ours {
		bytes, least, limit, t.TimeLimitNS = a.bytes, 0, s.Limit, s.Limit.Nanoseconds()
	}
	if s.Zeros {
		t.Data = result.Zeros
	}
	e, err := open(s, a, min(r.Plan.ChunkBytes, bytes))
	if err != nil {
		return t, err
	}
	defer e.close()
	t.Engine, t.EngineVersion = e.name, e.version
	counters, err := r.Target.Disk.Counters()
	if err != nil {
		return t, err
	}
	start := time.Now()
	var busy time.Duration
	for t.Bytes < bytes {
		chunk := r.chunk(s, t.Bytes, bytes, busy)
		if writes(test) && !s.Zeros {
			before := time.Now()
			if err := e.prepare(chunk); err != nil {
				return t, err
			}
			t.SourceBytes += chunk
			t.SourceNS += time.Since(before).Nanoseconds()
		}
		if err := r.Target.Same(); err != nil {
			return t, err
		}
		before := time.Now()
		if err := e.transfer(ctx, t.Bytes, chunk); err != nil {
			return t, err
		}
		took := time.Since(before)
		busy += took
		t.Bytes += chunk
		t.Intervals = append(t.Intervals, result.Interval{Ops: chunk / block, Bytes: chunk, NS: took.Nanoseconds()})
		if len(t.Intervals) == 1 {
			if _, err := r.confirm(test, t.Sync, t.Bytes, counters); err != nil {
				return t, err
			}
			// The counters don't show this: the kernel's read-ahead does reach the device.
			if test == result.SeqRead && t.Engine == "dd" && a.cached(t.Bytes) {
				return t, errors.New("dd read through the page cache although it was told not to")
			}
		}
		r.report(Progress{
			Test: s.label(), Elapsed: busy, Share: float64(t.Bytes) / float64(bytes), Bytes: t.Bytes,
			Left: r.left(test, limit-busy),
		})
		if t.Bytes < bytes && limit > 0 && busy >= limit && t.Bytes >= least {
			t.Ended = result.TimeLimit
			break
		}
	}
	if writes(test) {
		ns, err := a.synced()
		if err != nil {
			return t, err
		}
		busy += time.Duration(ns)
		t.Intervals[len(t.Intervals)-1].NS += ns
		if ours {
			a.bytes = t.Bytes
		}
	}
	t.Ops, t.AreaBytes = t.Bytes/block, a.bytes
	t.DurationNS = busy.Nanoseconds()
	t.OverheadNS = (time.Since(start) - busy).Nanoseconds()
	if t.DeviceBytes, err = r.confirm(test, t.Sync, t.Bytes, counters); err != nil {
		return t, err
	}
	r.report(Progress{Test: s.label(), Elapsed: busy, Share: 1, Bytes: t.Bytes, Left: r.left(test, 0), Done: true})
	return t, nil
}

// chunk returns the size of a step's next chunk, after done bytes in the time busy. A slow module does few operations
// of printedBytes in chunkTime. A chunk still has at least 64 KiB of them, since starting dd for fewer would take as
// long as the module does.
func (r *Run) chunk(s Step, done, bytes int64, busy time.Duration) int64 {
	size, unit := r.Plan.FirstChunkBytes, int64(linearBytes)
	if s.BlockBytes == printedBytes {
		size, unit = 1<<20, 64<<10
	}
	if done > 0 {
		size = int64(float64(done) * chunkTime.Seconds() / max(busy.Seconds(), 1e-9))
	}
	size = max(min(size, r.Plan.ChunkBytes)/unit, 1) * unit
	return min(size, bytes-done)
}

// lookTime is the time between looks at passing states such as heat. It is long enough to cost nothing.
const lookTime = 5 * time.Second

// report is called between operations, when nothing is timed.
func (r *Run) report(p Progress) {
	if r.watch != nil && time.Since(r.looked) >= lookTime {
		r.watch.Look()
		r.looked = time.Now()
	}
	if r.Progress == nil {
		return
	}
	if r.priming {
		p.Test = Priming
	}
	switch {
	case p.Test == Trial:
		p.Left, p.Guessed = max(r.Plan.Trial-p.Elapsed, 0), true
	case r.Plan.Whole == 0:
		own := p.Left // 0: the test has no limit
		p.Left, p.Guessed = time.Duration(float64(p.Elapsed)*(1-p.Share)/max(p.Share-p.From, 1e-9)), true
		if own > 0 {
			p.Left = min(p.Left, own)
		}
	}
	r.Progress(p)
}
