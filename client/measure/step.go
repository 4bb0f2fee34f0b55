package measure

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"syscall"
	"time"

	"flashdex/result"
)

// Step is one test that the client does by itself, with operations of any size.
type Step struct {
	Test       string
	BlockBytes int64
	Sync       string        // none, fsync (once, at the end, within the time), dsync
	Limit      time.Duration // no operation begins after it
	Bytes      int64         // that a linear test moves, over the area again and again; 0: once over the area
	New        bool          // a linear write that makes the area, in an empty file
	Interval   time.Duration // of a test of its own intervals: the least length of one that counts
	RestsNS    []int64       // before writes
	Rate       int64         // bytes a second that come: of a recorder, which writes them to files of a ring
	Zeros      bool          // a linear write of dd, which writes zeros
	Files      bool          // writes or reads files of fileSizes as a whole, each for a part of the limit
	Optional   bool          // left out, with a note, if the module can't do it
}

// blockBytes returns the size of a step's operations. A step of a plan's Tests has the test's own size unless it sets
// another one.
func (s Step) blockBytes() int64 {
	if s.BlockBytes == 0 && (s.Test == result.RandWrite || s.Test == result.RandRead) {
		return randomBytes
	}
	return cmp.Or(s.BlockBytes, linearBytes)
}

// label names a step. The name has no size if the plan has the step only once.
func (s Step) label() string {
	if s.BlockBytes > 0 {
		return label(s.Test, s.BlockBytes)
	}
	return s.Test
}

// label names a test with its block size.
func label(test string, blockBytes int64) string { return test + " " + Size(blockBytes) }

// Size writes the size of a block: 512 B, 16 KiB, 1 MiB.
func Size(bytes int64) string {
	switch {
	case bytes >= 1<<20:
		return fmt.Sprintf("%d MiB", bytes>>20)
	case bytes >= 1<<10:
		return fmt.Sprintf("%d KiB", bytes>>10)
	}
	return fmt.Sprintf("%d B", bytes)
}

func writes(test string) bool {
	return test == result.SeqWrite || test == result.BufferedWrite ||
		test == result.SeqRewrite || test == result.RandWrite || test == Trial || test == result.StreamWrite ||
		result.RecordedMBPerS(test) > 0 ||
		test == result.QueuedWrite || test == result.RestedWrite || test == result.EndureWrite ||
		slices.Contains([]string{result.MethodStructure1, result.MethodSaturate1}, result.MethodOfTest(test))
}

// longestOp limits the expected time of an operation. An optional step with slower ones isn't tried.
const longestOp = 10 * time.Second

// notTried says why a step was not tried.
type notTried string

func (n notTried) Error() string { return string(n) }

const errTooLong = notTried("left out to finish in time")

// steps runs the plan's steps in order. It notes in r.Notes which ones it left out, and why.
func (r *Run) steps(ctx context.Context, a *area) error {
	if r.Plan.Method == result.MethodQueue1 {
		if err := canQueue(); err != nil {
			return err
		}
	}
	if err := r.prime(ctx, a); err != nil {
		return err
	}
	pace := map[string]float64{} // ns per byte of each test with the last block size
	for i, s := range r.Plan.Steps {
		r.stepsLeft = 0
		for _, later := range r.Plan.Steps[i+1:] {
			r.stepsLeft += later.Limit
		}
		err := error(errTooLong)
		var t result.Test
		inTime := time.Since(r.started)+s.Limit <= r.Plan.Whole && pace[s.Test]*float64(s.BlockBytes) <= float64(longestOp)
		if !s.Optional || inTime {
			t, err = r.step(ctx, a, s)
		}
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case r.leftOut(s, err):
			continue
		case err != nil:
			return err
		}
		pace[s.Test] = float64(t.DurationNS) / float64(t.Bytes)
		r.tests = append(r.tests, t)
	}
	if len(r.tests) == 0 {
		return fmt.Errorf("nothing could be measured; the first reason: %s", r.Notes[0])
	}
	return nil
}

// leftOut reports whether a run goes on without a step that failed, and notes why.
func (r *Run) leftOut(s Step, err error) bool {
	refused := errors.Is(err, syscall.EINVAL)
	_, untried := errors.AsType[notTried](err)
	_, unconfirmed := errors.AsType[*NotConfirmedError](err)
	if !s.Optional || !untried && !refused && !unconfirmed {
		return false
	}
	if refused {
		err = fmt.Errorf("direct I/O of %s is refused here, where blocks have %d B", Size(s.BlockBytes),
			r.Target.Disk.BlockBytes())
	}
	r.Notes = append(r.Notes, fmt.Sprintf("%s was not measured: %v", label(s.Test, s.BlockBytes), err))
	return true
}

// step runs one step.
func (r *Run) step(ctx context.Context, a *area, s Step) (t result.Test, err error) {
	if err := r.Target.Same(); err != nil { // a step of less than a second doesn't look again
		return t, err
	}
	if s.New {
		if err := a.empty(); err != nil {
			return t, err
		}
		a.bytes = 0
	}
	if s.Test == result.RandWrite || s.Test == result.RandRead {
		rule := result.ReferenceRule(a.bytes / s.BlockBytes)
		rule.MaxNS = s.Limit.Nanoseconds()
		return r.random(ctx, a, s.Test, s.Sync, s.BlockBytes, rule)
	}
	if s.Files {
		return r.files(ctx, a, s)
	}
	switch own := result.MethodOfTest(s.Test); {
	case own == result.MethodStructure1:
		return r.structure(ctx, a, s)
	case own == result.MethodQueue1:
		return r.queued(ctx, a, s)
	case own == result.MethodMixed1:
		return r.mixed(ctx, a, s)
	case own == result.MethodSaturate1:
		return r.hours(ctx, a, s)
	}
	return r.line(ctx, a, s)
}

// line goes over the area linearly, one operation after the other without a pause. Only recordings wait until a block's
// data have come. A recorder writes to a ring of files instead of the area.
func (r *Run) line(ctx context.Context, a *area, s Step) (t result.Test, err error) {
	t = result.Test{
		Name: s.Test, BlockBytes: s.BlockBytes, Sync: s.Sync, QueueDepth: 1, Direct: true, Engine: ownName,
		TimeLimitNS: s.Limit.Nanoseconds(), RateBytesPerS: s.Rate,
	}
	o, err := a.operations(s.Test, s.Sync, s.BlockBytes)
	if err != nil {
		return t, err
	}
	defer o.close()
	var files *ring
	latency := result.NewHistogram()
	if s.Rate > 0 {
		files = &ring{dir: r.Target.Dir, fileBytes: r.Plan.AreaBytes / ringFiles / linearBytes * linearBytes}
		defer files.close()
		o.finish = func() (int64, error) { return timeOf(files.sync) }
	}
	size := a.bytes
	if s.New || files != nil {
		size = r.Plan.AreaBytes
	}
	size -= size % s.BlockBytes
	all := cmp.Or(s.Bytes, size)
	counters, err := r.Target.Disk.Counters()
	if err != nil {
		return t, err
	}
	start := time.Now()
	looked := start
	pace := t.PaceBytesPerS()
	var series result.Series
	for whole := true; t.Ended == ""; {
		if whole { // about once a second, when nothing is timed
			if err := r.Target.Same(); err != nil {
				return t, err
			}
		}
		var complete time.Time // when a camera has all data of the block
		if pace > 0 {
			complete = start.Add(time.Duration(float64(t.Bytes+s.BlockBytes) / float64(pace) * 1e9))
			if err := pause(ctx, time.Until(complete)); err != nil {
				return t, err
			}
		}
		at := a.start + t.Bytes%size
		opening := int64(0) // a recorder waits, too, while the oldest file is deleted
		if files != nil {
			before := time.Now()
			if o.file, at, err = files.at(t.Bytes); err != nil {
				return t, err
			}
			opening = time.Since(before).Nanoseconds()
		}
		ns, err := o.timed(t.Ops, at)
		if err != nil {
			return t, fmt.Errorf("%s: operation %d: %w", label(t.Name, t.BlockBytes), t.Ops+1, err)
		}
		if ctx.Err() != nil {
			return t, ctx.Err()
		}
		ns += opening
		behind := int64(0)
		if pace > 0 {
			behind = time.Since(complete).Nanoseconds()
		}
		op := result.Interval{Ops: 1, Bytes: s.BlockBytes, NS: ns, MaxNS: ns}
		t.Ops++
		t.Bytes += s.BlockBytes
		elapsed := time.Duration(t.DurationNS + ns)
		if pace > 0 {
			elapsed = time.Since(start)
		}
		switch {
		case t.Bytes >= all:
			t.Ended = result.Complete
		case s.Limit > 0 && elapsed >= s.Limit:
			t.Ended = result.TimeLimit
		}
		if t.Ended != "" {
			took, err := o.finish()
			if err != nil {
				return t, err
			}
			op.NS += took
			if pace > 0 && files == nil { // a recorder goes on, so it loses nothing by this
				behind += took
			}
		}
		op.BehindNS = behind
		if files != nil {
			op.LeastBehindNS = behind
			latency.Add(ns)
		}
		t.DurationNS += op.NS
		series.Add(op)
		if whole = time.Since(looked) >= time.Second; !whole && t.Ended == "" {
			continue
		}
		if looked == start {
			if _, err := r.proof(t.Name, t.Bytes, counters); err != nil {
				return t, err
			}
		}
		looked = time.Now()
		share := float64(t.Bytes) / float64(all)
		if s.Limit > 0 {
			share = max(share, elapsed.Seconds()/s.Limit.Seconds())
		}
		r.report(Progress{
			Test: label(s.Test, s.BlockBytes), Elapsed: elapsed, Share: min(share, 1), Bytes: t.Bytes,
			Left: r.left(t.Name, s.Limit-elapsed), Done: t.Ended != "",
		})
	}
	t.Intervals = series.Intervals
	t.OverheadNS = time.Since(start).Nanoseconds() - t.DurationNS
	if s.New {
		a.bytes = min(t.Bytes, size)
	}
	t.AreaBytes = a.bytes
	if files != nil {
		t.AreaBytes, t.Latency = files.fileBytes*ringFiles, latency.Buckets()
	}
	t.DeviceBytes, err = r.confirm(t.Name, s.Sync, t.Bytes, counters)
	return t, err
}
