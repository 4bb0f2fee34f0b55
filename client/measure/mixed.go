package measure

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"flashdex/client/device"
	"flashdex/result"
)

// mixedSteps are the tests of the mixed profile after the area was written.
var mixedSteps = []Step{
	{Test: result.Mixed, Limit: 90 * time.Second, Bytes: 4 << 30},
	{Test: result.RestedWrite, Limit: 9 * time.Minute, Bytes: 4 << 30, RestsNS: result.RestsNS[:]},
}

const (
	// Writes that don't count come before those that do, and before each rest, for this many intervals of a step.
	// Before writes without a rest there are more of them, so that the module forgets the last rest.
	asideIntervals     = 5
	forgottenIntervals = 15

	restPasses      = 4
	unrestedSamples = 4 // in each pass; each rest is one sample
)

// mixing does the operations of one of mixedSteps.
type mixing struct {
	run              *Run
	ctx              context.Context
	area             *area
	test             *result.Test
	step             Step
	writing, reading operations
	random           *rand.Rand
	start, looked    time.Time
	writes           int64
}

// mixed runs one of mixedSteps.
func (r *Run) mixed(ctx context.Context, a *area, s Step) (t result.Test, err error) {
	t = result.Test{
		Name: s.Test, BlockBytes: s.BlockBytes, Sync: s.Sync, QueueDepth: 1, Direct: true, Engine: ownName,
		TimeLimitNS: s.Limit.Nanoseconds(), AreaBytes: a.bytes, Ended: result.Complete,
	}
	m := mixing{run: r, ctx: ctx, area: a, test: &t, step: s, random: rand.New(newRandom())}
	if m.writing, err = a.operations(result.RandWrite, s.Sync, s.BlockBytes); err != nil {
		return t, err
	}
	defer m.writing.close()
	if m.reading, err = a.operations(result.RandRead, "none", s.BlockBytes); err != nil {
		return t, err
	}
	defer m.reading.close()
	counters, err := r.Target.Disk.Counters()
	if err != nil {
		return t, err
	}
	m.start = time.Now()
	m.looked = m.start
	if s.Test == result.Mixed {
		err = m.mix()
	} else {
		err = m.rest()
	}
	if errors.Is(err, errOver) {
		err, t.Ended = nil, result.TimeLimit
	}
	if err != nil {
		return t, err
	}
	sum := result.SumIntervals(t.Intervals)
	t.Bytes, t.DurationNS = sum.Bytes, sum.NS
	t.OverheadNS = time.Since(m.start).Nanoseconds() - t.DurationNS
	if err := m.confirm(counters); err != nil {
		return t, err
	}
	r.report(Progress{
		Test: t.Name, Elapsed: time.Since(m.start), Share: 1, Bytes: t.Bytes, Left: r.left(t.Name, 0), Done: true,
	})
	return t, nil
}

// confirm compares reads and writes with the device's counters, as Run.confirm does.
func (m *mixing) confirm(before device.Counters) error {
	now, err := m.run.Target.Disk.Counters()
	if err != nil {
		return err
	}
	moved := now.Since(before)
	written, read := m.writes*m.step.BlockBytes, (m.test.Ops-m.writes)*m.step.BlockBytes
	for test, bytes := range map[string]int64{result.RandWrite: written, result.RandRead: read} {
		if err := proven(test, bytes, moved); err != nil {
			return fmt.Errorf("%s: %w", m.test.Name, err)
		}
	}
	m.test.DeviceBytes = moved.ReadBytes + moved.WrittenBytes
	moved.ReadBytes = max(moved.ReadBytes-read, 0) // the rest was read for something else
	m.run.judge(result.RandWrite, m.step.Sync, written, moved)
	return nil
}

// over reports whether the test will have had its time once later has passed, or has moved all its bytes.
func (m *mixing) over(later time.Duration) bool {
	return time.Since(m.start)+later >= m.step.Limit || m.test.Ops*m.step.BlockBytes >= m.step.Bytes
}

// one does one operation of an interval.
func (m *mixing) one(v *result.Interval) error {
	o := m.writing
	if m.step.Test == result.Mixed && m.random.IntN(result.MixedOf) < result.MixedReads {
		o = m.reading
		v.Reads++
	} else {
		m.writes++
	}
	at := m.area.start + m.random.Int64N(m.area.bytes/m.step.BlockBytes)*m.step.BlockBytes
	ns, err := o.timed(m.test.Ops, at)
	if err != nil {
		return fmt.Errorf("%s: operation %d: %w", m.test.Name, m.test.Ops+1, err)
	}
	m.test.Ops++
	v.Ops++
	v.Bytes += m.step.BlockBytes
	v.NS += ns
	v.MaxNS = max(v.MaxNS, ns)
	return m.look()
}

// look reports about once a second how far the test is. It returns an error if the module was changed.
func (m *mixing) look() error {
	if m.ctx.Err() != nil || time.Since(m.looked) < time.Second {
		return m.ctx.Err()
	}
	m.report()
	return m.run.Target.Same()
}

func (m *mixing) report() {
	m.looked = time.Now()
	elapsed := m.looked.Sub(m.start)
	m.run.report(Progress{
		Test: m.test.Name, Elapsed: elapsed, Share: min(elapsed.Seconds()/m.step.Limit.Seconds(), 1),
		Bytes: m.test.Ops * m.step.BlockBytes, Left: m.run.left(m.test.Name, m.step.Limit-elapsed),
	})
}

// during does operations for a time, in one interval.
func (m *mixing) during(d time.Duration) (v result.Interval, err error) {
	for begun := time.Now(); err == nil && time.Since(begun) < d; {
		err = m.one(&v)
	}
	return v, err
}

// aside does operations that don't count, for the time of some intervals.
func (m *mixing) aside(intervals int) error {
	v, err := m.during(time.Duration(intervals) * m.step.Interval)
	v.AsideOps = v.Ops
	m.test.Intervals = append(m.test.Intervals, v)
	return err
}

// mix reads and writes until the time is over.
func (m *mixing) mix() error {
	if err := m.aside(asideIntervals); err != nil {
		return err
	}
	for !m.over(0) {
		v, err := m.during(m.step.Interval)
		if err != nil {
			return err
		}
		m.test.Intervals = append(m.test.Intervals, v)
	}
	return errOver
}

// rest writes, rests, and writes again, with each rest in turn. If the time runs out during a sample, that sample
// doesn't count.
func (m *mixing) rest() error {
	for range restPasses {
		for _, ns := range m.step.RestsNS {
			aside, samples := asideIntervals, 1
			if ns == 0 {
				aside, samples = forgottenIntervals, unrestedSamples
			}
			if m.over(time.Duration(aside)*m.step.Interval + time.Duration(ns)) {
				return errOver
			}
			if err := m.aside(aside); err != nil {
				return err
			}
			if err := m.pause(time.Duration(ns)); err != nil {
				return err
			}
			for range samples {
				v := result.Interval{Kind: result.Kind{RestNS: ns}}
				for v.Ops < result.RestedOps && !m.over(0) {
					if err := m.one(&v); err != nil {
						return err
					}
				}
				cut := v.Ops < result.RestedOps
				if cut {
					v.AsideOps = v.Ops
				}
				if v.Ops > 0 {
					m.test.Intervals = append(m.test.Intervals, v)
				}
				if cut {
					return errOver
				}
			}
		}
	}
	return nil
}

// pause rests, and reports meanwhile how far the test is. It looks at the module only at the end, since looking would
// disturb the rest.
func (m *mixing) pause(rest time.Duration) error {
	if rest == 0 {
		return nil
	}
	for end := time.Now().Add(rest); time.Now().Before(end); m.report() {
		if err := pause(m.ctx, min(time.Until(end), time.Second)); err != nil {
			return err
		}
	}
	return m.run.Target.Same()
}
