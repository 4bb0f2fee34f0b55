package store_test

import (
	"os"
	"testing"

	"flashdex/api/catalogue"
	"flashdex/api/figure"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestTheRealCatalogueIsImportedOnce(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	c, err := catalogue.Load(os.DirFS("../../data"))
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := s.ImportCatalogue(t.Context(), c.Modules, c.Published); err != nil {
			t.Fatal(err)
		}
		// The import is the first generation. The second is what published figures tell of hosts.
		if _, generation, err := s.Fold(t.Context()); err != nil || generation != 2 {
			t.Fatalf("generation %d, %v; want 2 both times: the second import has nothing new", generation, err)
		}
	}
	snapshot := snapshot(t, s)
	if len(snapshot.Modules) != len(c.Modules) || len(snapshot.Published) != len(c.Published) {
		t.Errorf("%d modules and %d published figures, want %d and %d", len(snapshot.Modules), len(snapshot.Published),
			len(c.Modules), len(c.Published))
	}
	byKey := cmpopts.SortSlices(func(a, b catalogue.Published) bool {
		return a.Source < b.Source || a.Source == b.Source && a.Line < b.Line
	})
	if diff := cmp.Diff(c.Published, snapshot.Published, byKey); diff != "" {
		t.Errorf("published (-want +got):\n%s", diff)
	}
}

func TestImportReplacesWhatIsGoneAndKeepsWhatIsUsed(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	used := catalogue.Module{Slug: "used", Product: "Used", Form: "cf", Classes: []string{}, KnownFrom: "published"}
	gone := catalogue.Module{Slug: "gone", Product: "Gone", Form: "cf", Classes: []string{}, KnownFrom: "published"}
	rate := 1.5
	row := func(line int, slug string) catalogue.Published {
		return catalogue.Published{Source: "s", Line: line, ModuleSlug: slug, Method: "m", Test: "seq-read", MBPerS: &rate,
			ValueText: "1,5"}
	}
	if err := s.ImportCatalogue(t.Context(), []catalogue.Module{evo, used, gone},
		[]catalogue.Published{row(2, "gone"), row(3, "used")}); err != nil {
		t.Fatal(err)
	}
	add(t, s, alice, used, "", 1)
	add(t, s, alice, ultra, "", 1)
	fold(t, s) // a contributed module is listed from then on
	better := evo
	better.Classes = []string{"U3", "A1"}
	if err := s.ImportCatalogue(t.Context(), []catalogue.Module{better},
		[]catalogue.Published{row(3, "used")}); err != nil {
		t.Fatal(err)
	}
	snapshot := snapshot(t, s)
	want := []catalogue.Module{better, ultra, used}
	asStored := cmp.Options{
		cmpopts.EquateEmpty(), cmpopts.IgnoreUnexported(evo), cmpopts.IgnoreFields(evo, "Confirmed"),
	}
	if diff := cmp.Diff(want, snapshot.Modules, asStored); diff != "" {
		t.Errorf("modules (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]catalogue.Published{row(3, "used")}, snapshot.Published); diff != "" {
		t.Errorf("published (-want +got):\n%s", diff)
	}
	if snapshot.Generation != 3 {
		t.Errorf("generation %d after two imports and a fold, want 3", snapshot.Generation)
	}
}

func TestTheCatalogueMergesProvisionalModules(t *testing.T) {
	t.Parallel()
	s, url := open(t)
	load := func(modules ...catalogue.Module) {
		t.Helper()
		if err := s.ImportCatalogue(t.Context(), modules, nil); err != nil {
			t.Fatal(err)
		}
	}
	load(evo)
	early := add(t, s, alice, ultra, "", 1)
	if _, _, err := s.Fold(t.Context()); err != nil {
		t.Fatal(err)
	}
	// Nobody has uploaded anything of the second former name yet.
	named := evo
	named.Formerly = []string{ultra.Slug, "never-seen"}
	load(named)
	fold(t, s)
	all := snapshot(t, s)
	if len(all.Modules) != 1 || all.Modules[0].Slug != evo.Slug || all.Aliases[ultra.Slug] != evo.Slug ||
		all.Aliases["never-seen"] != evo.Slug {
		t.Errorf("shown are %+v, aliases %v", all.Modules, all.Aliases)
	}
	if f := estimate(t, all, evo.Slug, figure.RandWriteIOPS); f.N != 1 || all.Submissions[0].ID != early ||
		all.Submissions[0].ModuleSlug != evo.Slug {
		t.Errorf("%+v of %+v", f, all.Submissions)
	}
	generation := all.Generation
	load(named)
	if again := snapshot(t, s); again.Generation != generation {
		t.Errorf("the same catalogue again made generation %d of %d", again.Generation, generation)
	}
	// Uploads under the former name go the same way.
	unheard := ultra
	unheard.Slug = "never-seen"
	add(t, s, bob, unheard, "", 3)
	if _, _, err := s.Fold(t.Context()); err != nil {
		t.Fatal(err)
	}
	if f := estimate(t, snapshot(t, s), evo.Slug, figure.RandWriteIOPS); f.N != 2 || f.Contributors != 2 {
		t.Errorf("%+v, want both units", f)
	}
	if actor := value[string](t, url, "select distinct actor from module_alias"); actor != "catalogue" {
		t.Errorf("the merges are the work of %q", actor)
	}
}

// An import doesn't hide from the next fold that an older server left figures out of date.
func TestAnImportLeavesWhatIsStaleToTheFold(t *testing.T) {
	t.Parallel()
	s, url := open(t)
	add(t, s, alice, ultra, "", 1)
	fold(t, s)
	execute(t, url, "delete from module_summary; update publication set fitted = -1")
	if err := s.ImportCatalogue(t.Context(), []catalogue.Module{evo}, nil); err != nil {
		t.Fatal(err)
	}
	fold(t, s)
	if n := value[int](t, url, "select count(*) from module_summary where module_slug = $1", ultra.Slug); n == 0 {
		t.Error("the module's summary is not made anew")
	}
}
