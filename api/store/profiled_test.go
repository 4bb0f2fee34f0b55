package store_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/store"
	"flashdex/api/submission"
	"flashdex/result"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
)

// addProfiled stores a run of a profile by one of the documents that are examples of them.
func addProfiled(t *testing.T, s *store.Store, contributor string, m catalogue.Module, example, unit string,
	spoilers ...string) string {
	t.Helper()
	text, err := os.ReadFile("../../result/testdata/valid/" + example + ".json")
	if err != nil {
		t.Fatal(err)
	}
	var doc result.Document
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	doc.ID, doc.UnitTag, doc.Spoilers = result.NewID(), unit, append([]string{}, spoilers...)
	body, err := json.Marshal(&doc)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.AddSubmission(t.Context(), sha256.Sum256([]byte(contributor)), &doc, body, m, accepted); err != nil {
		t.Fatal(err)
	}
	return doc.ID
}

// profiled reads the ids of a module's runs by each method, and compares them with a snapshot.
func profiled(t *testing.T, s *store.Store, slug string) map[string][]string {
	t.Helper()
	if _, _, err := s.Fold(t.Context()); err != nil {
		t.Fatal(err)
	}
	all, err := s.Profiled(t.Context(), []string{"no-such-module", slug}, figure.MaxProfiledRuns)
	if err != nil {
		t.Fatal(err)
	}
	ids := map[string][]string{}
	for _, r := range all[slug] {
		ids[r.Method] = append(ids[r.Method], r.ID)
	}
	given := map[string][]figure.ProfiledRun{}
	err = s.Snapshot(t.Context(), func(snapshot *figure.Overview, results submission.Results) error {
		return results.Profiled(t.Context(), append(measured(snapshot), "no-such-module"),
			func(slug string, runs []figure.ProfiledRun) error {
				given[slug] = runs
				return nil
			})
	})
	if diff := gocmp.Diff(all, given); err != nil || diff != "" {
		t.Errorf("%v: those of a snapshot (-alone +snapshot):\n%s", err, diff)
	}
	return ids
}

func TestProfiledAreTheNewestRunsOfEachUnit(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	unit := func(i int) string { return fmt.Sprintf("%032x", i) }
	old := addProfiled(t, s, "a", evo, "sustained-1", unit(1))
	other := addProfiled(t, s, "b", evo, "sustained-1", unit(2))
	newest := addProfiled(t, s, "a", evo, "sustained-1", unit(1))
	start := addProfiled(t, s, "a", evo, "startup-1", unit(1))
	addProfiled(t, s, "c", evo, "sustained-1", unit(3), result.BusyDevice)
	add(t, s, alice, evo, "", 3)
	want := map[string][]string{result.MethodSustained1: {newest, other, old}, result.MethodStartup1: {start}}
	if diff := gocmp.Diff(want, profiled(t, s, evo.Slug)); diff != "" {
		t.Errorf("what is spoiled, or by a method that is ranked, is not among them (-want +got):\n%s", diff)
	}
	all, err := s.Profiled(t.Context(), []string{evo.Slug}, 1)
	if err != nil || len(all[evo.Slug]) != 2 {
		t.Fatalf("one of each method: %v, %+v", err, all)
	}
	for _, r := range all[evo.Slug] {
		if program := map[string]string{result.MethodStartup1: "java"}[r.Method]; r.Program != program || r.Host == "" ||
			r.ReceivedAt.IsZero() || len(r.Tests) == 0 || len(r.Tests[0].Intervals) < 10 {
			t.Errorf("%s starts %q in %q", r.Method, r.Program, r.Host)
		}
	}

	// Somebody with many runs takes the place of nobody else, and there are no more than fit.
	for range figure.MaxProfiledRuns {
		newest = addProfiled(t, s, "a", evo, "sustained-1", unit(1))
	}
	got := profiled(t, s, evo.Slug)[result.MethodSustained1]
	if len(got) != figure.MaxProfiledRuns || got[0] != newest || got[1] != other {
		t.Errorf("%v, want %s and %s before all others", got, newest, other)
	}

	// A module that was merged brings its runs along.
	addProfiled(t, s, "d", ultra, "sweep-1", "")
	if err := s.MergeModules(t.Context(), evo.Slug, ultra.Slug, "carol", "One and the same."); err != nil {
		t.Fatal(err)
	}
	if got := profiled(t, s, ultra.Slug); len(got[result.MethodStartup1]) != 1 || len(got[result.MethodSweep1]) != 1 {
		t.Errorf("merged: %v", got)
	}
}

// However many runs a module has, those by other methods are not looked at.
func TestProfiledAreFoundByAnIndex(t *testing.T) {
	t.Parallel()
	s, url := open(t)
	addProfiled(t, s, "a", evo, "startup-1", "")
	for range 3 {
		add(t, s, alice, evo, "", 3)
	}
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	execute(t, url, "analyze")
	// Citus takes them along to its other nodes in a transaction alone.
	if _, err := conn.Exec(t.Context(), `begin; set local citus.propagate_set_commands = local;
		set local enable_seqscan = off; set local plan_cache_mode = force_generic_plan`); err != nil {
		t.Fatal(err)
	}
	rows, err := conn.Query(t.Context(), "explain "+store.SelectProfiled, []string{evo.Slug}, 6)
	if err != nil {
		t.Fatal(err)
	}
	lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if plan := strings.Join(lines, "\n"); err != nil || !strings.Contains(plan, "submission_profiled") {
		t.Errorf("%v:\n%s", err, plan)
	}
}
