package measure

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"syscall"
	"time"

	"flashdex/result"
)

// Step is one test of a plan that the client does by itself, with operations of any size.
type Step struct {
	Test       string
	BlockBytes int64
	Sync       string        // none, fsync (once, at the end, within the time), dsync
	Limit      time.Duration // no operation begins after it
	New        bool          // a linear write makes the area, in a file that is empty
	Bytes      int64         // a linear test goes on from the beginning of the area until it has moved so many; 0: once over the area
	Optional   bool          // left out, with a note, where the module can't do it
}

// label names a test with blocks of that size.
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
	return test == result.SeqWrite || test == result.SeqRewrite || test == result.RandWrite || test == Trial
}

// longestOp is what a single operation of an optional step may be expected to take.
const longestOp = 10 * time.Second

// errTooLong says that a step was not tried.
var errTooLong = errors.New("left out to be done in time")

// steps runs the plan's steps in order. What was left out, and why, is in r.Notes.
func (r *Run) steps(ctx context.Context, a *area) error {
	if err := r.prime(ctx, a); err != nil {
		return err
	}
	pace := map[string]float64{} // of each test, ns per byte of the size before
	for i, s := range r.Plan.Steps {
		r.stepsLeft = 0
		for _, later := range r.Plan.Steps[i+1:] {
			r.stepsLeft += later.Limit
		}
		err := errTooLong
		var t result.Test
		if late := time.Since(r.started) + s.Limit; !s.Optional || late <= r.Plan.Whole && pace[s.Test]*float64(s.BlockBytes) <= float64(longestOp) {
			t, err = r.step(ctx, a, s)
		}
		var unconfirmed *NotConfirmedError
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case s.Optional && (errors.Is(err, errTooLong) || errors.Is(err, syscall.EINVAL) || errors.As(err, &unconfirmed)):
			if errors.Is(err, syscall.EINVAL) {
				err = fmt.Errorf("direct I/O of %s is refused here, where blocks have %d B", Size(s.BlockBytes), r.Target.Disk.BlockBytes())
			}
			r.Notes = append(r.Notes, fmt.Sprintf("%s was not measured: %v", label(s.Test, s.BlockBytes), err))
			continue
		case err != nil:
			return err
		}
		pace[s.Test] = float64(t.DurationNS) / float64(t.Bytes)
		r.tests = append(r.tests, t)
	}
	if len(r.tests) == 0 {
		return fmt.Errorf("nothing could be measured; the first of the reasons: %s", r.Notes[0])
	}
	return nil
}

// step runs one step.
func (r *Run) step(ctx context.Context, a *area, s Step) (result.Test, error) {
	if s.New {
		if err := a.file.Truncate(0); err != nil {
			return result.Test{}, err
		}
		a.bytes = 0
	}
	file, err := a.direct(syscall.O_RDWR | syncFlags[s.Sync])
	if err != nil {
		return result.Test{}, err
	}
	defer file.Close()
	prepare, free, err := blocks(s.Test, s.BlockBytes)
	if err != nil {
		return result.Test{}, err
	}
	defer free()
	o := operation{prepare, rawRead, nothing}
	if writes(s.Test) {
		o.transfer = rawWrite
	}
	if s.Sync == "fsync" {
		o.finish = a.file.Sync
	}
	t := result.Test{Name: s.Test, BlockBytes: s.BlockBytes, Sync: s.Sync}
	if s.Test == result.RandWrite || s.Test == result.RandRead {
		rule := result.ReferenceRule(a.bytes / s.BlockBytes)
		rule.MaxNS = s.Limit.Nanoseconds()
		err = r.random(ctx, &t, a, rule, int(file.Fd()), o)
	} else {
		err = r.line(ctx, &t, a, s, int(file.Fd()), o)
	}
	return t, err
}

// line fills t by going over the area in a line, one operation after the other without a pause.
func (r *Run) line(ctx context.Context, t *result.Test, a *area, s Step, fd int, o operation) error {
	t.QueueDepth, t.Direct, t.Engine, t.TimeLimitNS = 1, true, ownName, s.Limit.Nanoseconds()
	size := a.bytes
	if s.New {
		size = r.Plan.AreaBytes
	}
	size -= size % s.BlockBytes
	all := cmp.Or(s.Bytes, size)
	counters, err := r.Target.Disk.Counters()
	if err != nil {
		return err
	}
	start := time.Now()
	var series result.Series
	var second result.Interval
	for t.Ended == "" {
		ns, err := o.timed(fd, a.start+t.Bytes%size, o.prepare(t.Ops))
		if err != nil {
			return fmt.Errorf("%s: operation %d: %w", label(t.Name, t.BlockBytes), t.Ops+1, err)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		t.Ops++
		t.Bytes += s.BlockBytes
		t.DurationNS += ns
		second.Ops++
		second.Bytes += s.BlockBytes
		second.NS += ns
		second.MaxNS = max(second.MaxNS, ns)
		switch {
		case t.Bytes >= all:
			t.Ended = result.Complete
		case t.DurationNS >= s.Limit.Nanoseconds():
			t.Ended = result.TimeLimit
		}
		if t.Ended != "" {
			took, err := o.finished()
			if err != nil {
				return err
			}
			second.NS += took
			t.DurationNS += took
		}
		if second.NS >= int64(time.Second) || t.Ended != "" {
			series.Add(second)
			second = result.Interval{}
			if len(series.Intervals) == 1 {
				if _, err := r.proof(t.Name, t.Bytes, counters); err != nil {
					return err
				}
			}
			r.reportStep(s, t, float64(t.Bytes)/float64(all))
		}
	}
	t.Intervals = series.Intervals
	t.OverheadNS = time.Since(start).Nanoseconds() - t.DurationNS
	if s.New {
		a.bytes = min(t.Bytes, size)
	}
	t.AreaBytes = a.bytes
	t.DeviceBytes, err = r.confirm(t.Name, t.Bytes, counters)
	return err
}

// reportStep says how far a step is that has moved that share of its bytes.
func (r *Run) reportStep(s Step, t *result.Test, share float64) {
	elapsed := time.Duration(t.DurationNS)
	r.report(Progress{
		Test: label(s.Test, s.BlockBytes), Elapsed: elapsed, Share: min(max(share, elapsed.Seconds()/s.Limit.Seconds()), 1), Bytes: t.Bytes,
		Left: r.left(t.Name, s.Limit-elapsed), Done: t.Ended != "",
	})
}
