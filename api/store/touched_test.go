package store_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"flashdex/api/catalogue"
	"flashdex/api/submission"
)

func TestAModuleIsTouchedWhenItsResultsMayHaveChanged(t *testing.T) {
	t.Parallel()
	s, url := open(t)
	typed := catalogue.Module{Slug: "typed", Product: "Typed", Form: "sd", Classes: []string{},
		KnownFrom: catalogue.KnownFromTyped, Provisional: true}
	var before map[string]time.Time
	touched := func(want ...string) {
		t.Helper()
		if _, _, err := s.Fold(t.Context()); err != nil {
			t.Fatal(err)
		}
		now := snapshot(t, s).Touched
		var got []string
		for slug, at := range now {
			if !at.Equal(before[slug]) {
				got = append(got, slug)
			}
		}
		before = now
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("touched were %v, want %v", got, want)
		}
	}
	add(t, s, alice, evo, "", 1)
	mistaken := add(t, s, bob, typed, "", 1)
	touched(evo.Slug, typed.Slug)
	touched()
	for i := range 8 { // enough that its summaries are updated and not rebuilt
		add(t, s, alice, ultra, strings.Repeat(string(rune('0'+i)), 32), 1)
	}
	touched(ultra.Slug)
	rejected := add(t, s, alice, ultra, strings.Repeat("0", 32), 1)
	touched(ultra.Slug)
	if err := s.Moderate(t.Context(), rejected, submission.Decision{State: submission.Rejected, Reason: "no"},
		by("carol")); err != nil {
		t.Fatal(err)
	}
	touched(ultra.Slug)
	execute(t, url, "update publication set summary_version = 0")
	touched(evo.Slug, ultra.Slug, typed.Slug)
	if err := s.MergeModules(t.Context(), evo.Slug, ultra.Slug, "the same", by("carol")); err != nil {
		t.Fatal(err)
	}
	touched(evo.Slug, ultra.Slug)
	// A name that somebody typed is deleted with the module.
	if err := s.DeleteSubmission(t.Context(), bob, mistaken); err != nil {
		t.Fatal(err)
	}
	touched(typed.Slug)
	execute(t, url, "update module set orphaned_at = now() - interval '2 minutes' where orphaned_at is not null")
	add(t, s, alice, ultra, "", 1)
	touched(ultra.Slug)
	if _, there := before[typed.Slug]; there {
		t.Error("the name of a module that is gone stays")
	}
}
