package store_test

import (
	"crypto/sha256"
	"encoding/hex"
	"sync"
	"testing"
	"time"

	"flashdex/api/figure"
	"flashdex/api/problem"
	"flashdex/result"
)

func TestDeletedResultIsErasedAndLeavesTheFigures(t *testing.T) {
	t.Parallel()
	s, url := open(t)
	const unit = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
	kept := add(t, s, alice, evo, unit, 1)
	gone := add(t, s, bob, ultra, unit, 9)
	if _, _, err := s.Fold(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := s.DeleteSubmission(t.Context(), alice, gone); kind(err) != problem.NotYours {
		t.Errorf("another contributor's deletion: %v", err)
	}
	if err := s.DeleteSubmission(t.Context(), bob, result.NewID()); kind(err) != problem.NotFound {
		t.Errorf("deletion of nothing: %v", err)
	}
	for range 2 {
		if err := s.DeleteSubmission(t.Context(), bob, gone); err != nil {
			t.Fatal(err)
		}
	}
	if _, _, _, err := s.Submission(t.Context(), gone); kind(err) != problem.Deleted {
		t.Errorf("reading it: %v", err)
	}
	left := func() string {
		return value[string](t, url, `
			select concat(document, body_sha256, method, profile, host_board, client, bus_mode, unit_tag, contributor,
				module_slug, network, not_ranked, to_char(received_at at time zone 'UTC', 'HH24:MI:SS'),
				(select count(*) from measurement where submission_id = id))
			from submission where id = $1`, gone)
	}
	id := sha256.Sum256(bob[:])
	network := hex.EncodeToString(append([]byte("key "), bob[:]...))
	want := `\x\x\x` + hex.EncodeToString(id[:]) + ultra.Slug + `\x` + network + "{}00:00:000"
	if got := left(); got != want {
		t.Errorf("of the deleted result %q is left, want %q", got, want)
	}
	if events := value[int](t, url, "select count(*) from submission_event where submission_id = $1", gone); events != 2 {
		t.Errorf("%d events, want upload and one deletion", events)
	}
	if taken, _, err := s.Fold(t.Context()); err != nil || taken != 1 {
		t.Fatalf("Fold took %d, %v", taken, err)
	}
	if got, want := left(), `\x\x\x\x{}00:00:000`; got != want {
		t.Errorf("after the publication %q is left of the deleted result, want %q", got, want)
	}
	shows := snapshot(t, s)
	if f := estimate(t, shows, evo.Slug, figure.RandWriteIOPS); f.N != 1 || f.Value < 99 || f.Value > 101 {
		t.Errorf("the module's figure is %+v, want the kept result's 100 IOPS alone", f)
	}
	if len(shows.Submissions) != 1 || shows.Submissions[0].ID != kept {
		t.Errorf("the snapshot shows %+v", shows.Submissions)
	}
	// A module that was known only from the deleted result is gone, and comes back with the next result.
	if len(shows.Modules) != 1 {
		t.Errorf("the snapshot shows %+v", shows.Modules)
	}
	value[string](t, url, `update module set orphaned_at = now() - interval '2 minutes'
		where orphaned_at is not null returning slug`)
	add(t, s, alice, evo, unit, 1)
	if _, _, err := s.Fold(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := value[int](t, url, "select count(*) from module where slug = $1", ultra.Slug); n != 0 {
		t.Error("the name of a module that only a deleted result knew of is still there")
	}
	add(t, s, alice, ultra, unit, 1)
	if _, _, err := s.Fold(t.Context()); err != nil {
		t.Fatal(err)
	}
	if shows = snapshot(t, s); len(shows.Modules) != 2 {
		t.Errorf("after another upload of the module the snapshot shows %+v", shows.Modules)
	}
}

// If one result is deleted many times at once, each deletion is confirmed and only one is made.
func TestManyDeletionsAtOnceAreOne(t *testing.T) {
	t.Parallel()
	s, url := open(t)
	id := add(t, s, alice, evo, "", 1)
	gate := addGate(t, url, "submission_event")
	var senders sync.WaitGroup
	for range 3 {
		senders.Go(func() {
			if err := s.DeleteSubmission(t.Context(), alice, id); err != nil {
				t.Error(err)
			}
		})
	}
	const waiting = `select count(*) from pg_stat_activity
		where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`
	for value[int](t, url, waiting) < 3 {
		time.Sleep(5 * time.Millisecond)
	}
	gate.commit(t)
	senders.Wait()
	const deletions = "select count(*) from submission_event where submission_id = $1 and to_state = 'deleted'"
	if n := value[int](t, url, deletions, id); n != 1 {
		t.Errorf("the result was deleted %d times", n)
	}
}
