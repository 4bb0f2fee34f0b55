package publish

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/result"

	gocmp "github.com/google/go-cmp/cmp"
)

// An upload may move the places of all modules. Their pages follow in batches, the oldest first, and in the end all are
// right.
func TestMovedPlacesFollow(t *testing.T) {
	t.Parallel()
	const n = 2*maxMoved + 10
	dir := t.TempDir()
	var modules []pageInputs
	for i := range n {
		m := pageInputs{modulePath(fmt.Sprint("module-", i)), "same", "place"}
		modules = append(modules, m)
		for _, file := range filesOf(m.path) {
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

// A new module moves the rows of all pages behind it. All pages agree about it at once, and about a deleted module,
// too. Other rows follow, and in the end all are right.
func TestRankingsPagesThatOthersMovedFollow(t *testing.T) {
	t.Parallel()
	const n, middle = 201, "module-100"
	all := &figure.Overview{}
	for i := range n {
		m := catalogue.Module{Slug: fmt.Sprintf("module-%d", i), Product: fmt.Sprint("Product ", i), Form: "sd"}
		all.Modules = append(all.Modules, m)
		all.Summaries = append(all.Summaries, figure.Summary{
			ModuleSlug: m.Slug, Method: result.MethodFlashdex1, Contributors: 3, Independent: 3, Days: 2, Units: 3, Results: 3,
			Figures: figure.SetOf(map[string]figure.Figure{figure.RandWriteIOPS: {Value: float64(i + 1)}}),
		})
	}
	without := &figure.Overview{
		Modules: slices.DeleteFunc(slices.Clone(all.Modules), func(m catalogue.Module) bool { return m.Slug == middle }),
		Summaries: slices.DeleteFunc(slices.Clone(all.Summaries), func(s figure.Summary) bool {
			return s.ModuleSlug == middle
		}),
	}
	dir := t.TempDir()
	shown := map[string]string{} // rankings' pages
	previous := manifest{}
	publish := func(snapshot *figure.Overview, from string, moved int) (outdated int) {
		t.Helper()
		s := newSite(t.TempDir(), snapshot, uploads{}, load(t), nil)
		s.pageRows = 9
		s.reuse = newReuse(from, previous, "", previous.Pages["/by/rand-write-iops/"].Made+1)
		s.reuse.moved = moved
		if err := s.write(t.Context(), metaJSON{}, fixtureData(), fixtureClients()); err != nil {
			t.Fatal(err)
		}
		for _, p := range s.pages {
			file := cmp.Or(p.Ranking, p.File)
			if s.reuse.kept[p.Path] {
				continue
			}
			text := strings.ReplaceAll(read(t, s.input, file), `"Slug":"`, `"Slug":"/modules/`)
			if strings.HasPrefix(file, "rankings/") {
				shown[p.Path] = text
			}
			for _, file := range filesOf(p.Path) {
				if err := writeText(filepath.Join(dir, file), []byte(strings.ReplaceAll(text, `","`, `/","`))); err != nil {
					t.Fatal(err)
				}
			}
		}
		previous = s.reuse.manifest
		return s.reuse.outdated
	}
	publish(without, "", 1)
	for _, step := range []struct {
		name     string
		snapshot *figure.Overview
		times    int // how often the module is in the ranking
	}{{"a new module", all, 1}, {"a module that is gone", without, 0}} {
		if outdated := publish(step.snapshot, dir, 1); outdated < 10 {
			t.Errorf("after %s only %d pages are left to follow", step.name, outdated)
		}
		times := 0
		for path, text := range shown {
			if strings.HasPrefix(path, "/by/rand-write-iops/") {
				times += strings.Count(text, `"/modules/`+middle+`"`)
			}
		}
		if times != step.times {
			t.Errorf("after %s it stands %d times in the ranking, want %d", step.name, times, step.times)
		}
		for publish(step.snapshot, dir, idleFactor) > 0 {
		}
		followed := maps.Clone(shown)
		publish(step.snapshot, "", 1)
		if diff := gocmp.Diff(shown, followed); diff != "" {
			t.Fatalf("after %s (-made anew +followed):\n%s", step.name, diff)
		}
	}
}

// Unchanged pages are the same in the next publication, even where the order of a map could decide.
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
		if diff := gocmp.Diff(first, s.reuse.manifest.Pages); diff != "" {
			t.Fatalf("(-first +next):\n%s", diff)
		}
	}
}
