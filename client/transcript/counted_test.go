package transcript_test

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

const countedIn = "../../docs/import.md"

// The table at the end of docs/import.md counts each tool's fixtures, and the results that read.golden lists for them.
func TestRealOutputsAreCountedInTheDocument(t *testing.T) {
	t.Parallel()
	type count struct{ made, published, recorded, refused, results, tests, leftOut int }
	before, after, found := strings.Cut(text(t, "README.md"), "| made with a program's own recorder |")
	if !found {
		t.Fatal("README.md has no table of what was made with a program's own recorder")
	}
	_, published, _ := strings.Cut(before, "| file | published in |")
	counts, of := map[string]*count{}, &count{}
	for line := range strings.Lines(text(t, "read.golden")) {
		line = strings.TrimSuffix(line, "\n")
		switch file, isFile := strings.CutPrefix(line, "== "); {
		case isFile:
			tool, _, _ := strings.Cut(strings.TrimSuffix(file, ".txt"), "-")
			tool, _, _ = strings.Cut(tool, ".")
			if strings.HasPrefix(tool, "f3") {
				tool = "f3" // f3 has several programs
			}
			if counts[tool] == nil {
				counts[tool] = &count{}
			}
			switch of = counts[tool]; {
			case strings.Contains(published, "`"+file+"`"):
				of.published++
			case strings.Contains(after, "`"+file+"`"):
				of.recorded++
			default:
				of.made++
			}
		case strings.HasPrefix(line, "asks for "):
		case strings.HasPrefix(line, "error: "):
			of.refused++
		case strings.HasPrefix(line, "  left out: "):
			of.leftOut++
		case strings.HasPrefix(line, "  told "), strings.HasPrefix(line, "  right: "):
		case strings.HasPrefix(line, "  "):
			of.tests++
		default:
			of.results++
		}
	}
	const head = "| files named after | made here | published | made with its recorder | results | their tests | " +
		"parts left out | refused whole |\n|---|---|---|---|---|---|---|---|\n"
	table, all := head, count{}
	row := func(tool string, c *count) {
		table += fmt.Sprintf("| %s | %d | %d | %d | %d | %d | %d | %d |\n", tool, c.made, c.published, c.recorded,
			c.results, c.tests, c.leftOut, c.refused)
	}
	for _, tool := range slices.Sorted(maps.Keys(counts)) {
		c := counts[tool]
		row(tool, c)
		all = count{
			all.made + c.made, all.published + c.published, all.recorded + c.recorded, all.refused + c.refused,
			all.results + c.results, all.tests + c.tests, all.leftOut + c.leftOut,
		}
	}
	row("all", &all)
	document, err := os.ReadFile(countedIn)
	if err != nil {
		t.Fatal(err)
	}
	above, rest, found := strings.Cut(string(document), head)
	if !found {
		t.Fatalf("%s has no such table:\n%s", countedIn, table)
	}
	for strings.HasPrefix(rest, "|") {
		_, rest, _ = strings.Cut(rest, "\n")
	}
	want := above + table + rest
	if *update {
		err = os.WriteFile(countedIn, []byte(want), 0o600)
	} else if want != string(document) {
		t.Errorf("%s has other counts; go test ./client/transcript -run TestRealOutputs -update writes:\n%s",
			countedIn, table)
	}
	if err != nil {
		t.Fatal(err)
	}
}
