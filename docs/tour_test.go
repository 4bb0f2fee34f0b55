package docs_test

import (
	"os"
	"regexp"
	"slices"
	"testing"
)

var (
	// One of the tour's files or an identifier, whichever comes next.
	reTourStop   = regexp.MustCompile("\\]\\(\\.\\./([\\w/]+\\.go)\\)|`([A-Za-z]\\w*)`")
	reDeclared   = regexp.MustCompile(`(?m)^(?:func (?:\([^)]*\) )?|type )([A-Za-z]\w*)`)
	notOfTheCode = []string{"outbox", "ingest", "publication", "guest", "result"} // a table, and folders
)

// TestTheTourLeadsThroughTheCode finds each function and type that the tour names in the file that it named last.
func TestTheTourLeadsThroughTheCode(t *testing.T) {
	t.Parallel()
	declared, file, stops := map[string]bool{}, "", 0
	for _, stop := range reTourStop.FindAllStringSubmatch(read(t, "tour.md"), -1) {
		if stop[1] != "" {
			file = stop[1]
			text, err := os.ReadFile("../" + file)
			if err != nil {
				t.Fatal(err)
			}
			declared = map[string]bool{}
			for _, of := range reDeclared.FindAllStringSubmatch(string(text), -1) {
				declared[of[1]] = true
			}
			continue
		}
		if slices.Contains(notOfTheCode, stop[2]) {
			continue
		}
		if stops++; !declared[stop[2]] {
			t.Errorf("the tour says that %s has %s, which it has not", file, stop[2])
		}
	}
	if stops < 30 {
		t.Errorf("the tour names only %d functions and types", stops)
	}
}
