package store_test

import (
	"testing"
	"time"

	"flashdex/api/store"
	"flashdex/api/submission"
)

func TestKeysOfTokensAreTheNewestTwo(t *testing.T) {
	t.Parallel()
	s, url := open(t)
	var before [][32]byte
	for changes := range 4 {
		keys, err := s.TokenKeys(t.Context())
		if err != nil || len(keys) != min(changes+1, 2) || keys[0] == [32]byte{} {
			t.Fatalf("after %d changes: %x, %v", changes, keys, err)
		}
		if changes > 0 && (keys[1] != before[0] || keys[0] == before[0]) {
			t.Errorf("after %d changes: %x, before %x", changes, keys, before)
		}
		before = keys
		execute(t, url, "select new_token_key()")
	}
	execute(t, url, "delete from token_key")
	if keys, err := s.TokenKeys(t.Context()); err == nil {
		t.Errorf("without a key: %x", keys)
	}
}

func TestAFifthRunOfAContributorAtOnceIsCrowded(t *testing.T) { eachWay(t, fifthRun) }

func fifthRun(t *testing.T, s *store.Store, url string) {
	begun := time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC)
	minute := func(n int) time.Time { return begun.Add(time.Duration(n) * time.Minute) }
	for i, c := range []struct {
		from, to int
		state    string
		of       [32]byte
		want     string
	}{
		{0, 100, submission.TokenValid, alice, submission.TokenValid},
		{0, 3, submission.TokenValid, alice, submission.TokenValid},
		{0, 3, submission.TokenYoung, alice, submission.TokenYoung}, // takes no place
		{1, 4, submission.TokenValid, alice, submission.TokenValid},
		{2, 5, submission.TokenValid, alice, submission.TokenValid},
		{2, 6, submission.TokenValid, alice, submission.TokenCrowded},
		{2, 6, submission.TokenCrowded, alice, submission.TokenCrowded}, // as little
		{2, 6, submission.TokenValid, bob, submission.TokenValid},
		{3, 6, submission.TokenValid, alice, submission.TokenValid}, // the second has just ended
		{6, 60, submission.TokenValid, alice, submission.TokenValid},
		{50, 90, submission.TokenValid, alice, submission.TokenValid},
		{0, 100, submission.TokenValid, alice, submission.TokenCrowded}, // four in its third minute
		{60, 100, submission.TokenValid, alice, submission.TokenValid},
		{10, 11, submission.TokenValid, bob, submission.TokenValid}, // five in a row
		{11, 12, submission.TokenValid, bob, submission.TokenValid},
		{12, 13, submission.TokenValid, bob, submission.TokenValid},
		{13, 14, submission.TokenValid, bob, submission.TokenValid},
		{14, 15, submission.TokenValid, bob, submission.TokenValid},
		{10, 15, submission.TokenValid, bob, submission.TokenValid},
		{10, 15, submission.TokenValid, bob, submission.TokenValid},
		{10, 100, submission.TokenValid, bob, submission.TokenValid}, // and one beside them all
	} {
		doc, body := run(t, "", 1)
		origin := submission.Origin{Token: submission.Token{State: c.state, BegunAt: minute(c.from), EndedAt: minute(c.to)}}
		added, err := s.AddSubmission(t.Context(), c.of, doc, body, evo, accepted, origin)
		if err != nil || !added.New || added.Submission.Token != c.want {
			t.Errorf("run %d: %+v, %v; want %s", i, added.Submission, err, c.want)
		}
		stored, _, _, err := s.Submission(t.Context(), doc.ID)
		if err != nil || stored.Token != c.want {
			t.Errorf("run %d is stored as %q, %v; want %s", i, stored.Token, err, c.want)
		}
		again, err := s.AddSubmission(t.Context(), c.of, doc, body, evo, accepted, origin)
		if err != nil || again.New || again.Submission.Token != c.want {
			t.Errorf("run %d, again: %+v, %v; want %s", i, again, err, c.want)
		}
	}
	// A deleted result leaves no trace of its times.
	doc, body := run(t, "", 1)
	origin := submission.Origin{Token: submission.Token{State: submission.TokenValid, BegunAt: begun, EndedAt: minute(1)}}
	if _, err := s.AddSubmission(t.Context(), bob, doc, body, evo, accepted, origin); err != nil {
		t.Fatal(err)
	}
	if err := s.DeleteSubmission(t.Context(), bob, doc.ID); err != nil {
		t.Fatal(err)
	}
	const left = `
		select count(*) from submission
		where id = $1 and (token <> '' or begun_at is not null or ended_at is not null)`
	if n := value[int](t, url, left, doc.ID); n > 0 {
		t.Error("the time of the deleted run is left")
	}
}
