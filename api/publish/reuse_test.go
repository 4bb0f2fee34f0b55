package publish

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"flashdex/api/figure"

	"github.com/google/go-cmp/cmp"
)

// An upload may move the places of all modules: their pages follow some at a time, the oldest first, and in the end all are right.
func TestMovedPlacesFollow(t *testing.T) {
	t.Parallel()
	const n = 2*maxMoved + 10
	dir := t.TempDir()
	var modules []moduleMaking
	for i := range n {
		m := moduleMaking{fmt.Sprint("module-", i), "same", "place"}
		modules = append(modules, m)
		for _, file := range filesOf(modulePath(m.slug)) {
			path := filepath.Join(dir, file)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte("page"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	r := reuseOf("", making{}, "all", 1)
	if changed := r.changed(modules); len(changed) != n {
		t.Fatalf("%d of %d pages are made at first", len(changed), n)
	}
	for i := range modules {
		modules[i].around = "moved"
	}
	modules[n-1].of = "touched"
	seen := map[string]bool{}
	for generation, want := range []struct{ made, behind int }{{maxMoved + 1, maxMoved + 9}, {maxMoved, 9}, {9, 0}, {0, 0}} {
		r = reuseOf(dir, r.now, "all", int64(2+generation))
		changed := r.changed(modules)
		if len(changed) != want.made || r.behind != want.behind || len(r.kept) != n-want.made || len(r.now.Pages) != n {
			t.Errorf("publication %d makes %d pages, keeps %d, and is behind by %d, want %+v", generation, len(changed), len(r.kept), r.behind, want)
		}
		for slug := range changed {
			if seen[slug] {
				t.Errorf("%s is made twice", slug)
			}
			seen[slug] = true
		}
	}
}

// What did not change is the same in the next publication, also where nothing but the order of a map decides.
func TestTheSameIsMadeOfTheSame(t *testing.T) {
	t.Parallel()
	c := load(t)
	snapshot := &figure.Overview{Modules: c.Modules, Published: c.Published}
	var first map[string]pageMaking
	for range 4 {
		s := newSite(t.TempDir(), snapshot, uploads{}, c, nil)
		if _, err := s.write(t.Context(), metaJSON{SiteURL: "http://localhost:8080"}, fixtureData(), fixtureClients()); err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = s.reuse.now.Pages
		}
		if diff := cmp.Diff(first, s.reuse.now.Pages); diff != "" {
			t.Fatalf("(-first +next):\n%s", diff)
		}
	}
}
