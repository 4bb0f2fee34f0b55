package main

import (
	"os/exec"
	"strings"
	"testing"
)

// TestSummary runs real tests; some fail, some are skipped, some don't build.
func TestSummary(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		packages string
		passed   bool
		want     []string // lines
		not      string
	}{
		{"./testdata/good", true, []string{"2 tests passed, 2 were skipped",
			"skipped, needs a card: TestSkipped/card, TestSkippedToo", "ok  	flashdex/e2e/summary/testdata/good"}, "a secret of"},
		{"./testdata/good ./testdata/bad", false, []string{"bad_test.go:6: what went wrong", "FAIL	flashdex/e2e/summary/testdata/bad"},
			"a secret of"},
		{"./testdata/broken", false, []string{"undefined: nothing", "0 tests passed, 0 were skipped"}, "ok  "},
		{"./testdata/ended", false, []string{"TestEnded did not end"}, "ok  "},
	} {
		// go test fails if a test does. The summary must find that out by itself.
		events, _ := exec.Command("go", append([]string{"test", "-json"}, strings.Fields(c.packages)...)...).CombinedOutput()
		var said strings.Builder
		if passed := summarize(strings.NewReader(string(events)), &said); passed != c.passed {
			t.Errorf("%s: passed is %v", c.packages, passed)
		}
		for _, line := range c.want {
			if !strings.Contains(said.String(), line) {
				t.Errorf("%s: %q is missing in:\n%s", c.packages, line, said.String())
			}
		}
		if strings.Contains(said.String(), c.not) {
			t.Errorf("%s: %q is in:\n%s", c.packages, c.not, said.String())
		}
	}
	if summarize(strings.NewReader(""), &strings.Builder{}) {
		t.Error("no test at all passed")
	}
}
