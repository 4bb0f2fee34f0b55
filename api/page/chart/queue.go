package chart

import (
	"fmt"
	"strings"

	"flashdex/api/figure"
	"flashdex/result"
)

// depthTicks are the depths at the foot.
var depthTicks = []tick{{1, "1"}, {2, "2"}, {4, "4"}, {8, "8"}, {16, "16"}, {32, "32"}}

// queuedTests are the tests at several depths.
var queuedTests = []struct{ test, name, end string }{
	{result.QueuedWrite, "random write", "w"}, {result.QueuedRead, "random read", "r"},
}

// queue shows what several operations at once gain, and whether command queueing works with the card.
func (p *Profile) queue(prefix string, runs []Profiled) {
	p.Charts.Add(Gains(prefix+"queue", runs))
	works := Numbers{
		Title: "Does command queueing work with the card?",
		Note: "Yes: in a host that uses the card’s queue, 32 operations at once brought at least 1.2 times as many, " +
			"and no error was seen. No: in such a host the kernel had to recover the queue, or data came back wrong " +
			"that are right when they are read alone. Loses data beside discards: what lies beside discarded blocks is " +
			"wrong on the card, whatever its queue does. A run in a host that doesn’t use the queue can’t tell.",
		Head:  []string{"Run", "Works", "Why", "Card", "Queue in this host", "Cache"},
		Words: true,
	}
	rates := Numbers{
		Title: "Several operations at once",
		Note: "Random reads and writes of 4 KiB, one at a time and with 32 under way. Under way: how many operations " +
			"the kernel had waiting or in progress, on average. Reads of the same block again and again need hardly any " +
			"work of the flash, so they show about how long host, bus and controller take for one read. Writes may stay " +
			"in the card’s cache until the end.",
		Head: []string{
			"Operation", "One at a time, IOPS", "32 at once, IOPS", "Times as many", "99.9 % interval", "Under way",
		},
	}
	checked := Numbers{
		Title: "Data beside discarded blocks",
		Note: "64 MiB are written, every other MiB is discarded, and the rest is read back with 32 reads under way " +
			"and compared with what was written. Wrong blocks are read again, one at a time: those that are right then " +
			"came wrong out of the queue. Without a discard that reached the card, this tests only the queue.",
		Head: []string{"Run", "Blocks read back", "Wrong", "Right alone", "Discards"},
	}
	for _, r := range runs {
		answer, why := figure.QueueAnswer(r.Queue, r.Tests)
		uses := map[string]string{result.QueueOn: "on", result.QueueOff: "off"}[r.Queue.HostUses]
		works.Rows = append(works.Rows, []string{r.label(), answer, why, r.Queue.NamedCard(), uses, r.Target.WriteCache})
		for _, of := range queuedTests {
			if t := testOf(r.Tests, of.test); t != nil {
				rates.Rows = append(rates.Rows, gainRow(strings.TrimSpace(r.Letter+" "+of.name), t))
			}
		}
		if t := testOf(r.Tests, result.SameRead); t != nil {
			rates.Rows = append(rates.Rows,
				[]string{strings.TrimSpace(r.Letter + " the same block"), ratesAt(t, 1), "", "", "", ""})
		}
		if t := testOf(r.Tests, result.CheckedRead); t != nil {
			checked.Rows = append(checked.Rows, []string{
				r.label(), result.Count(int(t.Ops)), result.Count(int(t.WrongOps)), result.Count(int(t.RightAloneOps)),
				result.Count(int(t.DiscardOps)),
			})
		}
	}
	p.tabulate(works)
	p.tabulate(rates)
	p.tabulate(checked)
}

// QueueCounts shows how many units of a module's variants answered what.
func QueueCounts(counts []figure.QueueCount) (p Profile) {
	table := Numbers{
		Title: "Does it work with other cards of this name?",
		Note: "Units of contributors whose results count, by what their registers name and the month in which they were " +
			"made. A unit whose runs disagree stands in several columns, and one whose runs can’t tell in none.",
		Head:  []string{"Card", "Made", "Yes", "No", "No gain", "Loses data beside discards"},
		Words: true,
	}
	for _, c := range counts {
		table.Rows = append(table.Rows, []string{c.Registers, c.Made, result.Count(c.Yes), result.Count(c.No),
			result.Count(c.NoGain), result.Count(c.Loses)})
	}
	p.tabulate(table)
	return p
}

// gainRow is the row of a test at several depths.
func gainRow(name string, t *result.Test) []string {
	f := t.Figures()
	row := []string{name, ratesAt(t, 1), ratesAt(t, result.MostDepth), "can’t tell", "", ""}
	if f.Ratio != nil {
		row[3], row[4] = result.Number(*f.Ratio), fromTo(*f.RatioLow, *f.RatioHigh)
	}
	if f.UnderWay != nil {
		row[5] = result.Number(*f.UnderWay)
	}
	return row
}

// ratesAt returns the rate at a depth with its interval.
func ratesAt(t *result.Test, depth int64) string {
	e := t.AtDepth(depth)
	switch {
	case e.IOPS == 0:
		return ""
	case e.Low == 0:
		return result.Number(e.IOPS)
	}
	return fmt.Sprintf("%s (%s)", result.Number(e.IOPS), fromTo(e.Low, e.High))
}

// Gains draws the rate of random reads and writes over the number of operations under way, both logarithmic. ok is
// false if no run has one.
func Gains(id string, runs []Profiled) (c Chart, ok bool) {
	var lines []Line
	for i := range runs {
		r := &runs[i]
		for k, of := range queuedTests {
			t := testOf(r.Tests, of.test)
			if t == nil {
				continue
			}
			l := Line{Label: strings.TrimSpace(r.label() + ", " + of.name), Class: r.classOf(k), End: r.endOf(of.end)}
			for _, depth := range result.Depths {
				l.At = append(l.At, point{float64(depth), t.AtDepth(depth).IOPS})
			}
			lines = append(lines, l)
		}
	}
	lines, rates := shown(lines)
	if len(lines) == 0 {
		return Chart{}, false
	}
	d := drawing{
		Chart: Chart{
			Title:   "Rate over the number of operations at once",
			Numbers: Numbers{Head: []string{"Operation", "At once", "IOPS"}},
		},
		id: id, plot: sweepPlot, x: scale{1, result.MostDepth, true}.labelled("operations under way", depthTicks),
		y: logScale("IOPS", rates),
	}
	d.list(lines)
	return d.draw(lines, func(l Line) string {
		first, last := l.At[0], l.At[len(l.At)-1]
		return fmt.Sprintf("%s: %s IOPS with %s at once, %s with %s.", l.Label, result.Number(first.y),
			result.Number(first.x), result.Number(last.y), result.Number(last.x))
	})
}
