package measure

import (
	"context"
	"errors"
	"time"

	"flashdex/result"
)

// primeDevice overwrites the whole device as often as the plan says, with dd or without it. It goes on where an earlier
// run ended.
func (r *Run) primeDevice(ctx context.Context) error {
	a, err := newRegion(r.Target.Dir)
	if err != nil {
		return err
	}
	defer a.Close()
	if len(r.Kept) == 0 {
		a.bytes = r.Plan.AreaBytes
		if err := r.trial(ctx, a); err != nil {
			return err
		}
	}
	a.start = 0
	r.priming = true
	defer func() { r.priming = false }()
	done, err := r.primeBy(ctx, r.newDD, a, r.primed())
	if err == nil || ctx.Err() != nil {
		return err
	}
	if err := r.Target.Same(); err != nil { // the cause may be a card that was taken out
		return err
	}
	r.ownWrites = true
	if err := a.Sync(); err != nil { // a dd without direct I/O left dirty pages
		return err
	}
	_, err = r.primeBy(ctx, r.newOwn, a, done)
	return err
}

// primeBy continues after done bytes of all passes. It returns how many bytes are done when it ends.
func (r *Run) primeBy(ctx context.Context, open opener, a *area, done int64) (int64, error) {
	size, all := r.Plan.DeviceBytes, int64(r.Plan.DevicePasses)*r.Plan.DeviceBytes
	if done >= all {
		return done, nil
	}
	e, err := open(Step{Test: result.SeqWrite}, a, r.Plan.ChunkBytes)
	if err != nil {
		return done, err
	}
	defer e.close()
	counters, err := r.Target.Disk.Counters()
	if err != nil {
		return done, err
	}
	from, busy, written := done, time.Duration(0), int64(0)
	for done < all {
		if done >= size && done%size == 0 {
			done += markBytes
		}
		chunk := r.chunk(Step{}, written, written+size-done%size, busy)
		if err := e.prepare(chunk); err != nil {
			return done, err
		}
		if err := r.Target.Same(); err != nil {
			return done, err
		}
		before := time.Now()
		if err := e.transfer(ctx, done%size, chunk); err != nil {
			return done, err
		}
		busy += time.Since(before)
		if written == 0 {
			if _, err := r.confirm(result.SeqWrite, "fsync", chunk, counters); err != nil {
				return done, err
			}
		}
		first := done == 0
		written += chunk
		done += chunk
		if first || done >= all || r.due() {
			if err := a.Sync(); err != nil {
				return done, err
			}
			entry := Entry{Primed: done}
			if first {
				if entry.Mark, err = Mark(a.File); err != nil {
					return done, err
				}
			}
			r.keep(entry)
		}
		r.report(Progress{
			Test: Priming, Elapsed: busy, Share: float64(done) / float64(all), From: float64(from) / float64(all),
			Bytes: written, Done: done >= all,
		})
	}
	return done, nil
}

// trial writes to the area at random for some seconds and reports the rate. Later passes overwrite its data.
func (r *Run) trial(ctx context.Context, a *area) error {
	rule := result.ReferenceRule(a.bytes / randomBytes)
	rule.MaxNS = r.Plan.Trial.Nanoseconds()
	_, err := r.random(ctx, a, Trial, r.Plan.Sync, randomBytes, rule)
	if _, ok := errors.AsType[*NotConfirmedError](err); ok {
		return nil // the tests will report it
	}
	return err
}
