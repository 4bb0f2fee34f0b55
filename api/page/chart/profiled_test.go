package chart

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"flashdex/api/figure"
	"flashdex/result"
)

// minutes returns a linear test whose seconds have these rates, in units of 1.048576 MB/s.
func minutes(name string, rates ...int64) result.Test {
	t := result.Test{Name: name, BlockBytes: 1 << 20}
	for _, rate := range rates {
		t.Intervals = append(t.Intervals, result.Interval{Ops: rate, Bytes: rate << 20, NS: 1e9})
		t.Ops, t.Bytes, t.DurationNS = t.Ops+rate, t.Bytes+rate<<20, t.DurationNS+1e9
	}
	return t
}

func repeated(n int, rates ...int64) (all []int64) {
	for _, rate := range rates {
		for range n {
			all = append(all, rate)
		}
	}
	return all
}

func TestSustainedIsDrawnOverTime(t *testing.T) {
	t.Parallel()
	test := minutes(result.SeqWrite, repeated(30, 40, 10)...)
	if test.Figures().CliffMB == nil {
		t.Fatal("no cliff")
	}
	p := ProfileOf(result.MethodSustained1, "x-", []Profiled{
		{Label: "others", Class: Behind, Tests: []result.Test{minutes(result.SeqWrite, repeated(50, 20)...)}},
		{Label: "this run", Class: Main, Tests: []result.Test{test, minutes(result.SeqRead, repeated(30, 80)...)}},
	})
	if len(p.Charts) != 1 || len(p.Tables) != 1 {
		t.Fatalf("%+v", p)
	}
	c := p.Charts[0]
	for _, want := range []Key{
		{Main, "this run, linear write"}, {Behind, "others"}, {"several-2", "this run, linear read"},
	} {
		if !slices.Contains(c.Key, want) {
			t.Errorf("the key lacks %+v: %+v", want, c.Key)
		}
	}
	of := drawn(t, c)
	if of.XName != "seconds" || of.YName != "MB/s" {
		t.Errorf("%s over %s", of.YName, of.XName)
	}
	var cliff *Segment
	for i := range of.Lines {
		if of.Lines[i].Class == Cliff {
			cliff = &of.Lines[i]
		}
	}
	if cliff == nil || cliff.X1 != 50 { // after half the minute, but after four fifths of the bytes
		t.Errorf("the cliff is at %+v", cliff)
	}
	if diff := cmp.Diff(
		[][]string{
			{"linear write", "26.2", "59.4", "10.5", "after 1,260 MB", "25", "1.57", "60",
				"falls for good to 25 % after 1,260 MB"},
			{"linear read", "83.9", "0", "83.9", "", "", "2.52", "30", "steady"},
		},
		p.Tables[0].Rows,
	); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestSustainedRunsAreInOnePlot(t *testing.T) {
	t.Parallel()
	both := func(write, read int64) []result.Test {
		return []result.Test{minutes(result.SeqWrite, repeated(10, write)...), minutes(result.SeqRead, repeated(10, read)...)}
	}
	var of []figure.ProfiledRun
	for i, tests := range [][]result.Test{both(40, 80), both(30, 20), nil} {
		of = append(
			of,
			figure.ProfiledRun{
				SampledRun: figure.SampledRun{
					Host: "a host", ReceivedAt: time.Date(2026, 11, 20-i, 0, 0, 0, 0, time.UTC), Tests: tests,
				},
			},
		)
	}
	p := ProfileOf(result.MethodSustained1, "x-", ProfiledRuns(of))
	if len(p.Charts) != 1 {
		t.Fatalf("%+v", p)
	}
	c := p.Charts[0]
	if diff := cmp.Diff(
		[]Key{
			{"several-1", "A 2026-11-20, a host, linear write"}, {"several-1 read", "A 2026-11-20, a host, linear read"},
			{"several-2", "B 2026-11-19, a host, linear write"}, {"several-2 read", "B 2026-11-19, a host, linear read"},
		}, c.Key,
	); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if c.Numbers.Head[0] != "Run" || len(p.Tables[0].Rows) != 4 || p.Tables[0].Rows[3][0] != "B linear read" {
		t.Errorf("%+v %+v", c.Numbers, p.Tables)
	}
}

func TestStabilityInWords(t *testing.T) {
	t.Parallel()
	for want, rates := range map[string][]int64{
		"": {40, 40}, "steady": repeated(20, 40), "fairly steady": repeated(1, 40, 36, 44, 40, 46, 36, 44, 35),
		"uneven":                                repeated(1, 40, 60, 38, 62, 41, 60, 39, 58),
		"uneven, with stalls":                   repeated(1, 40, 60, 10, 62, 41, 60, 10, 58),
		"falls for good to 50 % after 1,260 MB": repeated(30, 40, 20),
	} {
		f := minutes(result.SeqWrite, append(rates, rates[len(rates)-1])...)
		figures := f.Figures()
		if got := stability(&figures); got != want {
			t.Errorf("%v: %q, want %q", rates, got, want)
		}
	}
}

// recorded returns a test of the iozone profile at a rate in kB (1,024 bytes) per second.
func recorded(name string, bytes, kbPerS int64) result.Test {
	return result.Test{
		Name: name, BlockBytes: bytes, AreaBytes: 50 << 20, Ops: 1024 * kbPerS / bytes, Bytes: 1024 * kbPerS, DurationNS: 1e9,
		Ended: result.Complete,
	}
}

func TestIozoneHasItsOwnLayout(t *testing.T) {
	t.Parallel()
	one := []result.Test{
		recorded(result.RandWrite, 4<<10, 400), recorded(result.SeqWrite, 4<<10, 1000),
		recorded(result.SeqRewrite, 512<<10, 8192),
	}
	one[0].Ended = result.TimeLimit
	two := []result.Test{recorded(result.RandWrite, 4<<10, 100)}
	runs := []Profiled{{Letter: "A", Label: "one", Tests: one}, {Letter: "B", Label: "two", Tests: two}}
	p := ProfileOfModules(result.MethodIozone50M, "", runs, 1)
	if len(p.Tables) != 2 {
		t.Fatalf("%+v", p)
	}
	const head = "Run|kB|reclen|write|rewrite|read|reread|random read|random write"
	if got := strings.Join(p.Tables[0].Head, "|"); got != head {
		t.Error(got)
	}
	want := [][]string{
		{"A one", "51200", "4", "1000", "", "", "", "", "400*"}, {"A one", "51200", "512", "", "8192", "", "", "", ""},
		{"B two", "51200", "4", "", "", "", "", "", "100"},
	}
	if diff := cmp.Diff(want, p.Tables[0].Rows); diff != "" || !strings.HasPrefix(p.Tables[0].Note, "*: stopped") {
		t.Errorf("%q (-want +got):\n%s", p.Tables[0].Note, diff)
	}
	want = [][]string{{"A one", "4", "", "", "", "", "", "400"}, {"A one", "512", "", "", "", "", "", ""}}
	if diff := cmp.Diff(want, p.Tables[1].Rows); diff != "" || p.Tables[1].Title != "In per cent of B two" {
		t.Errorf("%q (-want +got):\n%s", p.Tables[1].Title, diff)
	}
}

func TestProfileOfWhatHasNothingIsEmpty(t *testing.T) {
	t.Parallel()
	for _, method := range append([]string{"another"}, figure.ProfiledMethods...) {
		for _, runs := range [][]Profiled{nil, {{Label: "this run", Class: Main}}, {{Class: Behind}}} {
			p := ProfileOf(method, "", runs)
			if !p.IsEmpty() {
				t.Errorf("%s of %+v: %+v", method, runs, p)
			}
		}
	}
}
