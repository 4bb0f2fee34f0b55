package store_test

import (
	"sync"
	"testing"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/problem"
	"flashdex/api/submission"
)

func TestAMergedModuleStandsForAnother(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	typo := catalogue.Module{Slug: "samsumg-evo-32gb", Vendor: "Samsumg", Product: "EVO", CapacityGB: 32,
		Form: "microsd", Classes: []string{}, KnownFrom: catalogue.KnownFromTyped, Provisional: true}
	before := add(t, s, alice, typo, "", 2)
	add(t, s, bob, evo, "", 4)
	if _, _, err := s.Fold(t.Context()); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := s.MergeModules(t.Context(), typo.Slug, evo.Slug, "A slip of the hand.", by("carol")); err != nil {
			t.Fatal(err)
		}
	}
	for _, pair := range [][2]string{{evo.Slug, typo.Slug}, {evo.Slug, evo.Slug}} {
		if err := s.MergeModules(t.Context(), pair[0], pair[1], "?", by("carol")); kind(err) != problem.ModuleMerged {
			t.Errorf("%s into %s: %v", pair[0], pair[1], err)
		}
	}
	stack := catalogue.StackOf("raid1", 0, []catalogue.Module{evo, evo})
	for _, pair := range [][2]string{{stack.Slug, evo.Slug}, {evo.Slug, stack.Slug}} {
		if err := s.MergeModules(t.Context(), pair[0], pair[1], "?", by("carol")); kind(err) != problem.ModuleMerged {
			t.Errorf("a stack with a module: %v", err)
		}
	}
	if err := s.MergeModules(t.Context(), "nothing", evo.Slug, "?", by("carol")); kind(err) != problem.NotFound {
		t.Errorf("merging what is not there: %v", err)
	}
	doc, body := run(t, "", 6)
	added, err := s.AddSubmission(t.Context(), alice, doc, body, typo, accepted, submission.Origin{})
	if err != nil || added.Module.Slug != evo.Slug {
		t.Errorf("a later upload is answered with module %q, %v", added.Module.Slug, err)
	}
	if _, module, _, err := s.Submission(t.Context(), before); err != nil || module.Slug != evo.Slug {
		t.Errorf("an earlier upload is of module %q, %v", module.Slug, err)
	}
	add(t, s, alice, ultra, "", 1)
	if _, _, err := s.Fold(t.Context()); err != nil {
		t.Fatal(err)
	}
	// Modules that were merged into a module go along when it is merged in turn.
	if err := s.MergeModules(t.Context(), evo.Slug, ultra.Slug, "One and the same.", by("carol")); err != nil {
		t.Fatal(err)
	}
	fold(t, s)
	snapshot := snapshot(t, s)
	if len(snapshot.Modules) != 1 || snapshot.Modules[0].Slug != ultra.Slug {
		t.Errorf("shown are %+v", snapshot.Modules)
	}
	if f := estimate(t, snapshot, ultra.Slug, figure.RandWriteIOPS); f.Runs != 4 || f.Contributors != 2 {
		t.Errorf("%+v; want all four runs in one module", f)
	}
	for _, f := range snapshot.Summaries {
		if f.ModuleSlug != ultra.Slug {
			t.Errorf("a figure is left of what was merged: %+v", f)
		}
	}
	for _, sub := range snapshot.Submissions {
		if sub.ModuleSlug != ultra.Slug {
			t.Errorf("%s is shown with %s", sub.ID, sub.ModuleSlug)
		}
	}
}

func TestMergesAtOnceMakeNoChain(t *testing.T) {
	t.Parallel()
	s, url := open(t)
	modules := make([]catalogue.Module, 6)
	for i := range modules {
		modules[i] = ultra
		modules[i].Slug = string(rune('a' + i))
		add(t, s, alice, modules[i], "", 1)
	}
	var merges sync.WaitGroup
	for i, from := range modules {
		for j, into := range modules {
			if i != j {
				merges.Go(func() {
					if err := s.MergeModules(t.Context(), from.Slug, into.Slug, "?", by("carol")); err != nil &&
						kind(err) != problem.ModuleMerged {
						t.Error(err)
					}
				})
			}
		}
	}
	merges.Wait()
	const chains = "select count(*) from module_alias a join module_alias b on a.into_slug = b.from_slug"
	if n := value[int](t, url, chains); n != 0 {
		t.Errorf("%d chains", n)
	}
	if n := value[int](t, url, "select count(distinct module_slug) from module_name"); n != 1 {
		t.Errorf("%d modules are left, want 1", n)
	}
}
