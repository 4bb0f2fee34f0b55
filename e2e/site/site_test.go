// Package site_test holds every page of the site to figures. It serves the fixture's build as production does, finds
// the pages by itself, and reads each with a program and in a browser.
package site_test

import (
	"encoding/json"
	"flag"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var only = flag.String("page", "", "look at this page alone, such as /modules/samsung-evo-32-gb-microsd/")

const root = "../.."

func TestSite(t *testing.T) {
	s := serve(t, build(t))
	pages := s.find(t)
	if *only != "" {
		pages = slices.DeleteFunc(pages, func(p *page) bool { return p.Path != *only })
		if len(pages) == 0 {
			t.Fatalf("the site has no page %s", *only)
		}
		pages[0].Model = true
	}
	for _, p := range pages {
		t.Logf("%-16s %s", p.Kind, p.Path)
	}
	t.Run("links", func(t *testing.T) { t.Parallel(); s.links(t, pages) })
	t.Run("head", func(t *testing.T) { t.Parallel(); head(t, pages) })
	t.Run("bytes", func(t *testing.T) { t.Parallel(); s.bytes(t, pages) })
	t.Run("markup", func(t *testing.T) { t.Parallel(); s.markup(t, pages) })
	opened := largest(pages)
	for _, check := range []string{"accessible", "looks", "keyboard", "narrow", "tables", "plain", "print"} {
		t.Run(check, func(t *testing.T) { t.Parallel(); s.browse(t, check, opened) })
	}
}

// eachKind is how many pages of one kind a browser opens. They have one layout, and their number grows with the data.
const eachKind = 8

// largest returns the largest pages of each kind, as many as a browser opens.
func largest(pages []*page) (some []*page) {
	pages = slices.Clone(pages)
	slices.SortStableFunc(pages, func(a, b *page) int { return len(b.body) - len(a.body) })
	opened := map[string]int{}
	for _, p := range pages {
		if opened[p.Kind]++; opened[p.Kind] <= eachKind {
			some = append(some, p)
		}
	}
	return some
}

// build has the real Hugo render the fixture, and returns the folder.
func build(t testing.TB) string {
	t.Helper()
	if output, err := exec.Command("make", "-C", root, "fixture").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	dir := t.TempDir()
	cmd := exec.Command(filepath.Join(root, "bin/hugo"), "build", "--source", filepath.Join(root, "site"),
		"--destination", dir, "--noBuildLock", "--panicOnWarning")
	if output, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v (make build)\n%s", err, output)
	}
	return dir
}

// browse has a browser hold the pages to one of the checks in checks.mjs, and fails with each line that it prints.
func (s *served) browse(t *testing.T, check string, pages []*page) {
	t.Helper()
	asked, err := json.Marshal(pages)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("node", "checks.mjs", check, s.URL)
	cmd.Stdin = strings.NewReader(string(asked))
	output, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, output)
	}
}
