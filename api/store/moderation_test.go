package store_test

import (
	"crypto/sha256"
	"testing"

	"flashdex/api/problem"
	"flashdex/api/submission"
	"flashdex/result"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestModerationChangesWhatCounts(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	doc, body := run(t, "", 9)
	held := submission.Decision{State: submission.Quarantined, Reason: "Faster than its bus.", Rule: "bus-ceiling"}
	if _, err := s.AddSubmission(t.Context(), alice, doc, body, evo, held, submission.Origin{}); err != nil {
		t.Fatal(err)
	}
	figures := func() int {
		t.Helper()
		if _, _, err := s.Fold(t.Context()); err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, sum := range snapshot(t, s).Summaries {
			n += sum.Figures.Len()
		}
		return n
	}
	decide := func(state, reason string) {
		t.Helper()
		decision := submission.Decision{State: state, Reason: reason}
		if err := s.Moderate(t.Context(), doc.ID, decision, by("carol")); err != nil {
			t.Fatal(err)
		}
	}
	if n := figures(); n != 0 {
		t.Errorf("a result that is held back makes %d figures", n)
	}
	queue, err := s.Queue(t.Context(), submission.Quarantined, "", 10)
	if err != nil || len(queue) != 1 || queue[0].ID != doc.ID || queue[0].StateRule != "bus-ceiling" {
		t.Errorf("the queue holds %+v, %v", queue, err)
	}
	if queue, err := s.Queue(t.Context(), submission.Quarantined, doc.ID, 10); err != nil || len(queue) != 0 {
		t.Errorf("after the last the queue holds %+v, %v", queue, err)
	}
	decide(submission.Accepted, "The slot is overclocked.")
	if figures() == 0 {
		t.Error("an accepted result doesn't count")
	}
	decide(submission.Accepted, "Again.") // changes nothing
	decide(submission.Rejected, "It was a RAM disk.")
	if n := figures(); n != 0 {
		t.Errorf("a rejected result makes %d figures", n)
	}
	sub, _, _, err := s.Submission(t.Context(), doc.ID)
	if err != nil {
		t.Fatal(err)
	}
	want := []submission.Event{
		{To: submission.Quarantined, Reason: "Faster than its bus.", Actor: "rule bus-ceiling"},
		{From: submission.Quarantined, To: submission.Accepted, Reason: "The slot is overclocked.", Actor: "operator carol"},
		{From: submission.Accepted, To: submission.Rejected, Reason: "It was a RAM disk.", Actor: "operator carol"},
	}
	if diff := cmp.Diff(want, sub.History, cmpopts.IgnoreFields(submission.Event{}, "At")); diff != "" {
		t.Errorf("history (-want +got):\n%s", diff)
	}
	if err := s.DeleteSubmission(t.Context(), alice, doc.ID); err != nil {
		t.Fatal(err)
	}
	if err := s.Moderate(t.Context(), doc.ID, submission.Decision{State: submission.Accepted, Reason: "?"},
		by("carol")); kind(err) != problem.Deleted {
		t.Errorf("deciding on what was taken back: %v", err)
	}
	if err := s.Moderate(t.Context(), result.NewID(), submission.Decision{State: submission.Accepted, Reason: "?"},
		by("carol")); kind(err) != problem.NotFound {
		t.Errorf("deciding on nothing: %v", err)
	}
}

func TestOperatorsAreKnownByTheirTokens(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	one, two := sha256.Sum256([]byte("one")), sha256.Sum256([]byte("two"))
	for name, token := range map[string][sha256.Size]byte{"carol": one, "dave": two} {
		if err := s.AddOperator(t.Context(), name, token); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.AddOperator(t.Context(), "Carol <b>", alice); err == nil {
		t.Error("a name that doesn't belong in a log was taken")
	}
	if name, err := s.Operator(t.Context(), one); err != nil || name != "carol" {
		t.Errorf("%q, %v; want carol", name, err)
	}
	if revoked, err := s.RevokeOperator(t.Context(), "carol"); err != nil || revoked != 1 {
		t.Errorf("%d revoked, %v", revoked, err)
	}
	for _, token := range [][sha256.Size]byte{one, alice} {
		if _, err := s.Operator(t.Context(), token); kind(err) != problem.NotOperator {
			t.Errorf("a token that is not in force: %v", err)
		}
	}
	operators, err := s.Operators(t.Context())
	if err != nil || len(operators) != 2 || operators[0].RevokedAt == nil || operators[1].RevokedAt != nil {
		t.Errorf("operators %+v, %v; want carol, revoked, and dave", operators, err)
	}
}
