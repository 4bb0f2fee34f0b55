package store_test

import (
	"crypto/sha256"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"flashdex/api/figure"
)

// Contributors upload and take back results of one module that nobody else knows, while it is hidden and removed as
// quickly as can be. Whatever the order, a result that is there has a module that is shown.
func TestAModuleComesAndGoesWithItsResults(t *testing.T) {
	t.Parallel()
	s, url := open(t)
	const senders, rounds = 2, 40
	var removed atomic.Int64 // how often it was hidden
	var work sync.WaitGroup
	done := make(chan struct{})
	for sender := range senders {
		work.Go(func() {
			secret := sha256.Sum256([]byte{byte(sender)})
			for round := 0; round < rounds || removed.Load() == 0 && round < 10*rounds; round++ {
				doc, body := run(t, "", 1)
				added, err := s.AddSubmission(t.Context(), secret, doc, body, ultra, accepted)
				if err != nil || !added.New {
					t.Errorf("upload: %+v, %v", added, err)
				}
				if err := s.DeleteSubmission(t.Context(), secret, doc.ID); err != nil {
					t.Errorf("deletion: %v", err)
				}
				// So that there is nothing now and then, for as long as a fold takes.
				time.Sleep(rand.N(time.Duration(max(40, 20*(round-rounds))) * time.Millisecond))
			}
		})
	}
	var folds sync.WaitGroup
	folds.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
			}
			// The minute that a module is kept for uploads under way is over at once.
			removed.Add(value[int64](t, url, `
				with old as (update module set orphaned_at = now() - interval '2 minutes'
					where orphaned_at is not null returning 1)
				select count(*) from old`))
			if _, _, err := s.Fold(t.Context()); err != nil {
				t.Errorf("fold: %v", err)
			}
		}
	})
	work.Wait()
	close(done)
	folds.Wait()
	id := add(t, s, alice, ultra, "", 1)
	if _, _, err := s.Fold(t.Context()); err != nil {
		t.Fatal(err)
	}
	all := snapshot(t, s)
	if len(all.Submissions) != 1 || all.Submissions[0].ID != id || len(all.Modules) != 1 ||
		all.Modules[0].Slug != ultra.Slug {
		t.Errorf("shown are %d results and the modules %+v", len(all.Submissions), all.Modules)
	}
	if f := estimate(t, all, ultra.Slug, figure.RandWriteIOPS); f.N != 1 {
		t.Errorf("%+v", f)
	}
	if removed.Load() == 0 {
		t.Error("the module was never hidden: the test tests nothing")
	}
}
