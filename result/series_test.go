package result_test

import (
	"encoding/json"
	"testing"

	"flashdex/result"

	"github.com/google/go-cmp/cmp"
)

// A test of a day and a half with one operation a second keeps a short series that adds up exactly.
func TestSeriesOfDays(t *testing.T) {
	t.Parallel()
	var s result.Series
	var want, got result.Interval
	for i := range int64(36 * 3600) {
		v := result.Interval{Ops: 1 + i%3, Bytes: 4096 * (1 + i%3), NS: 1_000_000_000 + i*7919%400_000,
			MaxNS: i * 104729 % 900_000_000}
		s.Add(v)
		want = result.Interval{Ops: want.Ops + v.Ops, Bytes: want.Bytes + v.Bytes, NS: want.NS + v.NS,
			MaxNS: max(want.MaxNS, v.MaxNS)}
	}
	for i, v := range s.Intervals {
		got = result.Interval{Ops: got.Ops + v.Ops, Bytes: got.Bytes + v.Bytes, NS: got.NS + v.NS,
			MaxNS: max(got.MaxNS, v.MaxNS)}
		if even := int64(256e9); i < len(s.Intervals)-1 && (v.NS < even || v.NS > even+even/100) {
			t.Errorf("interval %d of %d takes %d ns, want about %d", i, len(s.Intervals), v.NS, even)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the sums changed (-want +got):\n%s", diff)
	}
	if n := len(s.Intervals); n < result.MaxIntervals/2 || n > result.MaxIntervals {
		t.Errorf("%d intervals", n)
	}
}

// A series of up to MaxIntervals seconds keeps every interval.
func TestSeriesOfMinutes(t *testing.T) {
	t.Parallel()
	var s result.Series
	var want []result.Interval
	for i := range int64(result.MaxIntervals) {
		v := result.Interval{Ops: i + 1, Bytes: i, NS: 1_000_000_001, MaxNS: i}
		s.Add(v)
		want = append(want, v)
	}
	if diff := cmp.Diff(want, s.Intervals); diff != "" {
		t.Error(diff)
	}
}

// The server accepts the longest documents without compression.
func TestLongestDocumentFits(t *testing.T) {
	t.Parallel()
	const wire = 256 << 10
	doc := example(t)
	for i := range doc.Tests {
		test := &doc.Tests[i]
		v := result.Interval{Ops: 100_000, Bytes: 409_600_000, NS: 256_000_123_456, MaxNS: 1_000_123_456}
		count := result.MaxIntervals
		if test.Name == result.SeqWrite || test.Name == result.SeqRead {
			count, v.MaxNS = result.ReferenceAreaBytes>>20, 0 // a slow module has chunks of 1 MiB
		}
		test.Intervals = nil
		for range count {
			test.Intervals = append(test.Intervals, v)
		}
		test.Latency = nil
		// Every bucket from 0.1 ms to 30 s.
		for ns := int64(100_000); ns < 30_000_000_000 && test.Batches != nil; ns += ns / 64 {
			test.Latency = append(test.Latency, result.Bucket{ns, 100})
		}
	}
	data, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	if len(data) > wire {
		t.Errorf("%d bytes, and the server takes %d", len(data), wire)
	}
}
