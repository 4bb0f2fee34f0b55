package chart

import (
	"fmt"
	"slices"
	"strings"

	"flashdex/result"
)

// saturate draws the rate of each round, and shows how much of the first rate is left.
func (p *Profile) saturate(prefix string, runs []Profiled) {
	p.Charts.Add(Rounds(prefix+"rounds", runs))
	table := Numbers{
		Title: "What is left when it is full",
		Note: "First 256 MiB are written and overwritten at random, as the standard profile does it, on the module " +
			"as it was. Then all of it, or nine tenths of a directory’s free space, is written in a line, and then " +
			"at random, in rounds of a minute, until the rate is steady: the highest and the lowest of five rounds " +
			"differ by at most 20 % of their mean, a line through them changes by at most 10 % of it (SNIA), and the " +
			"ten rounds before were as fast. The steady rate is that over all that was filled. Last, as many MiB as at " +
			"first are overwritten at random once more: what is left compares the two, because most modules are slower " +
			"over a larger area, full or not.",
		Head: []string{
			"Run", "As it was, IOPS", "Filled, GB", "Fill, MB/s", "Cliff after, MB", "Steady, IOPS", "Rounds", "Full, IOPS",
			"Left, %",
		},
	}
	for _, r := range runs {
		row := []string{r.label(), "", "", "", "", "not steady", "", "", ""}
		before := 0.0
		for i := range r.Tests {
			t := &r.Tests[i]
			f := t.Figures()
			switch {
			case t.Name == result.RandWrite && f.IOPS != nil:
				before = *f.IOPS
				row[1] = result.Number(before)
			case t.Name == result.FillWrite:
				row[2], row[3], row[4] = result.Number(float64(t.Bytes)/1e9), result.Number(f.MBPerS), "none seen"
				if f.CliffMB != nil {
					row[4] = result.Number(*f.CliffMB)
				}
			case t.Name == result.RoundWrite:
				row[6] = result.Count(len(result.RoundsOf(t.Intervals)))
				if f.IOPS != nil {
					row[5] = result.Number(*f.IOPS)
				}
			case t.Name == result.FullWrite && f.IOPS != nil:
				row[7] = result.Number(*f.IOPS)
				if before > 0 {
					row[8] = result.Number(100 * *f.IOPS / before)
				}
			}
		}
		table.Rows = append(table.Rows, row)
	}
	p.tabulate(table)
}

// Rounds draws the rate of each round over the bytes that were written at random so far, and the point of the module as
// it was before them. ok is false if no run has two rounds.
func Rounds(id string, runs []Profiled) (c Chart, ok bool) {
	var lines, before []Line
	for i := range runs {
		r := &runs[i]
		written := 0.0 // 10^9 bytes
		next := func(bytes, ops, ns int64) point {
			written += float64(bytes) / 1e9
			return point{written, float64(ops) * 1e9 / float64(ns)}
		}
		if t := testOf(r.Tests, result.RandWrite); t != nil && t.Ops > 0 && t.DurationNS > 0 {
			end := strings.TrimSpace(r.Letter + " as it was")
			before = append(before, Line{r.label(), r.Class, end, []point{next(t.Bytes, t.Ops, t.DurationNS)}})
		}
		l := Line{Label: r.label(), Class: r.Class, End: r.Letter}
		if t := testOf(r.Tests, result.RoundWrite); t != nil {
			for _, round := range result.RoundsOf(t.Intervals) {
				if round.NS > 0 {
					l.At = append(l.At, next(round.Bytes, round.Ops, round.NS))
				}
			}
		}
		lines = append(lines, l)
	}
	lines, rates := shown(lines)
	if len(lines) == 0 {
		return Chart{}, false
	}
	before = slices.DeleteFunc(before, func(b Line) bool { // a single point shows no change
		return !slices.ContainsFunc(lines, func(l Line) bool { return l.Label == b.Label })
	})
	most := 0.0
	for _, l := range lines {
		most = max(most, l.At[len(l.At)-1].x)
	}
	for _, l := range before {
		rates.add(l.At[0].y)
	}
	d := drawing{
		Chart: Chart{
			Title:   "Random writes until they are steady",
			Numbers: Numbers{Head: []string{"Run", "Written at random, GB", "IOPS"}},
		},
		id: id, plot: linePlot, y: logScale("IOPS", rates),
		x: scale{0, most, false}.labelled("GB written at random", linearScale("GB", most).ticks),
	}
	for _, l := range before {
		at := l.At[0]
		d.dot(l.Class, at.x, d.plot.top+d.down(at.y))
		d.ends = append(d.ends, end{l.Class, l.End, d.x.percent(at.x) + 1.5, d.plot.top + d.down(at.y)})
		d.row(l.Label+", as it was", result.Number(at.x), result.Number(at.y))
	}
	d.list(lines)
	return d.draw(lines, func(l Line) string {
		words := l.Label + ": "
		if i := slices.IndexFunc(before, func(b Line) bool { return b.Label == l.Label }); i >= 0 {
			words += result.Number(before[i].At[0].y) + " IOPS as it was, over 256 MiB, "
		}
		return words + fmt.Sprintf("%s IOPS in the first round, %s in the last.", result.Number(l.At[0].y),
			result.Number(l.At[len(l.At)-1].y))
	})
}

// mixed shows the rate of mixed reads and writes, and of writes after rests.
func (p *Profile) mixed(prefix string, runs []Profiled) {
	p.Charts.Add(Rests(prefix+"rests", runs))
	table := Numbers{
		Title: "Mixed reads and writes, and rests",
		Note: "At random, 4 KiB, one at a time, each write on the module before the next. After a rest: the first 32 " +
			"writes, compared with as many without one. Where a rest brings more, a cache in the module may have emptied " +
			"itself meanwhile.",
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

// after labels a rest on the axis.
func after(seconds float64) string {
	if seconds <= noRest {
		return "without a rest"
	}
	return fmt.Sprintf("after %s s of rest", result.Number(seconds))
}

// restTicks are the rests at the foot. "none" stands where a tenth of a second would.
var restTicks = []tick{{noRest, "none"}, {1, "1"}, {10, "10"}, {60, "60"}}

const noRest = 0.1

// Rests draws the rate of writes over the rest before them, both logarithmic. ok is false if no run has two.
func Rests(id string, runs []Profiled) (c Chart, ok bool) {
	var lines []Line
	for i := range runs {
		r := &runs[i]
		t := testOf(r.Tests, result.RestedWrite)
		if t == nil {
			continue
		}
		l := Line{Label: r.label(), Class: r.Class, End: r.Letter}
		for _, rest := range result.RestsNS {
			if rate := t.RateAfterRest(rest); rate != nil {
				l.At = append(l.At, point{max(float64(rest)/1e9, noRest), *rate})
			}
		}
		lines = append(lines, l)
	}
	lines, rates := shown(lines)
	if len(lines) == 0 {
		return Chart{}, false
	}
	d := drawing{
		Chart: Chart{Title: "Random writes after a rest", Numbers: Numbers{Head: []string{"Run", "Rest, s", "IOPS"}}},
		id:    id, plot: linePlot, x: scale{noRest, 60, true}.labelled("seconds of rest", restTicks),
		y: logScale("IOPS", rates),
	}
	for _, l := range lines {
		for _, at := range l.At {
			rest := "none"
			if at.x > noRest {
				rest = result.Number(at.x)
			}
			d.row(l.Label, rest, result.Number(at.y))
		}
	}
	return d.draw(lines, func(l Line) string {
		first, last := l.At[0], l.At[len(l.At)-1]
		return fmt.Sprintf("%s: %s IOPS %s, %s %s.", l.Label, result.Number(first.y), after(first.x), result.Number(last.y),
			after(last.x))
	})
}
