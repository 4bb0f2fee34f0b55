package docs_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	reQuote    = regexp.MustCompile(`"([^"]+)"`)
	reTestName = regexp.MustCompile(`\b(?:Test|Benchmark|Fuzz)[A-Z]\w*`)
	reFunc     = regexp.MustCompile(`(?m)^func ((?:Test|Benchmark|Fuzz)[A-Z]\w*)\(`)
	rePath     = regexp.MustCompile("`([\\w.-]+(?:/[\\w.-]+)+)`")
	reEvidence = regexp.MustCompile("https://|`make |`go test |[Bb]y definition")

	// This is a row of docs/reliability.md that names its tests. It has its evidence beside it.
	reHeld = regexp.MustCompile(`(?m)^\|.*\bTest[A-Z].*$`)

	// These aren't prose in a document or template.
	reNoProse = regexp.MustCompile(`(?s)<!--.*?-->|\{\{.*?\}\}`)
	reBlock   = regexp.MustCompile(`</?(?:p|li|h\d|td|th|div|section|ul|ol|tr|caption)\b[^>]*>`)
	reTag     = regexp.MustCompile(`</?[a-z][^<>]*>`)
	reHref    = regexp.MustCompile(`!?\[([^\]]*)\]\([^)]*\)`)
	reSpace   = regexp.MustCompile(`\s+`)
	// Paragraphs, headings, rows, cells and items of lists end sentences, as full stops do.
	reItem = regexp.MustCompile(`\n\s*\n|\n(?:#|\||- |\d+\. |: |> |    )| \| `)
	reStop = regexp.MustCompile(`[.?!]\s+`)
)

// Words that claim something of all cases, or a first place. In README.md and on the home page each sentence with one
// of them needs evidence; in the documents, the texts and templates of the site and the pages that the server makes,
// each with a promise or a comparison of Flashdex with others.
var (
	strong = words("first|only|never|nobody|anybody|everybody|always|all|every|everything|no|none|nothing|best|fastest|" +
		"quickest|unlike|can['’]t|cannot|impossible|exactly")
	promise = words("never|nobody|anybody|nothing|always|" +
		"no (?:way|one|account|cookie|address|key|number|upload|rank|figure|comparison)s?")
	comparison = words("unlike|nobody else|world['’]s|state of the art|unique|unmatched|unrivalled|" +
		"(?:first|only|best|fastest|largest|no other|every other) (?:open |free |public )?" +
		"(?:site|tool|index|project|database|benchmark|client|collection)")
)

func words(alternatives string) *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(?:` + alternatives + `)\b`)
}

// claimed lists the documents by the words in them that need evidence.
var claimed = []struct {
	words *regexp.Regexp
	files []string
}{
	{strong, []string{"README.md", "site/content/_index.md", "site/layouts/home.html",
		"site/layouts/_partials/question/answers.html", "site/layouts/_partials/question/first.html",
		"site/layouts/_partials/table-notes.html", "site/layouts/_partials/profile-examples.html"}},
	{promise, []string{"CONTRIBUTING.md", "SECURITY.md", "docs/*.md", "docs/decisions/*.md", "site/content/*.md",
		"site/content/*/*.md", "site/layouts/*.html", "site/layouts/*/*.html", "site/layouts/*/*/*.html",
		"api/page/*.html"}},
	{comparison, []string{"CONTRIBUTING.md", "docs/*.md", "site/content/*.md", "site/content/*/*.md",
		"site/layouts/*.html", "site/layouts/*/*.html", "site/layouts/*/*/*.html"}},
}

// A claim is one row of claims.md.
type claim struct {
	file     string
	quotes   []string
	evidence string
}

// TestClaimsStandInTheirDocuments finds each quoted claim, word for word, in the document that its heading names.
func TestClaimsStandInTheirDocuments(t *testing.T) {
	t.Parallel()
	documents := map[string]string{}
	for _, c := range claims(t) {
		if documents[c.file] == "" {
			documents[c.file] = prose(t, c.file)
		}
		for _, quote := range c.quotes {
			if !strings.Contains(documents[c.file], plain(quote)) {
				t.Errorf("docs/claims.md quotes %s: %q, which isn't there any more. If the sentence was changed, change the "+
					"quote, and see whether its evidence still holds", c.file, quote)
			}
		}
	}
}

// TestClaimsNameEvidenceThatExists finds every test and file that claims.md names as evidence. It also finds every test
// that another document names.
func TestClaimsNameEvidenceThatExists(t *testing.T) {
	t.Parallel()
	tests := testsOfTheTree(t)
	for _, c := range claims(t) {
		named := len(reTestName.FindAllString(c.evidence, -1)) + len(rePath.FindAllString(c.evidence, -1))
		if named == 0 && !reEvidence.MatchString(c.evidence) {
			t.Errorf("%s: %q has no evidence: name a test, a file, a command or a source", c.file, c.quotes)
		}
		for _, path := range rePath.FindAllStringSubmatch(c.evidence, -1) {
			if _, err := os.Stat(filepath.Join("..", path[1])); err != nil {
				t.Errorf("%s: %q rests on a file that isn't there: %v", c.file, c.quotes, err)
			}
		}
	}
	for _, document := range documentsOfTheTree(t) {
		for _, name := range reTestName.FindAllString(read(t, document), -1) {
			if !tests[name] {
				t.Errorf("%s rests on %s, and there is no such test", document, name)
			}
		}
	}
}

// TestClaimsHaveEvidence finds the sentences that claim much but aren't in claims.md.
func TestClaimsHaveEvidence(t *testing.T) {
	t.Parallel()
	listed := map[string][]string{}
	for _, c := range claims(t) {
		for _, quote := range c.quotes {
			listed[c.file] = append(listed[c.file], plain(quote))
		}
	}
	for _, group := range claimed {
		for _, pattern := range group.files {
			files, err := filepath.Glob(filepath.Join("..", pattern))
			if err != nil || len(files) == 0 {
				t.Fatalf("%s: %v, %v", pattern, files, err)
			}
			for _, file := range files {
				file = filepath.ToSlash(file[len("../"):])
				if file == "docs/claims.md" {
					continue
				}
				for _, sentence := range sentences(t, file) {
					word := group.words.FindString(sentence)
					if word == "" || slices.ContainsFunc(listed[file], func(quote string) bool {
						return strings.Contains(sentence, quote) || strings.Contains(quote, sentence)
					}) {
						continue
					}
					t.Errorf("%s claims something (%q) without evidence: %q. Add a row to docs/claims.md with the test, file, "+
						"command or source that shows it, or say only what can be shown", file, word, sentence)
				}
			}
		}
	}
}

// claims reads claims.md.
func claims(t *testing.T) []claim {
	t.Helper()
	var found []claim
	file := ""
	for line := range strings.Lines(read(t, "claims.md")) {
		line = strings.TrimSpace(line)
		if heading, ok := strings.CutPrefix(line, "## "); ok {
			file = strings.Trim(heading, "`")
		}
		said, evidence, ok := strings.Cut(strings.TrimPrefix(line, "| "), " | ")
		if !ok || !strings.HasPrefix(said, `"`) {
			continue
		}
		c := claim{file: file, evidence: evidence}
		for _, quote := range reQuote.FindAllStringSubmatch(said, -1) {
			c.quotes = append(c.quotes, quote[1])
		}
		found = append(found, c)
	}
	if len(found) < 100 {
		t.Fatalf("only %d claims", len(found))
	}
	return found
}

// prose returns the text of one of the repository's documents or templates on one line, without markup.
func prose(t *testing.T, file string) string {
	t.Helper()
	return plain(reNoProse.ReplaceAllString(reTag.ReplaceAllString(source(t, file), ""), ""))
}

// sentences returns the sentences of a document or template, without markup.
func sentences(t *testing.T, file string) []string {
	t.Helper()
	text := source(t, file)
	if file == "docs/reliability.md" {
		text = reHeld.ReplaceAllString(text, "")
	}
	text = reNoProse.ReplaceAllString(reBlock.ReplaceAllString(text, "\n\n"), "\n\n")
	var found []string
	for _, item := range reItem.Split(reTag.ReplaceAllString(text, ""), -1) {
		for _, sentence := range reStop.Split(item, -1) {
			found = append(found, strings.TrimRight(plain(sentence), ".?!"))
		}
	}
	return found
}

// source returns a file of the repository without its blocks of code.
func source(t *testing.T, file string) string {
	t.Helper()
	return read(t, filepath.Join("..", file))
}

// plain removes the markup of Markdown from a text, and makes the text one line.
func plain(text string) string {
	text = reHref.ReplaceAllString(text, "$1")
	text = strings.NewReplacer("**", "", "`", "", "\\|", "|").Replace(text)
	return strings.TrimSpace(reSpace.ReplaceAllString(text, " "))
}

// testsOfTheTree returns the names of all tests, benchmarks and fuzz tests.
func testsOfTheTree(t *testing.T) map[string]bool {
	t.Helper()
	tests := map[string]bool{}
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, name := range reFunc.FindAllStringSubmatch(string(text), -1) {
			tests[name[1]] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return tests
}
