package site_test

import (
	"net/http"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"flashdex/api/figure/question"
	"flashdex/api/publish"
	"flashdex/api/store/cluster/clustertest"
	"flashdex/data"
)

// freshPaths are pages that look different before anybody has uploaded anything: the home page, questions with an
// answer and without, devices whose answers differ, a module with published figures and one without any. Unlike in the
// fixture, the whole catalogue is there. So the others are answers of the server that need the catalogue.
var freshPaths = []string{
	"/", "/for/", "/for/boot/", "/for/cheap/", "/wanted/",
	"/device/raspberry-pi-4/", "/device/steam-deck/", "/device/nintendo-switch-2/", "/device/pixhawk/",
	"/device/lego-ev3/", // whose slot is assumed
	"/modules/samsung-evo-plus-32gb-microsd/", "/modules/sandisk-sb16g-16gb-sd/",
	"/compare/?m=samsung-evo-plus-32gb-microsd&m=sandisk-extreme-a2-64gb-microsd",
	"/data/latest/", mistyped,
}

// mistyped is an address that the server answers with the nearest module.
const mistyped = "/modules/samsung-evo-plus-32gb/"

// TestFreshStart looks at a site to which nobody has uploaded anything. It applies the same checks as to the fixture,
// and follows the pages' promises.
func TestFreshStart(t *testing.T) {
	s := freshStart(t)
	pages := s.freshPages(t)
	for _, p := range pages {
		if missing := p.status == http.StatusNotFound; missing != (p.Path == mistyped) {
			t.Errorf("%s is answered with %d", p.Path, p.status)
		}
	}
	s.read(t, pages)
	for _, check := range []string{"accessible", "plain"} {
		t.Run(check, func(t *testing.T) { t.Parallel(); s.browse(t, check, pages) })
	}
	t.Run("pasted", func(t *testing.T) { t.Parallel(); s.browse(t, "pasted", []*page{{Path: "/import/"}}) })
	t.Run("walk", func(t *testing.T) {
		t.Parallel()
		s.upload(t, filepath.Join(root, "result/testdata/valid/sd-card.json"), strings.Repeat("0a", 32))
		output, err := exec.Command("node", "walk.mjs", s.URL, s.results[0], mistyped).CombinedOutput()
		t.Logf("%s", output)
		if err != nil {
			t.Error(err)
		}
	})
	if *shots != "" {
		presets, err := question.Load(data.FS)
		if err != nil {
			t.Fatal(err)
		}
		for _, q := range presets {
			pages = append(pages, &page{Path: "/for/" + q.Key + "/"})
		}
		t.Run("shots", func(t *testing.T) { t.Parallel(); s.browse(t, "shots", pages) })
	}
}

// freshStart publishes from an empty database as a new server does, and serves that.
func freshStart(t testing.TB) *served {
	t.Helper()
	database, dir := clustertest.New(t), t.TempDir()
	output, err := exec.Command(filepath.Join(root, "bin/api"), "publish", "--database-url", database, "--data-dir", dir,
		"--site", filepath.Join(root, "site"), "--hugo", filepath.Join(root, "bin/hugo"),
		"--clients", filepath.Join(root, "var/clients")).CombinedOutput()
	if err != nil {
		t.Fatalf("%v (make build)\n%s", err, output)
	}
	return start(t, database, publish.Current(filepath.Join(dir, "site")), filepath.Join(dir, "dataset"))
}

// freshPages gets the pages of a fresh start, or another one of it that -page names.
func (s *served) freshPages(t testing.TB) (pages []*page) {
	t.Helper()
	paths, listed := freshPaths, s.listed(t)
	if *only != "" {
		paths = []string{*only}
	}
	for _, path := range paths {
		p := s.get(t, path)
		p.listed = slices.Contains(listed, path)
		pages = append(pages, p)
	}
	return pages
}
