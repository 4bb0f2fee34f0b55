package chart

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"flashdex/api/figure"
	"flashdex/result"
)

// Profiled is a run by one of figure.ProfiledMethods.
type Profiled struct {
	Letter  string // its short name; empty if it is the only one
	Label   string // its name
	Class   string // Main, Behind or Several
	Host    string
	Program string
	Tests   []result.Test
}

func (p *Profiled) label() string { return strings.TrimSpace(p.Letter + " " + p.Label) }

// Profile shows runs by one method.
type Profile struct {
	Charts Charts    `json:"charts,omitempty"`
	Tables []Numbers `json:"tables,omitempty"`
}

// IsEmpty reports whether there is nothing to show.
func (p Profile) IsEmpty() bool { return len(p.Charts)+len(p.Tables) == 0 }

// tabulate adds a table, if it has rows.
func (p *Profile) tabulate(n Numbers) {
	if len(n.Rows) > 0 {
		n.Class, n.Caption = "numbers", n.Title
		p.Tables = append(p.Tables, n)
	}
}

// ProfileOf shows runs of one module by one method, the newest first. Runs of class Behind are only drawn where a chart
// has room for them.
func ProfileOf(method, prefix string, runs []Profiled) (p Profile) {
	shown := slices.DeleteFunc(slices.Clone(runs), func(r Profiled) bool { return r.Class == Behind })
	switch {
	case len(shown) == 0:
	case method == result.MethodSustained1:
		p = sustained(prefix, runs)
	case method == result.MethodSweep1:
		p.sweepOfRun(prefix, shown[0])
		p.sweepOfTest(prefix, sweepTests[0], shown)
	case method == result.MethodIozone50M:
		p.tabulate(iozone(shown))
	case method == result.MethodStartup1:
		p = startup(prefix, shown, len(shown)-1)
	}
	return p
}

// ProfileOfModules shows one run of each of several modules by one method. base is the index of the baseline. Tests
// that only one module has are left out.
func ProfileOfModules(method, prefix string, runs []Profiled, base int) (p Profile) {
	switch {
	case len(runs) < 2:
	case method == result.MethodSustained1:
		p = sustained(prefix, runs)
	case method == result.MethodSweep1:
		for _, test := range sweepTests {
			p.sweepOfTest(prefix, test, runs)
		}
	case method == result.MethodIozone50M:
		p.tabulate(iozone(runs))
		p.tabulate(iozoneAgainst(runs, base))
	case method == result.MethodStartup1:
		p = startup(prefix, runs, base)
	}
	return p
}

type sweepTest struct{ test, id, label, letter string }

// sweepTests are the tests of a sweep. The first shows best how a module works: it has marks, and all runs are drawn.
var sweepTests = []sweepTest{
	{result.RandWrite, "rand-write", "random write", "RW"}, {result.RandRead, "rand-read", "random read", "RR"},
	{result.SeqWrite, "seq-write", "linear write", "LW"}, {result.SeqRead, "seq-read", "linear read", "LR"},
}

// sweepOfRun draws the four tests of one run, with the marks of the first.
func (p *Profile) sweepOfRun(prefix string, run Profiled) {
	var lines []Rates
	facts := Numbers{
		Title: "Where it is level",
		Note: "A rate is level from the least record on that brings 80 % of its highest: the size that the module, or " +
			"what the computer sends at a time, works in. It has a cliff where twice the record brings more than 2.5 times " +
			"the rate: then the larger record takes less time than the smaller, because the module moves more than it is given.",
		Head: []string{"Test", "Level from", "Highest, MB/s", "Cliff below", "Times the rate there"},
	}
	for i, s := range sweepTests {
		rates := Rates{s.letter + " " + s.label, Several(i), s.letter, ratesOf(run.Tests, s.test)}
		lines = append(lines, rates)
		if len(rates.At) > 1 {
			facts.Rows = append(facts.Rows, rates.facts())
		}
	}
	title := "Rate over the size of a record"
	if run.Letter != "" {
		title += ", run " + run.Letter
	}
	p.Charts.Add(Sweep(prefix+"records", title, lines, 0))
	p.tabulate(facts)
}

// sweepOfTest draws one test of several runs, if two have it.
func (p *Profile) sweepOfTest(prefix string, s sweepTest, runs []Profiled) {
	var lines []Rates
	n := 0
	for _, r := range runs {
		rates := Rates{r.label(), r.Class, r.Letter, ratesOf(r.Tests, s.test)}
		if len(rates.At) > 1 {
			n++
		}
		lines = append(lines, rates)
	}
	if n > 1 {
		p.Charts.Add(Sweep(prefix+"records-"+s.id, "Rate over the size of a record: "+s.label, lines, -1))
	}
}

// ProfiledRuns prepares the runs of a module by one method for ProfileOf. Several runs get letters.
func ProfiledRuns(runs []figure.ProfiledRun) (drawn []Profiled) {
	for i, r := range runs {
		label := r.ReceivedAt.UTC().Format(time.DateOnly) + ", " + r.Host
		p := Profiled{Label: label, Class: Main, Host: r.Host, Program: r.Program, Tests: r.Tests}
		if len(runs) > 1 {
			p.Letter, p.Class = Letter(i), Several(i)
		}
		drawn = append(drawn, p)
	}
	return drawn
}

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
