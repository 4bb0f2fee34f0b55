package publish

import (
	"fmt"
	"slices"
	"time"

	"flashdex/api/figure"
	"flashdex/api/figure/model"
	"flashdex/api/page"
	"flashdex/result"
)

// reason is one thing that a reader should know before believing a module's figure.
type reason struct {
	Label, Text, Anchor string
	Dots                string `json:"dots_svg"` // of the values that the text counts
}

// why lists what one figure rests on.
type why struct {
	Figure  string // "4K random read, 1,300 IOPS"
	Reasons []reason
}

// whyOf names a figure. value must be ready to print.
func whyOf(key, value string, reasons []reason) why {
	m := figure.MetricOf(key)
	return why{m.Name + ", " + value + " " + m.Unit, reasons}
}

// giveReasons sets the reasons of the main figures in a page's tables. Each measured figure has its own reasons. The
// published figures of one metric have them together, so that readers see whether they agree. The reasons of the figure
// at the head of the page stand there. all are the figures by method, in the order of s.placed.
func (s *site) giveReasons(p *modulePage, all []*methodFigures, of *moduleResults) {
	at, _, known := s.headFigure(p.Slug)
	var head *methodFigures
	if known {
		head = all[at]
		p.Speed.Reasons = s.reasonsOf(p, head, figure.RandWriteIOPS, of)
	}
	for _, f := range p.Measured {
		if !f.HasSpeed { // its table isn't shown
			continue
		}
		sum := s.whole(p.Slug, f.methodID)
		for _, key := range figure.KeyFigures {
			e, measured := sum.Figures.Find(key)
			if measured && (f != head || key != figure.RandWriteIOPS) {
				f.Why = append(f.Why, whyOf(key, page.CellOf("", e).Value, s.reasonsOf(p, f, key, of)))
			}
		}
	}
	for _, key := range figure.MainFigures {
		printed, _ := s.printed(p.Slug, key)
		if len(printed.Rows) > 0 && (!known || !head.Published || key != figure.RandWriteIOPS) {
			value := span(result.Number(printed.Least), result.Number(printed.Greatest))
			p.WhyPublished = append(p.WhyPublished, whyOf(key, value, s.printedReasons(p.Slug, key, false)))
		}
	}
}

// reasonsOf lists what a figure by one method rests on.
func (s *site) reasonsOf(p *modulePage, f *methodFigures, key string, of *moduleResults) (reasons []reason) {
	if !slices.Contains(p.Measured, f) {
		return s.printedReasons(p.Slug, key, false)
	}
	sum := s.whole(p.Slug, f.methodID)
	e := sum.Figures.At(key)
	add := func(label, anchor, text string) { reasons = append(reasons, reason{label, text, anchor, ""}) }
	contributors, some, between := page.Counted(sum.Contributors, "contributor"), "", ""
	switch {
	case e.Contributors < sum.Contributors: // nobody counted how many of these are independent
		contributors = result.Count(e.Contributors) + " of " + contributors
	case sum.Contributors > 1:
		contributors += fmt.Sprintf(", %s of them independent, on %s", result.Count(sum.Independent),
			page.Counted(sum.Days, "day"))
	}
	if e.N < sum.Units {
		some = ", of all " + page.Counted(sum.Units, "unit")
	}
	if e.Max > 0 {
		between = ": " + span(result.Number(e.Min), result.Number(e.Max)) + " " + figure.MetricOf(key).Unit
	}
	units, hosts := "measured", "measured"
	if len(p.Charts.Units) > 0 {
		units = "units"
	}
	if len(f.HostClasses) > 0 {
		hosts = "hosts"
	}
	add("Contributors", "measured", contributors)
	add("Units", units, page.Counted(e.N, "unit")+" in "+page.Counted(e.Runs, "result")+between)
	reasons[len(reasons)-1].Dots = dots(valuesOf(of.units[f.methodID], key), e.Min, e.Max)
	add("Hosts", hosts, page.Counted(sum.Boards, "model")+some)
	add("Time", "results", span(sum.FirstAt.Format(time.DateOnly), sum.NewestAt.Format(time.DateOnly)))
	if key == figure.RandWriteIOPS {
		if said, _ := steady(of.newest, f.methodID); said != "" {
			add("Steady", "results", said)
		}
	}
	add("Dissent", "measured", dissent(sum, key))
	return append(reasons, s.printedReasons(p.Slug, key, true)...)
}

// dissent says how far the contributors who measured a figure disagree.
func dissent(sum *figure.Summary, key string) string {
	for _, groups := range sum.Groups {
		if groups.Figure == key {
			return groups.String()
		}
	}
	e := sum.Figures.At(key)
	switch {
	case e.Min == 0:
		return "one unit shows none"
	case !slices.Contains(figure.Compared, key):
		told := "units " + apart(e.Max/e.Min)
		if figure.IsLinear(key) && e.Max/e.Min >= apartFrom {
			told += "; hosts may be why"
		}
		return told
	case e.Contributors < dividedFrom || sum.Independent < model.RankedFrom:
		return "too few contributors to tell"
	}
	return "no two groups disagree"
}

// dividedFrom is how many contributors figure.Divide needs to find two groups.
const dividedFrom = 8

// apartFrom is the ratio of the greatest to the least value from which on values don't agree.
const apartFrom = 1.05

// apart says how far values lie apart. times is the ratio of the greatest to the least.
func apart(times float64) string {
	if times < apartFrom {
		return "agree within 5 %"
	}
	return "differ up to " + ratio(times) + " times"
}

// span writes a range of two texts: "2015 to 2019".
func span(from, to string) string {
	if from == to {
		return from
	}
	return from + " to " + to
}
