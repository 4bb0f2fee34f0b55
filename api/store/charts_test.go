package store_test

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/store"
	"flashdex/api/submission"
	"flashdex/api/submission/copies/copiestest"
	"flashdex/result"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
)

// drawn reads the chart data of all modules from a snapshot, and compares them with the data of each module alone.
func drawn(t *testing.T, s *store.Store) map[string][]figure.ChartData {
	t.Helper()
	all, firsts := map[string][]figure.ChartData{}, map[string][]figure.ChartData{}
	slugs := []string{"no-such-module"}
	err := s.Snapshot(t.Context(), func(snapshot *figure.Overview, results submission.Results) error {
		return results.ChartData(t.Context(), measured(snapshot), func(slug string, d []figure.ChartData) error {
			all[slug] = d
			return nil
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	for slug, d := range all {
		one, err := s.ChartData(t.Context(), slug)
		if err != nil {
			t.Fatal(err)
		}
		if diff := gocmp.Diff(fmt.Sprint(d), fmt.Sprint(one)); diff != "" {
			t.Errorf("%s (-of all +alone):\n%s", slug, diff)
		}
		for i := range d {
			one[i].Runs = d[i].Runs[:min(1, len(d[i].Runs))]
		}
		slugs, firsts[slug] = append(slugs, slug), one
	}
	typical, err := s.Typical(t.Context(), slugs, []string{result.MethodFlashdex1})
	if diff := gocmp.Diff(fmt.Sprint(firsts), fmt.Sprint(typical)); err != nil || diff != "" {
		t.Errorf("with the first run alone: %v (-want +got):\n%s", err, diff)
	}
	if none, err := s.Typical(t.Context(), slugs, []string{"another"}); err != nil || len(none) > 0 {
		t.Errorf("by a method of which there is nothing: %v, %v", err, none)
	}
	return all
}

func TestDrawnAreTheNewestRunsThatCountOfChosenUnits(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	var newest []string
	for i := range 7 { // the middle one is of speed 4: 400 IOPS
		contributor := sha256.Sum256(fmt.Append(nil, "contributor ", i))
		add(t, s, contributor, evo, "00112233445566778899aabbccddee01", int64(i+1))
		newest = append(newest, add(t, s, contributor, evo, "00112233445566778899aabbccddee01", int64(i+1)))
	}
	// Results that don't count and another module's results are not drawn.
	doc, body := run(t, "00112233445566778899aabbccddee01", 4)
	if _, err := s.AddSubmission(t.Context(), sha256.Sum256([]byte("contributor 3")), doc, body, evo,
		submission.Decision{State: submission.Quarantined}, submission.Origin{}); err != nil {
		t.Fatal(err)
	}
	other, body := run(t, "", 2)
	paid := result.Price{Amount: 9.5, Currency: "EUR", On: "2026-03"}
	other.Module.Price = &paid
	if _, err := s.AddSubmission(t.Context(), alice, other, body, ultra, accepted, submission.Origin{}); err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.Fold(t.Context()); err != nil {
		t.Fatal(err)
	}
	all := drawn(t, s)
	if len(all) != 2 || len(all[evo.Slug]) != 1 || len(all[ultra.Slug]) != 1 {
		t.Fatalf("%+v", all)
	}
	d := all[evo.Slug][0]
	if d.Method != result.MethodFlashdex1 || len(d.Units) != 7 {
		t.Errorf("method %s, %d units", d.Method, len(d.Units))
	}
	var ids []string
	for _, r := range d.Runs {
		ids = append(ids, r.ID)
		if len(r.Tests) != 4 || len(r.Tests[0].Intervals) != 8 || r.ReceivedAt.IsZero() {
			t.Errorf("%s comes without its samples: %+v", r.ID, r)
		}
	}
	// The middle, the slowest, the quartiles, the fastest.
	if diff := gocmp.Diff([]string{newest[3], newest[0], newest[1], newest[5], newest[6]}, ids); diff != "" {
		t.Errorf("runs (-want +got):\n%s", diff)
	}
	if rate := d.Runs[0].RandWriteIOPS(); rate != 400 {
		t.Errorf("the first run has %v IOPS", rate)
	}
	if of := all[ultra.Slug][0]; len(of.Runs) != 1 || of.Runs[0].ID != other.ID || of.Units[0].Price != paid {
		t.Errorf("another module's: %+v", of)
	}

	// A merged module brings its units and runs along.
	if err := s.MergeModules(t.Context(), ultra.Slug, evo.Slug, "One and the same.", by("carol")); err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.Fold(t.Context()); err != nil {
		t.Fatal(err)
	}
	if all = drawn(t, s); len(all) != 1 || len(all[evo.Slug][0].Units) != 8 || len(all[evo.Slug][0].Runs) != 5 {
		t.Errorf("merged: %+v", all)
	}
	if none, err := s.ChartData(t.Context(), "no-such-module"); err != nil || len(none) != 0 {
		t.Errorf("of a module that isn't there: %v, %v", none, err)
	}
}

// The charts of a module take the same time however many units it has: units beyond the drawn ones are not read.
func TestDrawnIsBounded(t *testing.T) {
	t.Parallel()
	s, url := open(t)
	id := add(t, s, alice, evo, "", 3)
	if _, _, err := s.Fold(t.Context()); err != nil {
		t.Fatal(err)
	}
	execute(t, url, `insert into unit select module_slug, sha256(i::text::bytea), method, tag, host_class, best, runs,
		figures, bus_mb_per_s, boards, results, newest, newest_at,
		variant, evidence, price_amount, price_currency, price_on from unit, generate_series(1, 1000) i`)
	d := drawn(t, s)[evo.Slug]
	if len(d) != 1 || len(d[0].Units) != figure.MaxChartedUnits || len(d[0].Runs) > 1 {
		t.Fatalf("%d methods, %d units, %d runs", len(d), len(d[0].Units), len(d[0].Runs))
	}
	if len(d[0].Runs) == 1 && d[0].Runs[0].ID != id {
		t.Errorf("%s is drawn", d[0].Runs[0].ID)
	}
}

// BenchmarkDrawn reads the data of 200 modules' charts. Each module has 10 units, with documents of 29 kB as clients
// send them.
func BenchmarkDrawn(b *testing.B) {
	const modules, units = 200, 10
	s, url := open(b)
	text, err := os.ReadFile("../submission/plausible/testdata/emulated-usb.json")
	if err != nil {
		b.Fatal(err)
	}
	var doc result.Document
	if err := json.Unmarshal(text, &doc); err != nil {
		b.Fatal(err)
	}
	doc.Spoilers = []string{}
	for i := range modules * units {
		m := catalogue.Module{Slug: fmt.Sprint("module-", i/units), Vendor: "Vendor", Product: fmt.Sprint(i / units),
			Form: "usb", KnownFrom: catalogue.KnownFromTyped}
		doc.ID, doc.UnitTag = result.NewID(), fmt.Sprintf("%032x", rand.Uint64())
		for t := range doc.Tests { // so that units differ
			if name := &doc.Tests[t]; name.Name == result.RandWrite {
				name.Batches[0].NS += rand.Int64N(1e9)
			}
		}
		body, err := json.Marshal(&doc)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := s.AddSubmission(b.Context(), sha256.Sum256(fmt.Append(nil, i%units)), &doc, body, m,
			accepted, submission.Origin{}); err != nil {
			b.Fatal(err)
		}
	}
	if _, _, err := s.Fold(b.Context()); err != nil {
		b.Fatal(err)
	}
	execute(b, url, "analyze")
	read := 0
	for b.Loop() {
		read = 0
		err := s.Snapshot(context.Background(), func(snapshot *figure.Overview, results submission.Results) error {
			return results.ChartData(context.Background(), measured(snapshot), func(_ string, d []figure.ChartData) error {
				for _, of := range d {
					read += len(of.Runs)
				}
				return nil
			})
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/modules, "ns/module")
	b.ReportMetric(float64(read)/modules, "documents/module")
	b.ReportMetric(value[float64](b, url, "select avg(length(document)) from submission")*float64(read)/modules,
		"bytes/module")
}

// addProfiled stores a run of a profile, made from an example document.
func addProfiled(t *testing.T, s *store.Store, contributor string, m catalogue.Module, example, unit string,
	spoilers ...string) string {
	t.Helper()
	return addConfigured(t, s, contributor, m, example, unit, "jre", spoilers...)
}

// addConfigured is addProfiled with a configuration of the program, if the example starts one.
func addConfigured(t *testing.T, s *store.Store, contributor string, m catalogue.Module, example, unit,
	configuration string, spoilers ...string) string {
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
	if doc.Target.Program != "" {
		doc.Target.Configuration = configuration
	}
	copiestest.Again(&doc)
	body, err := json.Marshal(&doc)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.AddSubmission(t.Context(), sha256.Sum256([]byte(contributor)), &doc, body, m, accepted,
		submission.Origin{}); err != nil {
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
	s, url := open(t)
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
	if of := all[evo.Slug]; of[0].Unit != of[1].Unit {
		t.Errorf("one unit has the names %q and %q", of[0].Unit, of[1].Unit)
	}
	two, err := s.Profiled(t.Context(), []string{evo.Slug}, 2)
	if of := two[evo.Slug]; err != nil || len(of) != 3 || of[1].ID != newest || of[2].ID != other ||
		of[1].Unit == of[2].Unit {
		t.Errorf("%v: two units have one name", err)
	}
	for _, r := range all[evo.Slug] {
		program := map[string]string{result.MethodStartup1: "java"}[r.Method]
		if r.Target.Program != program || r.Host == "" || !r.Counts ||
			r.ReceivedAt.IsZero() || len(r.Tests) == 0 || len(r.Tests[0].Intervals) < 10 {
			t.Errorf("%s starts %q in %q", r.Method, r.Target.Program, r.Host)
		}
	}

	execute(t, url, fmt.Sprintf(`update contributor set confirmed_at = null, confirmed_by = ''
		where secret_sha256 = (select contributor from submission where id = '%s')`, other))
	two, err = s.Profiled(t.Context(), []string{evo.Slug}, 2)
	if of := two[evo.Slug]; err != nil || !of[0].Counts || !of[1].Counts || of[2].Counts {
		t.Errorf("%v: a run of a contributor on probation counts, or another one doesn't", err)
	}

	// Somebody with many runs displaces nobody else, and there are no more runs than fit.
	for range figure.MaxProfiledRuns {
		newest = addProfiled(t, s, "a", evo, "sustained-1", unit(1))
	}
	got := profiled(t, s, evo.Slug)[result.MethodSustained1]
	if len(got) != figure.MaxProfiledRuns || got[0] != newest || got[1] != other {
		t.Errorf("%v, want %s and %s before all others", got, newest, other)
	}

	// A merged module brings its runs along.
	addProfiled(t, s, "d", ultra, "sweep-1", "")
	addProfiled(t, s, "e", evo, "endure-2", unit(4), result.KernelErrors) // these end a life, and don't spoil it
	if err := s.MergeModules(t.Context(), evo.Slug, ultra.Slug, "One and the same.", by("carol")); err != nil {
		t.Fatal(err)
	}
	if got := profiled(t, s, ultra.Slug); len(got[result.MethodStartup1]) != 1 || len(got[result.MethodSweep1]) != 1 ||
		len(got[result.MethodEndure1]) != 1 {
		t.Errorf("merged: %v", got)
	}
}

// New secrets and tags of units cost nothing, so neither displaces others.
func TestProfiledAreOfManyContributorsWhoAreHeard(t *testing.T) {
	t.Parallel()
	s, url := open(t)
	honest := addProfiled(t, s, "honest", evo, "endure-1", fmt.Sprintf("%032x", 1))
	for i := range figure.MaxProfiledRuns {
		addProfiled(t, s, "many units", evo, "endure-1", fmt.Sprintf("%032x", 10+i))
	}
	if got := profiled(t, s, evo.Slug)[result.MethodEndure1]; len(got) != figure.MaxProfiledRuns || got[1] != honest {
		t.Errorf("one contributor's units: %v, want %s second", got, honest)
	}
	for i := range figure.MaxProfiledRuns {
		addProfiled(t, s, fmt.Sprint("secret ", i), evo, "endure-1", fmt.Sprintf("%032x", 20+i))
	}
	execute(t, url, `update contributor set confirmed_at = null, confirmed_by = '' where secret_sha256 in (
		select contributor from submission group by contributor having max(unit_tag) > '`+fmt.Sprintf("%032x", 19)+`')`)
	if got := profiled(t, s, evo.Slug)[result.MethodEndure1]; len(got) != figure.MaxProfiledRuns || got[1] != honest {
		t.Errorf("contributors on probation: %v, want %s second", got, honest)
	}
}

// lives reads the ids of the runs of a module's lives.
func lives(t *testing.T, s *store.Store, slug string) (ids []string, of []figure.LivedRun) {
	t.Helper()
	fold(t, s)
	if err := s.Snapshot(t.Context(), func(_ *figure.Overview, results submission.Results) error {
		all, err := results.Lives(t.Context(), []string{slug, "no-such-module"})
		of = all[slug]
		return err
	}); err != nil {
		t.Fatal(err)
	}
	for _, run := range of {
		ids = append(ids, run.ID)
	}
	return ids, of
}

// A life comes with all of its runs, even if many more were sent after it. Each contributor has one life.
func TestLivesAreOneOfEachContributor(t *testing.T) {
	t.Parallel()
	s, url := open(t)
	unit := func(i int) string { return fmt.Sprintf("%032x", i) }
	first := addProfiled(t, s, "a", evo, "endure-1", unit(1))
	other := addProfiled(t, s, "b", evo, "endure-1", unit(2))
	for i := range 8 {
		addProfiled(t, s, "a", evo, "endure-1", unit(10+i))
	}
	then := addProfiled(t, s, "a", evo, "endure-2", unit(1))
	addProfiled(t, s, "b", evo, "endure-1", unit(2), result.BusyDevice) // spoiled
	neighbour := addProfiled(t, s, "c", evo, "endure-1", unit(3))
	second := addProfiled(t, s, "d", evo, "endure-1", unit(4))
	execute(t, url, fmt.Sprintf(`update submission set network = convert_to('key1home', 'UTF8') where id in ('%s', '%s')`,
		neighbour, second)+"; update submission set variant = 'of its own'")
	want := []string{first, then, other, neighbour}
	got, runs := lives(t, s, evo.Slug)
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Fatalf("(-want +got):\n%s", diff)
	}
	if runs[0].Unit != runs[1].Unit || runs[1].Unit == runs[2].Unit || !runs[0].Told || runs[0].Life.Cycles <= 0 {
		t.Errorf("%+v", runs)
	}
	execute(t, url, fmt.Sprintf(`update contributor set confirmed_at = null, confirmed_by = ''
		where secret_sha256 = (select contributor from submission where id = '%s')`, other))
	if got, _ := lives(t, s, evo.Slug); slices.Contains(got, other) || len(got) != 3 {
		t.Errorf("with %s on probation: %v", other, got)
	}
}

// Starts are compared by configuration on one unit. So a unit's configurations stay together, however many units there
// are.
func TestProfiledStartsAreOfWholeUnits(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	var want []string
	for unit := range 7 {
		tag := fmt.Sprintf("%032x", unit)
		addConfigured(t, s, fmt.Sprint(unit), evo, "startup-1", tag, "cp1") // an older run of the same
		smallest := addConfigured(t, s, fmt.Sprint(unit), evo, "startup-1", tag, "cp1")
		other := addConfigured(t, s, fmt.Sprint(unit), evo, "startup-1", tag, "cp2")
		want = append([]string{other, smallest}, want...)
	}
	got := profiled(t, s, evo.Slug)[result.MethodStartup1]
	if diff := gocmp.Diff(want[:figure.MaxProfiledRuns], got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	all, err := s.Profiled(t.Context(), []string{evo.Slug}, figure.MaxProfiledRuns)
	if of := all[evo.Slug]; err != nil || len(of) != 6 || of[0].Unit != of[1].Unit || of[2].Unit != of[3].Unit ||
		of[0].Unit == of[2].Unit || of[0].Target.Configuration != "cp2" || of[1].Target.Configuration != "cp1" {
		t.Errorf("%v: units fall apart", err)
	}
}

// However many runs a module has, runs by other methods are not read.
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
	// Citus passes settings on to its other nodes only within a transaction.
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
