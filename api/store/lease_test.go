package store_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"flashdex/api/store"
)

func TestLeaseIsHandedOverWithAHigherFence(t *testing.T) {
	t.Parallel()
	s, url := open(t)
	acquire := func(holder string, wantFence int64, wantHeld bool) {
		t.Helper()
		fence, held, err := s.Acquire(t.Context(), "publisher", holder, time.Hour)
		if err != nil || fence != wantFence || held != wantHeld {
			t.Errorf("%s: fence %d, held %v, %v; want %d, %v", holder, fence, held, err, wantFence, wantHeld)
		}
	}
	acquire("one", 1, true)
	acquire("two", 0, false)
	acquire("one", 1, true) // renewed
	value[string](t, url, "update lease set expires_at = now() - interval '1 second' returning name")
	acquire("two", 2, true)
	acquire("one", 0, false) // one learns here that it lost the lease
	if err := s.Release(t.Context(), "publisher", "one"); err != nil {
		t.Fatal(err)
	}
	acquire("one", 0, false) // only the holder can give it back
	if err := s.Release(t.Context(), "publisher", "two"); err != nil {
		t.Fatal(err)
	}
	acquire("one", 3, true)
}

// The clock is set back after the holder of a lease died. Nobody has to wait until the clock reaches the lease's end. A
// lease that was taken a moment ago isn't free, even if its holder's clock or ttl differs a little.
func TestALeaseIsFreeAfterTheClockIsSetBack(t *testing.T) {
	t.Parallel()
	s, url := open(t)
	for _, c := range []struct {
		endsIn string
		free   bool
	}{
		{"59 minutes", false}, {"1 hour 59 minutes", false}, {"2 hours 1 minute", true}, {"6 hours", true},
		{"1 minute", false}, {"-1 second", true},
	} {
		if _, _, err := s.Acquire(t.Context(), c.endsIn, "before", time.Hour); err != nil {
			t.Fatal(err)
		}
		value[string](t, url, "update lease set expires_at = now() + $1::text::interval where name = $1 returning name",
			c.endsIn)
		fence, held, err := s.Acquire(t.Context(), c.endsIn, "after", time.Hour)
		if err != nil || held != c.free || held && fence != 2 {
			t.Errorf("a lease that ends in %s: held %v with the fence %d, %v", c.endsIn, held, fence, err)
		}
	}
}

func TestOneOfManyGetsTheLease(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	var candidates sync.WaitGroup
	var holders atomic.Int64
	for i := range 20 {
		candidates.Go(func() {
			_, held, err := s.Acquire(t.Context(), "publisher", string(rune('a'+i)), time.Hour)
			if err != nil {
				t.Error(err)
			}
			if held {
				holders.Add(1)
			}
		})
	}
	candidates.Wait()
	if holders.Load() != 1 {
		t.Errorf("%d hold the lease", holders.Load())
	}
}

// A process that publishes into another data folder than the database knows gets no lease, and keeps none.
func TestNobodyHasALeaseInAnotherFolder(t *testing.T) {
	t.Parallel()
	one, url := open(t)
	two, err := store.Open(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(two.Close)
	keep := func(s *store.Store, folder string, anyway bool, want string) {
		t.Helper()
		if kept, err := s.KeepIn(t.Context(), folder, anyway); err != nil || kept != want {
			t.Errorf("kept in %q, %v; want %q", kept, err, want)
		}
		if kept, err := two.KeptIn(t.Context()); err != nil || kept != want {
			t.Errorf("told that it is kept in %q, %v; want %q", kept, err, want)
		}
	}
	acquire := func(s *store.Store, holder string, want bool) {
		t.Helper()
		if _, held, err := s.Acquire(t.Context(), "publisher", holder, time.Hour); err != nil || held != want {
			t.Errorf("%s: held %v, %v; want %v", holder, held, err, want)
		}
	}
	if kept, err := one.KeptIn(t.Context()); err != nil || kept != "" {
		t.Errorf("kept in %q, %v before anybody has published", kept, err)
	}
	keep(one, "a", false, "a")
	keep(two, "b", false, "a")
	acquire(two, "two", false)
	acquire(one, "one", true)
	keep(two, "b", true, "b")
	acquire(one, "one", false) // not even renewed
	if err := one.Release(t.Context(), "publisher", "one"); err != nil {
		t.Fatal(err)
	}
	acquire(one, "one", false)
	acquire(two, "two", true)
}
