// Command summary reads the output of `go test -json`. It shows a line for each package, and everything that failing
// tests said. Its last lines list the skipped tests and the reason, so that nobody takes them for passed.
package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
)

// event is one line of `go test -json` (go doc test2json).
type event struct{ Action, Package, ImportPath, Test, Output string }

func main() {
	if !summarize(os.Stdin, os.Stdout) {
		os.Exit(1)
	}
}

// summarize returns false unless at least one test passed and none failed.
func summarize(from io.Reader, to io.Writer) (passed bool) {
	said := map[event][]string{} // by package and test
	running := map[event]bool{}
	skipped := map[string][]string{} // tests by reason
	tests, failed := 0, false
	lines := bufio.NewScanner(from)
	for lines.Buffer(nil, 16<<20); lines.Scan(); {
		var e event
		if json.Unmarshal(lines.Bytes(), &e) != nil {
			fmt.Fprintln(to, lines.Text()) // not from a test
			continue
		}
		of := event{Package: cmp.Or(e.Package, e.ImportPath), Test: e.Test}
		if running[of] = e.Test != "" && !slices.Contains([]string{"pass", "fail", "skip"}, e.Action); !running[of] {
			delete(running, of)
		}
		switch {
		case e.Action == "output" && strings.HasPrefix(e.Output, "=== "): // RUN, PAUSE, CONT, NAME
		case e.Action == "output" || e.Action == "build-output":
			said[of] = append(said[of], e.Output)
		case e.Action == "skip" && e.Test != "":
			why := reason(said[of])
			skipped[why] = append(skipped[why], e.Test)
			delete(said, of)
		case e.Action == "pass" && e.Test != "":
			tests++
			delete(said, of)
		case e.Action == "fail" || e.Action == "build-fail":
			failed = true
			for test := range running {
				if e.Test == "" && test.Package == of.Package {
					fmt.Fprintf(to, "%s did not end\n%s", test.Test, strings.Join(said[test], ""))
					delete(running, test)
				}
			}
			fmt.Fprint(to, strings.Join(said[of], ""))
			delete(said, of)
		case e.Action == "pass" || e.Action == "skip": // only the last line of a package matters
			if all := said[of]; len(all) > 0 {
				fmt.Fprint(to, all[len(all)-1])
			}
			delete(said, of)
		}
	}
	n := 0
	for _, names := range skipped {
		n += len(names)
	}
	fmt.Fprintf(to, "%d tests passed, %d were skipped\n", tests, n)
	for _, why := range slices.Sorted(maps.Keys(skipped)) {
		fmt.Fprintf(to, "skipped, %s: %s\n", why, strings.Join(skipped[why], ", "))
	}
	return tests > 0 && !failed && lines.Err() == nil
}

// reason finds the argument of t.Skip in a test's output: " file_test.go:12: reason".
func reason(said []string) string {
	for _, line := range slices.Backward(said) {
		if _, why, found := strings.Cut(line, "_test.go:"); found {
			_, why, _ = strings.Cut(why, ": ")
			return strings.TrimSpace(why)
		}
	}
	return "without a reason"
}
