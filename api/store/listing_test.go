package store_test

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"testing"
	"time"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/store"
	"flashdex/api/submission"
)

// listed folds, and reports whether publications, tables and the data set's figures contain a module.
func listed(t *testing.T, s *store.Store, slug string) bool {
	t.Helper()
	if _, _, err := s.Fold(t.Context()); err != nil {
		t.Fatal(err)
	}
	overview, err := s.Overview(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	has := func(m catalogue.Module) bool { return m.Slug == slug }
	listed := slices.ContainsFunc(overview.Modules, has)
	hasSummary := func(s figure.Summary) bool { return s.ModuleSlug == slug }
	if summed := slices.ContainsFunc(overview.Summaries, hasSummary); summed != listed {
		t.Errorf("%s is listed: %v, and has a summary: %v", slug, listed, summed)
	}
	if err := s.Snapshot(t.Context(), func(o *figure.Overview, _ submission.Results) error {
		if slices.ContainsFunc(o.Modules, has) != listed {
			t.Errorf("a publication disagrees on whether %s is listed", slug)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if err := s.Dataset(t.Context(), func(o *figure.Overview, _ figure.Records) error {
		if slices.ContainsFunc(o.Modules, has) != listed || slices.ContainsFunc(o.Unlisted, has) == listed {
			t.Errorf("the data set disagrees on whether %s is listed", slug)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return listed
}

func TestAModuleIsListedOnceItIsConfirmed(t *testing.T) {
	t.Parallel()
	s, url := open(t)
	decide := func(id, state string) {
		t.Helper()
		decision := submission.Decision{State: state, Reason: "Why not."}
		if err := s.Moderate(t.Context(), id, decision, by("carol")); err != nil {
			t.Fatal(err)
		}
	}
	ultra := ultra
	ultra.Confirmed = false
	add(t, s, alice, ultra, "", 1)
	add(t, s, alice, ultra, "", 1)
	if listed(t, s, ultra.Slug) {
		t.Error("one contributor alone lists a module")
	}
	second := add(t, s, bob, ultra, "", 1)
	if !listed(t, s, ultra.Slug) {
		t.Error("two contributors don't")
	}
	decide(second, submission.Rejected)
	if listed(t, s, ultra.Slug) {
		t.Error("a rejected result confirms a module")
	}
	decide(second, submission.Accepted)
	if !listed(t, s, ultra.Slug) {
		t.Error("an accepted one doesn't")
	}
	if err := s.DeleteSubmission(t.Context(), bob, second); err != nil {
		t.Fatal(err)
	}
	if listed(t, s, ultra.Slug) {
		t.Error("a deleted result confirms a module")
	}
	if err := s.ConfirmModule(t.Context(), ultra.Slug, "The shop has it.", by("carol")); err != nil {
		t.Fatal(err)
	}
	if !listed(t, s, ultra.Slug) || value[string](t, url, "select vouched_by || ': ' || vouched_reason from module") !=
		"operator carol: The shop has it." {
		t.Error("an operator doesn't, or isn't remembered")
	}
	if vouched, err := s.VouchedModules(t.Context(), 10); err != nil || !slices.Equal(vouched,
		[]submission.VouchedModule{{Slug: ultra.Slug, By: "operator carol", Reason: "The shop has it."}}) {
		t.Errorf("operators vouch for %+v, %v", vouched, err)
	}
	for range 2 { // the second changes nothing
		if err := s.UnconfirmModule(t.Context(), ultra.Slug, "It was another.", by("dave")); err != nil {
			t.Fatal(err)
		}
	}
	if listed(t, s, ultra.Slug) || value[string](t, url, "select vouched_by || ': ' || vouched_reason from module") !=
		": taken back by operator dave: It was another." {
		t.Error("an operator's word can't be taken back, or nobody knows who did it")
	}

	// Registers confirm a module as long as their result counts.
	fancy := catalogue.Module{Slug: "fancy", Product: "Fancy", Provisional: true, KnownFrom: catalogue.KnownFromTyped}
	add(t, s, alice, fancy, "", 1)
	if listed(t, s, fancy.Slug) {
		t.Error("no register confirms it")
	}
	fancy.Confirmed = true
	confirming := add(t, s, alice, fancy, "", 1)
	if !listed(t, s, fancy.Slug) {
		t.Error("registers don't confirm a module")
	}
	decide(confirming, submission.Rejected)
	if listed(t, s, fancy.Slug) {
		t.Error("the registers of a rejected result confirm a module")
	}

	// A module that is merged as another one's spelling confirms that one.
	other := catalogue.Module{Slug: "fncy", Product: "Fncy", Provisional: true, KnownFrom: catalogue.KnownFromTyped}
	add(t, s, bob, other, "", 1)
	if err := s.MergeModules(t.Context(), other.Slug, fancy.Slug, "One card.", by("carol")); err != nil {
		t.Fatal(err)
	}
	if !listed(t, s, fancy.Slug) {
		t.Error("two contributors under two spellings don't confirm a module")
	}
	if known, err := s.Known(t.Context(), alice, other.Slug); err != nil || !known.Listed || !known.Contributor {
		t.Errorf("by its other name it is %+v, %v", known, err)
	}

	// Nothing confirms an ambiguous module.
	open := catalogue.Module{Slug: "ambiguous-one", Product: "One", Provisional: true, Confirmed: true,
		KnownFrom: catalogue.KnownFromAmbiguous}
	add(t, s, alice, open, "", 1)
	add(t, s, bob, open, "", 1)
	if listed(t, s, open.Slug) {
		t.Error("an ambiguous module is listed")
	}

	// Nor one of which no product is known: its cards may be of several.
	for slug, product := range map[string]string{"unidentified-32gb": "Unidentified module",
		"toshiba-unidentified-16gb": "Unidentified module", "toshiba-class10-16gb": "Class 10 UHS-I"} {
		unknown := catalogue.Module{Slug: slug, Product: product, Provisional: true, KnownFrom: catalogue.KnownFromKernel}
		add(t, s, alice, unknown, "", 1)
		add(t, s, bob, unknown, "", 1)
		if listed(t, s, unknown.Slug) {
			t.Errorf("%s is listed", slug)
		}
	}

	// An older server, which didn't know of listing, folded the second contributor.
	late := catalogue.Module{Slug: "late", Product: "Late", Provisional: true, KnownFrom: catalogue.KnownFromTyped}
	add(t, s, alice, late, "", 1)
	add(t, s, bob, late, "", 1)
	if !listed(t, s, late.Slug) {
		t.Fatal("it isn't listed")
	}
	execute(t, url, "update module set confirmed = false where slug = 'late'")
	if err := s.ImportCatalogue(t.Context(), []catalogue.Module{evo}, nil); err != nil {
		t.Fatal(err)
	}
	if !listed(t, s, late.Slug) {
		t.Error("the next worker doesn't list it")
	}
	older := catalogue.Module{Slug: "older", Product: "Older", Provisional: true, KnownFrom: catalogue.KnownFromTyped}
	add(t, s, alice, older, "", 1)
	add(t, s, bob, older, "", 1)
	execute(t, url, "delete from outbox; update publication set folded = folded + 1") // by one that knows no units either
	if !listed(t, s, older.Slug) {
		t.Error("units that were made anew don't list a module")
	}
}

// Secrets are free, and some have ids that come first. While they are on probation, they don't stand before others.
func TestManyOnProbationUnlistNothing(t *testing.T) {
	t.Parallel()
	s, url := open(t)
	ultra := ultra
	ultra.Confirmed = false
	add(t, s, alice, ultra, "", 1)
	fold(t, s)
	execute(t, url, `
		insert into unit select (jsonb_populate_record(u, jsonb_build_object(
				'contributor', '\x00' || lpad(n::text, 62, '0')))).*
			from unit u, generate_series(1, 250) n`)
	add(t, s, bob, ultra, "", 1)
	if !listed(t, s, ultra.Slug) {
		t.Error("250 contributors on probation keep two others from listing a module")
	}
}

// Three days after an upload, nothing tells from which network it came, and a deleted result's network goes at once.
func TestNetworksAreForgotten(t *testing.T) {
	t.Parallel()
	s, url := open(t)
	uploaded := func(secret [sha256.Size]byte) string {
		t.Helper()
		doc, body := run(t, "", 1)
		if _, err := s.AddSubmission(t.Context(), secret, doc, body, evo, accepted,
			submission.Origin{Networks: [][]byte{{1}, {2}, {3}}}); err != nil {
			t.Fatal(err)
		}
		return doc.ID
	}
	from := func(id string) (picked int, err error) {
		which := submission.Selection{NetworkOf: id, NetworkSize: "organization"}
		verdict := submission.Decision{State: submission.Rejected, Reason: "x"}
		err = s.DecideAll(t.Context(), which, verdict, by("carol"), true, func(submission.Submission) error {
			picked++
			return nil
		})
		return picked, err
	}
	one, two, three := uploaded(alice), uploaded(bob), uploaded(bob)
	if err := s.DeleteSubmission(t.Context(), bob, three); err != nil {
		t.Fatal(err)
	}
	if n := value[int](t, url, "select count(*) from submission_network"); n != 2 {
		t.Errorf("%d results have a network after the third was deleted", n)
	}
	age := func(id string, by time.Duration) {
		execute(t, url, "update submission_network set at = at - interval '"+by.String()+"' where submission_id = '"+id+"'")
	}
	age(one, 71*time.Hour)
	if n, err := from(two); err != nil || n != 2 {
		t.Errorf("before three days have passed: %d results, %v", n, err)
	}
	age(one, 2*time.Hour)
	if n, err := from(two); err != nil || n != 1 {
		t.Errorf("what is too old is still used: %d results, %v", n, err)
	}
	if _, err := from(one); err == nil {
		t.Error("the network of a result is known for longer than three days")
	}
	if listed(t, s, evo.Slug); value[int](t, url, "select count(*) from submission_network") != 1 {
		t.Error("a network is kept for longer than three days")
	}
	if value[string](t, url, "select relpersistence::text from pg_class where relname = 'submission_network'") != "u" {
		t.Error("networks are written to the log, and so to every standby and archive")
	}
}

// From one address nobody can get a module listed, however many secrets they have: not with 241 names, and not in a
// day.
func TestOneAddressListsNoModules(t *testing.T) {
	t.Parallel()
	s, url := open(t)
	name := func(secret, network string) {
		t.Helper()
		for i := range 241 {
			m := catalogue.Module{Slug: fmt.Sprint("made-up-", i), Product: "Made up", Provisional: true,
				KnownFrom: catalogue.KnownFromTyped}
			doc, body := run(t, "", 1)
			added, err := s.AddSubmission(t.Context(), sha256.Sum256([]byte(secret)), doc, body, m, accepted,
				submission.Origin{Network: []byte("key " + network)})
			if err != nil || !added.New {
				t.Fatalf("AddSubmission: %v, %v", added, err)
			}
		}
		fold(t, s)
	}
	listed := func() int { return value[int](t, url, "select count(*)::int from module where confirmed") }
	name("one", "a")
	name("another", "a")
	if n := listed(); n != 0 {
		t.Errorf("one address listed %d modules", n)
	}
	name("a neighbour", "b")
	if n := listed(); n != 241 {
		t.Errorf("two addresses listed %d modules", n)
	}
}
