package site_test

import (
	"html"
	"regexp"
	"strings"
	"testing"
)

// Pages count modules, units, results and contributors under these names only, and link to their meaning.
func TestCountsHaveOneName(t *testing.T) {
	t.Parallel()
	tree := build(t)
	for _, term := range []string{"contributor", "module", "result", "row", "run", "unit"} {
		if !strings.Contains(tree["glossary/index.html"], `id="`+term+`"`) {
			t.Errorf("the glossary lacks %s", term)
		}
	}
	published := regexp.MustCompile(`(?s)<h2 id="published">.*?(<h2 |</main>)`) // in the words of others
	tag, other := regexp.MustCompile(`<[^>]*>`), regexp.MustCompile(`\d (runs?|people|persons?|specimens?|uploads?)\b`)
	pages := 0
	for path, content := range tree {
		name, _, _ := strings.Cut(path, "/")
		switch name {
		case "api", "method", "sources", "test": // they report what others did, or are prose
			continue
		}
		if !strings.HasSuffix(path, ".html") {
			continue
		}
		pages++
		for line := range strings.Lines(html.UnescapeString(tag.ReplaceAllString(published.ReplaceAllString(content, "$1"), ""))) {
			if other.MatchString(line) {
				t.Errorf("%s: %.200s", path, line)
			}
		}
	}
	if pages < 100 {
		t.Errorf("only %d pages were read", pages)
	}
	for path, at := range map[string]string{
		"index.html": "/glossary/#result", "wanted/index.html": "/glossary/#counts",
		"modules/samsung-evo-plus-32gb-microsd/index.html": "/glossary/#counts",
	} {
		if !strings.Contains(tree[path], `href="`+at+`"`) {
			t.Errorf("%s doesn't lead to %s", path, at)
		}
	}
}
