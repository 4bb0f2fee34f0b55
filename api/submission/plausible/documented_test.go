package plausible

import (
	"os"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Every rule stands in docs/moderation.md, in the order of the code and with its severity, and nothing else does.
func TestRulesAreDocumented(t *testing.T) {
	t.Parallel()
	document, err := os.ReadFile("../../../docs/moderation.md")
	if err != nil {
		t.Fatal(err)
	}
	var want, got []string
	for _, r := range rules {
		want = append(want, r.name+" "+r.severity.String())
	}
	for _, row := range regexp.MustCompile("(?m)^\\| `([a-z-]+)` \\| [^|]+ \\| (\\w+) \\| [^|]+ \\|$").FindAllSubmatch(document, -1) {
		got = append(got, string(row[1])+" "+string(row[2]))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("docs/moderation.md (-rules +documented):\n%s", diff)
	}
}
