package store_test

import (
	"crypto/sha256"
	"strings"
	"testing"

	"flashdex/api/submission"
	"flashdex/api/submission/plausible"
)

func TestAResultFarFromTheOthersIsHeldBack(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	state := func(id string) submission.Submission {
		t.Helper()
		if _, _, err := s.Fold(t.Context()); err != nil {
			t.Fatal(err)
		}
		sub, _, _, err := s.Submission(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		return sub
	}
	// Many results of one contributor are no measure for others.
	for range 3 * plausible.MinOthers {
		add(t, s, bob, evo, "", 1)
	}
	if sub := state(add(t, s, alice, evo, "", 1000)); sub.State != submission.Accepted {
		t.Errorf("held against one contributor: %+v", sub)
	}
	for i := range plausible.MinOthers {
		add(t, s, sha256.Sum256([]byte{byte(i)}), evo, "", int64(1+i%2))
	}
	state(add(t, s, bob, ultra, "", 1))
	far := add(t, s, alice, evo, "", 1000)
	near := add(t, s, alice, evo, "", 2)
	elsewhere := add(t, s, alice, ultra, "", 1000)
	sub := state(far)
	if sub.State != submission.Quarantined || sub.StateRule != "deviates" ||
		!strings.Contains(sub.StateReason, "4K random write") || !strings.Contains(sub.StateReason, "e+05") {
		t.Errorf("the far one: %+v", sub)
	}
	if n := len(sub.History); n != 2 || sub.History[n-1].Actor != "rule deviates" ||
		sub.History[n-1].From != submission.Accepted {
		t.Errorf("its history: %+v", sub.History)
	}
	for _, id := range []string{near, elsewhere} {
		if sub := state(id); sub.State != submission.Accepted {
			t.Errorf("%+v", sub)
		}
	}
	// What somebody has looked at is not held back again.
	if err := s.Moderate(t.Context(), far, submission.Decision{State: submission.Accepted,
		Reason: "It is a new revision."}, by("carol")); err != nil {
		t.Fatal(err)
	}
	if sub := state(far); sub.State != submission.Accepted || sub.StateRule != "" {
		t.Errorf("after it was accepted: %+v", sub)
	}
}
