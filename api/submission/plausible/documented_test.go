package plausible

import (
	"os"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// docs/moderation.md lists exactly these rules, in the order of the code, with their severities.
func TestRulesAreDocumented(t *testing.T) {
	t.Parallel()
	document, err := os.ReadFile("../../../docs/moderation.md")
	if err != nil {
		t.Fatal(err)
	}
	var want, got []string
	for _, r := range rules {
		want = append(want, r.name+" "+map[Severity]string{Quarantine: "quarantine", Reject: "reject"}[r.severity])
	}
	reRow := regexp.MustCompile("(?m)^\\| `([a-z-]+)` \\| [^|]+ \\| (\\w+) \\| [^|]+ \\|$")
	for _, row := range reRow.FindAllSubmatch(document, -1) {
		got = append(got, string(row[1])+" "+string(row[2]))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("docs/moderation.md (-rules +documented):\n%s", diff)
	}
}
