package store_test

import (
	"crypto/sha256"
	"os"
	"strings"
	"testing"

	"flashdex/api/catalogue"
	"flashdex/api/problem"
	"flashdex/api/store"
	"flashdex/api/submission"
	"flashdex/result"

	gocmp "github.com/google/go-cmp/cmp"
)

var (
	typo = catalogue.Module{Slug: "samsumg-evo-32gb", Vendor: "Samsumg", Product: "EVO", CapacityGB: 32,
		Form: "microsd", KnownFrom: catalogue.KnownFromTyped, Provisional: true}
	typo2 = catalogue.Module{Slug: "samsnug-evo-32gb", Vendor: "Samsnug", Product: "EVO", CapacityGB: 32,
		Form: "microsd", KnownFrom: catalogue.KnownFromTyped, Provisional: true}
)

// whereCounted returns where results are counted, without times.
func whereCounted(t *testing.T, url string) (all map[string]string) {
	t.Helper()
	all = map[string]string{}
	for what, columns := range map[string]string{
		"unit":           "module_slug, contributor, method, tag, host_class, best, runs, figures, results, newest",
		"module_summary": "module_slug, method, host_class, variant, contributors",
		"module":         "slug, confirmed, orphaned_at is null",
		"module_name":    "slug, module_slug",
		"outbox":         "submission_id",
		"submission":     "id, state, state_rule, module_slug, named_by, confirms, second_of_network",
	} {
		all[what] = value[string](t, url, "select coalesce(string_agg(r::text, e'\\n' order by r::text), '') from (select "+
			columns+" from "+what+") r")
	}
	return all
}

// After an undo everything is as if the merge had never been, for results from before it and from meanwhile.
func TestAMergeUndoneGivesEveryResultBack(t *testing.T) {
	t.Parallel()
	type upload struct {
		by   string
		of   catalogue.Module
		doc  *result.Document
		body []byte
	}
	var before, meanwhile []upload
	for i, of := range []catalogue.Module{typo, typo, typo2, evo, evo, typo, typo2, evo, typo} {
		doc, body := run(t, "", int64(i+1))
		u := upload{[]string{"alice", "bob", "carol"}[i%3], of, doc, body}
		if i < 5 {
			before = append(before, u)
		} else {
			meanwhile = append(meanwhile, u)
		}
	}
	store := func(s *store.Store, uploads []upload) {
		t.Helper()
		for _, u := range uploads {
			secret := sha256.Sum256([]byte(u.by))
			if _, err := s.AddSubmission(t.Context(), secret, u.doc, u.body, u.of, accepted,
				submission.Origin{Network: append([]byte("key "), secret[:]...)}); err != nil {
				t.Fatal(err)
			}
		}
	}
	var urls [2]string
	for merged := range urls {
		s, url := open(t)
		urls[merged] = url
		do := func(err error) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
		}
		store(s, before)
		fold(t, s)
		do(s.MergeModules(t.Context(), typo2.Slug, typo.Slug, "Two slips.", by("carol")))
		fold(t, s)
		if merged == 1 {
			do(s.MergeModules(t.Context(), typo.Slug, evo.Slug, "A slip.", by("carol")))
			fold(t, s)
			if n := resultsCounted(t, url, evo.Slug); n != len(before) {
				t.Fatalf("%d results are counted together", n)
			}
		}
		store(s, meanwhile)
		do(s.NameResult(t.Context(), before[1].doc.ID, evo.Slug, "The photo.", by("carol")))
		do(s.DeleteSubmission(t.Context(), alice, before[0].doc.ID))
		no := submission.Decision{State: submission.Rejected, Reason: "?"}
		do(s.Moderate(t.Context(), meanwhile[0].doc.ID, no, by("carol")))
		if merged == 1 {
			fold(t, s)
			do(s.DeleteSubmission(t.Context(), sha256.Sum256([]byte("carol")), meanwhile[3].doc.ID)) // isn't folded yet
			for range 2 {
				do(s.UndoMerge(t.Context(), typo.Slug, "They are two.", by("dave")))
			}
		} else {
			do(s.DeleteSubmission(t.Context(), sha256.Sum256([]byte("carol")), meanwhile[3].doc.ID))
		}
		fold(t, s)
	}
	if diff := gocmp.Diff(whereCounted(t, urls[0]), whereCounted(t, urls[1])); diff != "" {
		t.Errorf("without the merge, and with it undone (-without +undone):\n%s", diff)
	}
}

func TestAMergeIsTriedFirst(t *testing.T) {
	t.Parallel()
	s, url := open(t)
	add(t, s, alice, typo, "", 2)
	add(t, s, alice, typo, "", 3)
	add(t, s, bob, typo2, "", 3)
	add(t, s, bob, evo, "", 4)
	fold(t, s)
	if err := s.MergeModules(t.Context(), typo2.Slug, typo.Slug, "?", by("carol")); err != nil {
		t.Fatal(err)
	}
	fold(t, s)
	before := contents(t, url)
	moved, err := s.TryMerge(t.Context(), typo.Slug, evo.Slug, by("carol"))
	want := []submission.Moved{{Module: typo.Slug, Results: 2}, {Module: typo2.Slug, Results: 1}}
	if diff := gocmp.Diff(want, moved); diff != "" || err != nil {
		t.Errorf("%v, it would move (-want +got):\n%s", err, diff)
	}
	if moved, err := s.TryMerge(t.Context(), typo2.Slug, typo.Slug, by("carol")); err != nil || len(moved) > 0 {
		t.Errorf("what is merged already moves %v, %v", moved, err)
	}
	for pair, want := range map[[2]string]problem.Kind{
		{evo.Slug, evo.Slug}: problem.ModuleMerged, {"nothing", evo.Slug}: problem.NotFound,
		{evo.Slug, typo2.Slug}: problem.ModuleMerged,
	} {
		if _, err := s.TryMerge(t.Context(), pair[0], pair[1], by("carol")); kind(err) != want {
			t.Errorf("%v: %v", pair, err)
		}
	}
	if _, err := s.TryMerge(t.Context(), typo.Slug, evo.Slug, submission.Authority{Token: bob}); kind(err) !=
		problem.NotOperator {
		t.Errorf("whoever is no operator: %v", err)
	}
	if diff := gocmp.Diff(before, contents(t, url)); diff != "" {
		t.Errorf("trying changes something (-before +after):\n%s", diff)
	}
}

func TestAMergeOnTopIsUndoneFirst(t *testing.T) {
	t.Parallel()
	s, url := open(t)
	add(t, s, alice, typo, "", 2)
	add(t, s, bob, evo, "", 4)
	add(t, s, bob, ultra, "", 4)
	fold(t, s)
	before := whereCounted(t, url)
	for _, pair := range [][2]string{{typo.Slug, evo.Slug}, {evo.Slug, ultra.Slug}} {
		if err := s.MergeModules(t.Context(), pair[0], pair[1], "?", by("carol")); err != nil {
			t.Fatal(err)
		}
		fold(t, s)
	}
	merged := whereCounted(t, url)
	err := s.UndoMerge(t.Context(), typo.Slug, "?", by("carol"))
	if kind(err) != problem.ModuleMerged ||
		!strings.Contains(problem.Of(err).Detail, "Undo the merge of "+evo.Slug+" first") {
		t.Errorf("with a merge on top: %v", err)
	}
	for slug, want := range map[string]problem.Kind{ultra.Slug: problem.NotFound, "nothing": problem.NotFound} {
		if err := s.UndoMerge(t.Context(), slug, "?", by("carol")); kind(err) != want {
			t.Errorf("undoing %s: %v", slug, err)
		}
	}
	if err := s.UndoMerge(t.Context(), evo.Slug, "?", submission.Authority{Token: bob}); kind(err) != problem.NotOperator {
		t.Errorf("whoever is no operator: %v", err)
	}
	if diff := gocmp.Diff(merged, whereCounted(t, url)); diff != "" {
		t.Errorf("what is refused changes something (-before +after):\n%s", diff)
	}
	for _, slug := range []string{evo.Slug, typo.Slug} {
		if err := s.UndoMerge(t.Context(), slug, "They differ.", by("dave")); err != nil {
			t.Fatal(err)
		}
		fold(t, s)
	}
	if diff := gocmp.Diff(before, whereCounted(t, url)); diff != "" {
		t.Errorf("after both were undone (-before +after):\n%s", diff)
	}
	merges, err := s.Merges(t.Context(), 10)
	if err != nil || len(merges) != 2 || merges[0].From != evo.Slug || merges[1].Into != evo.Slug ||
		merges[0].UndoneAt == nil || merges[0].UndoneBy != "operator dave" || merges[0].UndoReason != "They differ." {
		t.Errorf("the merges: %+v, %v", merges, err)
	}
	if err := s.MergeModules(t.Context(), typo.Slug, evo.Slug, "They don't.", by("carol")); err != nil {
		t.Errorf("merged again: %v", err)
	}
	if merges, err = s.Merges(t.Context(), 1); err != nil || len(merges) != 1 || merges[0].UndoneAt != nil {
		t.Errorf("the last merge: %+v, %v", merges, err)
	}
}

func TestWhatTheCatalogueMergedOrNothingIsLeftOfStays(t *testing.T) {
	t.Parallel()
	s, url := open(t)
	id := add(t, s, alice, typo, "", 2)
	add(t, s, bob, typo2, "", 2)
	renamed := evo
	renamed.Formerly = []string{typo2.Slug}
	if err := s.ImportCatalogue(t.Context(), []catalogue.Module{renamed}, nil); err != nil {
		t.Fatal(err)
	}
	fold(t, s)
	if err := s.UndoMerge(t.Context(), typo2.Slug, "?", by("carol")); kind(err) != problem.ModuleMerged {
		t.Errorf("a name of the catalogue: %v", err)
	}
	if err := s.MergeModules(t.Context(), typo.Slug, evo.Slug, "?", by("carol")); err != nil {
		t.Fatal(err)
	}
	if err := s.DeleteSubmission(t.Context(), alice, id); err != nil {
		t.Fatal(err)
	}
	fold(t, s)
	execute(t, url, "update module set orphaned_at = now() - interval '1 hour' where slug = '"+typo.Slug+"'")
	add(t, s, bob, evo, "", 2)
	fold(t, s)
	if err := s.UndoMerge(t.Context(), typo.Slug, "?", by("carol")); kind(err) != problem.Deleted {
		t.Errorf("a module whose last result was deleted: %v", err)
	}
}

// While an operator's merge is in force, naming rules leave the module's results alone. Once it is undone, today's
// rules name all of them, and aliases of the module lead to it again.
func TestRulesNameWhatAMergeKeptFromThem(t *testing.T) {
	t.Parallel()
	s, url := open(t)
	s.NameBy(before())
	card{typed: ultraA1Typed, from: 0}.upload(t, s, before())
	for i := range 2 {
		card{typed: ultraA1Typed, from: i, speed: 7 + int64(i)}.upload(t, s, before())
		confirm(t, url, i)
	}
	settle(t, s, url)
	old := value[string](t, url, "select module_slug from submission limit 1")
	add(t, s, bob, evo, "", 4) // stores the module; its document says another one
	merge := func(slug string) {
		t.Helper()
		if err := s.MergeModules(t.Context(), slug, evo.Slug, "?", by("carol")); err != nil {
			t.Fatal(err)
		}
	}
	undo := func(slug string) {
		t.Helper()
		if err := s.UndoMerge(t.Context(), slug, "?", by("carol")); err != nil {
			t.Fatal(err)
		}
		settle(t, s, url)
	}
	merge(old)
	s.NameBy(today())
	settle(t, s, url)
	if n := resultsCounted(t, url, evo.Slug); n != 3 {
		t.Fatalf("%d results are counted together", n)
	}
	undo(old)
	if n, kept := resultsCounted(t, url, ultraA1), resultsCounted(t, url, evo.Slug); n != 3 || kept != 0 {
		t.Errorf("%d results are named by the rules of today, and %d are left", n, kept)
	}
	leadsTo := func() string {
		return value[string](t, url, "select coalesce((select into_slug from module_alias where from_slug = $1), '')", old)
	}
	if leadsTo() != ultraA1 {
		t.Fatalf("the old address leads to %q", leadsTo())
	}
	merge(ultraA1)
	settle(t, s, url)
	if leadsTo() != evo.Slug {
		t.Errorf("after the merge the old address leads to %q", leadsTo())
	}
	undo(ultraA1)
	if leadsTo() != ultraA1 {
		t.Errorf("after the merge was undone the old address leads to %q", leadsTo())
	}
}

// A merge by an older server, which stored less about it, can be undone, too.
func TestAMergeOfTheVersionBeforeIsUndone(t *testing.T) {
	t.Parallel()
	s, url := open(t)
	text, err := os.ReadFile("../../migrations/00029_merges.sql")
	if err != nil {
		t.Fatal(err)
	}
	up, down, _ := strings.Cut(string(text), "-- +goose Down")
	add(t, s, alice, typo, "", 2)
	add(t, s, bob, typo2, "", 3)
	add(t, s, bob, evo, "", 4)
	fold(t, s)
	before := whereCounted(t, url)
	execute(t, url, down)
	for _, pair := range [][2]string{{typo2.Slug, typo.Slug}, {typo.Slug, evo.Slug}} {
		if err := s.MergeModules(t.Context(), pair[0], pair[1], "?", by("carol")); err != nil {
			t.Fatal(err)
		}
	}
	fold(t, s)
	execute(t, url, up)
	for _, slug := range []string{typo.Slug, typo2.Slug} { // these came along with it, and stay with evo
		if err := s.UndoMerge(t.Context(), slug, "They differ.", by("dave")); err != nil {
			t.Fatal(err)
		}
		fold(t, s)
	}
	if diff := gocmp.Diff(before, whereCounted(t, url)); diff != "" {
		t.Errorf("after both were undone (-before +after):\n%s", diff)
	}
}
