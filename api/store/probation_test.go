package store_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"flashdex/api/figure"
	"flashdex/api/problem"
	"flashdex/api/store"
	"flashdex/api/store/cluster/clustertest"
	"flashdex/api/submission"
)

// strict opens a store on a database in which contributors begin on probation.
func strict(t testing.TB) (*store.Store, string) {
	t.Helper()
	s, url := open(t)
	clustertest.OnProbation(t, url)
	return s, url
}

// counted folds, and returns how many results and contributors count for evo, how many are independent, and on how many
// days.
func counted(t testing.TB, s *store.Store) string {
	t.Helper()
	fold(t, s)
	for _, sum := range snapshot(t, s).Summaries {
		if sum.ModuleSlug == evo.Slug && sum.Whole() {
			return fmt.Sprintf("%d of %d results, %d contributors, %d independent on %d days",
				sum.Figures.At(figure.RandWriteIOPS).Runs, sum.Results, sum.Contributors, sum.Independent, sum.Days)
		}
	}
	return "nothing"
}

func TestANewContributorsResultsAreShownAndDoNotCount(t *testing.T) {
	t.Parallel()
	s, url := strict(t)
	doc, body := run(t, "", 1)
	added, err := s.AddSubmission(t.Context(), alice, doc, body, evo, accepted, submission.Origin{})
	if err != nil || !slices.Contains(added.Submission.NotRanked, submission.OnProbation) {
		t.Errorf("the answer to the upload: %q, %v", added.Submission.NotRanked, err)
	}
	if got, want := counted(t, s), "0 of 1 results, 0 contributors, 0 independent on 0 days"; got != want {
		t.Errorf("the first: %s, want %s", got, want)
	}
	sub, _, _, err := s.Submission(t.Context(), doc.ID)
	if err != nil || sub.State != submission.Accepted || !slices.Equal(sub.NotRanked, []string{submission.OnProbation}) {
		t.Errorf("the result: %s, %q, %v", sub.State, sub.NotRanked, err)
	}
	for _, sum := range snapshot(t, s).Summaries {
		if sum.ModuleSlug == evo.Slug && sum.Whole() && !slices.Equal(sum.NotRanked, []string{submission.OnProbation}) {
			t.Errorf("the module isn't ranked because %q", sum.NotRanked)
		}
	}
	// A second result on the same day, of another module, changes nothing.
	add(t, s, alice, ultra, "", 1)
	if got, want := counted(t, s), "0 of 1 results, 0 contributors, 0 independent on 0 days"; got != want {
		t.Errorf("two on one day: %s, want %s", got, want)
	}
	// On the next day all of them count, and the answer to the upload says so.
	execute(t, url, "update submission set received_at = received_at - interval '1 day'")
	doc, body = run(t, "", 1)
	added, err = s.AddSubmission(t.Context(), alice, doc, body, ultra, accepted, submission.Origin{})
	if err != nil || len(added.Submission.NotRanked) > 0 {
		t.Errorf("the answer to the upload of the second day: %q, %v", added.Submission.NotRanked, err)
	}
	if got, want := counted(t, s), "1 of 1 results, 1 contributors, 1 independent on 1 days"; got != want {
		t.Errorf("on the second day: %s, want %s", got, want)
	}
	by := value[string](t, url, "select confirmed_by from contributor where confirmed_at is not null")
	if by != "second day" {
		t.Errorf("confirmed by %q", by)
	}
	// They stay confirmed when a result is deleted, but not when an operator rejects one.
	if err := s.DeleteSubmission(t.Context(), alice, doc.ID); err != nil {
		t.Fatal(err)
	}
	if got, want := counted(t, s), "1 of 1 results, 1 contributors, 1 independent on 1 days"; got != want {
		t.Errorf("after a deletion: %s, want %s", got, want)
	}
	last, carol := add(t, s, alice, ultra, "", 1), submission.Authority{Name: "carol"}
	decide := func(state, want string) {
		t.Helper()
		decision := submission.Decision{State: state, Reason: "Looked."}
		if err := s.Moderate(t.Context(), last, decision, carol); err != nil {
			t.Fatal(err)
		}
		if got := counted(t, s); got != want {
			t.Errorf("%s: %s, want %s", state, got, want)
		}
	}
	decide(submission.Rejected, "0 of 1 results, 0 contributors, 0 independent on 0 days")
	decide(submission.Accepted, "1 of 1 results, 1 contributors, 1 independent on 1 days")
}

func TestWhatIsHeldBackConfirmsNobody(t *testing.T) {
	t.Parallel()
	for _, state := range []string{submission.Quarantined, submission.Rejected} {
		s, url := strict(t)
		add(t, s, alice, evo, "", 1)
		execute(t, url, "update submission set received_at = received_at - interval '1 day'")
		doc, body := run(t, "", 1)
		if _, err := s.AddSubmission(t.Context(), alice, doc, body, evo,
			submission.Decision{State: state, Reason: "Odd.", Rule: "settled"}, submission.Origin{}); err != nil {
			t.Fatal(err)
		}
		if got, want := counted(t, s), "0 of 1 results, 0 contributors, 0 independent on 0 days"; got != want {
			t.Errorf("%s: %s, want %s", state, got, want)
		}
		s.Close()
	}
}

func TestASecondUnitEndsProbationIfItsTimeWasSpent(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ token, began, want string }{
		"one after the other": {"valid", "received_at", "2 of 2 results, 1 contributors, 1 independent on 1 days"},
		"at the same time": {"valid", "received_at - interval '1 minute'",
			"0 of 2 results, 0 contributors, 0 independent on 0 days"},
		"with a token that was used": {"used", "received_at", "0 of 2 results, 0 contributors, 0 independent on 0 days"},
	} {
		s, url := strict(t)
		first := add(t, s, alice, evo, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", 1)
		second := add(t, s, alice, evo, "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb", 1)
		execute(t, url, fmt.Sprintf(`
			update submission set token = 'valid', begun_at = received_at - interval '1 hour' where id = '%[1]s';
			update submission set token = '%[3]s', begun_at = (select %[4]s from submission where id = '%[1]s')
				where id = '%[2]s'`,
			first, second, c.token, c.began))
		if got := counted(t, s); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
		s.Close()
	}
}

func TestAnOperatorEndsProbation(t *testing.T) {
	t.Parallel()
	s, url := strict(t)
	first, second := add(t, s, alice, evo, "", 1), add(t, s, alice, ultra, "", 1)
	gone := add(t, s, bob, evo, "", 1)
	if err := s.DeleteSubmission(t.Context(), bob, gone); err != nil {
		t.Fatal(err)
	}
	fold(t, s)
	for range 2 {
		if err := s.ConfirmContributor(t.Context(), second, "She showed me the card.", by("carol")); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := counted(t, s), "1 of 1 results, 1 contributors, 1 independent on 1 days"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	sub, _, _, err := s.Submission(t.Context(), second)
	if last := sub.History[len(sub.History)-1]; err != nil || len(sub.History) != 2 || last.Actor != "operator carol" ||
		last.Reason != "She showed me the card." || last.To != submission.Accepted {
		t.Errorf("the log: %+v, %v", sub.History, err)
	}
	if n := value[int](t, url, "select count(*)::int from contributor where confirmed_by = 'operator carol'"); n != 1 {
		t.Errorf("%d contributors are confirmed", n)
	}
	if err := s.ConfirmContributor(t.Context(), gone, "x", by("carol")); kind(err) != problem.Deleted {
		t.Errorf("by a deleted result: %v", err)
	}
	nobodys := strings.Repeat("0", 8) + first[8:]
	if err := s.ConfirmContributor(t.Context(), nobodys, "x", by("carol")); kind(err) != problem.NotFound {
		t.Errorf("by no result: %v", err)
	}
	if err := s.ConfirmContributor(t.Context(), first, "x", submission.Authority{}); kind(err) != problem.NotOperator {
		t.Errorf("by nobody: %v", err)
	}
}

// Whoever vouched for the wrong contributor takes it back, and what their results say decides.
func TestAnOperatorTakesTheirWordForAContributorBack(t *testing.T) {
	t.Parallel()
	s, url := strict(t)
	first := add(t, s, alice, evo, "", 1)
	vouch, back := s.ConfirmContributor, s.UnconfirmContributor
	decide := func(do func(context.Context, string, string, submission.Authority) error) string {
		t.Helper()
		if err := do(t.Context(), first, "Why not.", by("carol")); err != nil {
			t.Fatal(err)
		}
		return counted(t, s)
	}
	none := "0 of 1 results, 0 contributors, 0 independent on 0 days"
	if got := decide(back); got != none {
		t.Errorf("nobody vouched: %s", got)
	}
	if got, want := decide(vouch), "1 of 1 results, 1 contributors, 1 independent on 1 days"; got != want {
		t.Errorf("vouched for: %s, want %s", got, want)
	}
	if facts, err := s.ContributorOf(t.Context(), first); err != nil || !facts.Vouched {
		t.Errorf("%+v, %v", facts, err)
	}
	for range 2 {
		if got := decide(back); got != none {
			t.Errorf("taken back: %s, want %s", got, none)
		}
	}
	sub, _, _, err := s.Submission(t.Context(), first)
	if err != nil || len(sub.History) != 3 || sub.History[2].Actor != "operator carol" {
		t.Errorf("the log: %+v, %v", sub.History, err)
	}
	// Who is confirmed by a second day by then stays so.
	decide(vouch)
	execute(t, url, "update submission set received_at = received_at - interval '1 day'")
	add(t, s, alice, ultra, "", 1)
	if got, want := decide(back), "1 of 1 results, 1 contributors, 1 independent on 1 days"; got != want {
		t.Errorf("confirmed by a second day, and taken back: %s, want %s", got, want)
	}
	if by := value[string](t, url, "select confirmed_by from contributor"); by != submission.SecondDay {
		t.Errorf("confirmed by %q", by)
	}
	if got, want := decide(back), "1 of 1 results, 1 contributors, 1 independent on 1 days"; got != want {
		t.Errorf("what no operator said is taken back: %s, want %s", got, want)
	}
}

// A run whose token is too young is shown and doesn't count, whoever measured it.
func TestARunWithABadTokenDoesNotCount(t *testing.T) {
	t.Parallel()
	s, url := open(t)
	id := add(t, s, alice, evo, "", 1)
	execute(t, url, "update submission set token = 'young'")
	if got, want := counted(t, s), "0 of 1 results, 0 contributors, 0 independent on 0 days"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	sub, _, _, err := s.Submission(t.Context(), id)
	if err != nil || !slices.Equal(sub.NotRanked, []string{submission.TokenFaults[submission.TokenYoung]}) {
		t.Errorf("%q, %v", sub.NotRanked, err)
	}
}

// What three secrets of one person can achieve.
func TestThreeSecretsMakeNoRankWithoutNetworksAndDays(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		days     []int
		networks []string
		want     string
		vouched  bool
	}{
		"in one network on one day": {[]int{1, 1, 1}, []string{"a", "a", "a"}, "1 contributors, 1 independent on 1 days",
			false},
		"in three networks on one day": {[]int{1, 1, 1}, []string{"a", "b", "c"},
			"3 contributors, 3 independent on 1 days", false},
		"in two networks on two days": {[]int{1, 1, 2}, []string{"a", "b", "a"},
			"3 contributors, 3 independent on 2 days", true},
		"in one network on two days": {[]int{1, 1, 2}, []string{"a", "a", "a"},
			"2 contributors, 2 independent on 2 days", false},
	} {
		s, url := open(t)
		for i, day := range c.days {
			arriving(t, s, url, fmt.Sprint("secret ", i), day, c.networks[i], 1)
		}
		if got := counted(t, s); !strings.HasSuffix(got, ", "+c.want) {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
		for _, sum := range snapshot(t, s).Summaries {
			if sum.Whole() && sum.Vouched() != c.vouched {
				t.Errorf("%s: ranked %v, want %v", name, sum.Vouched(), c.vouched)
			}
		}
		s.Close()
	}
}

// If there are very many contributors, a sample of them is compared. It is the same whether the summary is rebuilt or
// updated.
func TestASampleOfContributorsSaysTheSameStepByStep(t *testing.T) {
	t.Parallel()
	s, url := open(t)
	execute(t, url, fmt.Sprintf(`
		insert into module (slug, vendor, product, capacity_gb, form, classes, known_from, provisional)
			values ('%s', '', 'x', 32, 'microsd', '{}', 'source', false);
		insert into unit (module_slug, contributor, method, tag, host_class, host_kind, best, runs, figures, errors,
			bus_mb_per_s, boards, results, newest, newest_at, variant, evidence, price_amount, price_currency, price_on,
			first_at, network)
		select '%[1]s', sha256(i::text::bytea), 'flashdex-1', '', 'pi-4', 'pi-4/-/-', true, 1,
			array_fill('NaN'::float8, array[%[2]d]), array_fill('NaN'::float8, array[%[2]d]), 0, '{}', 1,
			gen_random_uuid()::text, now(), '', '{}', 0, '', '', date '2026-01-01' + i %% 40, ('key ' || i)::bytea
		from generate_series(1, 400) i;
		update publication set unit_version = %[3]d, summary_version = 0, facts_version = %[4]d, fitted = folded`,
		evo.Slug, len(figure.FigureKeys), figure.UnitVersion, figure.FactsVersion))
	if got := counted(t, s); !strings.Contains(got, "400 contributors, 250 independent on 40 days") {
		t.Errorf("anew: %s", got)
	}
	add(t, s, bob, evo, "", 1) // the first unit of a variant makes everything be rebuilt
	fold(t, s)
	// Without networks, only days tell contributors apart. An upload makes the sample be looked at again.
	execute(t, url, "update unit set network = ''")
	add(t, s, alice, evo, "", 1)
	stepped := counted(t, s)
	if !strings.Contains(stepped, "402 contributors, 4") { // 40 of them or, if the sample has a new one, 41
		t.Errorf("step by step: %s", stepped)
	}
	execute(t, url, "update publication set summary_version = 0")
	if anew := counted(t, s); anew != stepped {
		t.Errorf("anew %s, step by step %s", anew, stepped)
	}
}

// Somebody sends two recorded runs again, on two days, with tokens that nobody got. That doesn't end their probation.
func TestAFaultyTokenConfirmsNobody(t *testing.T) {
	t.Parallel()
	s, url := strict(t)
	for range 2 {
		doc, body := run(t, "", 1)
		if _, err := s.AddSubmission(t.Context(), alice, doc, body, evo, accepted,
			submission.Origin{Token: submission.Token{State: submission.TokenForeign}}); err != nil {
			t.Fatal(err)
		}
		fold(t, s)
		execute(t, url, "update submission set received_at = received_at - interval '1 day'")
	}
	add(t, s, alice, evo, "", 1)
	if got, want := counted(t, s), "0 of 3 results, 0 contributors, 0 independent on 0 days"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// Nor do two outputs of other tools, because anybody can type these.
func TestWhatWasImportedConfirmsNobody(t *testing.T) {
	t.Parallel()
	s, url := strict(t)
	for range 2 {
		add(t, s, alice, evo, "", 1)
		execute(t, url, "update submission set method = 'import-dd-1', received_at = received_at - interval '1 day'")
		fold(t, s)
	}
	add(t, s, alice, evo, "", 1)
	if got, want := counted(t, s), "0 of 1 results, 0 contributors, 0 independent on 0 days"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
