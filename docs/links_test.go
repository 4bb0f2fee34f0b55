package docs_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	reLink    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	reHeading = regexp.MustCompile(`(?m)^#+ (.+)$`)
	reCode    = regexp.MustCompile("(?ms)^```.*?^```")
	reNoSlug  = regexp.MustCompile(`[^\p{L}\p{N}_ -]`)
)

// TestLinksBetweenDocumentsLeadSomewhere follows every relative link of the repository's documents, with its anchor.
func TestLinksBetweenDocumentsLeadSomewhere(t *testing.T) {
	t.Parallel()
	for _, document := range documentsOfTheTree(t) {
		for _, link := range reLink.FindAllStringSubmatch(read(t, document), -1) {
			file, anchor, _ := strings.Cut(link[1], "#")
			if strings.Contains(file, ":") || strings.HasPrefix(file, "/") {
				continue // another site, or one of our pages
			}
			target := document
			if file != "" {
				target = filepath.Join(filepath.Dir(document), file)
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s links to %s: %v", document, link[1], err)
			} else if anchor != "" && !anchors(read(t, target))[anchor] {
				t.Errorf("%s links to %s, which has no such heading", document, link[1])
			}
		}
	}
}

// documentsOfTheTree returns the paths of the repository's documents.
func documentsOfTheTree(t *testing.T) []string {
	t.Helper()
	var documents []string
	for _, pattern := range []string{"../*.md", "*.md", "decisions/*.md", "../data/*.md", "../site/*.md"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		documents = append(documents, found...)
	}
	if len(documents) < 20 {
		t.Fatalf("only %v", documents)
	}
	return documents
}

// anchors returns the anchors of a document's headings, as Git forges make them.
func anchors(text string) map[string]bool {
	found := map[string]bool{}
	for _, heading := range reHeading.FindAllStringSubmatch(text, -1) {
		slug := reNoSlug.ReplaceAllString(strings.ToLower(heading[1]), "")
		found[strings.ReplaceAll(slug, " ", "-")] = true
	}
	return found
}

// read returns a document without its blocks of code.
func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return reCode.ReplaceAllString(string(text), "")
}
