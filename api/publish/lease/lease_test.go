package lease_test

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"flashdex/api/publish/lease"
)

// row is a lease in memory: the database's own is tested in package store.
type row struct {
	sync.Mutex
	holder  string
	fence   int64
	expires time.Time
	away    bool
}

func (r *row) Acquire(_ context.Context, _, holder string, ttl time.Duration) (int64, bool, error) {
	r.Lock()
	defer r.Unlock()
	if r.away {
		return 0, false, errors.New("the database is away")
	}
	if r.holder != holder && time.Now().Before(r.expires) {
		return 0, false, nil
	}
	if r.holder != holder {
		r.fence++
	}
	r.holder, r.expires = holder, time.Now().Add(ttl)
	return r.fence, true, nil
}

func (r *row) Release(context.Context, string, string) error { return nil }

// A process that was paused for long may find the lease free again after others had it.
func TestALeaseThatOthersHadIsNotHeld(t *testing.T) {
	t.Parallel()
	r := &row{}
	one := lease.Lease{Store: r, Name: "publisher", Holder: "one", TTL: time.Hour}
	two := one
	two.Holder = "two"
	fence, held, err := one.Acquire(t.Context())
	if !held || err != nil {
		t.Fatal(held, err)
	}
	for _, expire := range []bool{false, true} { // its own lease may expire, if nobody takes it
		if expire {
			r.expires = time.Time{}
		}
		if err := one.Holds(t.Context(), fence); err != nil {
			t.Errorf("held without a break: %v", err)
		}
	}
	r.expires = time.Time{}
	if _, held, err := two.Acquire(t.Context()); !held || err != nil {
		t.Fatal(held, err)
	}
	if err := one.Holds(t.Context(), fence); !errors.Is(err, lease.ErrTaken) {
		t.Errorf("while another has it: %v", err)
	}
	r.expires = time.Time{}
	if err := one.Holds(t.Context(), fence); !errors.Is(err, lease.ErrTaken) {
		t.Errorf("after another had it: %v", err)
	}
	r.away = true
	if err := one.Holds(t.Context(), fence); err == nil || errors.Is(err, lease.ErrTaken) {
		t.Errorf("without a database: %v", err)
	}
}

func TestALeaseIsKeptWhileSomethingTakesLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &row{}
		l := lease.Lease{Store: r, Name: "publisher", Holder: "one", TTL: 30 * time.Second,
			Log: slog.New(slog.DiscardHandler)}
		if _, held, err := l.Acquire(t.Context()); !held || err != nil {
			t.Fatal(held, err)
		}
		kept, stop := l.Keep(t.Context())
		other := l
		other.Holder = "two"
		check := func(after time.Duration, wantTaken, wantKept bool) {
			t.Helper()
			time.Sleep(after)
			synctest.Wait()
			if _, taken, _ := other.Acquire(t.Context()); taken != wantTaken {
				t.Errorf("another takes it: %v, want %v", taken, wantTaken)
			}
			time.Sleep(11 * time.Second)
			synctest.Wait()
			if (kept.Err() == nil) != wantKept {
				t.Errorf("the work may go on: %v, want %v", kept.Err() == nil, wantKept)
			}
		}
		set := func(change func()) {
			r.Lock()
			defer r.Unlock()
			change()
		}
		check(5*time.Minute, false, true)
		set(func() { r.away = true })
		check(15*time.Second, false, true)
		set(func() { r.away = false })
		check(time.Minute, false, true)
		set(func() { r.expires = time.Time{} }) // as if the process had been paused
		check(0, true, false)
		stop()
	})
}
