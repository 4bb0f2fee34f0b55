package store_test

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"

	"flashdex/api/figure"
	"flashdex/api/store"
	"flashdex/api/submission"
	"flashdex/api/submission/plausible"
)

// arriving stores a result of evo that a contributor sent from a network daysAgo days ago. Results deviate by their
// speed.
func arriving(t testing.TB, s *store.Store, url, contributor string, daysAgo int, network string, speed int64) string {
	t.Helper()
	doc, body := run(t, "", speed)
	origin := submission.Origin{Network: fmt.Appendf(nil, "k%03d%s", daysAgo, network)}
	added, err := s.AddSubmission(t.Context(), sha256.Sum256([]byte(contributor)), doc, body, evo, accepted, origin)
	if err != nil || !added.New {
		t.Fatalf("AddSubmission: %v, %v", added, err)
	}
	execute(t, url, fmt.Sprintf("update submission set received_at = received_at - interval '%d days' where id = '%s'",
		daysAgo, doc.ID))
	return doc.ID
}

// states folds, and returns the states of results, one word each.
func states(t testing.TB, s *store.Store, ids ...string) string {
	t.Helper()
	fold(t, s)
	var words []string
	for _, id := range ids {
		sub, _, _, err := s.Submission(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		words = append(words, sub.State)
	}
	return strings.Join(words, " ")
}

func TestAResultFarFromTheOthersIsHeldBack(t *testing.T) {
	t.Parallel()
	s, url := open(t)
	// Many results of one contributor don't make others deviate.
	for day := range 3 * plausible.MinOthers {
		arriving(t, s, url, "bob", day, "b", 1)
	}
	far := arriving(t, s, url, "alice", 0, "a", 1000)
	if got := states(t, s, far); got != submission.Accepted {
		t.Errorf("held against one contributor: %s", got)
	}
	// All of them come in one batch, which is the first with enough contributors. Who came first doesn't matter.
	for i := range plausible.MinOthers {
		arriving(t, s, url, fmt.Sprint(i), i, "c", int64(1+i%2))
	}
	near, elsewhere := arriving(t, s, url, "alice", 0, "a", 2), add(t, s, alice, ultra, "", 1000)
	if got := states(t, s, far, near, elsewhere); got != "quarantined accepted accepted" {
		t.Errorf("the far one, a near one, another module: %s", got)
	}
	sub, _, _, err := s.Submission(t.Context(), far)
	if err != nil || sub.StateRule != "deviates" || !strings.Contains(sub.StateReason, "4K random write") ||
		!strings.Contains(sub.StateReason, "e+05") {
		t.Errorf("the far one: %s, %s, %v", sub.StateRule, sub.StateReason, err)
	}
	if n := len(sub.History); n != 2 || sub.History[n-1].Actor != "rule deviates" ||
		sub.History[n-1].From != submission.Accepted {
		t.Errorf("its history: %+v", sub.History)
	}
	// A result that an operator has decided on isn't held back again.
	if err := s.Moderate(t.Context(), far, submission.Decision{State: submission.Accepted,
		Reason: "It is a new revision."}, by("carol")); err != nil {
		t.Fatal(err)
	}
	arriving(t, s, url, "another", 0, "", 1)
	if got := states(t, s, far); got != submission.Accepted {
		t.Errorf("after it was accepted: %s", got)
	}
}

// groupsOf returns the sizes of the two groups of evo's random writes.
func groupsOf(t testing.TB, s *store.Store) (groups string) {
	t.Helper()
	for _, sum := range snapshot(t, s).Summaries {
		if sum.ModuleSlug == evo.Slug && sum.Whole() {
			for _, g := range sum.Groups {
				groups += fmt.Sprintf("%s: %.0f (%d), %.0f (%d)", g.Figure, g.Slower.Value, g.Slower.Contributors,
					g.Faster.Value, g.Faster.Contributors)
			}
		}
	}
	return groups
}

// Eight liars who came first, on several days, hold back two honest owners. When a third honest owner comes, the
// module's page says that there are two groups.
func TestWhoeverComesFirstDoesNotWin(t *testing.T) {
	t.Parallel()
	s, url := open(t)
	var fakes []string
	for i := range 8 {
		fakes = append(fakes, arriving(t, s, url, fmt.Sprint("fake", i), 20-i, "", 1000))
	}
	fold(t, s)
	first, second := arriving(t, s, url, "honest 1", 3, "a", 3), arriving(t, s, url, "honest 2", 2, "b", 4)
	if got := states(t, s, first, second); got != "quarantined quarantined" || groupsOf(t, s) != "" {
		t.Errorf("two against eight: %s, groups %q", got, groupsOf(t, s))
	}
	third := arriving(t, s, url, "honest 3", 1, "c", 3)
	if got := states(t, s, first, second, third, fakes[0]); got != "accepted accepted accepted accepted" {
		t.Errorf("three against eight: %s", got)
	}
	if got := groupsOf(t, s); got != "rand_write_iops: 300 (3), 100000 (8)" {
		t.Errorf("groups: %q", got)
	}
	sub, _, _, err := s.Submission(t.Context(), first)
	if err != nil || sub.StateReason != "" || sub.StateRule != "" || len(sub.History) != 3 ||
		sub.History[2].From != submission.Quarantined || sub.History[2].Actor != "rule deviates" {
		t.Errorf("a released one: %+v, %v", sub.History, err)
	}
	// The more honest owners come, the more the others stand out.
	for i := range 30 {
		arriving(t, s, url, fmt.Sprint("late", i), i, "d", 3)
	}
	if got := states(t, s, append(fakes, first)...); got != strings.Repeat("quarantined ", 8)+"accepted" {
		t.Errorf("33 against eight: %s", got)
	}
	if got := groupsOf(t, s); got != "" {
		t.Errorf("groups: %q", got)
	}
	execute(t, url, "insert into outbox select id, id, now() from submission")
	fold(t, s)
	events := value[int](t, url, "select count(*)::int from submission_event where actor = 'rule deviates'")
	if events != 12 {
		t.Errorf("%d events of the rule, want 12: another fold changed something", events)
	}
}

// An operator who names a result, or vouches for its contributor, says nothing about its figures.
func TestAResultThatAnOperatorNamedIsHeldBackLikeAnyOther(t *testing.T) {
	t.Parallel()
	s, url := open(t)
	far := arriving(t, s, url, "alice", 0, "a", 1000)
	if err := s.NameResult(t.Context(), far, evo.Slug, "The photo shows it.", by("carol")); err != nil {
		t.Fatal(err)
	}
	for i := range plausible.MinOthers {
		arriving(t, s, url, fmt.Sprint(i), i, "b", int64(1+i%2))
	}
	if got := states(t, s, far); got != submission.Quarantined {
		t.Errorf("far from the others, and named by an operator: %s", got)
	}
}

// However many of one contributor's results are held back, and by whatever ids, the others' are looked at again.
func TestManyResultsOfOneContributorKeepNobodyHeldBack(t *testing.T) {
	t.Parallel()
	s, url := open(t)
	for i := range 8 {
		arriving(t, s, url, fmt.Sprint("fake", i), 20-i, "", 1000)
	}
	fold(t, s)
	first, loud := arriving(t, s, url, "honest", 3, "a", 3), arriving(t, s, url, "loud", 2, "b", 3)
	if got := states(t, s, first, loud); got != "quarantined quarantined" {
		t.Fatalf("two against eight: %s", got)
	}
	execute(t, url, storedAgain(loud, 20))
	third := arriving(t, s, url, "third", 1, "c", 3)
	if got := states(t, s, first, third); got != "accepted accepted" {
		t.Errorf("three against eight: %s", got)
	}
}

// storedAgain is a statement that stores a result so many times again, by the lowest ids.
func storedAgain(id string, times int) string {
	return fmt.Sprintf(`
		insert into submission select (jsonb_populate_record(s, jsonb_build_object('id',
				'00000000-0000-4000-8000-' || lpad(n::text, 12, '0')))).*
			from submission s, generate_series(1, %d) n where s.id = '%s'`, times, id)
}

// Eight secrets in one network on one day are one contributor for all that anybody knows.
func TestOnePersonAloneHoldsNobodyBack(t *testing.T) {
	t.Parallel()
	s, url := open(t)
	for i := range 8 {
		arriving(t, s, url, fmt.Sprint("fake", i), 5, "a", 1000)
	}
	fold(t, s)
	honest := arriving(t, s, url, "honest", 1, "b", 3)
	if got := states(t, s, honest); got != submission.Accepted {
		t.Errorf("held back by one person: %s", got)
	}
}

// 15 % liars aren't a group, whether they come first, last, or in one batch with the others.
func TestFewLiarsAreHeldBackWheneverTheyCome(t *testing.T) {
	t.Parallel()
	for _, order := range []string{"first", "last", "together"} {
		s, url := open(t)
		var liars []string
		lie := func() {
			for i := range 3 {
				liars = append(liars, arriving(t, s, url, fmt.Sprint("liar", i), i, fmt.Sprint(i), 1000))
			}
		}
		if order == "first" {
			lie()
			fold(t, s)
		}
		for i := range 17 {
			arriving(t, s, url, fmt.Sprint("honest", i), i, "", int64(2+i%3))
		}
		if order == "last" {
			fold(t, s)
		}
		if order != "first" {
			lie()
		}
		if got := states(t, s, liars...); got != "quarantined quarantined quarantined" {
			t.Errorf("%s: %s", order, got)
		}
		if f := estimate(t, snapshot(t, s), evo.Slug, figure.RandWriteIOPS); f.Contributors != 17 {
			t.Errorf("%s: %d contributors count", order, f.Contributors)
		}
		s.Close()
	}
}
