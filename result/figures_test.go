package result_test

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"flashdex/result"
)

func example(t *testing.T) *result.Document {
	t.Helper()
	return read(t, "sd-card.json")
}

func read(t *testing.T, name string) *result.Document {
	t.Helper()
	data, err := os.ReadFile("testdata/valid/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var doc result.Document
	if err := json.Unmarshal(data, &doc); err != nil {
		t.Fatal(err)
	}
	return &doc
}

func TestFiguresOfTheExample(t *testing.T) {
	t.Parallel()
	doc := example(t)
	if f := doc.Test(result.SeqWrite).Figures(); f.MBPerS != 20 || f.IOPS != nil {
		t.Errorf("linear write: %v MB/s, IOPS %v; want 20 MB/s and no IOPS", f.MBPerS, f.IOPS)
	}
	f := doc.Test(result.RandWrite).Figures()
	if math.Abs(*f.IOPS-100) > 1e-9 || *f.KiBPerOp != 4 || *f.MaxNS != 10_400_000 {
		t.Errorf("random write: %v IOPS, %v KiB/op, max %v ns; want 100, 4, 10400000", *f.IOPS, *f.KiBPerOp, *f.MaxNS)
	}
	if f.P50NS == nil || math.Abs(float64(*f.P50NS)/1e7-1) > 0.01 || f.P99NS != nil {
		t.Errorf("p50 %v, p99 %v; want 10 ms within 1 %%, and no p99 of 100 operations", f.P50NS, f.P99NS)
	}
	if f := doc.Test(result.RandRead).Figures(); f.P99NS == nil || f.P999NS != nil {
		t.Errorf("random read: p99 %v, p99.9 %v; 1,000 operations give the one and not the other", f.P99NS, f.P999NS)
	}
}

func TestTheGeneratorIsNoOverhead(t *testing.T) {
	t.Parallel()
	w := result.Test{Name: result.SeqWrite, Bytes: 100e6, DurationNS: 8e9, OverheadNS: 2e9, SourceBytes: 100e6,
		SourceNS: 1.5e9}
	if f := w.Figures(); math.Abs(f.OverheadShare-0.05) > 1e-12 || math.Abs(f.SourceMBPerS-100/1.5) > 1e-9 {
		t.Errorf("overhead %v, source %v MB/s; want 5 %% and 66.7 MB/s", f.OverheadShare, f.SourceMBPerS)
	}
}

// A card of 50 MB/s that stalls for 1.5 s every 8 s gets 10 MB/s. Its intervals are of a second of writing, and so each
// holds a stall, wherever the stream ends; but it catches up two seconds later. One of only 9.5 MB/s never does.
func TestACardThatCatchesUpAfterEachStallKeepsUp(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		blocks, blockNS, stallNS int64
		keepsUp                  bool
	}{
		"stalls": {2288, 21e6, 1.5e9, true}, "ends after a stall": {2240, 21e6, 1.5e9, true},
		"ends later": {2265, 21e6, 1.5e9, true}, "stalls and is a little too slow": {2288, 110e6, 0.1e9, false},
		"never": {2288, 110e6, 0, false},
	} {
		stream := result.Test{
			Name: result.StreamWrite, BlockBytes: 1 << 20, Ended: result.Complete, RateBytesPerS: 10e6,
		}
		var series result.Series
		var now, stalled int64
		for range c.blocks { // some four minutes
			stream.Ops++
			stream.Bytes += stream.BlockBytes
			complete := stream.Bytes * 100 // ns, at 10 MB/s
			ns := c.blockNS
			if now = max(now, complete); now >= stalled+8e9 {
				ns, stalled = ns+c.stallNS, now
			}
			now += ns
			series.Add(result.Interval{
				Ops: 1, Bytes: stream.BlockBytes, NS: ns, MaxNS: ns, BehindNS: now - complete, LeastBehindNS: now - complete,
			})
		}
		stream.Intervals = series.Intervals
		sum := result.SumIntervals(stream.Intervals)
		stream.DurationNS, stream.OverheadNS = sum.NS, max(now-sum.NS, 0)
		if c.keepsUp && sum.LeastBehindNS != c.blockNS {
			t.Errorf("%s: a block was at least %d ns behind, want %d", name, sum.LeastBehindNS, c.blockNS)
		}
		buffer := stream.Figures().BufferBytes
		if (buffer != nil) != c.keepsUp {
			t.Errorf("%s: the buffer is %v", name, buffer)
		} else if most := 10e6*1.8 + 1<<20; c.keepsUp && (float64(*buffer) < 15e6 || float64(*buffer) > most) {
			t.Errorf("%s: the buffer is %d bytes", name, *buffer)
		}
	}
}

func TestHistogramIsWithinOnePercent(t *testing.T) {
	t.Parallel()
	for _, ns := range []int64{1_000, 47_123, 1_234_567, 250_000_000, 19_876_543_210} {
		h := result.NewHistogram()
		h.Add(ns)
		medians, err := result.QuantilesNS(h.Buckets(), []float64{0.5})
		if err != nil {
			t.Fatal(err)
		}
		if got := medians[0]; math.Abs(float64(got)/float64(ns)-1) > 0.01 || h.Buckets()[0].Count() != 1 {
			t.Errorf("%d ns came back as %d, in %v", ns, got, h.Buckets())
		}
	}
	tooLong := []result.Bucket{{math.MaxInt64, 1}}
	if _, err := result.QuantilesNS(tooLong, []float64{0.5}); err == nil {
		t.Error("a latency of 292 years was accepted")
	}
}
