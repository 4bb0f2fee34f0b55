package store_test

import (
	"crypto/sha256"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"flashdex/api/problem"
	"flashdex/api/submission"

	"github.com/google/go-cmp/cmp"
)

func TestAContributorStaysTheSameUnderANewSecret(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	alices2, alices3 := sha256.Sum256([]byte("alice's second")), sha256.Sum256([]byte("alice's third"))
	first := add(t, s, alice, evo, "", 1)
	add(t, s, bob, evo, "", 1)
	if err := s.RotateSecret(t.Context(), alice, bob); kind(err) != problem.SecretInUse {
		t.Errorf("another contributor's secret was taken: %v", err)
	}
	if err := s.RotateSecret(t.Context(), alices2, alices3); kind(err) != problem.UnknownContributor {
		t.Errorf("an unknown secret was changed: %v", err)
	}
	for range 2 { // the answer to the first was lost
		if err := s.RotateSecret(t.Context(), alice, alices2); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.RotateSecret(t.Context(), alices2, alice); kind(err) != problem.SecretInUse {
		t.Errorf("a retired secret came back: %v", err)
	}
	if err := s.RotateSecret(t.Context(), alices2, alices3); err != nil {
		t.Fatal(err)
	}
	second := add(t, s, alices3, evo, "", 1)
	for _, retired := range [][sha256.Size]byte{alice, alices2} {
		doc, body := run(t, "", 1)
		if _, err := s.AddSubmission(t.Context(), retired, doc, body, evo, accepted,
			submission.Origin{}); kind(err) != problem.SecretRetired {
			t.Errorf("upload with a retired secret: %v", err)
		}
		if _, err := s.Contributor(t.Context(), retired); kind(err) != problem.SecretRetired {
			t.Errorf("reading with a retired secret: %v", err)
		}
		if err := s.DeleteSubmission(t.Context(), retired, first); kind(err) != problem.SecretRetired {
			t.Errorf("deleting with a retired secret: %v", err)
		}
	}
	known, err := s.Contributor(t.Context(), alices3)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]int{submission.Accepted: 2}, known.ByState); diff != "" || known.Results != 2 {
		t.Errorf("%d results, by state (-want +got):\n%s", known.Results, diff)
	}
	var listed []string
	for after := ""; ; {
		page, err := s.ContributorSubmissions(t.Context(), alices3, after, 1)
		if err != nil {
			t.Fatal(err)
		}
		if len(page) == 0 {
			break
		}
		after = page[0].ID
		listed = append(listed, after)
	}
	if diff := cmp.Diff([]string{first, second}, listed); diff != "" { // ids made one after the other rise
		t.Errorf("results of both secrets (-want +got):\n%s", diff)
	}
	if err := s.DeleteSubmission(t.Context(), alices3, first); err != nil {
		t.Errorf("deleting what an earlier secret uploaded: %v", err)
	}
}

func TestTwoChangesOfASecretAtOnce(t *testing.T) {
	t.Parallel()
	s, url := open(t)
	add(t, s, alice, evo, "", 1)
	var changes sync.WaitGroup
	var changed atomic.Int64
	for i := range 10 {
		changes.Go(func() {
			switch err := s.RotateSecret(t.Context(), alice, sha256.Sum256([]byte{byte(i)})); kind(err) {
			case "":
				changed.Add(1)
			case problem.SecretRetired:
			default:
				t.Error(err)
			}
		})
	}
	changes.Wait()
	if changed.Load() != 1 {
		t.Errorf("%d of the changes were made, want 1", changed.Load())
	}
	if n := value[int](t, url, "select count(*) from contributor_secret where retired_at is null"); n != 1 {
		t.Errorf("%d secrets are in force, want 1", n)
	}
}

func TestAllResultsOfAContributorAreDeletedInPieces(t *testing.T) {
	t.Parallel()
	s, url := open(t)
	add(t, s, alice, evo, "", 1)
	kept := add(t, s, bob, evo, "", 1)
	// More results than one transaction deletes.
	value[int](t, url, `with more as (
			insert into submission select gen_random_uuid(), contributor, received_at, body_sha256, schema_version, state,
				state_reason, method, profile, client, host_board, bus_mode, unit_tag, module_slug, not_ranked, document
				from submission, generate_series(1, 249) where contributor = sha256($1) returning 1)
		select count(*) from more`, alice[:])
	if deleted, err := s.DeleteContributor(t.Context(), alice); err != nil || deleted != 250 {
		t.Errorf("deleted %d, %v; want 250", deleted, err)
	}
	if deleted, err := s.DeleteContributor(t.Context(), alice); err != nil || deleted != 0 {
		t.Errorf("deleted %d more, %v", deleted, err)
	}
	if _, _, err := s.Fold(t.Context()); err != nil {
		t.Fatal(err)
	}
	left := value[[]string](t, url, "select array_agg(id::text) from submission where state <> 'deleted'")
	if len(left) != 1 || left[0] != kept {
		t.Errorf("left are %v, want the other contributor's %s", left, kept)
	}
	if known, err := s.Contributor(t.Context(), alice); err != nil || known.Results != 0 {
		t.Errorf("the contributor has %+v, %v", known, err)
	}
	_, err := s.DeleteContributor(t.Context(), sha256.Sum256([]byte("nobody")))
	if kind(err) != problem.UnknownContributor {
		t.Errorf("deleting nobody's results: %v", err)
	}
}

// A client whose change of the secret was interrupted asks whether the old secret is in force, and if so forgets the
// new one. The change may still be under way.
func TestAChangeUnderWayIsWaitedForBeforeASecretIsSaidToBeInForce(t *testing.T) {
	t.Parallel()
	s, url := openPatient(t)
	add(t, s, alice, evo, "", 1)
	gate := addGate(t, url, "contributor_secret")
	changed := make(chan struct{})
	go func() {
		defer close(changed)
		if err := s.RotateSecret(t.Context(), alice, sha256.Sum256([]byte("alice's second"))); err != nil {
			t.Error(err)
		}
	}()
	gate.awaited(t, changed)
	answered := make(chan error, 1)
	go func() {
		_, err := s.Contributor(t.Context(), alice)
		answered <- err
	}()
	const waits = `select exists (
		select from pg_stat_activity where wait_event_type = 'Lock' and query like '%known_contributor%')`
	for !value[bool](t, url, waits) {
		select {
		case err := <-answered:
			t.Fatalf("the answer didn't wait for the change: %v", err)
		case <-time.After(5 * time.Millisecond):
		}
	}
	gate.commit(t)
	<-changed
	if err := <-answered; kind(err) != problem.SecretRetired {
		t.Errorf("after the change the old secret is answered with %v", err)
	}
}
