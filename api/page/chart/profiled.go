package chart

import (
	"time"

	"flashdex/api/figure"
	"flashdex/api/page/markup"
	"flashdex/result"
)

// Profiled is a run by one of index.ProfiledMethods, to be shown.
type Profiled struct {
	Letter  string // names it where there is no room for more; empty if it is the only one
	Label   string // of the run, in words
	Class   string // Main, Behind or Several
	Host    string
	Program string
	Tests   []result.Test
}

func (p *Profiled) label() string {
	if p.Letter == "" {
		return p.Label
	}
	return p.Letter + " " + p.Label
}

// Profile is what a page shows of runs by one method.
type Profile struct {
	Charts []Chart   `json:"charts,omitempty"`
	Tables []Numbers `json:"tables,omitempty"`
}

// HTML is all of it, the charts first.
func (p Profile) HTML() (html markup.HTML) {
	if len(p.Charts) > 0 {
		html = "<div class=\"charts\">\n"
		for _, c := range p.Charts {
			html += c.HTML()
		}
		html += "</div>\n"
	}
	for _, n := range p.Tables {
		html += n.HTML()
	}
	return html
}

// IsEmpty reports whether there is nothing to show.
func (p Profile) IsEmpty() bool { return len(p.Charts)+len(p.Tables) == 0 }

// with is the profile with a table more, if that has rows.
func (p Profile) with(n Numbers) Profile {
	if len(n.Rows) > 0 {
		p.Tables = append(p.Tables, n)
	}
	return p
}

// ProfileOf shows runs of one module by one method, the newest first. Those that are Behind are only drawn, where a chart has room for them.
func ProfileOf(method, prefix string, runs []Profiled) (p Profile) {
	var shown []Profiled
	for _, r := range runs {
		if r.Class != Behind {
			shown = append(shown, r)
		}
	}
	switch {
	case len(shown) == 0:
	case method == result.MethodSustained1:
		p = sustained(prefix, runs)
	case method == result.MethodSweep1:
		p = sweepOfRun(prefix, shown[0])
		if c, ok := sweepOfTest(prefix, sweepTests[0], shown); ok {
			p.Charts = append(p.Charts, c)
		}
	case method == result.MethodIozone50M:
		p = iozone(shown)
	case method == result.MethodStartup1:
		p = startup(prefix, shown, len(shown)-1)
	}
	return p
}

// ProfileOfModules shows one run of each of several modules by one method, of which base is the baseline. What only one of them has can't be compared.
func ProfileOfModules(method, prefix string, runs []Profiled, base int) (p Profile) {
	switch {
	case len(runs) < 2:
	case method == result.MethodSustained1:
		p = sustained(prefix, runs)
	case method == result.MethodSweep1:
		for _, test := range sweepTests {
			if c, ok := sweepOfTest(prefix, test, runs); ok {
				p.Charts = append(p.Charts, c)
			}
		}
	case method == result.MethodIozone50M:
		p = iozone(runs).with(iozoneAgainst(runs, base))
	case method == result.MethodStartup1:
		p = startup(prefix, runs, base)
	}
	return p
}

// sweepTests are the tests of a sweep. The first shows best how a module works: it is marked, and drawn of all runs.
var sweepTests = []struct{ test, id, label, letter string }{
	{result.RandWrite, "rand-write", "random write", "RW"}, {result.RandRead, "rand-read", "random read", "RR"},
	{result.SeqWrite, "seq-write", "linear write", "LW"}, {result.SeqRead, "seq-read", "linear read", "LR"},
}

// sweepOfRun draws the four tests of one run, with the marks of the first.
func sweepOfRun(prefix string, run Profiled) (p Profile) {
	var lines []Rates
	facts := Numbers{
		Title: "Where it is level", Note: "A rate is level from the least record on that brings 80 % of its highest: the size that the module, or what the computer sends at a time, works in. " +
			"It has a cliff where twice the record brings more than 2.5 times the rate: then the larger record takes less time than the smaller, because the module moves more than it is given.",
		Table: Table{Head: []string{"Test", "Level from", "Highest, MB/s", "Cliff below", "Times the rate there"}},
	}
	for i, s := range sweepTests {
		line := Rates{s.letter + " " + s.label, Several(i), s.letter, ratesOf(run.Tests, s.test)}
		lines = append(lines, line)
		if len(line.At) > 1 {
			facts.Rows = append(facts.Rows, append([]string{s.letter + " " + s.label}, line.facts()...))
		}
	}
	title := "Rate over the size of a record"
	if run.Letter != "" {
		title += ", run " + run.Letter
	}
	if c, ok := Sweep(prefix+"records", title, lines, 0); ok {
		p.Charts = append(p.Charts, c)
	}
	return p.with(facts)
}

// sweepOfTest draws one test of several runs. ok is false if fewer than two have it.
func sweepOfTest(prefix string, s struct{ test, id, label, letter string }, runs []Profiled) (Chart, bool) {
	var lines []Rates
	n := 0
	for _, r := range runs {
		line := Rates{r.label(), r.Class, r.Letter, ratesOf(r.Tests, s.test)}
		if len(line.At) > 1 {
			n++
		}
		lines = append(lines, line)
	}
	if n < 2 {
		return Chart{}, false
	}
	return Sweep(prefix+"records-"+s.id, "Rate over the size of a record: "+s.label, lines, -1)
}

// ProfiledRuns are the runs of a module by one method as they are drawn: each with its letter, or the only one by itself.
func ProfiledRuns(runs []figure.ProfiledRun) (drawn []Profiled) {
	for i, r := range runs {
		p := Profiled{Label: r.ReceivedAt.UTC().Format(time.DateOnly) + ", " + r.Host, Class: Main, Host: r.Host, Program: r.Program, Tests: r.Tests}
		if len(runs) > 1 {
			p.Letter, p.Class = Letter(i), Several(i)
		}
		drawn = append(drawn, p)
	}
	return drawn
}
