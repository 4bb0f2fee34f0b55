package chart

import (
	"slices"
	"strings"
	"time"

	"flashdex/api/figure"
	"flashdex/result"
)

// Profiled is a run by one of figure.ProfiledMethods.
type Profiled struct {
	Letter string // its short name; empty if it is the only one
	Label  string // its name
	Class  string // Main, Behind or Several
	Module string // if several modules are compared
	Unit   string // of the module
	Board  string // of the host; empty: not known
	Target result.Target
	Queue  figure.QueueEvidence
	Tests  []result.Test
}

func (p *Profiled) label() string { return strings.TrimSpace(p.Letter + " " + p.Label) }

// Profile shows runs by one method.
type Profile struct {
	Said   []string  `json:"said,omitempty"` // sentences with the most important findings
	Charts Charts    `json:"charts,omitempty"`
	Tables []Numbers `json:"tables,omitempty"`
}

// IsEmpty reports whether there is nothing to show.
func (p Profile) IsEmpty() bool { return len(p.Charts)+len(p.Tables) == 0 }

// classOf returns the class of the i-th line of a run.
func (p *Profiled) classOf(i int) string {
	switch {
	case i == 0 || p.Class == Behind:
		return p.Class
	case p.Class == Main:
		return Several(i)
	}
	return p.Class + Second
}

// endOf returns the text at the end of a line: the run's letter and the line's own letter.
func (p *Profiled) endOf(own string) string {
	if p.Letter == "" {
		return ""
	}
	return p.Letter + own
}

// tabulate adds a table, if it has rows.
func (p *Profile) tabulate(n Numbers) {
	if len(n.Rows) > 0 {
		n.Class, n.Caption = "numbers", n.Title
		p.Tables = append(p.Tables, n)
	}
}

// profiles holds the function that shows the runs by each method: runs of one module, or one run of each of several.
var profiles = map[string]func(p *Profile, prefix string, runs []Profiled){
	result.MethodSustained1: (*Profile).sustained, result.MethodStartup1: (*Profile).startup,
	result.MethodFiles1: (*Profile).files, result.MethodRecording1: (*Profile).recording,
	result.MethodRecorder1: (*Profile).recorder, result.MethodStructure1: (*Profile).structure,
	result.MethodQueue1: (*Profile).queue, result.MethodSaturate1: (*Profile).saturate,
	result.MethodMixed1: (*Profile).mixed, result.MethodEndure1: (*Profile).endure,
}

// ProfileOf shows runs of one module by one method, the newest first. Runs of class Behind are only drawn if a chart
// has room for them.
func ProfileOf(method, prefix string, runs []Profiled) (p Profile) {
	shown := slices.DeleteFunc(slices.Clone(runs), func(r Profiled) bool { return r.Class == Behind || len(r.Tests) == 0 })
	switch {
	case len(shown) == 0:
	case method == result.MethodSustained1:
		p.sustained(prefix, runs)
	case method == result.MethodSweep1:
		p.sweepOfRun(prefix, shown[0])
		p.sweepOfTest(prefix, sweepTests[0], shown)
	case method == result.MethodIozone50M:
		p.tabulate(iozone(shown))
	case profiles[method] != nil:
		profiles[method](&p, prefix, shown)
	}
	return p
}

// ProfileOfModules shows one run of each of several modules by one method. By MethodStartup1 a module has a run for
// each configuration, and by MethodSustained1 several that were made in different ways. base is the index of the
// baseline's run. Starts have no baseline: they are compared with the slowest. Tests that only one module has are left
// out.
func ProfileOfModules(method, prefix string, runs []Profiled, base int) (p Profile) {
	switch {
	case len(runs) < 2:
	case method == result.MethodSweep1:
		for _, test := range sweepTests {
			p.sweepOfTest(prefix, test, runs)
		}
	case method == result.MethodIozone50M:
		p.tabulate(iozone(runs))
		p.tabulate(iozoneAgainst(runs, base))
	case profiles[method] != nil:
		profiles[method](&p, prefix, runs)
	}
	return p
}

type sweepTest struct{ test, id, label, letter string }

// sweepTests are the tests of a sweep. The first one shows best how a module works, so it has marks, and all its runs
// are drawn.
var sweepTests = []sweepTest{
	{result.RandWrite, "rand-write", "random write", "RW"}, {result.RandRead, "rand-read", "random read", "RR"},
	{result.SeqWrite, "seq-write", "linear write", "LW"}, {result.SeqRead, "seq-read", "linear read", "LR"},
}

// sweepOfRun draws the four tests of one run, with the marks of the first.
func (p *Profile) sweepOfRun(prefix string, run Profiled) {
	var lines []Line
	facts := Numbers{
		Title: "Where it is level",
		Note: "A rate is level from the least record on that brings 80 % of its highest: the size that the module, or " +
			"what the computer sends at a time, works in. It has a cliff where twice the record brings more than 2.5 times " +
			"the rate: then the larger record takes less time than the smaller, because the module moves more than it is given.",
		Head: []string{"Test", "Level from", "Highest, MB/s", "Cliff below", "Times the rate there"},
	}
	for i, s := range sweepTests {
		rates := Line{s.letter + " " + s.label, Several(i), s.letter, ratesOf(run.Tests, s.test)}
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
	var lines []Line
	n := 0
	for _, r := range runs {
		rates := Line{r.label(), r.Class, r.Letter, ratesOf(r.Tests, s.test)}
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
		p := Profiled{Label: label, Class: Main, Unit: r.Unit, Board: r.Board, Target: r.Target,
			Queue: r.Queue, Tests: r.Tests}
		if len(runs) > 1 {
			p.Letter, p.Class = Letter(i), Several(i)
		}
		drawn = append(drawn, p)
	}
	return drawn
}
