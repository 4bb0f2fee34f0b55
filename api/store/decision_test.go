package store_test

import (
	"crypto/sha256"
	"testing"

	"flashdex/api/problem"
	"flashdex/api/store"
	"flashdex/api/submission"
	"flashdex/migrations"
	"flashdex/result"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// heldBack is the state of a result that a rule found.
var heldBack = submission.Decision{
	State: submission.Quarantined, Reason: "Faster than its bus.", Rule: "bus-ceiling",
}

// addHeld stores a result that a rule holds back.
func addHeld(t *testing.T, s *store.Store, contributor [sha256.Size]byte, networks ...[]byte) string {
	t.Helper()
	doc, body := run(t, "", 1)
	if _, err := s.AddSubmission(t.Context(), contributor, doc, body, evo, heldBack,
		submission.Origin{Networks: networks}); err != nil {
		t.Fatal(err)
	}
	return doc.ID
}

// standing is a result's state with its reason and rule.
type standing struct{ State, Reason, Rule string }

func standingOf(t *testing.T, s *store.Store, id string) standing {
	t.Helper()
	sub, _, _, err := s.Submission(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return standing{sub.State, sub.StateReason, sub.StateRule}
}

func TestUndoGivesBackWhatADecisionChangedAndNothingElse(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	held, good := addHeld(t, s, alice), add(t, s, alice, evo, "", 1)
	rejected, since, deleted := add(t, s, alice, evo, "", 1), add(t, s, alice, evo, "", 1), add(t, s, alice, evo, "", 1)
	others := add(t, s, bob, evo, "", 1)
	no := submission.Decision{State: submission.Rejected, Reason: "A RAM disk."}
	if err := s.Moderate(t.Context(), rejected, no, by("carol")); err != nil {
		t.Fatal(err)
	}
	before := map[string]standing{}
	for _, id := range []string{held, good, rejected, others} {
		before[id] = standingOf(t, s, id)
	}
	all := submission.Decision{State: submission.Rejected, Reason: "Made up.", ID: result.NewID()}
	which := submission.Selection{ContributorOf: good}
	count := func(dryRun bool) (n int) {
		t.Helper()
		if err := s.DecideAll(t.Context(), which, all, by("carol"), dryRun, func(submission.Submission) error {
			n++
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		return n
	}
	if n := count(true); n != 4 || standingOf(t, s, good) != before[good] {
		t.Errorf("a dry run counts %d of 4, and leaves %+v", n, standingOf(t, s, good))
	}
	if _, _, err := s.Decision(t.Context(), all.ID, "", 10); kind(err) != problem.NotFound {
		t.Errorf("a dry run is a decision: %v", err)
	}
	if n := count(false); n != 4 {
		t.Errorf("%d of 4 are decided", n)
	}
	fold(t, s)
	yes := submission.Decision{State: submission.Accepted, Reason: "Measured again."}
	if err := s.Moderate(t.Context(), since, yes, by("dave")); err != nil {
		t.Fatal(err)
	}
	if err := s.DeleteSubmission(t.Context(), alice, deleted); err != nil {
		t.Fatal(err)
	}
	decided, changes, err := s.Decision(t.Context(), all.ID, "", 10)
	if err != nil || decided.Results != 4 || len(changes) != 4 || decided.Actor != "operator carol" ||
		decided.UndoneAt != nil {
		t.Fatalf("%+v, %+v, %v", decided, changes, err)
	}
	for _, c := range changes {
		if want := c.Result == held || c.Result == good; c.Undoable != want {
			t.Errorf("%+v: undoable is %v", c, c.Undoable)
		}
	}
	if undone, left, err := s.Undo(t.Context(), all.ID, "Wrong contributor.", by("dave")); err != nil || undone != 2 ||
		left != 2 {
		t.Errorf("%d undone, %d left, %v; want 2 and 2", undone, left, err)
	}
	for id, want := range before {
		if diff := gocmp.Diff(want, standingOf(t, s, id)); diff != "" {
			t.Errorf("after the undoing (-before +after):\n%s", diff)
		}
	}
	if got := standingOf(t, s, since); got.State != submission.Accepted || got.Reason != "Measured again." {
		t.Errorf("what was decided since is %+v", got)
	}
	sub, _, _, _ := s.Submission(t.Context(), held)
	want := []submission.Event{
		{To: submission.Quarantined, Reason: "Faster than its bus.", Actor: "rule bus-ceiling"},
		{From: submission.Quarantined, To: submission.Rejected, Reason: "Made up.", Actor: "operator carol"},
		{From: submission.Rejected, To: submission.Quarantined, Reason: "Wrong contributor.", Actor: "operator dave"},
	}
	if diff := gocmp.Diff(want, sub.History, cmpopts.IgnoreFields(submission.Event{}, "At")); diff != "" {
		t.Errorf("nothing is removed from the history (-want +got):\n%s", diff)
	}
	if undone, left, err := s.Undo(t.Context(), all.ID, "Again.", by("dave")); err != nil || undone != 0 || left != 4 {
		t.Errorf("undone twice: %d, %d, %v", undone, left, err)
	}
	if decided, _, _ := s.Decision(t.Context(), all.ID, "", 1); decided.UndoneAt == nil {
		t.Error("the decision doesn't tell that it was undone")
	}
	if err := s.Moderate(t.Context(), good, all, by("carol")); kind(err) != problem.BadRequest {
		t.Errorf("more is added to a decision that was undone: %v", err)
	}
	if got := standingOf(t, s, good); got != before[good] {
		t.Errorf("a refused decision leaves %+v", got)
	}
	// Without an undoing the same counts again.
	fold(t, s)
	if n := len(everyResult(t, s)); n != 3 {
		t.Errorf("%d results count; want the two that were accepted before and the one accepted since", n)
	}
	if _, _, err := s.Undo(t.Context(), result.NewID(), "?", by("dave")); kind(err) != problem.NotFound {
		t.Errorf("undoing nothing: %v", err)
	}
}

// Whoever names a result, or vouches for its contributor, decides nothing about its state.
func TestANameIsNoDecisionThatUndoingLeaves(t *testing.T) {
	t.Parallel()
	s, _ := strict(t)
	id := add(t, s, alice, evo, "", 1)
	no := submission.Decision{State: submission.Rejected, Reason: "Made up.", ID: result.NewID()}
	if err := s.Moderate(t.Context(), id, no, by("carol")); err != nil {
		t.Fatal(err)
	}
	if err := s.ConfirmContributor(t.Context(), id, "I know her.", by("carol")); err != nil {
		t.Fatal(err)
	}
	if err := s.NameResult(t.Context(), id, evo.Slug, "The photo shows it.", by("carol")); err != nil {
		t.Fatal(err)
	}
	_, changes, err := s.Decision(t.Context(), no.ID, "", 10)
	if err != nil || len(changes) != 1 || !changes[0].Undoable || changes[0].Now != submission.Rejected {
		t.Errorf("%+v, %v", changes, err)
	}
	if undone, left, err := s.Undo(t.Context(), no.ID, "It isn't.", by("dave")); err != nil || undone != 1 || left != 0 {
		t.Errorf("%d undone, %d left, %v", undone, left, err)
	}
	if got := standingOf(t, s, id); got.State != submission.Accepted {
		t.Errorf("it is %+v", got)
	}
}

func TestAcceptingAllLeavesWhatOperatorsRejected(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	held, rejected := addHeld(t, s, alice), addHeld(t, s, alice)
	no := submission.Decision{State: submission.Rejected, Reason: "A RAM disk."}
	if err := s.Moderate(t.Context(), rejected, no, by("carol")); err != nil {
		t.Fatal(err)
	}
	yes := submission.Decision{State: submission.Accepted, Reason: "A new bus."}
	decide := func(which submission.Selection) (ids []string) {
		t.Helper()
		if err := s.DecideAll(t.Context(), which, yes, by("carol"), false, func(sub submission.Submission) error {
			ids = append(ids, sub.ID)
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		return ids
	}
	if ids := decide(submission.Selection{ContributorOf: held}); len(ids) != 1 || ids[0] != held {
		t.Errorf("accepted are %v", ids)
	}
	if ids := decide(submission.Selection{IDs: []string{held, rejected}}); len(ids) != 1 || ids[0] != rejected {
		t.Errorf("of those that were chosen one by one, accepted are %v", ids)
	}
	if ids := decide(submission.Selection{IDs: []string{}}); len(ids) != 0 {
		t.Errorf("of none, accepted are %v", ids)
	}
	err := s.DecideAll(t.Context(), submission.Selection{}, yes, by("carol"), false, nil)
	if kind(err) != problem.BadRequest {
		t.Errorf("a decision about everything: %v", err)
	}
	list, err := s.Decisions(t.Context(), "", 10)
	if err != nil || len(list) != 3 || list[0].Results != 1 || list[2].State != submission.Rejected {
		t.Errorf("the decisions are %+v, %v; want three, the last first", list, err)
	}
	rest, err := s.Decisions(t.Context(), list[0].ID, 1)
	if err != nil || len(rest) != 1 || rest[0].ID != list[1].ID {
		t.Errorf("the decision after the last is %+v, %v", rest, err)
	}
}

// A session belongs to its operator until it ends or the operator's token is revoked. It can't begin another session.
func TestASessionEndsWithItsOperator(t *testing.T) {
	t.Parallel()
	s, url := open(t)
	for name, token := range map[string][sha256.Size]byte{"carol": alice, "dave": bob} {
		if err := s.AddOperator(t.Context(), name, token); err != nil {
			t.Fatal(err)
		}
	}
	signIn := func(token [sha256.Size]byte) [sha256.Size]byte {
		t.Helper()
		session, err := s.SignIn(t.Context(), token)
		if err != nil {
			t.Fatal(err)
		}
		return session
	}
	one, two, three := signIn(alice), signIn(alice), signIn(bob)
	if name, err := s.Operator(t.Context(), one); err != nil || name != "carol" {
		t.Errorf("%q, %v", name, err)
	}
	if _, err := s.SignIn(t.Context(), one); kind(err) != problem.NotOperator {
		t.Errorf("a session begins another: %v", err)
	}
	if err := s.SignOut(t.Context(), one); err != nil {
		t.Fatal(err)
	}
	execute(t, url, "update operator_session set until = now() where token_sha256 = sha256('\\x"+hexOf(three)+"')")
	if _, err := s.RevokeOperator(t.Context(), "carol"); err != nil {
		t.Fatal(err)
	}
	for what, session := range map[string][sha256.Size]byte{
		"signed out": one, "the operator was revoked": two, "two hours have passed": three,
	} {
		if _, err := s.Operator(t.Context(), session); kind(err) != problem.NotOperator {
			t.Errorf("%s: %v", what, err)
		}
	}
	id := add(t, s, bob, evo, "", 1)
	no := submission.Decision{State: submission.Rejected, Reason: "x"}
	if err := s.Moderate(t.Context(), id, no, submission.Authority{Token: two}); kind(err) != problem.NotOperator {
		t.Errorf("a session whose operator was revoked decides: %v", err)
	}
	if n := value[int](t, url, "select count(*) from operator_session where token_sha256 in ('\\x"+hexOf(two)+"', '\\x"+
		hexOf(alice)+"')"); n != 0 {
		t.Error("the database holds a token itself")
	}
}

// The server's role needs a token to decide and to undo.
func TestUndoingAsksForAToken(t *testing.T) {
	t.Parallel()
	owner, url := openRoles(t)
	id := addHeld(t, owner, alice)
	if err := owner.AddOperator(t.Context(), "carol", bob); err != nil {
		t.Fatal(err)
	}
	s, conn := openAs(t, url, migrations.ServerRole)
	carol, nobody := submission.Authority{Token: bob}, submission.Authority{Token: alice}
	yes := submission.Decision{State: submission.Accepted, Reason: "ok", ID: result.NewID()}
	if err := s.Moderate(t.Context(), id, yes, carol); err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.Undo(t.Context(), yes.ID, "no", nobody); kind(err) != problem.NotOperator {
		t.Errorf("undone by nobody: %v", err)
	}
	for _, statement := range []string{
		"select undo('operator carol'::text, '" + yes.ID + "', '" + id + "', 'why')",
		"select decide('operator carol'::text, '" + yes.ID + "', '" + id + "', 'rejected', 'why')",
		"update decision set undone_at = now()", "delete from decision_result", "select from operator_session",
		"insert into objection (id) values (gen_random_uuid())", "delete from objection",
		"update objection set closed_by = 'me'",
	} {
		if _, err := conn.Exec(t.Context(), statement); code(err) != "42501" {
			t.Errorf("%s: %v", statement, err)
		}
	}
	if got := standingOf(t, s, id); got.State != submission.Accepted {
		t.Errorf("it is %+v", got)
	}
	if undone, _, err := s.Undo(t.Context(), yes.ID, "no", carol); err != nil || undone != 1 {
		t.Errorf("%d undone, %v", undone, err)
	}
}
