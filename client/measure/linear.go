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

// engine moves chunks of the test area linearly, in operations of linearBytes. Only transfer is timed.
type engine struct {
	name, version string
	random        *rand.ChaCha8                                        // makes the data to write
	prepare       func(bytes int64) error                              // makes new random data for a chunk to write
	transfer      func(ctx context.Context, offset, bytes int64) error // writes or reads
	close         func()
}

// opener makes an engine for a test with chunks of at most chunkBytes.
type opener func(test string, a *area, chunkBytes int64) (engine, error)

// ownName is how results name the client as an engine.
const ownName = "flashdex"

// newOwn returns the client's own engine, for machines whose dd is missing or doesn't do direct I/O.
func (r *Run) newOwn(test string, a *area, chunkBytes int64) (e engine, err error) {
	file, err := a.direct(syscall.O_RDWR)
	if err != nil {
		return e, err
	}
	move, size := file.ReadAt, int64(linearBytes) // of one operation to read, or a chunk to write
	if test == result.SeqWrite {
		move, size = file.WriteAt, chunkBytes
	}
	memory, free, err := direct.Memory(size)
	if err != nil {
		file.Close()
		return e, err
	}
	e.name, e.random, e.close = ownName, newRandom(), func() { free(); file.Close() }
	e.prepare = func(bytes int64) error {
		_, err := e.random.Read(memory[:bytes])
		return err
	}
	e.transfer = func(ctx context.Context, offset, bytes int64) error {
		for done := int64(0); done < bytes && ctx.Err() == nil; done += linearBytes {
			if _, err := move(memory[done%size:][:linearBytes], a.start+offset+done); err != nil {
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
		if _, err := r.linear(ctx, a, result.SeqWrite); err != nil {
			return err
		}
	}
	return nil
}

// linear fills the area or reads it, with dd. If dd is missing, fails or doesn't reach the device, it uses the client's
// own engine, for a write also in all later linear writes.
func (r *Run) linear(ctx context.Context, a *area, test string) (result.Test, error) {
	if test == result.SeqWrite && r.ownWrites {
		return r.linearBy(ctx, r.newOwn, a, test)
	}
	t, err := r.linearBy(ctx, r.newDD, a, test)
	if err == nil || ctx.Err() != nil || errors.Is(err, syscall.ENOSPC) {
		return t, err
	}
	if err := r.Target.Same(); err != nil { // the failure may be a card's that was taken out
		return t, err
	}
	if test == result.SeqWrite {
		r.ownWrites = true
		// A dd that ignores direct I/O leaves dirty pages. They must not be written while the next engine is timed.
		if err := a.empty(); err != nil {
			return t, err
		}
	}
	return r.linearBy(ctx, r.newOwn, a, test)
}

// linearBy runs a linear test with one engine. If a write's time ends, the area shrinks to the written bytes.
func (r *Run) linearBy(ctx context.Context, open opener, a *area, test string) (t result.Test, err error) {
	t = result.Test{Name: test, BlockBytes: linearBytes, QueueDepth: 1, Sync: "none", Direct: true, Ended: result.Complete}
	bytes, least, limit := a.bytes, int64(0), r.Plan.SeqRead
	if test == result.SeqWrite {
		bytes, least, limit, t.Sync = r.Plan.AreaBytes, r.Plan.MinAreaBytes, r.Plan.SeqWrite, "fsync"
	}
	e, err := open(test, a, min(r.Plan.ChunkBytes, bytes))
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
		chunk := r.chunk(t.Bytes, bytes, busy)
		if test == result.SeqWrite {
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
		t.Intervals = append(t.Intervals, result.Interval{Ops: chunk / linearBytes, Bytes: chunk, NS: took.Nanoseconds()})
		if len(t.Intervals) == 1 {
			if _, err := r.confirm(test, t.Bytes, counters); err != nil {
				return t, err
			}
			// The counters don't show this: the kernel's read-ahead does reach the device.
			if test == result.SeqRead && t.Engine == "dd" && a.cached(t.Bytes) {
				return t, errors.New("dd read through the page cache although it was told not to")
			}
		}
		r.report(Progress{
			Test: test, Elapsed: busy, Share: float64(t.Bytes) / float64(bytes), Bytes: t.Bytes, Left: r.left(test, limit-busy),
		})
		if t.Bytes < bytes && limit > 0 && busy >= limit && t.Bytes >= least {
			t.Ended = result.TimeLimit
			break
		}
	}
	if test == result.SeqWrite {
		ns, err := a.synced()
		if err != nil {
			return t, err
		}
		busy += time.Duration(ns)
		t.Intervals[len(t.Intervals)-1].NS += ns
		a.bytes = t.Bytes
	}
	t.Ops, t.AreaBytes = t.Bytes/linearBytes, a.bytes
	t.DurationNS = busy.Nanoseconds()
	t.OverheadNS = (time.Since(start) - busy).Nanoseconds()
	if t.DeviceBytes, err = r.confirm(test, t.Bytes, counters); err != nil {
		return t, err
	}
	r.report(Progress{Test: test, Elapsed: busy, Share: 1, Bytes: t.Bytes, Left: r.left(test, 0), Done: true})
	return t, nil
}

// chunk is the size of the next chunk after done bytes in the time busy.
func (r *Run) chunk(done, bytes int64, busy time.Duration) int64 {
	size := r.Plan.FirstChunkBytes
	if done > 0 {
		size = int64(float64(done) * chunkTime.Seconds() / max(busy.Seconds(), 1e-9))
	}
	size = max(min(size, r.Plan.ChunkBytes)/linearBytes, 1) * linearBytes
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
		p.Left, p.Guessed = time.Duration(float64(p.Elapsed)*(1-p.Share)/max(p.Share-p.From, 1e-9)), true
	}
	r.Progress(p)
}
