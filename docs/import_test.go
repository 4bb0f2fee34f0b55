package docs_test

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestFormatsCompareWithMethodsThatAreThere compares the table of import.md with data/methods.json. Each method of an
// import has a row, and so have tools without a method. Each name in the last column is a method, or a tool's option.
func TestFormatsCompareWithMethodsThatAreThere(t *testing.T) {
	t.Parallel()
	var methods []struct{ ID string }
	if err := json.Unmarshal([]byte(read(t, "../data/methods.json")), &methods); err != nil {
		t.Fatal(err)
	}
	var ids, imports []string
	for _, m := range methods {
		ids = append(ids, m.ID)
		if strings.HasPrefix(m.ID, "import-") {
			imports = append(imports, m.ID)
		}
	}
	name := regexp.MustCompile("`([^`]+)`")
	var rows, without []string
	for line := range strings.Lines(read(t, "import.md")) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), " | ")
		if len(cells) != 4 || strings.Contains(cells[0], "tool, method") {
			continue
		}
		if !name.MatchString(cells[0]) {
			if without = append(without, strings.TrimSpace(cells[0])); strings.TrimSpace(cells[3]) != "–" {
				t.Errorf("%s has no method, and can be compared with %s", cells[0], cells[3])
			}
			continue
		}
		rows = append(rows, name.FindStringSubmatch(cells[0])[1])
		named := 0
		for _, match := range name.FindAllStringSubmatch(cells[3], -1) {
			if strings.HasPrefix(match[1], "-") {
				continue
			}
			if named++; !slices.Contains(ids, match[1]) {
				t.Errorf("%s can be compared with %s, which is no method", cells[0], match[1])
			}
		}
		if named == 0 {
			t.Errorf("%s can be compared with nothing", cells[0])
		}
	}
	slices.Sort(rows)
	slices.Sort(imports)
	slices.Sort(without)
	if want := []string{"A1 SD Bench", "ATTO", "armbianmonitor", "sbc-bench"}; !slices.Equal(without, want) {
		t.Errorf("the rows without a method are of %q, want %q", without, want)
	}
	if !slices.Equal(rows, imports) {
		t.Errorf("the rows are of %q, and the methods are %q", rows, imports)
	}
}
