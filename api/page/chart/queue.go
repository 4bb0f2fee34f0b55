package chart

import (
	"fmt"
	"strings"

	"flashdex/api/figure"
	"flashdex/result"
)

// depthTicks are the depths at the foot.
var depthTicks = []tick{{1, "1"}, {2, "2"}, {4, "4"}, {8, "8"}, {16, "16"}, {32, "32"}}

// queue draws what several operations at once gain, and answers whether command queueing works with the card.
func (p *Profile) queue(prefix string, runs []Profiled) {
	p.Charts.Add(Gains(prefix+"queue", runs))
	works := Numbers{
		Title: "Does command queueing work with it?",
		Note: "Yes: with 32 operations at once the card did at least 1.2 times as many, in a host that uses its queue, " +
			"without an error. No: the kernel reported an error of it, or what lay beside discarded blocks was read back " +
			"wrong.",
		Head: []string{"Run", "Works", "Why", "Card", "Queue in this host"},
	}
	rates := Numbers{
		Title: "Several operations at once",
		Note: "Random reads and writes of 4 KiB, one at a time and with 32 under way. Under way: how many the kernel had on " +
			"average. The same block again and again: what the host and the way to the card take for a read, so that no " +
			"card can be faster here. Writes may stay in the card’s cache until the end.",
		Head: []string{"Operation", "One at a time, IOPS", "32 at once, IOPS", "Times as many", "99.9 % interval", "Under way"},
	}
	for _, r := range runs {
		answer, why := figure.QueueAnswer(r.Queue, r.Tests)
		uses := map[string]string{result.QueueOn: "on", result.QueueOff: "off"}[r.Queue.HostUses]
		works.Rows = append(works.Rows, []string{r.label(), answer, why, r.Queue.Card, uses})
		for i := range r.Tests {
			if row := gainRow(&r.Tests[i]); row != nil {
				row[0] = strings.TrimSpace(r.Letter + " " + row[0])
				rates.Rows = append(rates.Rows, row)
			}
		}
	}
	p.tabulate(works)
	p.tabulate(rates)
}

// gainRow is the row of a test; nil: it is none of these.
func gainRow(t *result.Test) []string {
	if t.Name == result.SameRead {
		return []string{"the same block", ratesAt(t, 1), "", "", "", ""}
	}
	name := map[string]string{result.QueuedRead: "random read", result.QueuedWrite: "random write"}[t.Name]
	if name == "" {
		return nil
	}
	f := t.Figures()
	row := []string{name, ratesAt(t, 1), ratesAt(t, result.MostDepth), "can’t tell", "", ""}
	if f.Times != nil {
		row[3], row[4] = result.Number(*f.Times), fromTo(*f.TimesLow, *f.TimesHigh)
	}
	if f.UnderWay != nil {
		row[5] = result.Number(*f.UnderWay)
	}
	return row
}

// ratesAt is the rate at a depth with its interval.
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

// Gains draws the rate of random reads and writes over the number of operations under way, both logarithmic. ok is false
// if no run has one.
func Gains(id string, runs []Profiled) (c Chart, ok bool) {
	var rates extent
	type line struct {
		Run
		at []point
	}
	var lines []line
	d := drawing{
		Chart: Chart{Title: "Rate over the number of operations at once"}, id: id, plot: sweepPlot,
		x: scale{1, result.MostDepth, true}.labelled("operations under way", depthTicks),
	}
	d.Numbers.Head = []string{"Operation", "At once", "IOPS"}
	for _, r := range runs {
		for _, of := range []struct{ test, name, end string }{
			{result.QueuedRead, "random read", "R"}, {result.QueuedWrite, "random write", "W"},
		} {
			t := testOf(r.Tests, of.test)
			if t == nil {
				continue
			}
			l := line{Run: Run{
				Label: strings.TrimSpace(r.label() + " " + of.name), Class: Several(len(lines)), End: r.Letter + of.end,
			}}
			for _, depth := range result.Depths {
				if e := t.AtDepth(depth); e.IOPS > 0 {
					l.at = append(l.at, point{float64(depth), e.IOPS})
					rates.add(e.IOPS)
					d.row(l.Label, result.Count(int(depth)), result.Number(e.IOPS))
				}
			}
			if len(l.at) > 1 {
				lines = append(lines, l)
			}
		}
	}
	if len(lines) == 0 {
		return Chart{}, false
	}
	d.y = logScale("IOPS", rates)
	said := ""
	for _, l := range lines {
		first, last := l.at[0], l.at[len(l.at)-1]
		d.run(l.Run, d.curve(l.at), last)
		said += fmt.Sprintf(" %s: %s IOPS with %s at once, %s with %s.", l.Label, result.Number(first.y),
			result.Number(first.x), result.Number(last.y), result.Number(last.x))
	}
	return d.finish(said[1:])
}
