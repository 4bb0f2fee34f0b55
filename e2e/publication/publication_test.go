// Package publication tests publications that take over the pages that did not change. Such a publication must be the
// same as one that makes all pages. The tests use a real database and Hugo.
package publication

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"flashdex/api/catalogue"
	"flashdex/api/dataset"
	"flashdex/api/figure/question"
	"flashdex/api/publish"
	"flashdex/api/store"
	"flashdex/api/store/cluster/clustertest"
	"flashdex/api/submission"
	"flashdex/api/submission/copies/copiestest"
	"flashdex/data"
	"flashdex/result"
	"flashdex/result/schema"

	"github.com/google/go-cmp/cmp"
)

// bundle is a database with a part of the catalogue, and a publisher that takes pages over.
type bundle struct {
	*store.Store
	catalogue *catalogue.Catalogue
	presets   []question.Question
	modules   []catalogue.Module
	published []catalogue.Published
	url, dir  string
}

const root = "../.."

func open(t testing.TB) *bundle { return openWith(t, 24) }

// openWith imports so many modules of the catalogue.
func openWith(t testing.TB, modules int) *bundle {
	t.Helper()
	url := clustertest.New(t)
	s, err := store.Open(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	c, err := catalogue.Load(data.FS)
	if err != nil {
		t.Fatal(err)
	}
	presets, err := question.Load(data.FS)
	if err != nil {
		t.Fatal(err)
	}
	b := &bundle{Store: s, catalogue: c, presets: presets, url: url, dir: t.TempDir()}
	b.modules = c.Modules[:modules:modules]
	for _, p := range c.Published {
		if slices.ContainsFunc(b.modules, func(m catalogue.Module) bool { return m.Slug == p.ModuleSlug }) {
			b.published = append(b.published, p)
		}
	}
	b.importCatalogue(t)
	return b
}

func (b *bundle) importCatalogue(t testing.TB) {
	t.Helper()
	if err := b.ImportCatalogue(t.Context(), b.modules, b.published); err != nil {
		t.Fatal(err)
	}
}

// publish publishes into a folder, by a process that has just started, and returns the folder of the publication.
func (b *bundle) publish(t testing.TB, dir string) string {
	t.Helper()
	if err := b.publisher(dir, filepath.Join(root, "bin/hugo")).PublishIfNew(t.Context()); err != nil {
		t.Fatal(err)
	}
	return publish.Current(dir)
}

func (b *bundle) publisher(dir, hugo string) *publish.Publisher {
	return publish.New(publish.Config{
		Store: b, Catalogue: b.catalogue, Presets: b.presets, Hugo: hugo,
		Project: filepath.Join(root, "site"), Dir: dir, Clients: dir, Holder: "test",
		SiteURL: "http://localhost:8080", Version: "test",
		Log: slog.New(slog.NewTextHandler(io.Discard, nil)), Data: func() dataset.Index { return dataset.Index{} },
	})
}

// by is an operator at the command line.
func by(name string) submission.Authority { return submission.Authority{Name: name} }

func contributor(name string) [sha256.Size]byte { return sha256.Sum256([]byte(name)) }

// upload stores a run of somebody's only unit of a module. Its random writes are speed times as fast as the document's.
func (b *bundle) upload(t testing.TB, who string, m catalogue.Module, speed int64) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "result/testdata/valid/sd-card.json"))
	if err != nil {
		t.Fatal(err)
	}
	var doc result.Document
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	tag := contributor(who + m.Slug)
	doc.ID, doc.UnitTag, doc.Spoilers = result.NewID(), hex.EncodeToString(tag[:16]), []string{}
	doc.StartedAt = copiestest.NextStart()
	test := doc.Test(result.RandWrite)
	test.DurationNS = 0
	for i := range test.Batches {
		test.Batches[i].NS /= speed
		test.DurationNS += test.Batches[i].NS
	}
	if text, err = json.MarshalIndent(&doc, "", "\t"); err != nil {
		t.Fatal(err)
	}
	read, err := schema.Read(text)
	if err != nil {
		t.Fatal(err)
	}
	accepted := submission.Decision{State: submission.Accepted}
	id := contributor(who)
	origin := submission.Origin{Network: append([]byte("key "), id[:]...)} // one of their own
	if _, err := b.AddSubmission(t.Context(), id, read, text, m, accepted, origin); err != nil {
		t.Fatal(err)
	}
	return doc.ID
}

var reBuilt = regexp.MustCompile(`"as_of":"[^"]*"|(?s)<p class="built">.*?</p>|` +
	`<time datetime="[^"]*T[^"]*">[^<]*</time>`)

// filesOf returns the files of a publication by name, without the words that say when each was made.
func filesOf(t testing.TB, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	built := os.DirFS(dir)
	err := fs.WalkDir(built, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(built, name)
		files[name] = string(reBuilt.ReplaceAll(text, nil))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// madeAnew returns the slugs of modules whose pages a publication made, instead of taking them over from the one
// before.
func madeAnew(t testing.TB, before, now string) (slugs []string) {
	t.Helper()
	pages, err := filepath.Glob(filepath.Join(now, "modules/*/index.html"))
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range pages {
		name, _ := filepath.Rel(now, page)
		one, err := os.Stat(page)
		if err != nil {
			t.Fatal(err)
		}
		if other, err := os.Stat(filepath.Join(before, name)); err != nil || !os.SameFile(one, other) {
			slugs = append(slugs, filepath.Base(filepath.Dir(page)))
		}
	}
	return slugs
}

func TestPagesThatAreTakenOverAreAsIfMadeAnew(t *testing.T) {
	t.Parallel()
	b := open(t)
	evo, ultra := b.modules[3], b.modules[7]
	typed := catalogue.Module{
		Slug: "acme-turbo-32gb-microsd", Vendor: "Acme", Product: "Turbo", CapacityGB: 32, Form: "microsd",
		Provisional: true, KnownFrom: catalogue.KnownFromTyped,
		Confirmed: true,
	}
	var first string
	for i, who := range []string{"alice", "bob", "carol"} {
		b.upload(t, who, evo, int64(i+1))
		first = b.upload(t, who, ultra, int64(2*i+3))
	}
	for _, step := range []struct {
		name string
		do   func()
		anew []string // pages of modules; nil: all
	}{
		{"nothing was there", func() {}, nil},
		{"nothing happened", func() {}, []string{}},
		// Its own page, and no other's place.
		{"an upload", func() { b.upload(t, "dave", evo, 2) }, []string{evo.Slug}},
		{"an upload that overtakes", func() {
			for range 3 {
				b.upload(t, "alice", evo, 90)
			}
			b.upload(t, "bob", evo, 90)
			b.upload(t, "carol", evo, 90)
		}, nil},
		{"a module that nobody knew", func() { b.upload(t, "alice", typed, 1) }, []string{typed.Slug}},
		{"a deletion", func() { b.must(t, b.DeleteSubmission(t.Context(), contributor("carol"), first)) }, nil},
		{"a merge", func() {
			b.must(t, b.MergeModules(t.Context(), typed.Slug, b.modules[10].Slug, "the same", by("test")))
		}, nil},
		{"another catalogue", func() {
			b.modules = slices.Clone(b.modules)
			b.modules[12].Product += " Plus"
			b.modules = b.modules[:22]
			b.published = slices.DeleteFunc(b.published, func(p catalogue.Published) bool {
				return p.ModuleSlug > b.modules[21].Slug
			})
			b.published[0].Note += " Another note."
			b.importCatalogue(t)
		}, nil},
		{"a typed name of which nothing is left", func() {
			m := catalogue.Module{
				Slug: "typed-2", Product: "Typed", Form: "sd", Provisional: true, KnownFrom: catalogue.KnownFromTyped,
				Confirmed: true,
			}
			id := b.upload(t, "eve", m, 1)
			b.publish(t, b.dir)
			b.must(t, b.DeleteSubmission(t.Context(), contributor("eve"), id))
		}, []string{typed.Slug}}, // which leads to the module that it was merged into
	} {
		step.do()
		before := publish.Current(b.dir)
		var held map[string]string
		if before != "" {
			held = filesOf(t, before)
		}
		now := b.publish(t, b.dir)
		if diff := cmp.Diff(filesOf(t, b.publish(t, t.TempDir())), filesOf(t, now)); diff != "" {
			t.Fatalf("after %s (-all anew +taken over):\n%s", step.name, diff)
		}
		anew := madeAnew(t, before, now)
		t.Logf("%s: %d pages of modules were made", step.name, len(anew))
		if step.anew != nil && !slices.Equal(anew, step.anew) {
			t.Errorf("after %s the pages of %v were made, want %v", step.name, anew, step.anew)
		}
		if before != "" {
			if diff := cmp.Diff(held, filesOf(t, before)); diff != "" {
				t.Fatalf("%s changed the publication before (-was +is):\n%s", step.name, diff)
			}
		}
	}
}

// A publication is made in the folder of an old one. Old pages and redirects don't come back.
func TestFilesOfAnOldPublicationDoNotComeBack(t *testing.T) {
	t.Parallel()
	b := open(t)
	typed := catalogue.Module{
		Slug: "typed", Product: "Typed", Form: "sd", Provisional: true, KnownFrom: catalogue.KnownFromTyped,
		Confirmed: true,
	}
	b.upload(t, "alice", typed, 1)
	oldest := b.publish(t, b.dir)
	b.must(t, b.MergeModules(t.Context(), typed.Slug, b.modules[10].Slug, "the same", by("test")))
	b.publish(t, b.dir)
	b.upload(t, "alice", b.modules[5], 1) // with its first result it leaves the modules that others published figures of
	before := b.publish(t, b.dir)
	folder, err := os.Stat(filepath.Join(oldest, "modules"))
	b.must(t, err)
	b.upload(t, "alice", b.modules[5], 2)
	now := b.publish(t, b.dir)
	if recycled, err := os.Stat(filepath.Join(now, "modules")); err != nil || !os.SameFile(folder, recycled) {
		t.Errorf("the folder of modules' pages is not that of %s, %v", oldest, err)
	}
	if diff := cmp.Diff(filesOf(t, b.publish(t, t.TempDir())), filesOf(t, now)); diff != "" {
		t.Errorf("(-all anew +taken over):\n%s", diff)
	}
	// The redirect is written by every publication.
	if anew := madeAnew(t, before, now); !slices.Equal(anew, []string{b.modules[5].Slug, typed.Slug}) {
		t.Errorf("the pages of %v were made", anew)
	}
	left, err := filepath.Glob(filepath.Join(b.dir, "*-*"))
	if want := 2 * 3; err != nil || len(left) != want { // folders, and what they were made of
		t.Errorf("%v are left, want %d, %v", left, want, err)
	}
}

// A publisher that dies leaves the old site in place. The next publisher takes over from that.
func TestPublisherThatDiedLeavesTheOldSite(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.upload(t, "alice", b.modules[1], 1)
	b.upload(t, "alice", b.modules[0], 1) // with its first result it leaves the modules that others published figures of
	before := b.publish(t, b.dir)
	held := filesOf(t, before)
	b.upload(t, "alice", b.modules[0], 2)
	// This one ends in the middle, as Hugo does when the machine has no memory left.
	half := filepath.Join(t.TempDir(), "hugo")
	script := "#!/bin/sh\n" +
		"while [ $# -gt 0 ]; do [ \"$1\" = --destination ] && mkdir -p \"$2/modules\" && " +
		"echo half >\"$2/index.html\"; shift; done\nkill -9 $$\n"
	if err := os.WriteFile(half, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := b.publisher(b.dir, half).PublishIfNew(t.Context()); err == nil || !strings.Contains(err.Error(), "killed") {
		t.Fatalf("publishing gave %v", err)
	}
	// And this one ends before it can clean up.
	left := filepath.Join(b.dir, "99-20990101T000000.000")
	if err := os.CopyFS(left, os.DirFS(filepath.Join(before, "modules"))); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(held, filesOf(t, publish.Current(b.dir))); diff != "" {
		t.Errorf("the site changed (-was +is):\n%s", diff)
	}
	now := b.publish(t, b.dir)
	if anew := madeAnew(t, before, now); !slices.Equal(anew, []string{b.modules[0].Slug}) {
		t.Errorf("the pages of %v were made", anew)
	}
	// A page that somebody removed is made again.
	if err := os.RemoveAll(filepath.Join(now, "modules", b.modules[5].Slug)); err != nil {
		t.Fatal(err)
	}
	if anew := madeAnew(t, now, b.publish(t, b.dir)); !slices.Equal(anew, []string{b.modules[5].Slug}) {
		t.Errorf("the pages of %v were made", anew)
	}
	now = publish.Current(b.dir)
	if err := os.Remove(filepath.Join(now, "modules", b.modules[6].Slug+".csv")); err != nil {
		t.Fatal(err)
	}
	if anew := madeAnew(t, now, b.publish(t, b.dir)); !slices.Equal(anew, []string{b.modules[6].Slug}) {
		t.Errorf("the pages of %v were made", anew)
	}
	// If a publication doesn't say what its pages are made of, nothing is taken over from it.
	now = publish.Current(b.dir)
	if err := os.WriteFile(now+".json", []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	if anew := madeAnew(t, now, b.publish(t, b.dir)); len(anew) != len(b.modules) {
		t.Errorf("the pages of %v were made", anew)
	}
}

func (b *bundle) must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
