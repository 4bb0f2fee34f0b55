package chart

import (
	"math"
	"strings"

	"flashdex/result"
)

// sustainedTests are the tests that go on for minutes.
var sustainedTests = []struct{ test, title, name string }{
	{result.SeqWrite, "Linear write for minutes: rate over time", "linear write"},
	{result.SeqRead, "Linear read for minutes: rate over time", "linear read"},
}

// sustained draws runs over time, each test on common axes, and has a table of how steady the rates are.
func sustained(prefix string, runs []Profiled) (p Profile) {
	table := Numbers{
		Title: "How steady it is",
		Note: "It varies by the coefficient of variation of the rate over time. A cliff is where the rate of a write fell " +
			"for good, and to which part of the one before.",
		Head: []string{
			"Test", "Mean, MB/s", "Varies by, %", "Worst second, MB/s", "Cliff", "Falls to, %", "Moved, GB", "Time, s",
		},
	}
	for _, s := range sustainedTests {
		var drawn []Run
		for _, r := range runs {
			t := testOf(r.Tests, s.test)
			if t == nil {
				continue
			}
			drawn = append(drawn, Run{Label: r.label(), Class: r.Class, Test: t, End: r.Letter})
			if r.Class != Behind {
				table.Rows = append(table.Rows, steadiness(strings.TrimSpace(r.Letter+" "+s.name), t))
			}
		}
		p.Charts.Add(throughputOver(prefix+s.test+"-sustained", s.title, "Run", drawn, true))
	}
	p.tabulate(table)
	return p
}

// steadiness is a row of the table.
func steadiness(name string, t *result.Test) []string {
	f := t.Figures()
	number := func(v *float64) string {
		if v == nil {
			return ""
		}
		return result.Number(*v)
	}
	cliff, falls := "", ""
	switch {
	case f.CliffMB != nil:
		cliff, falls = "after "+number(f.CliffMB)+" MB", number(f.CliffPercent)
	case f.CliffPercent != nil:
		cliff = "none"
	}
	return []string{
		name, result.Number(f.MBPerS), number(f.CVPercent), number(f.WorstMBPerS), cliff, falls,
		result.Number(float64(t.Bytes) / 1e9), result.Count(int(math.Round(float64(t.DurationNS) / 1e9))),
	}
}
