// Package site_test checks the pages of the site against figures. It serves the fixture's build as production does, and
// finds the pages by itself. It reads each page with a program, and the most different ones in a browser.
package site_test

import (
	"cmp"
	"encoding/json"
	"flag"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"flashdex/e2e/need"
)

var only = flag.String("page", "", "look at this page alone, such as /modules/sandisk-extreme-a2-64gb-microsd/")

const root = "../.."

func TestSite(t *testing.T) {
	s := serve(t, build(t))
	pages := s.find(t)
	for _, p := range pages {
		t.Logf("%-16s %s", p.Kind, p.Path)
	}
	s.read(t, pages)
	some := opened(pages)
	for _, check := range []string{"accessible", "looks", "keyboard", "narrow", "tables", "plain", "print"} {
		t.Run(check, func(t *testing.T) { t.Parallel(); s.browse(t, check, some) })
	}
}

// read runs the checks that need no browser.
func (s *served) read(t *testing.T, pages []*page) {
	t.Run("links", func(t *testing.T) { t.Parallel(); s.links(t, pages) })
	t.Run("head", func(t *testing.T) { t.Parallel(); head(t, pages) })
	t.Run("bytes", func(t *testing.T) { t.Parallel(); s.bytes(t, pages) })
	t.Run("markup", func(t *testing.T) { t.Parallel(); s.markup(t, pages) })
}

// opened returns the pages that a browser opens: the largest of each kind, and the smallest, which shows what a page
// says if little is known. Pages of one kind have the same layout, and their number grows with the data.
func opened(pages []*page) (some []*page) {
	for _, same := range kinds(pages) {
		some = append(some, same[0])
		if last := same[len(same)-1]; last != same[0] {
			some = append(some, last)
		}
	}
	return some
}

// kinds returns the pages by their kinds, the largest of each first.
func kinds(pages []*page) (all [][]*page) {
	pages = slices.Clone(pages)
	slices.SortStableFunc(pages, func(a, b *page) int {
		return cmp.Or(strings.Compare(a.Kind, b.Kind), cmp.Compare(len(b.body), len(a.body)))
	})
	for i, p := range pages {
		if i == 0 || p.Kind != pages[i-1].Kind {
			all = append(all, nil)
		}
		all[len(all)-1] = append(all[len(all)-1], p)
	}
	return all
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

// browse runs one of the checks in checks.mjs on the pages in a browser, and fails with each line that it prints.
func (s *served) browse(t *testing.T, check string, pages []*page) {
	t.Helper()
	need.Browser(t, root)
	asked, err := json.Marshal(pages)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("node", "checks.mjs", check, s.URL, *shots)
	cmd.Stdin = strings.NewReader(string(asked))
	output, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, output)
	}
}
