package publish

import (
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"flashdex/api/figure"
	"flashdex/api/figure/question"
	"flashdex/data"

	"github.com/google/go-cmp/cmp"
)

var reLoc = regexp.MustCompile(`<loc>([^<]*)</loc>`)

// A site that is rendered in slices is the same as one rendered at once, and its sitemaps together list the same pages.
func TestSlicesMakeTheWholeSite(t *testing.T) {
	t.Parallel()
	presets, err := question.Load(data.FS)
	if err != nil {
		t.Fatal(err)
	}
	snapshot, results := fixture(t)
	made := map[string]map[string]string{}
	for name, few := range map[string]bool{"whole": false, "slices": true} {
		work := t.TempDir()
		s := newSite(work, snapshot, results, load(t), presets)
		if few {
			s.sliceBytes, s.sitemapPaths = 1e6, 50
		}
		meta := metaJSON{BuiltAt: time.Date(2026, 11, 21, 1, 2, 3, 0, time.UTC), SiteURL: "https://flashdex.example"}
		if err := s.write(t.Context(), meta, fixtureData(), fixtureClients()); err != nil {
			t.Fatal(err)
		}
		if few && len(s.pages) <= 2*s.sitemapPaths {
			t.Fatalf("%d pages are too few to be divided", len(s.pages))
		}
		p := New(Config{Hugo: "../../bin/hugo", Project: "../../site"})
		if err := p.render(t.Context(), s, work, filepath.Join(work, "out")); err != nil {
			t.Fatal(err)
		}
		made[name] = map[string]string{}
		for _, file := range filesBelow(t, filepath.Join(work, "out")) {
			made[name][file] = read(t, filepath.Join(work, "out"), file)
		}
	}
	whole, parts := made["whole"], made["slices"]
	checkPictures(t, maps.Clone(whole))
	sitemaps := reLoc.FindAllStringSubmatch(parts["sitemap.xml"], -1)
	var listed []string
	for _, sitemap := range sitemaps {
		file := strings.TrimPrefix(sitemap[1], "https://flashdex.example/")
		listed = append(listed, reLoc.FindAllString(parts[file], -1)...)
		if n := strings.Count(parts[file], "<loc>"); n == 0 || n > 80 {
			t.Errorf("%s lists %d pages", file, n)
		}
		delete(parts, file)
	}
	if want := reLoc.FindAllString(whole["sitemap.xml"], -1); len(sitemaps) < 3 ||
		!slices.Equal(slices.Sorted(slices.Values(listed)), slices.Sorted(slices.Values(want))) {
		t.Errorf("%d sitemaps list %d pages, want %d", len(sitemaps), len(listed), len(want))
	}
	delete(whole, "sitemap.xml")
	delete(parts, "sitemap.xml")
	if diff := cmp.Diff(slices.Sorted(maps.Keys(whole)), slices.Sorted(maps.Keys(parts))); diff != "" {
		t.Errorf("other files (-whole +parts):\n%s", diff)
	}
	for name, text := range whole {
		if parts[name] != text {
			t.Errorf("%s differs in slices", name)
		}
	}
}

// A path goes into pages.json only if it consists of slugs, whatever a module is called.
func TestPathsOfPagesAreSlugs(t *testing.T) {
	t.Parallel()
	s := newSite(t.TempDir(), &figure.Overview{}, nil, load(t), nil)
	for path, good := range map[string]bool{
		"/modules/acme-turbo-32gb/": true, "/by/rand-write-iops/2/": true, "/modules/../../etc/": false,
		"/modules/{a,b}/": false,
		"/modules/**/":    false, "/modules/a b/": false, "/modules/<b>/": false, "/modules//": false, "modules/a/": false,
		"/modules/a": false,
	} {
		if err := s.writePagesFile([]dataPage{{Path: path}}); (err == nil) != good {
			t.Errorf("%q: %v", path, err)
		}
	}
}
