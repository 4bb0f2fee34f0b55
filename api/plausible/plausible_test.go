package plausible_test

import (
	"os"
	"path/filepath"
	"testing"

	"flashdex/api/plausible"
	"flashdex/result"
	"flashdex/result/schema"

	"github.com/google/go-cmp/cmp"
)

// read reads one of the valid examples.
func read(t testing.TB, file string) *result.Document {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := schema.Read(data)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func TestValidExamplesPass(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../../result/testdata/valid/*.json")
	if err != nil || len(files) < 2 {
		t.Fatalf("valid examples: %v, %v", files, err)
	}
	for _, file := range files {
		if diff := cmp.Diff([]plausible.Finding(nil), plausible.Check(read(t, file))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", file, diff)
		}
	}
}
