package schema_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"flashdex/result/schema"
)

// FuzzRead ensures that Read returns one of its documented errors or a consistent document that can be written and read
// again.
func FuzzRead(f *testing.F) {
	files, err := filepath.Glob("../testdata/valid/*.json")
	if err != nil || len(files) == 0 {
		f.Fatalf("%v, %v", files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	for _, text := range []string{
		"", "null", "[]", "{}", `{"schema_version":1}`, `{"schema_version":2}`, `{"schema_version":1e0}`,
		`{"schema_version":1.0}`, "\xff", `"\ud800"`, `{"a":1,"a":2}`,
		`[[[[[[[[[[0]]]]]]]]]]`, `{"tests":[{"ops":1e1000000}]}`, `{"tests":[{"latency":[[1,2,3]]}]}`,
		`{"module":{"vendor":"\u202e"}}`, `{"id":"\u0000"}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		doc, err := schema.Read(text)
		var unsupported *schema.UnsupportedVersionError
		var invalid *schema.InvalidError
		switch {
		case err == nil:
		case errors.As(err, &invalid):
			if len(invalid.Problems) == 0 || invalid.Error() == "" {
				t.Error("nobody learns what is invalid")
			}
			return
		case errors.Is(err, schema.ErrNotJSON) || errors.As(err, &unsupported):
			return
		default:
			t.Fatalf("another error: %v", err)
		}
		if found := doc.Check(); len(found) > 0 {
			t.Errorf("taken, though %v", found)
		}
		for i := range doc.Tests {
			doc.Tests[i].Figures()
		}
		doc.NotRanked()
		again, err := json.Marshal(doc)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := schema.Read(again); err != nil {
			t.Errorf("written again it is not read: %v\n%s", err, again)
		}
	})
}
