package chart

import (
	"testing"

	"flashdex/result"

	"github.com/google/go-cmp/cmp"
)

// By hand: 1.5 s behind at 4 MB/s are 6 MB of memory. 400 MB in 100 s are 4 MB/s, and 25 of 100 s are 25 %.
func TestRecordingsTellWhatACameraNeeds(t *testing.T) {
	t.Parallel()
	tests := []result.Test{
		{Name: result.Record4MBPerS, Ended: result.Complete, Bytes: 400e6, DurationNS: 25e9, OverheadNS: 75e9,
			Intervals: []result.Interval{{BehindNS: 2e8}, {BehindNS: 15e8}, {BehindNS: 1e8}}},
		{Name: result.Record30MBPerS, Ended: result.TimeLimit, Bytes: 1500e6, DurationNS: 150e9,
			Intervals: []result.Interval{{BehindNS: 100e9}}},
	}
	p := ProfileOf(result.MethodRecording1, "x-", []Profiled{{Letter: "A", Label: "a run", Class: Main, Tests: tests}})
	if len(p.Tables) != 1 || len(p.Charts) != 0 {
		t.Fatalf("%+v", p)
	}
	want := [][]string{{"A 4 MB/s", "yes", "4", "1.5", "6", "25"}, {"A 30 MB/s", "no", "10", "100", "3,000", "100"}}
	if diff := cmp.Diff(want, p.Tables[0].Rows); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
