package schema_test

import (
	"os"
	"testing"

	"flashdex/result/schema"
)

// BenchmarkRead reads a client's document. That takes most of the server's time for an upload.
func BenchmarkRead(b *testing.B) {
	data, err := os.ReadFile("../../e2e/ingest/testdata/standard.json")
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := schema.Read(data); err != nil {
			b.Fatal(err)
		}
	}
}
