package chart

import (
	"fmt"
	"math"
	"strings"

	"flashdex/result"
)

// sustainedTests are the tests that go on for minutes.
var sustainedTests = []struct{ test, name, end string }{
	{result.SeqWrite, "linear write", "w"}, {result.SeqRead, "linear read", "r"},
}

// sustained draws the writes and reads of all runs over time, in one chart with one axis, and says how steady each is.
func (p *Profile) sustained(prefix string, runs []Profiled) {
	table := Numbers{
		Title: "How steady it is",
		Note: "It varies by the coefficient of variation of the rate over time: up to 5 % is steady, up to 15 % fairly " +
			"steady, more uneven. It stalls if its worst second has less than half of the mean. A cliff is where the rate " +
			"of a write fell for good, and to which part of the one before.",
		Head: []string{
			"Test", "Mean, MB/s", "Varies by, %", "Worst second, MB/s", "Cliff", "Falls to, %", "Moved, GB", "Time, s",
			"In words",
		},
	}
	var behind, drawn []Run
	for _, r := range runs {
		for i, s := range sustainedTests {
			t := testOf(r.Tests, s.test)
			if t == nil {
				continue
			}
			of := Run{Label: r.label() + ", " + s.name, Class: r.classOf(i), Test: t, End: r.endOf(s.end)}
			if r.Class == Behind {
				of.Label = r.Label
				if i > 0 {
					of.Label = "" // the write has the label
				}
				behind = append(behind, of)
				continue
			}
			drawn = append(drawn, of)
			table.Rows = append(table.Rows, steadiness(strings.TrimSpace(r.Letter+" "+s.name), t))
		}
	}
	const title = "Linear write and read for minutes: rate over time"
	p.Charts.Add(throughputOver(prefix+"sustained", title, "Run", append(behind, drawn...), true))
	p.tabulate(table)
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
		result.Number(float64(t.Bytes) / 1e9), result.Count(int(math.Round(float64(t.DurationNS) / 1e9))), stability(&f),
	}
}

// Up to these variations, in per cent, a rate is called steady and fairly steady.
const (
	steadyPercent       = 5
	fairlySteadyPercent = 15
)

// stability says in words how steady a rate was; empty: too short to tell.
func stability(f *result.Figures) string {
	if f.CVPercent == nil {
		return ""
	}
	words := "uneven"
	switch {
	case f.CliffMB != nil && f.CliffPercent != nil:
		words = fmt.Sprintf("falls for good to %s %% after %s MB", result.Number(*f.CliffPercent), result.Number(*f.CliffMB))
	case *f.CVPercent <= steadyPercent:
		words = "steady"
	case *f.CVPercent <= fairlySteadyPercent:
		words = "fairly steady"
	}
	if f.WorstMBPerS != nil && f.CliffMB == nil && *f.WorstMBPerS < f.MBPerS/2 {
		words += ", with stalls"
	}
	return words
}
