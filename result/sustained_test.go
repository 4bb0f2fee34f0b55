package result_test

import (
	"math"
	"strings"
	"testing"

	"flashdex/result"
)

// sustained returns a linear write at these MB/s in each second, and a remainder of 0.4 s at 1 MB/s with the fsync.
func sustained(name string, mbPerS ...int64) *result.Test {
	t := &result.Test{Name: name, BlockBytes: 1 << 20}
	for _, v := range mbPerS {
		t.Intervals = append(t.Intervals, result.Interval{Ops: v, Bytes: v << 20, NS: 1_048_576_000})
	}
	t.Intervals = append(t.Intervals, result.Interval{Ops: 4, Bytes: 4 << 20, NS: 10_485_760_000})
	for _, i := range t.Intervals {
		t.Ops += i.Ops
		t.Bytes += i.Bytes
		t.DurationNS += i.NS
	}
	return t
}

// By hand: eight seconds are at 40 MB/s and eight at 10 MB/s, except one of these at 8. A second here is 1.048576 s, so
// that 1 MiB in one is 1 MB/s. The mean of the rates is (320 + 70 + 8)/16 = 24.875. With the last 4 MiB in ten such
// times, it is 402 MiB in 26. The squares around the mean are 8 * 15.125^2 + 7 * 14.875^2 + 16.875^2 = 3663.75, so the
// variation is sqrt(3663.75/16)/24.875 = 60.83 %. The fall comes after 320 MiB, and the rest has (70 + 8)/8/40 = 24.375
// % of the rate before.
func TestFiguresOfASustainedWrite(t *testing.T) {
	t.Parallel()
	f := sustained(result.SeqWrite, 40, 40, 40, 40, 40, 40, 40, 40, 10, 10, 10, 8, 10, 10, 10, 10).Figures()
	for what, v := range map[string][2]float64{
		"mean": {f.MBPerS, 402.0 / 26}, "worst second": {*f.WorstMBPerS, 8},
		"variation":   {*f.CVPercent, 100 * math.Sqrt(3663.75/16) / 24.875},
		"cliff after": {*f.CliffMB, 320 * 1.048576}, "rate after": {*f.CliffPercent, 24.375},
	} {
		if math.Abs(v[0]/v[1]-1) > 1e-9 {
			t.Errorf("%s: %v, want %v", what, v[0], v[1])
		}
	}
}

// The last interval of a write includes the fsync, so it isn't the worst second. The last interval of a read may be the
// worst second if it lasts a second.
func TestWorstSecond(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		want float64
	}{{result.SeqWrite, 20}, {result.SeqRewrite, 20}, {result.SeqRead, 0.4}, {result.SeqReread, 0.4}} {
		test := sustained(c.name, 30, 20, 30)
		if f := test.Figures(); f.WorstMBPerS == nil || math.Abs(*f.WorstMBPerS-c.want) > 1e-9 {
			t.Errorf("%s: worst second %v, want %v MB/s", c.name, f.WorstMBPerS, c.want)
		}
	}
	short := &result.Test{Name: result.SeqRead, BlockBytes: 1 << 20,
		Intervals: []result.Interval{{Ops: 1, Bytes: 1 << 20, NS: 999_999_999}}}
	if f := short.Figures(); f.WorstMBPerS != nil {
		t.Errorf("less than a second has a worst second of %v MB/s", *f.WorstMBPerS)
	}
	if f := (&result.Test{Name: result.RandWrite, Intervals: short.Intervals}).Figures(); f.WorstMBPerS != nil {
		t.Errorf("random writes have a worst second of %v MB/s", *f.WorstMBPerS)
	}
}

// Results of other profiles are never ranked. The reasons are the profile and the spoilers.
func TestOtherProfilesAreNotRanked(t *testing.T) {
	t.Parallel()
	for method, profile := range result.OwnProfiles() {
		if result.OfReference(method) {
			continue
		}
		doc := read(t, profile+"-1.json")
		doc.Spoilers = nil
		if problems := doc.Check(); doc.Method != method || problems != nil {
			t.Errorf("%s of the method %s: %v", method, doc.Method, problems)
		}
		if reasons := doc.NotRanked(); len(reasons) != 1 || !strings.Contains(reasons[0], profile) {
			t.Errorf("%s: %q", method, reasons)
		}
		doc.Spoilers = []string{result.BusyDevice}
		if reasons := doc.NotRanked(); len(reasons) != 2 {
			t.Errorf("%s, spoiled: %q", method, reasons)
		}
	}
}

// Nobody watched other tools while they measured. dd alone measures its own start with each write.
func TestResultsOfOtherToolsAreNotRanked(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"imported-dd.json", "imported-fio.json"} {
		doc := read(t, name)
		doc.Spoilers = nil
		if reasons := doc.NotRanked(); len(reasons) != 1 || !strings.Contains(reasons[0], "imported") {
			t.Errorf("%s: %q", name, reasons)
		}
		if !result.NeverRanked(doc.Method) {
			t.Errorf("the method %s is ranked", doc.Method)
		}
	}
	dd := example(t)
	dd.Method, dd.Spoilers = result.MethodDD1, nil
	if reasons := dd.NotRanked(); len(reasons) != 1 || !strings.Contains(reasons[0], "dd alone") {
		t.Errorf("dd: %q", reasons)
	}
}

// A document may have a test once for each block size.
func TestOneTestOfANameAndBlockSize(t *testing.T) {
	t.Parallel()
	doc := example(t)
	again := *doc.Test(result.SeqRead)
	again.BlockBytes, again.Ops, again.Intervals = again.BlockBytes/2, 2*again.Ops, nil
	for _, i := range doc.Test(result.SeqRead).Intervals {
		i.Ops *= 2
		again.Intervals = append(again.Intervals, i)
	}
	doc.Tests = append(doc.Tests, again)
	if problems := doc.Check(); problems != nil {
		t.Errorf("with blocks of another size: %v", problems)
	}
	doc.Tests = append(doc.Tests, again)
	if problems := doc.Check(); len(problems) != 1 || !strings.Contains(problems[0].Detail, "twice") {
		t.Errorf("with the same: %v", problems)
	}
}
