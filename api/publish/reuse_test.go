package publish

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"flashdex/api/figure"

	"github.com/google/go-cmp/cmp"
)

// An upload may move the places of all modules: their pages follow some at a time, the oldest first, and in the end
// all are right.
func TestMovedPlacesFollow(t *testing.T) {
	t.Parallel()
	const n = 2*maxMoved + 10
	dir := t.TempDir()
	var modules []moduleInputs
	for i := range n {
		m := moduleInputs{fmt.Sprint("module-", i), "same", "place"}
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
	r := newReuse("", manifest{}, "all", 1)
	if changed := r.changed(modules); len(changed) != n {
		t.Fatalf("%d of %d pages are made at first", len(changed), n)
	}
	for i := range modules {
		modules[i].standing = "moved"
	}
	modules[n-1].data = "touched"
	seen := map[string]bool{}
	for generation, want := range []struct{ made, outdated int }{{maxMoved + 1, maxMoved + 9}, {maxMoved, 9}, {9, 0},
		{0, 0}} {
		r = newReuse(dir, r.manifest, "all", int64(2+generation))
		changed := r.changed(modules)
		if len(changed) != want.made || r.outdated != want.outdated || len(r.kept) != n-want.made ||
			len(r.manifest.Pages) != n {
			t.Errorf("publication %d makes %d pages, keeps %d, and leaves %d outdated, want %+v", generation, len(changed),
				len(r.kept), r.outdated, want)
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
	var first map[string]pageRecord
	for range 4 {
		s := newSite(t.TempDir(), snapshot, uploads{}, c, nil)
		if err := s.write(t.Context(), metaJSON{SiteURL: "http://localhost:8080"}, fixtureData(),
			fixtureClients()); err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = s.reuse.manifest.Pages
		}
		if diff := cmp.Diff(first, s.reuse.manifest.Pages); diff != "" {
			t.Fatalf("(-first +next):\n%s", diff)
		}
	}
}
