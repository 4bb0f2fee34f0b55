package publish

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"flashdex/api/figure/question"
	"flashdex/data"
)

// The page of a module is the same whether Hugo makes it, as in a preview, or the publisher puts it into Hugo's frame.
func TestAFilledFrameIsWhatHugoMakes(t *testing.T) {
	t.Parallel()
	presets, err := question.Load(data.FS)
	if err != nil {
		t.Fatal(err)
	}
	snapshot, results := fixture(t)
	work := t.TempDir()
	s := newSite(work, snapshot, results, load(t), presets)
	pages, err := s.write(t.Context(), metaJSON{BuiltAt: time.Date(2026, 11, 22, 1, 2, 3, 0, time.UTC), SiteURL: "https://flashdex.example"}, fixtureData(), fixtureClients())
	if err != nil {
		t.Fatal(err)
	}
	preview, published := filepath.Join(work, "preview"), filepath.Join(work, "published")
	if err := (hugo{"../../bin/hugo", "../../site"}).build(t.Context(), s.input, filepath.Join(work, "hugo"), preview); err != nil {
		t.Fatal(err)
	}
	if err := New(Config{Hugo: "../../bin/hugo", Project: "../../site"}).render(t.Context(), s, pages, work, published); err != nil {
		t.Fatal(err)
	}
	var escaped, cut bool
	for _, m := range snapshot.Modules {
		file := pageFile("", modulePath(m.Slug))
		want := read(t, preview, file)
		if read(t, published, file) != want {
			t.Errorf("%s is another when the publisher fills it", file)
		}
		title, _, _ := strings.Cut(want, "</title>")
		escaped, cut = escaped || strings.Contains(title, "&lt;"), cut || strings.Contains(title, "…")
	}
	if !escaped || !cut {
		t.Errorf("of %d modules one has markup in its name: %v, and one a long name: %v; want both", len(snapshot.Modules), escaped, cut)
	}
	for _, file := range filesBelow(t, published) {
		if strings.HasPrefix(file, "r/module/") {
			t.Errorf("the empty frame is published as %s", file)
		}
	}
}

// A layout with other marks than the publisher fills must not be published.
func TestAFrameWithOtherMarksIsRefused(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "<title>flashdex:title</title>", "flashdex:title flashdex:title /r/module/ <!--flashdex:module-->", "flashdex:title /r/module/ flashdex:title <!--flashdex:module--> <!--flashdex:module-->"} {
		dir := t.TempDir()
		file := pageFile(dir, framePath)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := readModuleFrame(dir); err == nil || !strings.Contains(err.Error(), "other places to fill") {
			t.Errorf("%q: %v", text, err)
		}
	}
}
