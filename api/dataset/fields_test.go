package dataset_test

import (
	"flag"
	"os"
	"strings"
	"testing"

	"flashdex/api/dataset"
)

var update = flag.Bool("update", false, "write the columns into docs/data.md")

func TestColumnsAreDocumented(t *testing.T) {
	t.Parallel()
	const path = "../../docs/data.md"
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	page := string(text)
	for file, fields := range map[string][]dataset.Field{"modules.csv": dataset.ModuleFields, "results.csv": dataset.ResultFields} {
		before, after, found := strings.Cut(page, "## "+file+"\n")
		at := strings.Index(after, "| column | meaning |")
		if !found || at < 0 {
			t.Fatalf("%s has no table of %s", path, file)
		}
		rest := ""
		if end := strings.Index(after[at:], "\n\n"); end >= 0 {
			rest = after[at+end+1:]
		}
		page = before + "## " + file + "\n" + after[:at] + dataset.Table(fields) + rest
	}
	if *update {
		if err := os.WriteFile(path, []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if page != string(text) {
		t.Errorf("%s is not what fields.go declares: run go test ./api/dataset -run Documented -update", path)
	}
}
