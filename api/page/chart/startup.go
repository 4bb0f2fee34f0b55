package chart

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"flashdex/api/figure"
	"flashdex/result"
)

// starts are the starts of a program, in seconds.
type starts struct {
	each         []float64
	mean, spread float64 // spread: the standard deviation between starts, 0 for one start
	readMB       float64 // from the module, by each start, 10^6 bytes
}

// startsOf derives them. nil: there are none.
func startsOf(tests []result.Test) *starts {
	t := testOf(tests, result.Startup)
	if t == nil || len(t.Intervals) == 0 {
		return nil
	}
	s := &starts{}
	n := float64(len(t.Intervals))
	for _, i := range t.Intervals {
		seconds := float64(i.NS) / 1e9
		s.each = append(s.each, seconds)
		s.mean += seconds / n
		s.readMB += float64(i.Bytes) / 1e6 / n
	}
	for _, seconds := range s.each {
		s.spread += (seconds - s.mean) * (seconds - s.mean)
	}
	s.spread = math.Sqrt(s.spread / math.Max(n-1, 1))
	return s
}

// startup draws the starts of each run as dots, and compares the means with a baseline: the run base, or, for runs in
// another host, the last run of the list in that host, since times in two computers don't compare.
func startup(prefix string, runs []Profiled, base int) (p Profile) {
	table := Numbers{
		Title: "Starts",
		Note: "The spread is the standard deviation between the starts. Times compare within one host: against the " +
			"baseline there, a run takes so much more (+) or less (−).",
		Head: []string{
			"Run", "Starts", "Mean, s", "Spread, s", "Fastest, s", "Slowest, s", "Read each, MB", "Against the baseline",
		},
	}
	var rows []Row
	baseline := map[string]int{} // by host
	for i, r := range runs {
		baseline[r.Host] = i
	}
	baseline[runs[base].Host] = base
	for i, r := range runs {
		s := startsOf(r.Tests)
		if s == nil {
			continue
		}
		against := ""
		if b := baseline[r.Host]; len(runs) == 1 {
		} else if b == i {
			against = "baseline " + r.Letter
		} else if of := startsOf(runs[b].Tests); of != nil {
			against = result.Change(s.mean, of.mean) + " of " + runs[b].Letter
		}
		row := []string{strings.TrimSpace(r.Letter + " " + r.Program), fmt.Sprint(len(s.each))}
		for _, v := range []float64{s.mean, s.spread, slices.Min(s.each), slices.Max(s.each), s.readMB} {
			row = append(row, result.Number(v))
		}
		table.Rows = append(table.Rows, append(row, against))
		rows = append(rows, Row{Label: row[0], Figure: figure.Figure{Value: s.mean}, Units: s.each})
	}
	c, ok := Rows(prefix+"starts", "Each start, and the mean of a run", "seconds", rows)
	c.Numbers.Head = []string{"Run", "Mean, seconds", "Interval", "Starts"}
	p.Charts.Add(c, ok)
	p.tabulate(table)
	return p
}
