package main

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"flashdex/client/measure"
	"flashdex/result"

	"github.com/google/go-cmp/cmp"
)

// steps are two seconds of a random test and its end.
var steps = []measure.Progress{
	{Test: "rand-write", Elapsed: time.Second, Share: 0.1, Ops: 84, Left: 3 * time.Minute},
	{Test: "rand-write", Elapsed: 2 * time.Second, Share: 0.2, Ops: 184, Left: 179 * time.Second},
	{Test: "rand-write", Elapsed: 2 * time.Second, Ops: 184, Share: 0.2, Done: true},
}

func TestProgressWithoutATerminalIsPlainLines(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	p := &progress{out: &out}
	for _, step := range steps {
		p.show(step)
	}
	p.end()
	want := "rand-write    1.0 s   10 %  84 IOPS  (the rest takes at most 3m0s)\nrand-write    2.0 s  92 IOPS\n"
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Error(diff)
	}
}

// The progress of starts shows their time: first the last start's, and at the end the mean of all.
func TestProgressOfStartsIsTheirTime(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	p := &progress{out: &out, columns: 80}
	p.show(measure.Progress{Test: "startup", Elapsed: 3 * time.Second, Share: 0.1, Starts: 1, Left: time.Minute})
	p.show(measure.Progress{Test: "startup", Elapsed: 4 * time.Second, Share: 0.2, Starts: 2, Left: time.Minute})
	p.show(measure.Progress{Test: "startup", Elapsed: 4 * time.Second, Share: 1, Starts: 2, Done: true})
	for _, want := range []string{"10 %  3 s a start", "20 %  1 s a start", "4.0 s  2 s a start\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in %q", want, out.String())
		}
	}
}

func TestProgressOnANarrowTerminalIsOneLine(t *testing.T) {
	t.Parallel()
	const columns = 30
	var out bytes.Buffer
	p := &progress{out: &out, columns: columns}
	for _, step := range steps[:2] {
		p.show(step)
	}
	p.end()
	if strings.Count(out.String(), "\n") != 1 || !strings.HasSuffix(out.String(), "\n") {
		t.Errorf("%q is not one line", out.String())
	}
	for _, line := range strings.Split(strings.TrimSuffix(out.String(), "\n"), "\r\x1b[K") {
		if len(line) >= columns {
			t.Errorf("%q doesn't fit %d columns", line, columns)
		}
	}
}

func TestMeaning(t *testing.T) {
	t.Parallel()
	for iops, want := range map[float64][]string{
		6.3:   {"does 6.3 a second, 14.3 times fewer than", "less than class A1 requires (500)"},
		92:    {"about as many as"},
		499.7: {"does 499.7 a second", "less than class A1 requires (500)"},
		707:   {"7.86 times as many as", "between class A1 (500) and class A2 (2,000)"},
		2500:  {"more than class A2 requires (2,000)", "measured differently"},
	} {
		for _, part := range want {
			if text := meaning(iops); !strings.Contains(text, part) {
				t.Errorf("%v IOPS: %q isn't in %q", iops, part, text)
			}
		}
	}
}

// Without a limit, the time left is a guess. How long all random writes take is said once, and stays.
func TestProgressEstimatesOnceHowLongRandomWritesTake(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	p := progress{out: &out, columns: 100}
	at := func(test string, elapsed time.Duration) {
		share := elapsed.Seconds() / 131072
		p.show(measure.Progress{Test: test, Elapsed: elapsed, Share: share, Ops: int64(elapsed.Seconds()),
			Left: 131072*time.Second - elapsed, Guessed: true})
	}
	at(result.RandRead, 20*time.Second)
	at(result.RandWrite, time.Second)
	if strings.Contains(out.String(), "takes about") {
		t.Errorf("estimated too early: %q", out.String())
	}
	at(result.RandWrite, 11*time.Second)
	at(result.RandWrite, 24*time.Hour)
	for text, count := range map[string]int{
		"rand-write  takes about 36 hours at this module's rate so far; Ctrl-C stops it\n": 1,
		"(about 36 hours left at its rate so far)":                                         3,
		"1 IOPS  (about 12 hours left at its rate so far)":                                 1,
		"at most": 0,
	} {
		if got := strings.Count(out.String(), text); got != count {
			t.Errorf("%q is there %d times, not %d: %q", text, got, count, out.String())
		}
	}
}

// With a limit, the progress explains once why random writes go on, if they go on for minutes.
func TestProgressSaysOnceWhyRandomWritesGoOn(t *testing.T) {
	t.Parallel()
	const why = "rand-write  goes on until its figure is sure, at most 4 minutes in all\n"
	for _, c := range []struct {
		test    string
		limit   time.Duration
		columns int
		want    int
	}{
		{result.RandWrite, 4 * time.Minute, 80, 1}, {result.RandWrite, 4 * time.Minute, 0, 1},
		{result.RandRead, 4 * time.Minute, 80, 0}, {result.RandWrite, 20 * time.Second, 80, 0},
	} {
		var out bytes.Buffer
		p := progress{out: &out, columns: c.columns}
		for _, seconds := range []time.Duration{1, 14, 15, 60, 61} {
			if seconds == 15 && strings.Contains(out.String(), why) {
				t.Error("said too early")
			}
			p.show(measure.Progress{Test: c.test, Elapsed: seconds * time.Second, Ops: int64(seconds), Limit: c.limit,
				Left: 5 * time.Minute, Done: seconds == 61})
		}
		if got := strings.Count(out.String(), why); got != c.want || strings.Count(out.String(), "goes on") != c.want {
			t.Errorf("%+v: %d times in %q", c, got, out.String())
		}
	}
}
