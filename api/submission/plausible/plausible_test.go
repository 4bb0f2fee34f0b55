package plausible_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"flashdex/api/submission/plausible"
	"flashdex/result"
	"flashdex/result/schema"

	"github.com/google/go-cmp/cmp"
)

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

// The documents are the examples of result/testdata, and real ones of loop devices and emulated modules.
func TestRealDocumentsPass(t *testing.T) {
	t.Parallel()
	for pattern, least := range map[string]int{
		"../../../result/testdata/valid/*.json": 2, "testdata/*.json": 7, "../../../e2e/ingest/testdata/standard.json": 1,
	} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) < least {
			t.Fatalf("%s: only %v, %v", pattern, files, err)
		}
		for _, file := range files {
			if diff := cmp.Diff([]plausible.Finding(nil), plausible.Check(read(t, file))); diff != "" {
				t.Errorf("%s (-want +got):\n%s", file, diff)
			}
		}
	}
}

// FuzzCheck looks for a valid document that makes Check panic.
func FuzzCheck(f *testing.F) {
	files, _ := filepath.Glob("../../../result/testdata/valid/*.json")
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		doc, err := schema.Read(data)
		if err != nil {
			return
		}
		for i, found := range plausible.Check(doc) {
			if found.Reason == "" || found.Rule == "" || found.Severity < plausible.Quarantine {
				t.Errorf("finding %d: %+v", i, found)
			}
		}
	})
}

// BenchmarkCheck checks a usual document of the standard profile, of 14 kB, and the longest, of 35 kB.
func BenchmarkCheck(b *testing.B) {
	for _, file := range []string{"../../../e2e/ingest/testdata/standard.json", "testdata/loop-standard.json"} {
		b.Run(filepath.Base(file), func(b *testing.B) {
			doc := read(b, file)
			data, err := json.Marshal(doc)
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if found := plausible.Check(doc); found != nil {
					b.Fatal(found)
				}
			}
			b.ReportMetric(float64(len(data)), "document-bytes")
		})
	}
}
