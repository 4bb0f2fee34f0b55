package store_test

import (
	"encoding/hex"
	"fmt"
	"testing"

	"flashdex/api/catalogue"
	"flashdex/api/problem"
	"flashdex/api/submission"
	"flashdex/result"
)

func hexOf(token [32]byte) string { return hex.EncodeToString(token[:]) }

func TestObjectionsGoWithTheirResultAndHalfAYearAfterTheyWereClosed(t *testing.T) {
	t.Parallel()
	s, url := open(t)
	if err := s.AddOperator(t.Context(), "carol", bob); err != nil {
		t.Fatal(err)
	}
	carol := submission.Authority{Token: bob}
	typed := catalogue.Module{Slug: "typed", Product: "Typed", Provisional: true, KnownFrom: catalogue.KnownFromTyped}
	id, gone, last := add(t, s, alice, evo, "", 1), add(t, s, alice, evo, "", 1), add(t, s, alice, typed, "", 1)
	fold(t, s)
	object := func(o submission.Objection) error {
		o.Kind = "other"
		return s.Object(t.Context(), o)
	}
	for _, o := range []submission.Objection{
		{Result: id, Words: "one"}, {Result: id, Words: "two", ShouldBe: "Extreme"}, {Result: gone, Words: "three"},
		{Module: evo.Slug, Words: "four"}, {Module: typed.Slug, Words: "five"},
	} {
		if err := object(o); err != nil {
			t.Fatal(err)
		}
	}
	if at := value[string](t, url, "select string_agg(distinct to_char(at at time zone 'UTC', 'HH24:MI:SS.US'), ' ') "+
		"from objection"); at != "00:00:00.000000" {
		t.Errorf("more than the day is kept: %s", at)
	}
	for _, o := range []submission.Objection{{Result: result.NewID()}, {Module: "no-such"}} {
		if err := object(o); kind(err) != problem.NotFound {
			t.Errorf("an objection to nothing: %v", err)
		}
	}
	open, err := s.Objections(t.Context(), "", 10)
	if err != nil || len(open) != 5 {
		t.Fatalf("open are %+v, %v", open, err)
	}
	some, err := s.Objections(t.Context(), open[1].ID, 2)
	if err != nil || len(some) != 2 || some[0] != open[2] {
		t.Errorf("after the second come %+v, %v", some, err)
	}
	to, err := s.ObjectionsTo(t.Context(), id)
	if err != nil || len(to) != 2 {
		t.Fatalf("to the result: %+v, %v", to, err)
	}
	if err := s.CloseObjection(t.Context(), to[0].ID, "?", submission.Authority{Token: alice}); kind(err) !=
		problem.NotOperator {
		t.Errorf("closed by nobody: %v", err)
	}
	for _, answer := range []string{"It is right.", "Again."} {
		if err := s.CloseObjection(t.Context(), to[0].ID, answer, carol); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.CloseObjection(t.Context(), result.NewID(), "?", carol); kind(err) != problem.NotFound {
		t.Errorf("closing nothing: %v", err)
	}
	to, _ = s.ObjectionsTo(t.Context(), id)
	if to[0].ClosedAt == nil || to[0].ClosedBy != "operator carol" || to[0].Reason != "It is right." || to[1].ClosedAt != nil {
		t.Errorf("after closing: %+v", to)
	}
	left := func() (n int) { fold(t, s); return value[int](t, url, "select count(*) from objection") }
	if n := left(); n != 5 {
		t.Errorf("%d are left of five", n)
	}
	for _, id := range []string{gone, last} {
		if err := s.DeleteSubmission(t.Context(), alice, id); err != nil {
			t.Fatal(err)
		}
	}
	if n := left(); n != 4 {
		t.Errorf("%d are left after a result was deleted; want 4", n)
	}
	age(t, url)
	add(t, s, alice, evo, "", 1)
	left()
	if n := left(); n != 3 {
		t.Errorf("%d are left after a module is gone; want 3", n)
	}
	execute(t, url, "update objection set closed_at = closed_at - interval '179 days'")
	if n := left(); n != 3 {
		t.Errorf("%d are left after 179 days", n)
	}
	execute(t, url, "update objection set closed_at = closed_at - interval '2 days'")
	if n := left(); n != 2 {
		t.Errorf("%d are left after 181 days", n)
	}
}

func TestAResultTakesTenOpenObjections(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	one, other := add(t, s, alice, evo, "", 1), add(t, s, alice, evo, "", 1)
	fold(t, s)
	for i := range 11 {
		err := s.Object(t.Context(), submission.Objection{Result: one, Kind: "other", Words: fmt.Sprint(i)})
		if want := map[bool]problem.Kind{true: problem.TooMany}[i == 10]; kind(err) != want {
			t.Errorf("the objection %d: %v", i, err)
		}
	}
	for _, o := range []submission.Objection{{Result: other}, {Module: evo.Slug}} {
		if err := s.Object(t.Context(), o); err != nil {
			t.Errorf("an objection to something else: %v", err)
		}
	}
}

func TestContributorsAreKnownBySinceWhenAndHowMany(t *testing.T) {
	t.Parallel()
	s, url := open(t)
	unit := func(n byte) string { return fmt.Sprintf("%032x", n) }
	add(t, s, alice, evo, unit(1), 1)
	add(t, s, alice, evo, unit(1), 1)
	add(t, s, alice, evo, unit(2), 1)
	id := add(t, s, alice, ultra, "", 1)
	addHeld(t, s, alice)
	add(t, s, bob, evo, unit(3), 1)
	execute(t, url, "update contributor set first_seen = '2026-10-31T23:59:00Z'")
	facts, err := s.ContributorOf(t.Context(), id)
	if err != nil || facts.Month() != "2026-10" || facts.Units != 3 || facts.Modules != 2 {
		t.Errorf("%+v, %v; want 3 units of 2 modules since October", facts, err)
	}
	if facts, err := s.ContributorOf(t.Context(), result.NewID()); err != nil || facts.Units != 0 {
		t.Errorf("of nobody: %+v, %v", facts, err)
	}
	if err := s.DeleteSubmission(t.Context(), alice, id); err != nil {
		t.Fatal(err)
	}
	if facts, err := s.ContributorOf(t.Context(), id); err != nil || !facts.Since.IsZero() {
		t.Errorf("of a deleted result: %+v, %v", facts, err)
	}
}

// The results of the last days are described for groups, without a name or an address.
func TestRecentResultsShowWhatTheyHaveInCommon(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	first := addHeld(t, s, alice, []byte("house"), []byte("net"), []byte("isp"))
	second := addHeld(t, s, bob, []byte("house"), []byte("net"), []byte("isp"))
	add(t, s, alice, evo, "", 1) // without a network
	gone := addHeld(t, s, bob, []byte("house"), []byte("net"), []byte("isp"))
	if err := s.DeleteSubmission(t.Context(), bob, gone); err != nil {
		t.Fatal(err)
	}
	recent, err := s.Recent(t.Context())
	if err != nil || len(recent) != 2 || recent[0].Result != second || recent[1].Result != first {
		t.Fatalf("%+v, %v; want two, the newest first", recent, err)
	}
	r := recent[0]
	if r.State != submission.Quarantined || r.Module != evo.Slug || r.Kernel == "" || r.Client == "" || r.Host == "" ||
		r.Networks[0] != "house" || r.Contributor == recent[1].Contributor || r.FirstSeen.IsZero() {
		t.Errorf("%+v", r)
	}
	reviewed, err := s.Review(t.Context(), []submission.Submission{{ID: first}, {ID: second}})
	if err != nil || len(reviewed) != 2 || reviewed[0].ID != first || len(reviewed[0].Tests) == 0 ||
		reviewed[0].Contributor.Since.IsZero() {
		t.Errorf("%+v, %v", reviewed, err)
	}
}
