package chart

import (
	"strings"
	"testing"

	"flashdex/result"

	"github.com/google/go-cmp/cmp"
)

// By hand: data that come at 10 MB/s wait for up to 1.5 s, so 15 MB wait, and 1.048576 MB are being written.
func TestRecorderTellsTheBufferItNeeds(t *testing.T) {
	t.Parallel()
	stream := result.Test{
		Name: result.StreamWrite, BlockBytes: 1 << 20, Ended: result.Complete, RateBytesPerS: 10e6, Ops: 6,
		Latency: []result.Bucket{{100e6 - 1e6, 3}, {200e6, 1}, {700e6, 1}, {1500e6, 1}},
	}
	for _, ns := range []int64{2e8, 15e8, 1e8} {
		stream.Intervals = append(stream.Intervals, result.Interval{Ops: 2, Bytes: 2 << 20, NS: ns, MaxNS: ns, BehindNS: ns})
	}
	cut := stream
	cut.BlockBytes, cut.Ended = 4096, result.TimeLimit
	p := ProfileOf(result.MethodRecorder1, "x-", []Profiled{{Letter: "A", Label: "a run", Class: Main, Tests: []result.Test{
		stream, cut, {Name: result.SeqWrite},
	}}})
	if len(p.Tables) != 1 || len(p.Charts) != 1 {
		t.Fatalf("%+v", p)
	}
	want := [][]string{
		{"A 10 MB/s in 1 MiB", "yes", "16", "3", "2", "1", "", "1,500"},
		{"A 10 MB/s in 4 KiB", "no", "", "3", "2", "1", "", "1,500"},
	}
	if diff := cmp.Diff(want, p.Tables[0].Rows); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, text := range []string{"A a run, 10 MB/s in 1 MiB needs 16 MB at most.", ">seconds<", ">MB<"} {
		if !strings.Contains(p.Charts[0].SVG, text) {
			t.Errorf("the chart lacks %q: %s", text, p.Charts[0].SVG)
		}
	}
	if want := []string{"A a run, 10 MB/s in 1 MiB", "0.419", "16"}; !cmp.Equal(p.Charts[0].Numbers.Rows[1], want) {
		t.Errorf("its numbers have %q, want %q", p.Charts[0].Numbers.Rows, want)
	}
}

// No buffer is enough for a stream that the module doesn't keep up with.
func TestABufferIsNeverEnoughForAStreamThatFallsBehind(t *testing.T) {
	t.Parallel()
	stream := result.Test{Name: result.StreamWrite, BlockBytes: 1 << 20, Ended: result.TimeLimit, RateBytesPerS: 10e6}
	for i := range int64(4000) {
		stream.Intervals = append(stream.Intervals, result.Interval{Ops: 1, Bytes: 1 << 20, NS: 1e9, BehindNS: (i + 1) * 1e7})
	}
	c, ok := Buffer("x", []Profiled{{Label: "a run", Class: Main, Tests: []result.Test{stream}}})
	const said = "a run, 10 MB/s in 1 MiB: the module doesn’t keep up, and 401 MB wait at most."
	if !ok || !strings.Contains(c.SVG, said) {
		t.Errorf("the chart doesn't say %q", said)
	}
	if points := strings.Count(drawn(t, c).Paths[0].D, "L"); points > planeWidth {
		t.Errorf("the line has %d points, and the chart has room for %d", points, planeWidth)
	}
}
