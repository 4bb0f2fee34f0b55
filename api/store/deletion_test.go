package store_test

import (
	"encoding/hex"
	"testing"

	"flashdex/api/index"
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
		return value[string](t, url, `select concat(document, body_sha256, method, profile, host_board, client, bus_mode, unit_tag, contributor, module_slug, not_ranked,
			to_char(received_at at time zone 'UTC', 'HH24:MI:SS'), (select count(*) from measurement where submission_id = id)) from submission where id = $1`, gone)
	}
	if got, want := left(), `\x\x\x`+hex.EncodeToString(bob[:])+ultra.Slug+"{}00:00:000"; got != want {
		t.Errorf("of the deleted result %q is left, want %q", got, want)
	}
	if events := value[int](t, url, "select count(*) from submission_event where submission_id = $1", gone); events != 2 {
		t.Errorf("%d events, want upload and one deletion", events)
	}
	if taken, _, err := s.Fold(t.Context()); err != nil || taken != 1 {
		t.Fatalf("Fold took %d, %v", taken, err)
	}
	if got, want := left(), `\x\x\x{}00:00:000`; got != want {
		t.Errorf("after the publication %q is left of the deleted result, want %q", got, want)
	}
	snapshot, err := s.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if f := figure(t, snapshot, evo.Slug, index.RandWriteIOPS); f.Units != 1 || f.Median < 99 || f.Median > 101 {
		t.Errorf("the module's figure is %+v, want the kept result's 100 IOPS alone", f)
	}
	if len(snapshot.Submissions) != 1 || snapshot.Submissions[0].ID != kept {
		t.Errorf("the snapshot shows %+v", snapshot.Submissions)
	}
	// A module that only the deleted result knew of is gone, and comes back with the next one.
	if len(snapshot.Modules) != 1 {
		t.Errorf("the snapshot shows %+v", snapshot.Modules)
	}
	value[string](t, url, "update module set orphaned_at = now() - interval '2 minutes' where orphaned_at is not null returning slug")
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
	if snapshot, err = s.Snapshot(t.Context()); err != nil || len(snapshot.Modules) != 2 {
		t.Errorf("after another upload of the module the snapshot shows %+v, %v", snapshot.Modules, err)
	}
}

func TestStandingCountsModules(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	add(t, s, alice, evo, "", 1)   // 100 IOPS
	add(t, s, alice, ultra, "", 5) // 500 IOPS
	if _, _, err := s.Fold(t.Context()); err != nil {
		t.Fatal(err)
	}
	for value, want := range map[float64]int{50: 2, 300: 1, 900: 0} {
		if above, modules, err := s.Standing(t.Context(), "flashdex-1", index.RandWriteIOPS, value); err != nil || above != want || modules != 2 {
			t.Errorf("%g IOPS: %d of %d above, %v; want %d of 2", value, above, modules, err, want)
		}
	}
}
