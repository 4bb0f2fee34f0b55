package store_test

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/problem"
	"flashdex/api/submission"
)

var (
	// either fits evo and pro.
	either = catalogue.Module{Slug: "samsung-32gb", Vendor: "Samsung", CapacityGB: 32, Form: "sd", NamedBy: "typed",
		KnownFrom: catalogue.KnownFromAmbiguous, Provisional: true, Confirmed: true, Candidates: []string{evo.Slug, pro.Slug}}
	pro = catalogue.Module{Slug: "samsung-pro-32gb-sd", Vendor: "Samsung", Product: "PRO", CapacityGB: 32, Form: "sd",
		KnownFrom: catalogue.KnownFromPublished}
)

func TestAnAmbiguousModuleIsNeverListed(t *testing.T) {
	t.Parallel()
	s, url := open(t)
	id := add(t, s, alice, either, "", 1) // its registers agree with what is known of it
	add(t, s, bob, either, "", 2)
	if listed(t, s, either.Slug) {
		t.Error("two contributors list it")
	}
	if err := s.ConfirmModule(t.Context(), either.Slug, "Why not.", by("carol")); kind(err) != problem.BadRequest {
		t.Errorf("an operator confirms it: %v", err)
	}
	execute(t, url, "update publication set summary_version = 0, unit_version = 0")
	if listed(t, s, either.Slug) {
		t.Error("it is listed when all is made anew")
	}
	if err := s.MergeModules(t.Context(), ultra.Slug, either.Slug, "?", by("carol")); kind(err) != problem.ModuleMerged {
		t.Errorf("another module is merged into it: %v", err)
	}
	sub, module, _, err := s.Submission(t.Context(), id)
	if err != nil || !module.Unlisted || sub.NamedBy != "typed" {
		t.Errorf("its result: named by %q, unlisted %v, %v", sub.NamedBy, module.Unlisted, err)
	}
	known, err := s.Known(t.Context(), alice, either.Slug)
	if err != nil || known.Listed || !known.Named {
		t.Errorf("what a further result of it adds to: %+v, %v", known, err)
	}
	waiting, err := s.UnlistedModules(t.Context(), "", 10)
	if err != nil || len(waiting) != 1 || waiting[0].KnownFrom != catalogue.KnownFromAmbiguous {
		t.Errorf("operators see %+v, %v", waiting, err)
	}
	shown := 0
	if err := s.Dataset(t.Context(), func(_ *figure.Overview, r figure.Records) error {
		return r.Tests(t.Context(), figure.Filter{}, func(test *figure.Test) error {
			if test.Module == either.Slug && test.NamedBy == "typed" {
				shown++
			}
			return nil
		})
	}); err != nil || shown == 0 {
		t.Errorf("the data set has %d tests of it, %v", shown, err)
	}
}

// resultsCounted returns how many results the units of a module count.
func resultsCounted(t *testing.T, url string, slug string) (runs int) {
	t.Helper()
	return value[int](t, url, `
		select coalesce((select sum(results) from unit where module_slug = $1), 0)::int`, slug)
}

func TestAContributorSaysWhichModuleTheirResultIsOf(t *testing.T) {
	t.Parallel()
	s, url := open(t)
	add(t, s, bob, evo, "", 2)
	add(t, s, bob, pro, "", 2)
	id := add(t, s, alice, either, "", 1)
	other := add(t, s, bob, either, "", 3)
	fold(t, s)
	choose := func(id string, m catalogue.Module, want problem.Kind) {
		t.Helper()
		if err := s.ChooseModule(t.Context(), alice, id, m); kind(err) != want {
			t.Errorf("choosing %s: %v, want %q", m.Slug, err, want)
		}
	}
	choose("00000000-0000-0000-0000-000000000000", evo, problem.NotFound)
	choose(other, evo, problem.NotYours)
	for _, m := range []catalogue.Module{pro, evo, evo} { // another choice, and the same one again
		choose(id, m, "")
		fold(t, s)
	}
	for slug, want := range map[string]int{evo.Slug: 2, pro.Slug: 1, either.Slug: 1} {
		if n := resultsCounted(t, url, slug); n != want {
			t.Errorf("%s counts %d results, want %d", slug, n, want)
		}
	}
	sub, module, _, err := s.Submission(t.Context(), id)
	if err != nil || module.Slug != evo.Slug || module.Unlisted || sub.NamedBy != submission.NamedByContributor {
		t.Errorf("the result is of %+v, named by %q, %v", module, sub.NamedBy, err)
	}
	var log []string
	for _, e := range sub.History {
		log = append(log, e.From+">"+e.To+" "+e.Reason+" by "+e.Kind())
	}
	want := []string{">accepted  by server", ">accepted named by its contributor: Samsung PRO 32 GB SD by contributor",
		">accepted named by its contributor: Samsung EVO 32 GB microSD by contributor"}
	if !slices.Equal(log, want) {
		t.Errorf("its history: %q", log)
	}

	// The name is deleted with its last result.
	if err := s.ChooseModule(t.Context(), bob, other, evo); err != nil {
		t.Fatal(err)
	}
	fold(t, s)
	if value[bool](t, url, "select orphaned_at is null from module where slug = $1", either.Slug) {
		t.Error("the ambiguous module stays without a result")
	}

	// An operator, who looked at it, decides.
	name := func(slug string, want problem.Kind) {
		t.Helper()
		if err := s.NameResult(t.Context(), id, slug, "The photo shows it.", by("carol")); kind(err) != want {
			t.Errorf("an operator names it %s: %v, want %q", slug, err, want)
		}
	}
	name("no-such", problem.NotFound)
	name(either.Slug, problem.BadRequest)
	for range 2 {
		name(pro.Slug, "")
	}
	if n := value[int](t, url, "select count(*) from submission_event where submission_id = $1", id); n != 4 {
		t.Errorf("%d events, want 4: naming it the same again is none", n)
	}
	choose(id, evo, problem.Decided)
	fold(t, s)
	if n := resultsCounted(t, url, pro.Slug); n != 2 {
		t.Errorf("the operator's name counts %d results, want 2", n)
	}
	if err := s.DeleteSubmission(t.Context(), alice, id); err != nil {
		t.Fatal(err)
	}
	choose(id, evo, problem.Deleted)
	name(evo.Slug, problem.Deleted)
}

// An operator can't name a result after an unconfirmed module, a stack, or a text that is no name.
func TestAnOperatorNamesListedModulesAlone(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	waiting := ultra
	waiting.Confirmed = false
	stack := catalogue.StackOf("raid1", 0, []catalogue.Module{evo, evo})
	id := add(t, s, alice, evo, "", 1)
	add(t, s, alice, waiting, "", 1)
	inStack := add(t, s, alice, stack, "", 1)
	fold(t, s)
	for slug, want := range map[string]problem.Kind{
		waiting.Slug: problem.BadRequest, stack.Slug: problem.BadRequest, "": problem.NotFound,
		"'; drop table submission; --": problem.NotFound, strings.Repeat("a", 10_000): problem.NotFound,
	} {
		if err := s.NameResult(t.Context(), id, slug, "?", by("carol")); kind(err) != want {
			t.Errorf("%.40q: %v, want %s", slug, err, want)
		}
	}
	if err := s.NameResult(t.Context(), inStack, evo.Slug, "?", by("carol")); kind(err) != problem.BadRequest {
		t.Errorf("a stack becomes a module: %v", err)
	}
	if err := s.NameResult(t.Context(), id, evo.Slug, "?", submission.Authority{}); kind(err) != problem.NotOperator {
		t.Errorf("nobody names it: %v", err)
	}
}

func TestWhatAnOperatorMergesIsDecidedForAllResultsOfAnAmbiguousName(t *testing.T) {
	t.Parallel()
	s, url := open(t)
	add(t, s, bob, evo, "", 2)
	id := add(t, s, alice, either, "", 1)
	fold(t, s)
	if err := s.MergeModules(t.Context(), either.Slug, evo.Slug, "One card.", by("carol")); err != nil {
		t.Fatal(err)
	}
	fold(t, s)
	if err := s.ChooseModule(t.Context(), alice, id, pro); kind(err) != problem.Decided {
		t.Errorf("its contributor chooses another: %v", err)
	}
	sub, module, _, err := s.Submission(t.Context(), id)
	if err != nil || module.Slug != evo.Slug || sub.NamedBy != submission.NamedByMerge || resultsCounted(t, url, evo.Slug) != 2 {
		t.Errorf("the result is of %s, named by %q, %v", module.Slug, sub.NamedBy, err)
	}
}

// Two decisions at once, with folds in between, leave the result in one module, and the figures right.
func TestDecisionsAtOnceLeaveTheFiguresRight(t *testing.T) {
	t.Parallel()
	s, url := open(t)
	add(t, s, bob, evo, "", 2)
	add(t, s, bob, pro, "", 2)
	id := add(t, s, alice, either, "", 1)
	var all sync.WaitGroup
	for i := range 12 {
		all.Go(func() {
			m := []catalogue.Module{evo, pro}[i%2]
			if err := s.ChooseModule(t.Context(), alice, id, m); err != nil {
				t.Error(err)
			}
			if i%3 == 0 {
				if _, _, err := s.Fold(t.Context()); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	fold(t, s)
	_, module, _, err := s.Submission(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range []catalogue.Module{evo, pro, either} {
		want := 0
		if m.Slug != either.Slug {
			want = 1
		}
		if m.Slug == module.Slug {
			want++
		}
		if n := resultsCounted(t, url, m.Slug); n != want {
			t.Errorf("%s counts %d results, want %d", m.Slug, n, want)
		}
	}
}

// Naming a result is no decision on its state.
func TestANamedResultMayStillDeviate(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	for i := range 8 {
		add(t, s, [32]byte{byte(i)}, evo, "", int64(2+i%3))
	}
	id := add(t, s, alice, either, "", 100_000)
	fold(t, s)
	if err := s.ChooseModule(t.Context(), alice, id, evo); err != nil {
		t.Fatal(err)
	}
	fold(t, s)
	if sub, _, _, err := s.Submission(t.Context(), id); err != nil || sub.StateRule != "deviates" {
		t.Errorf("it is %s by rule %q, %v", sub.State, sub.StateRule, err)
	}
}
