package chart

import (
	"fmt"
	"strings"

	"flashdex/result"
)

// saturate draws the rates of rounds over what was written in them, and says what is left of the first rate.
func (p *Profile) saturate(prefix string, runs []Profiled) {
	p.Charts.Add(Rounds(prefix+"rounds", runs))
	table := Numbers{
		Title: "What is left when it is full",
		Note: "First 256 MiB are written and overwritten at random, as the standard profile does it, on the module as it " +
			"was. Then all of it, or nine tenths of a directory’s free space, is written in a line, and then at random, until " +
			"the rate is steady by SNIA’s rule: five rounds of a minute within 20 % of their mean, with a slope within 10 %.",
		Head: []string{"Run", "Standard, IOPS", "Filled, GB", "At, MB/s", "Cliff after, MB", "Steady, IOPS", "95 % interval",
			"Left, %", "Rounds"},
	}
	for _, r := range runs {
		row := []string{r.label(), "", "", "", "", "not steady", "", "", ""}
		standard := 0.0
		for i := range r.Tests {
			t := &r.Tests[i]
			f := t.Figures()
			switch {
			case t.Name == result.RandWrite && f.IOPS != nil:
				standard = *f.IOPS
				row[1] = result.Number(standard)
			case t.Name == result.FillWrite:
				row[2], row[3], row[4] = result.Number(float64(t.Bytes)/1e9), result.Number(f.MBPerS), "none seen"
				if f.CliffMB != nil {
					row[4] = result.Number(*f.CliffMB)
				}
			case t.Name == result.RoundWrite:
				row[8] = result.Count(len(result.RoundsOf(t.Intervals)))
				if f.IOPS == nil {
					continue
				}
				row[5] = result.Number(*f.IOPS)
				if f.IOPSLow != nil {
					row[6] = fromTo(*f.IOPSLow, *f.IOPSHigh)
				}
				if standard > 0 {
					row[7] = result.Number(100 * *f.IOPS / standard)
				}
			}
		}
		table.Rows = append(table.Rows, row)
	}
	p.tabulate(table)
}

// Rounds draws the rate of each round over the bytes that were written at random so far, after the point of the standard
// test. ok is false if no run has two rounds.
func Rounds(id string, runs []Profiled) (c Chart, ok bool) {
	var rates extent
	most := 0.0
	lines := make([][]point, len(runs))
	d := drawing{Chart: Chart{Title: "Random writes until they are steady"}, id: id, plot: linePlot}
	d.Numbers.Head = []string{"Run", "Written at random, GB", "IOPS"}
	for i, r := range runs {
		written := 0.0
		add := func(bytes, iops float64) {
			written += bytes / 1e9
			rates.add(iops)
			most = max(most, written)
			lines[i] = append(lines[i], point{written, iops})
			d.row(r.label(), result.Number(written), result.Number(iops))
		}
		if t := testOf(r.Tests, result.RandWrite); t != nil && t.DurationNS > 0 {
			add(float64(t.Bytes), float64(t.Ops)*1e9/float64(t.DurationNS))
		}
		if t := testOf(r.Tests, result.RoundWrite); t != nil {
			for _, round := range result.RoundsOf(t.Intervals) {
				if round.NS > 0 {
					add(float64(round.Bytes), float64(round.Ops)*1e9/float64(round.NS))
				}
			}
		}
		ok = ok || len(lines[i]) > 2
	}
	if !ok {
		return Chart{}, false
	}
	d.x = scale{0, most, false}.labelled("GB written at random", linearScale("GB", most).ticks)
	d.y = logScale("IOPS", rates)
	said := ""
	for i, r := range runs {
		if len(lines[i]) == 0 {
			continue
		}
		first, last := lines[i][0], lines[i][len(lines[i])-1]
		d.run(Run{Label: r.label(), Class: r.Class, End: r.Letter}, d.curve(lines[i]), last)
		said += fmt.Sprintf(" %s: %s IOPS as it was, %s in the last round.", r.label(), result.Number(first.y),
			result.Number(last.y))
	}
	return d.finish(said[1:])
}

// mixed says what reads and writes at once reach, and draws what rests bring back.
func (p *Profile) mixed(prefix string, runs []Profiled) {
	p.Charts.Add(Rests(prefix+"rests", runs))
	table := Numbers{
		Title: "Reads and writes at once, and rests",
		Note: "At random, 4 KiB, one at a time, each write on the module before the next. After a rest: the first 32 writes, " +
			"against as many without one. More after a rest: a cache in the module had emptied itself.",
		Head: []string{"Operation", "IOPS", "Times as many", "99.9 % interval"},
	}
	for _, r := range runs {
		name := func(what string) string { return strings.TrimSpace(r.Letter + " " + what) }
		if t := testOf(r.Tests, result.Mixed); t != nil {
			row := []string{name("70 % reads, 30 % writes"), "", "", ""}
			if f := t.Figures(); f.IOPS != nil {
				row[1] = result.Number(*f.IOPS)
			}
			table.Rows = append(table.Rows, row)
		}
		t := testOf(r.Tests, result.RestedWrite)
		if t == nil {
			continue
		}
		for _, rest := range result.RestsNS {
			row := []string{name(restOf(rest)), "", "", ""}
			if rate := t.RateAfterRest(rest); rate != nil {
				row[1] = result.Number(*rate)
			}
			if of := t.AfterRest(rest); rest > 0 && of.Low > 0 {
				row[2], row[3] = result.Number(of.Times), fromTo(of.Low, of.High)
			}
			table.Rows = append(table.Rows, row)
		}
	}
	p.tabulate(table)
}

// restOf names the writes after a rest.
func restOf(ns int64) string {
	if ns == 0 {
		return "writes without a rest"
	}
	return fmt.Sprintf("writes after %d s of rest", ns/1e9)
}

// restTicks are the rests at the foot; none stands where a tenth of a second would.
var restTicks = []tick{{noRest, "none"}, {1, "1"}, {10, "10"}, {60, "60"}}

const noRest = 0.1

// Rests draws the rate of writes over the rest before them, both logarithmic. ok is false if no run has two.
func Rests(id string, runs []Profiled) (c Chart, ok bool) {
	var rates extent
	lines := make([][]point, len(runs))
	d := drawing{
		Chart: Chart{Title: "Random writes after a rest"}, id: id, plot: linePlot,
		x: scale{noRest, 60, true}.labelled("seconds of rest", restTicks),
	}
	d.Numbers.Head = []string{"Run", "Rest, s", "IOPS"}
	for i, r := range runs {
		t := testOf(r.Tests, result.RestedWrite)
		if t == nil {
			continue
		}
		for _, rest := range result.RestsNS {
			if rate := t.RateAfterRest(rest); rate != nil {
				rates.add(*rate)
				lines[i] = append(lines[i], point{max(float64(rest)/1e9, noRest), *rate})
				d.row(r.label(), result.Number(float64(rest)/1e9), result.Number(*rate))
			}
		}
		ok = ok || len(lines[i]) > 1
	}
	if !ok {
		return Chart{}, false
	}
	d.y = logScale("IOPS", rates)
	said := ""
	for i, r := range runs {
		if len(lines[i]) == 0 {
			continue
		}
		first, last := lines[i][0], lines[i][len(lines[i])-1]
		d.run(Run{Label: r.label(), Class: r.Class, End: r.Letter}, d.curve(lines[i]), last)
		said += fmt.Sprintf(" %s: %s IOPS without a rest, %s after the longest.", r.label(), result.Number(first.y),
			result.Number(last.y))
	}
	return d.finish(said[1:])
}
