package figure_test

import (
	"maps"
	"math"
	"slices"
	"testing"

	"flashdex/api/figure"
	"flashdex/result"

	"github.com/google/go-cmp/cmp"
)

// Modules are compared only by 4 KiB and 1 MiB, one transfer at a time, whatever else a run tried, and never by a
// rewrite.
func TestFiguresOfManyBlockSizes(t *testing.T) {
	t.Parallel()
	iops := func(v float64) *float64 { return &v }
	tests := []result.Figures{
		{Test: result.RandWrite, BlockBytes: 512, IOPS: iops(1)}, {Test: result.RandWrite, BlockBytes: 4096, IOPS: iops(2)},
		{Test: result.RandWrite, BlockBytes: 1 << 20, IOPS: iops(3)},
		{Test: result.RandRead, BlockBytes: 8192, IOPS: iops(4)},
		{Test: result.SeqWrite, BlockBytes: 4096, MBPerS: 5}, {Test: result.SeqWrite, BlockBytes: 1 << 20, MBPerS: 6},
		{Test: result.SeqWrite, BlockBytes: 2 << 20, MBPerS: 7}, {Test: result.SeqRewrite, BlockBytes: 1 << 20, MBPerS: 8},
		{Test: result.SeqReread, BlockBytes: 1 << 20, MBPerS: 9},
		{Test: result.SeqRead, BlockBytes: 1 << 20, MBPerS: 10}, {Test: result.SeqRead, BlockBytes: 1 << 20, MBPerS: 11},
	}
	for i := range tests {
		tests[i].QueueDepth = 1
	}
	tests[len(tests)-2].QueueDepth, tests[len(tests)-1].QueueDepth = 0, 8 // not known, and several
	got := figure.OfRun(tests)
	want := figure.SetOf(map[string]figure.Figure{figure.RandWriteIOPS: {Value: 2}, figure.SeqWriteMBPerS: {Value: 6}})
	if diff := cmp.Diff(maps.Collect(want.All()), maps.Collect(got.All())); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// The relative standard error of a figure is the standard deviation of a normal distribution of its logarithm: 1.96 of
// them are half the interval.
func TestErrorsOfARun(t *testing.T) {
	t.Parallel()
	p := func(v float64) *float64 { return &v }
	n := func(v int64) *int64 { return &v }
	tests := []result.Figures{
		{Test: result.RandWrite, BlockBytes: 4096, IOPS: p(100), IOPSLow: p(100 / 1.5), IOPSHigh: p(150), MaxNS: n(9e9),
			P99NS: n(2e6), P99LowNS: n(1e6), P99HighNS: n(4e6), P999NS: n(8e6), P999LowNS: n(3e6), Ops: n(4000),
			DurationNS: n(40e9), Stalls100MS: result.Stalls{Count: n(4), Low: p(2), High: p(8)},
			Stalls1S: result.Stalls{Count: n(0), Low: p(0), High: p(3.7)}},
		{Test: result.SeqWrite, BlockBytes: 1 << 20, MBPerS: 10, MBPerSLow: p(9), MBPerSHigh: p(12)},
		{Test: result.SeqRead, BlockBytes: 1 << 20, MBPerS: 10},
	}
	for i := range tests {
		tests[i].QueueDepth = 1
	}
	figures := figure.OfRun(tests)
	for key, want := range map[string]figure.Figure{
		figure.RandWriteStalls100MSPer1000:   {Value: 1, Low: p(0.5), High: p(2)},
		figure.RandWriteStalls100MSPerMinute: {Value: 6, Low: p(3), High: p(12)},
		figure.RandWriteStalls1SPer1000:      {Value: 0, Low: p(0), High: p(3.7 / 4)},
		figure.SeqWriteMBPerS:                {Value: 10, Low: p(9), High: p(12)},
		figure.SeqReadMBPerS:                 {Value: 10},
		figure.RandWriteP999MS:               {Value: 8}, // half an interval is none
	} {
		if diff := cmp.Diff(want, figures.At(key)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", key, diff)
		}
	}
	const z = 1.959963985
	want := map[string]float64{
		figure.RandWriteIOPS: math.Log(1.5) / z, figure.RandWriteP99MS: math.Log(2) / z,
		figure.RandWriteStalls100MSPer1000: math.Log(2) / z, figure.RandWriteStalls100MSPerMinute: math.Log(2) / z,
		figure.SeqWriteMBPerS: math.Log(12.0/9) / 2 / z,
	}
	for i, e := range figures.Errors() {
		known, is := want[figure.FigureKeys[i]]
		if is != !math.IsNaN(e) || is && math.Abs(e-known) > 1e-9 {
			t.Errorf("the error of %s is %v, want %v", figure.FigureKeys[i], e, known)
		}
	}
	if facts := figure.FactsOf(&result.Document{}, tests); !slices.EqualFunc(facts.Errors, figures.Errors(),
		func(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }) {
		t.Errorf("the facts have the errors %v", facts.Errors)
	}
}

// Latencies that are in one order in every run are in this order in a module's figures, too: the values and the ends of
// the intervals.
func TestLatenciesDoNotCross(t *testing.T) {
	t.Parallel()
	of := func(value, low, high float64) figure.Figure {
		return figure.Figure{Value: value, Low: &low, High: &high, N: 3}
	}
	got := figure.SetOf(map[string]figure.Figure{figure.RandWriteP99MS: of(5, 2, 9), figure.RandWriteP999MS: of(4, 3, 6),
		figure.RandWriteMaxMS: of(7, 1, 30), figure.RandWriteIOPS: of(1, 1, 1)})
	got.Uncross()
	want := figure.SetOf(map[string]figure.Figure{figure.RandWriteP99MS: of(4, 1, 6), figure.RandWriteP999MS: of(5, 2, 9),
		figure.RandWriteMaxMS: of(7, 3, 30), figure.RandWriteIOPS: of(1, 1, 1)})
	if diff := cmp.Diff(maps.Collect(want.All()), maps.Collect(got.All())); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	some := figure.SetOf(map[string]figure.Figure{figure.RandWriteP99MS: {Value: 5}, figure.RandWriteMaxMS: of(4, 3, 6)})
	if some.Uncross(); some.At(figure.RandWriteP99MS).Value != 5 || some.At(figure.RandWriteMaxMS).Value != 4 {
		t.Errorf("one without an interval moved: %+v", some)
	}
}
