package schema_test

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"flashdex/result/schema"
)

// Each document is small on the wire and would be large or slow in the validator. Read refuses it with one problem.
func TestDocumentsBuiltOfFaultsAreStoppedAtTheFirst(t *testing.T) {
	t.Parallel()
	complete, err := os.ReadFile("../testdata/valid/sd-card.json")
	if err != nil {
		t.Fatal(err)
	}
	many := func(n int, s string) string { return strings.Repeat(s, n) }
	cases := []struct{ name, old, new, pointer, detail string }{
		{"deep arrays", `"spoilers": [`, `"spoilers": [` + many(9000, "[") + many(9000, "]") + `, `, "/spoilers/0/0",
			"deeper"},
		{"deep objects", `"module": {`, `"module": {"a": ` + many(5000, `{"a": `) + "0" + many(5000, "}") + ", ",
			"/module/a/a", "deeper"},
		{"a long array", `"spoilers": [`, `"spoilers": [` + many(4001, "0,"), "/spoilers", "4000 elements"},
		{"many arrays", `"spoilers": [`, `"spoilers": [` + many(3999, "["+many(50, "0,")+"0],"), "", "50000 values"},
		{"a wide object", `"module": {`, `"module": {` + wide(1000), "/module", "64 members"},
		{"a number that takes long", `"overhead_ns": 1000000`, `"overhead_ns": 1e1000000`, "/tests/0/overhead_ns", "number"},
		{"a number that is none to the validator", `"overhead_ns": 1000000`, `"overhead_ns": 1e-1000001`,
			"/tests/0/overhead_ns", "number"},
		{"a long number", `"overhead_ns": 1000000`, `"overhead_ns": 1` + many(100_000, "0"), "/tests/0/overhead_ns",
			"number"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			damaged := strings.Replace(string(complete), c.old, c.new, 1)
			if damaged == string(complete) {
				t.Fatalf("the example doesn't hold %s", c.old)
			}
			_, err := schema.Read([]byte(damaged))
			var invalid *schema.InvalidError
			if !errors.As(err, &invalid) || len(invalid.Problems) != 1 {
				t.Fatalf("%.300v", err)
			}
			if p := invalid.Problems[0]; !strings.HasPrefix(p.Pointer, c.pointer) || !strings.Contains(p.Detail, c.detail) {
				t.Errorf("%s: %s; want %s at %s", p.Pointer, p.Detail, c.detail, c.pointer)
			}
		})
	}
}

func wide(members int) string {
	var b strings.Builder
	for i := range members {
		fmt.Fprintf(&b, `"m%d": 0, `, i)
	}
	return b.String()
}
