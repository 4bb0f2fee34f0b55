package store_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"
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
	acquire("one", 0, false) // it learns here that it lost the lease
	if err := s.Release(t.Context(), "publisher", "one"); err != nil {
		t.Fatal(err)
	}
	acquire("one", 0, false) // only the holder can give it back
	if err := s.Release(t.Context(), "publisher", "two"); err != nil {
		t.Fatal(err)
	}
	acquire("one", 3, true)
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
