// Package lease elects one of several processes for work that only one may do at a time, by a row in the database.
package lease

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"
)

// Store holds the row.
type Store interface {
	// Acquire takes or renews a lease for ttl and reports whether it is held. The fence rises with each change of holder.
	Acquire(ctx context.Context, name, holder string, ttl time.Duration) (fence int64, held bool, err error)
	// Release gives the lease back.
	Release(ctx context.Context, name, holder string) error
}

// Lease is one process' part in an election.
type Lease struct {
	Store  Store
	Name   string
	Holder string // names this process; two that run at the same time must not share a name
	TTL    time.Duration
	Log    *slog.Logger
}

// Acquire takes the lease or renews it.
func (l Lease) Acquire(ctx context.Context) (fence int64, held bool, err error) {
	return l.Store.Acquire(ctx, l.Name, l.Holder, l.TTL)
}

// ErrTaken says that another process has taken over.
var ErrTaken = errors.New("another process has taken over")

// Holds renews the lease. It returns ErrTaken if another process has had it since Acquire returned the fence.
func (l Lease) Holds(ctx context.Context, fence int64) error {
	if now, held, err := l.Acquire(ctx); err != nil {
		return err
	} else if !held || now != fence {
		return ErrTaken
	}
	return nil
}

// Release gives the lease back, also when ctx has ended.
func (l Lease) Release(ctx context.Context) error {
	return l.Store.Release(context.WithoutCancel(ctx), l.Name, l.Holder)
}

// Keep renews the lease, which this process must hold, until stop is called. It is for work that takes longer than the
// lease lasts. The returned context ends if another process takes over. While the database is away nothing changes,
// because nobody can take over.
func (l Lease) Keep(ctx context.Context) (kept context.Context, stop func()) {
	kept, cancel := context.WithCancelCause(ctx)
	var renewing sync.WaitGroup
	renewing.Go(func() {
		tick := time.NewTicker(l.TTL / 3)
		defer tick.Stop()
		for {
			select {
			case <-kept.Done():
				return
			case <-tick.C:
			}
			if _, held, err := l.Acquire(kept); err != nil {
				l.Log.Warn("the lease was not renewed", "lease", l.Name, "error", err)
			} else if !held {
				l.Log.Warn("the lease was lost", "lease", l.Name)
				cancel(ErrTaken)
				return
			}
		}
	})
	return kept, func() { cancel(nil); renewing.Wait() }
}
