package measure

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"syscall"
	"time"

	"flashdex/client/device"
	"flashdex/client/direct"
	"flashdex/result"
)

const (
	// roundInterval is a twentieth of a round at least.
	roundInterval = result.RoundIntervalNS * time.Nanosecond
	// fillIntervals are the intervals of a fill at most, of as many bytes each.
	fillIntervals = 1000
)

// mark writes the first MiB of a device and keeps its checksum. Nothing else in the run writes there. A later run
// recognizes the device by it.
func (r *Run) mark(a *area) error {
	if slices.ContainsFunc(r.Kept, func(e Entry) bool { return e.Mark != nil }) {
		return nil
	}
	file, err := a.direct(syscall.O_RDWR)
	if err != nil {
		return err
	}
	defer file.Close()
	memory, free, err := direct.Memory(markBytes)
	if err != nil {
		return err
	}
	defer free()
	newRandom().Read(memory) // never fails
	if _, err := file.WriteAt(memory, 0); err != nil {
		return err
	}
	if err := a.Sync(); err != nil {
		return err
	}
	sum, err := Mark(a.File)
	if err != nil {
		return err
	}
	return r.mustKeep(Entry{Mark: sum})
}

// lasting does FillWrite or RoundWrite, which take hours. Both continue an earlier run, and count that run's intervals,
// too.
type lasting struct {
	run    *Run
	area   *area
	test   *result.Test
	step   Step
	do     operations
	random *rand.Rand

	before, sum result.Interval // of earlier runs, and of all
	fresh       []result.Interval
	kept        device.Counters // at the last entry that was kept

	start, looked time.Time
}

// hours runs FillWrite or RoundWrite.
func (r *Run) hours(ctx context.Context, a *area, s Step) (t result.Test, err error) {
	if a.device {
		a.start = markBytes
	}
	t = result.Test{
		Name: s.Test, BlockBytes: s.BlockBytes, Sync: s.Sync, QueueDepth: 1, Direct: true, Engine: ownName,
		TimeLimitNS: s.Limit.Nanoseconds(), AreaBytes: a.bytes,
	}
	past := r.part(s.Test)
	if s.Test == result.FillWrite {
		t.AreaBytes = r.Plan.FillBytes / s.BlockBytes * s.BlockBytes
		if len(past.Seconds) == 0 {
			if err := a.empty(); err != nil {
				return t, err
			}
		}
	}
	l := lasting{run: r, area: a, test: &t, step: s, random: rand.New(newRandom())}
	if l.do, err = a.operations(s.Test, s.Sync, s.BlockBytes); err != nil {
		return t, err
	}
	defer l.do.close()
	counters, err := r.Target.Disk.Counters()
	if err != nil {
		return t, err
	}
	l.kept, counters = counters, counters.Since(past.Moved)
	l.before = result.SumIntervals(past.Seconds)
	l.sum, l.start = l.before, time.Now()
	t.Intervals = append(t.Intervals, past.Seconds...)
	for t.Ended = l.ended(); t.Ended == ""; t.Ended = l.ended() {
		if err := l.interval(ctx); err != nil {
			l.keep()
			return t, err
		}
		if len(t.Intervals) == 1 {
			if _, err := r.proof(t.Name, l.sum.Bytes, counters); err != nil {
				return t, err
			}
		}
		if r.due() {
			l.keep()
		}
	}
	took, err := l.do.finish()
	if err != nil {
		return t, err
	}
	t.Intervals[len(t.Intervals)-1].NS += took
	t.Ops, t.Bytes, t.DurationNS = l.sum.Ops, l.sum.Bytes, l.sum.NS+took
	t.OverheadNS = max(time.Since(l.start).Nanoseconds()-(t.DurationNS-l.before.NS), 0)
	a.bytes = t.AreaBytes
	if t.DeviceBytes, err = r.confirm(t.Name, s.Sync, t.Bytes, counters); err != nil {
		return t, err
	}
	l.report(result.Interval{}, true)
	return t, nil
}

// ended says how the test has ended. It returns "" while the test goes on.
func (l *lasting) ended() result.Ended {
	t := l.test
	whole := len(t.Intervals)%result.RoundIntervals == 0
	switch {
	case t.Name == result.FillWrite:
		if l.sum.Bytes >= t.AreaBytes {
			return result.Complete
		}
	case whole && result.Steady(result.RoundsOf(t.Intervals)):
		return result.Converged
	case time.Duration(l.sum.NS) >= l.step.Limit:
		return result.TimeLimit
	}
	return ""
}

// interval does the operations of the next interval.
func (l *lasting) interval(ctx context.Context) error {
	t := l.test
	var v result.Interval
	whole := func() bool { return time.Duration(v.NS) >= l.step.Interval }
	at := func() int64 { return l.random.Int64N(t.AreaBytes/t.BlockBytes) * t.BlockBytes }
	if t.Name == result.FillWrite {
		whole = func() bool { return v.Bytes >= t.AreaBytes/fillIntervals || l.sum.Bytes+v.Bytes >= t.AreaBytes }
		at = func() int64 { return l.sum.Bytes + v.Bytes }
	}
	for v.Ops == 0 || !whole() {
		if time.Since(l.looked) >= time.Second { // a part of a large module takes minutes to fill
			l.looked = time.Now()
			l.report(v, false)
			if err := l.run.Target.Same(); err != nil {
				return err
			}
		}
		op := l.sum.Ops + v.Ops
		ns, err := l.do.timed(op, l.area.start+at())
		if err != nil {
			return fmt.Errorf("%s: operation %d: %w", t.Name, op+1, err)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		v.Ops++
		v.Bytes += t.BlockBytes
		v.NS += ns
		v.MaxNS = max(v.MaxNS, ns)
	}
	t.Intervals, l.fresh = append(t.Intervals, v), append(l.fresh, v)
	l.sum = result.SumIntervals([]result.Interval{l.sum, v})
	return nil
}

// keep keeps the intervals since the last entry.
func (l *lasting) keep() {
	if now, err := l.run.Target.Disk.Counters(); err == nil && len(l.fresh) > 0 {
		l.run.keep(Entry{Part: &Part{Test: l.test.Name, Seconds: l.fresh, Moved: now.Since(l.kept)}})
		l.fresh, l.kept = nil, now
	}
}

// report says how far the test is, within an interval. A fill counts its bytes. Rounds count their time, and may need
// less of it than the limit.
func (l *lasting) report(v result.Interval, done bool) {
	all := result.SumIntervals([]result.Interval{l.sum, v})
	p := Progress{
		Test: l.test.Name, Elapsed: time.Since(l.start), Bytes: all.Bytes, Ops: all.Ops, Done: done,
	}
	share := func(v result.Interval) float64 { return float64(v.NS) / float64(max(l.step.Limit, 1)) }
	if l.test.Name == result.FillWrite {
		p.Ops, share = 0, func(v result.Interval) float64 { return float64(v.Bytes) / float64(l.test.AreaBytes) }
	}
	p.Share, p.From = share(all), share(l.before)
	l.run.report(p)
}
