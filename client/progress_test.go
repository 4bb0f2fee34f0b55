package main

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"flashdex/client/measure"

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
	want := "rand-write    1.0 s   10 %  84.0 IOPS  (the rest takes at most 3m0s)\nrand-write    2.0 s  92.0 IOPS\n"
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Error(diff)
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
		6.3:  {"does 6.30 a second, 14.3 times fewer than", "less than class A1 asks for (500)"},
		92:   {"about as many as"},
		707:  {"7.9 times as many as", "between what class A1 (500) and class A2 (2000)"},
		2500: {"more than class A2 asks for (2000)", "measured differently"},
	} {
		for _, part := range want {
			if text := meaning(iops); !strings.Contains(text, part) {
				t.Errorf("%v IOPS: %q isn't in %q", iops, part, text)
			}
		}
	}
}
