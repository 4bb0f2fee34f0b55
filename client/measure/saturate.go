package measure

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"flashdex/result"
)

const (
	// roundInterval is a twentieth of a round at least.
	roundInterval = 3 * time.Second
	// fillIntervals are the intervals of a fill, of as many bytes each.
	fillIntervals = 1000
)

// hours runs FillWrite or RoundWrite, which take so long that they continue an earlier run: its intervals count as their
// own.
func (r *Run) hours(ctx context.Context, a *area, s Step) (t result.Test, err error) {
	fills := s.Test == result.FillWrite
	t = result.Test{
		Name: s.Test, BlockBytes: s.BlockBytes, Sync: s.Sync, QueueDepth: 1, Direct: true, Engine: ownName,
		TimeLimitNS: s.Limit.Nanoseconds(), AreaBytes: a.bytes,
	}
	past := r.part(s.Test)
	if fills {
		t.AreaBytes = r.Plan.FillBytes / s.BlockBytes * s.BlockBytes
		if len(past.Seconds) == 0 {
			if err := a.empty(); err != nil {
				return t, err
			}
		}
	}
	o, err := a.operations(s.Test, s.Sync, s.BlockBytes)
	if err != nil {
		return t, err
	}
	defer o.close()
	counters, err := r.Target.Disk.Counters()
	if err != nil {
		return t, err
	}
	counters = counters.Since(past.Moved)
	fresh, kept := Part{Test: s.Test}, counters.Plus(past.Moved)
	keep := func() {
		if now, err := r.Target.Disk.Counters(); err == nil && len(fresh.Seconds) > 0 {
			fresh.Moved = now.Since(kept)
			r.keep(Entry{Part: &fresh})
			fresh, kept = Part{Test: s.Test}, now
		}
	}
	before := result.SumIntervals(past.Seconds)
	sum, random, start := before, rand.New(newRandom()), time.Now()
	t.Intervals = append(t.Intervals, past.Seconds...)
	for t.Ended == "" {
		if err := r.Target.Same(); err != nil {
			keep()
			return t, err
		}
		var v result.Interval
		begun := time.Now()
		whole := func() bool { return time.Since(begun) >= s.Interval }
		at := func() int64 { return random.Int64N(t.AreaBytes/s.BlockBytes) * s.BlockBytes }
		if fills {
			whole = func() bool { return v.Bytes >= t.AreaBytes/fillIntervals || sum.Bytes+v.Bytes >= t.AreaBytes }
			at = func() int64 { return sum.Bytes + v.Bytes }
		}
		for v.Ops == 0 || !whole() {
			ns, err := o.timed(sum.Ops+v.Ops, a.start+at())
			if err != nil {
				err = fmt.Errorf("%s: operation %d: %w", t.Name, sum.Ops+v.Ops+1, err)
			} else {
				err = ctx.Err()
			}
			if err != nil {
				keep()
				return t, err
			}
			v.Ops++
			v.Bytes += s.BlockBytes
			v.NS += ns
			v.MaxNS = max(v.MaxNS, ns)
		}
		switch rounds := append(t.Intervals, v); {
		case fills && sum.Bytes+v.Bytes >= t.AreaBytes:
			t.Ended = result.Complete
		case !fills && len(rounds)%result.RoundIntervals == 0 && result.Steady(result.RoundsOf(rounds)):
			t.Ended = result.Converged
		case s.Limit > 0 && time.Duration(sum.NS+v.NS) >= s.Limit:
			t.Ended = result.TimeLimit
		}
		if t.Ended != "" {
			took, err := o.finish()
			if err != nil {
				return t, err
			}
			v.NS += took
		}
		t.Intervals, fresh.Seconds = append(t.Intervals, v), append(fresh.Seconds, v)
		sum = result.SumIntervals([]result.Interval{sum, v})
		if len(t.Intervals) == 1 {
			if _, err := r.proof(t.Name, sum.Bytes, counters); err != nil {
				return t, err
			}
		}
		if r.due() {
			keep()
		}
		p := Progress{
			Test: t.Name, Elapsed: time.Since(start), Bytes: sum.Bytes, Ops: sum.Ops, Done: t.Ended != "",
			Share: float64(sum.NS) / float64(max(s.Limit, 1)), From: float64(before.NS) / float64(max(s.Limit, 1)),
			Left: max(s.Limit-time.Duration(sum.NS), 0),
		}
		if fills {
			p.Share, p.From = float64(sum.Bytes)/float64(t.AreaBytes), float64(before.Bytes)/float64(t.AreaBytes)
			p.Left, p.Guessed, p.Ops = 0, true, 0
			if done := sum.Bytes - before.Bytes; done > 0 {
				p.Left = time.Duration(float64(p.Elapsed) / float64(done) * float64(t.AreaBytes-sum.Bytes))
			}
		}
		r.report(p)
	}
	t.Ops, t.Bytes, t.DurationNS = sum.Ops, sum.Bytes, sum.NS
	t.OverheadNS = max(time.Since(start).Nanoseconds()-(sum.NS-before.NS), 0)
	a.bytes = t.AreaBytes
	t.DeviceBytes, err = r.confirm(t.Name, s.Sync, t.Bytes, counters)
	return t, err
}
