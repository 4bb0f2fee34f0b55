package measure

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"flashdex/result"
)

// mixedSteps are the tests of the mixed profile after the area was written.
var mixedSteps = []Step{
	{Test: result.Mixed, Limit: 90 * time.Second, Bytes: 4 << 30},
	{Test: result.RestedWrite, Limit: 6 * time.Minute, Bytes: 4 << 30},
}

const (
	mixedAside  = 5 * time.Second // before what counts, and between a rest's writes and the next rest
	restedAside = 4 * mixedAside  // of writes that fill a cache, before the first
	restPasses  = 3
	restSamples = 8 // after each rest
)

// mixed runs one of mixedSteps.
func (r *Run) mixed(ctx context.Context, a *area, s Step) (t result.Test, err error) {
	t = result.Test{
		Name: s.Test, BlockBytes: s.BlockBytes, Sync: s.Sync, QueueDepth: 1, Direct: true, Engine: ownName,
		TimeLimitNS: s.Limit.Nanoseconds(), AreaBytes: a.bytes, Ended: result.Complete,
	}
	writing, err := a.operations(result.RandWrite, s.Sync, s.BlockBytes)
	if err != nil {
		return t, err
	}
	defer writing.close()
	reading, err := a.operations(result.RandRead, "none", s.BlockBytes)
	if err != nil {
		return t, err
	}
	defer reading.close()
	counters, err := r.Target.Disk.Counters()
	if err != nil {
		return t, err
	}
	random, start := rand.New(newRandom()), time.Now()
	looked, writes := start, int64(0)
	// do does one operation and adds it to an interval.
	do := func(v *result.Interval) error {
		o := writing
		if s.Test == result.Mixed && random.IntN(result.MixedOf) < result.MixedReads {
			o = reading
			v.Reads++
		} else {
			writes++
		}
		ns, err := o.timed(t.Ops, a.start+random.Int64N(a.bytes/s.BlockBytes)*s.BlockBytes)
		if err != nil {
			return fmt.Errorf("%s: operation %d: %w", t.Name, t.Ops+1, err)
		}
		t.Ops++
		v.Ops++
		v.Bytes += s.BlockBytes
		v.NS += ns
		v.MaxNS = max(v.MaxNS, ns)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if elapsed := time.Since(start); time.Since(looked) >= time.Second {
			looked = time.Now()
			if err := r.Target.Same(); err != nil {
				return err
			}
			r.report(Progress{
				Test: t.Name, Elapsed: elapsed, Share: min(elapsed.Seconds()/s.Limit.Seconds(), 1),
				Bytes: t.Ops * s.BlockBytes, Left: r.left(t.Name, s.Limit-elapsed),
			})
		}
		return nil
	}
	// during does so until a time has passed, in an interval that doesn't count.
	during := func(d time.Duration) error {
		var v result.Interval
		for begun := time.Now(); time.Since(begun) < d; {
			if err := do(&v); err != nil {
				return err
			}
		}
		v.AsideOps = v.Ops
		t.Intervals = append(t.Intervals, v)
		return nil
	}
	if s.Test == result.Mixed {
		err = during(mixedAside * s.Interval / time.Second)
		for err == nil && time.Since(start) < s.Limit && t.Ops*s.BlockBytes < s.Bytes {
			var v result.Interval
			for begun := time.Now(); err == nil && time.Since(begun) < s.Interval; {
				err = do(&v)
			}
			t.Intervals = append(t.Intervals, v)
		}
		t.Ended = result.TimeLimit
	} else {
		err = r.rest(ctx, &t, s, start, during, do)
	}
	if err != nil {
		return t, err
	}
	sum := result.SumIntervals(t.Intervals)
	t.Bytes, t.DurationNS = sum.Bytes, sum.NS
	t.OverheadNS = time.Since(start).Nanoseconds() - t.DurationNS
	of, bytes := result.Mixed, (t.Ops-writes)*s.BlockBytes // the device's reads, as no test that writes
	if s.Test == result.RestedWrite {
		of, bytes = s.Test, t.Bytes
	}
	moved, err := r.proof(of, bytes, counters)
	if err != nil {
		return t, err
	}
	if s.Test == result.Mixed {
		if err := proven(result.RandWrite, writes*s.BlockBytes, moved); err != nil {
			return t, err
		}
	}
	t.DeviceBytes = moved.ReadBytes + moved.WrittenBytes
	r.report(Progress{Test: t.Name, Elapsed: time.Since(start), Share: 1, Bytes: t.Bytes, Left: r.left(t.Name, 0), Done: true})
	return t, nil
}

// rest writes until caches are full, rests, and writes again, with each rest in turn.
func (r *Run) rest(ctx context.Context, t *result.Test, s Step, start time.Time, during func(time.Duration) error,
	do func(*result.Interval) error) error {
	for range restPasses {
		for _, ns := range result.RestsNS {
			if time.Since(start) >= s.Limit || t.Ops*s.BlockBytes >= s.Bytes {
				t.Ended = result.TimeLimit
				return nil
			}
			aside := mixedAside
			if len(t.Intervals) == 0 {
				aside = restedAside
			}
			if err := during(aside * s.Interval / time.Second); err != nil {
				return err
			}
			if err := pause(ctx, time.Duration(ns)*s.Interval/time.Second); err != nil {
				return err
			}
			for range restSamples {
				v := result.Interval{Kind: result.Kind{RestNS: ns}}
				for range result.StructureOps {
					if err := do(&v); err != nil {
						return err
					}
				}
				t.Intervals = append(t.Intervals, v)
			}
		}
	}
	return nil
}
