package chart

import (
	"fmt"
	"strings"
	"testing"

	"flashdex/result"
)

// Whatever a valid document contains, a chart ends, and draws only what it can.
func TestOddSeriesAreDrawnOrLeftOut(t *testing.T) {
	t.Parallel()
	kinds := map[string][]result.Kind{
		result.TurnWrite: {{Places: 1}, {Places: 2}, {Places: 64}}, result.GapWrite: {{Places: 1}, {Places: 2, AtBytes: 5, GapBytes: 7}},
		result.QueuedRead: {{Depth: 1}, {Depth: 32}}, result.QueuedWrite: {{Depth: 1}, {Depth: 32}}, result.SameRead: {{Depth: 1}},
		result.CheckedRead: {{Depth: 32}}, result.RestedWrite: {{}, {RestNS: 1e9}, {RestNS: 60e9}},
	}
	tests := map[string][]string{
		result.MethodStructure1: {result.TurnWrite, result.GapWrite, result.AcrossWrite, result.PlaceWrite},
		result.MethodQueue1:     {result.SameRead, result.QueuedRead, result.QueuedWrite, result.CheckedRead},
		result.MethodSaturate1:  {result.RandWrite, result.FillWrite, result.RoundWrite},
		result.MethodMixed1:     {result.Mixed, result.RestedWrite},
		result.MethodRecorder1:  {result.StreamWrite},
	}
	for shape, of := range map[string]struct {
		intervals int
		v         result.Interval
	}{
		"nothing":     {0, result.Interval{}},
		"one":         {1, result.Interval{Ops: 4, Bytes: 16384, NS: 1e9, MaxNS: 1e9, BehindNS: 1e9}},
		"no work":     {61, result.Interval{NS: 1e9}},
		"no time":     {61, result.Interval{Ops: 4, Bytes: 16384}},
		"all zero":    {61, result.Interval{}},
		"the largest": {61, result.Interval{Ops: 1e9, Bytes: 1e15, NS: 23e14, MaxNS: 23e14, BehindNS: 23e14, UnderWayNS: 23e14}},
		"the least":   {61, result.Interval{Ops: 1, Bytes: 1, NS: 1, MaxNS: 1, BehindNS: 1, UnderWayNS: 1}},
	} {
		for method, names := range tests {
			var all []result.Test
			for _, name := range names {
				test := result.Test{Name: name, BlockBytes: 4096, AreaBytes: 2 << 30, Ended: result.Complete}
				if name == result.StreamWrite {
					test.RateBytesPerS = 1
				}
				for i := range of.intervals {
					v := of.v
					if some := kinds[name]; len(some) > 0 {
						v.Kind = some[i%len(some)]
					}
					test.Intervals = append(test.Intervals, v)
				}
				sum := result.SumIntervals(test.Intervals)
				test.Ops, test.Bytes, test.DurationNS = sum.Ops, sum.Bytes, sum.NS
				all = append(all, test)
			}
			p := ProfileOf(method, "x-", []Profiled{{Label: "a run", Class: Main, Tests: all}})
			if drawn := fmt.Sprint(p); strings.Contains(drawn, "NaN") || strings.Contains(drawn, "Inf") {
				t.Errorf("%s of %s: %s", shape, method, drawn)
			}
		}
	}
}
