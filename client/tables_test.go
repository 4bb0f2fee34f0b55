package main

import (
	"strings"
	"testing"

	"flashdex/client/spool"
	"flashdex/result"
)

// The tables of the profiles for a module's inside fit the width of the text. They say what was found, and what
// couldn't be told.
func TestTablesOfTheInside(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(doc *result.Document)
		want   []string // lines, without the spaces between columns
	}{
		"structure-1": {nil, []string{"open units; one more|64 or more|-|-", "page|4 KiB or less|-|-"}},
		"structure-3": {nil, []string{"open units; one more|can't tell|-|-", "allocation unit|4 MiB|-|-",
			"open units, chosen; another|4|24.9|", "Chosen: units that"}},
		"structure-2": {nil, []string{"open units; one more|5|30|28.7 to 31.2", "allocation unit|4 MiB|-|-", "page|16 KiB|-|-"}},
		"queue-1": {nil, []string{"random read|4,570 IOPS|10,700 IOPS|2.35|2.31 to 2.39|31",
			"read back, 0 wrong|-|10,700 IOPS|-|-|-", "beside 32 discards"}},
		"queue-2": {func(doc *result.Document) {
			checked := doc.Test(result.CheckedRead)
			checked.WrongOps, checked.DiscardOps = 2, 0
		}, []string{"read back, 2 wrong|", "counted no discard"}},
		"recorder-1": {nil, []string{"10 MB/s|1 MiB|yes|12.2 MB|25|25|0|625 ms|627 ms"}},
		"recorder-2": {func(doc *result.Document) { // nobody measures such a result
			doc.Tests[0].Latency, doc.Tests[0].Ops, doc.Tests[0].Bytes = nil, 0, 0
		}, []string{"10 MB/s|1 MiB|", "|-|-|-|"}},
		"saturate-1": {nil, []string{"fill-write|41 MB/s|40.9 to 41.2|62.1 GB|-|all of it",
			"round-write|515 IOPS|-|3.55 GB|22|steady"}},
		"saturate-2": {func(doc *result.Document) {
			rounds := doc.Test(result.RoundWrite)
			rounds.Intervals, rounds.Ended = rounds.Intervals[:2*result.RoundIntervals], result.TimeLimit
		}, []string{"round-write|not steady, last ", "|2|time limit"}},
		"endure-1": {nil, []string{"endure-write|34.", "No error was seen. It lasts longer than it was watched."}},
		"endure-2": {nil, []string{"|1,854|dead", "The first error was seen in pass 95. It was dead after 130 passes."}},
		"mixed-1":  {nil, []string{"70 % reads, 30 % writes|3,130 IOPS|-|-", "writes after 60 s of rest|3,660 IOPS|2.04|"}},
	} {
		doc, _, err := spool.Read("../result/testdata/valid/" + name + ".json")
		if err != nil {
			t.Fatal(err)
		}
		if c.change != nil {
			c.change(doc)
		}
		text := report(doc, textColumns)
		var lines []string
		for line := range strings.Lines(text) {
			cells := strings.FieldsFunc(strings.ReplaceAll(line, "  ", "|"), func(r rune) bool { return r == '|' || r == '\n' })
			for i := range cells {
				cells[i] = strings.TrimSpace(cells[i])
			}
			lines = append(lines, strings.Join(cells, "|"))
		}
		for _, want := range c.want {
			if !strings.Contains(strings.Join(lines, "\n"), want) {
				t.Errorf("%s: %q isn't in %s", name, want, text)
			}
		}
	}
}
