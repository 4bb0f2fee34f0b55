package result_test

import (
	"slices"
	"testing"

	"flashdex/result"
)

// Each ratio has only one difference: zeros in place of random data, or 512 B in place of 1 MiB.
func TestTreatmentTellsZerosFromSmallPieces(t *testing.T) {
	t.Parallel()
	doc := read(t, "reference-2.json")
	rate := func(name string, blockBytes int64, mbPerS float64) {
		test := doc.TestOf(name, blockBytes)
		test.Bytes = int64(mbPerS * float64(test.DurationNS) / 1e3)
	}
	rate(result.SeqWrite, 1<<20, 10)
	rate(result.SeqRewrite, 1<<20, 40)
	rate(result.SeqRead, 1<<20, 20)
	rate(result.SeqRead, 512, 1)
	rate(result.SeqWrite, 512, 0.4)
	const zeros = "The module writes zeros at 400 % of the rate of random data, both 1 MiB at a time."
	want := zeros + " 512 B at a time, it reads at 5 % and writes zeros at 1 % of the rate of 1 MiB at a time."
	if got := doc.Treatment(); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	without := func(blockBytes int64, data string) {
		doc.Tests = slices.DeleteFunc(doc.Tests, func(t result.Test) bool {
			return t.BlockBytes == blockBytes && t.Data == data
		})
	}
	without(512, result.Zeros) // direct I/O may refuse them
	if got := doc.Treatment(); got != zeros {
		t.Errorf("without 512 B %q, want %q", got, zeros)
	}
	without(1<<20, result.Zeros)
	if got := doc.Treatment(); got != "" {
		t.Errorf("without zeros %q", got)
	}
	doc = read(t, "iozone-1.json")
	if got := doc.Treatment(); got != "" {
		t.Errorf("of another method %q", got)
	}
}
