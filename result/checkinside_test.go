package result_test

import (
	"slices"
	"strings"
	"testing"

	"flashdex/result"
)

// A document whose sums agree may still hold what no client does.
func TestWhatNoClientDoesIsRefused(t *testing.T) {
	t.Parallel()
	faster := func(test *result.Test, times int64) {
		test.DurationNS = 0
		for i := range test.Intervals {
			v := &test.Intervals[i]
			v.NS, v.MaxNS, v.UnderWayNS = v.NS/times, v.MaxNS/times, v.UnderWayNS/times
			test.DurationNS += v.NS
		}
	}
	for name, c := range map[string]struct {
		of      string
		change  func(doc *result.Document)
		pointer string // empty: nothing is wrong
		says    string
	}{
		"a saturation": {"saturate-1.json", func(*result.Document) {}, "", ""},
		"rounds of milliseconds": {"saturate-1.json", func(doc *result.Document) {
			faster(doc.Test(result.RoundWrite), 1000)
		}, "/tests/3/intervals", "where none of round-write takes less than 3000000000"},
		"rounds alone": {"saturate-1.json", func(doc *result.Document) {
			doc.Tests = doc.Tests[3:]
		}, "/tests/0/area_bytes", "no fill-write has written"},
		"full, elsewhere": {"saturate-1.json", func(doc *result.Document) {
			full := *doc.Test(result.RandWrite)
			full.Name, full.AreaBytes = result.FullWrite, full.AreaBytes-1<<20
			doc.Tests = append(doc.Tests[:4], full)
		}, "/tests/4/area_bytes", "no rand-write has written"},
		"a queue": {"queue-1.json", func(*result.Document) {}, "", ""},
		"a queue of an instant": {"queue-1.json", func(doc *result.Document) {
			faster(doc.Test(result.QueuedRead), 1000)
		}, "/tests/2/intervals", "where none of queued-read takes less than 500000000"},
		"a module that hashes": {"structure-3.json", func(*result.Document) {}, "", ""},
		"what is known already": {"structure-2.json", func(doc *result.Document) {
			doc.Test(result.GapWrite).Name = result.KeptWrite
		}, "/tests/2/name", "has found already"},
		"several writes to one side": {"structure-3.json", func(doc *result.Document) {
			for i, v := range doc.Test(result.KeptWrite).Intervals {
				if v.GapBytes > 0 && v.AsideOps == 0 {
					doc.Test(result.KeptWrite).Intervals[i].Ops = 2
				}
			}
		}, "/tests/2/intervals", "that kept-write doesn't do"},
		"an inside": {"structure-2.json", func(*result.Document) {}, "", ""},
		"a gap without a number of places": {"structure-2.json", func(doc *result.Document) {
			turns := doc.Test(result.TurnWrite)
			turns.Intervals = slices.DeleteFunc(turns.Intervals, func(v result.Interval) bool { return v.Places > 1 })
		}, "/tests/2/name", "and that is not known"},
	} {
		doc := read(t, c.of)
		c.change(doc)
		problems := doc.Check()
		if c.pointer == "" && len(problems) > 0 || c.pointer != "" && !slices.ContainsFunc(problems,
			func(p result.Problem) bool { return p.Pointer == c.pointer && strings.Contains(p.Detail, c.says) }) {
			t.Errorf("%s: %v", name, problems)
		}
	}
}
