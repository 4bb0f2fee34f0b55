package chart

import (
	"fmt"
	"slices"
	"strings"

	"flashdex/result"
)

// placeTicks are the numbers of places at the foot.
var placeTicks = []tick{{1, "1"}, {2, "2"}, {4, "4"}, {8, "8"}, {16, "16"}, {32, "32"}, {64, "64"}}

// structure shows what the writes of each run reveal about the inside of the module.
func (p *Profile) structure(prefix string, runs []Profiled) {
	p.Charts.Add(Places(prefix+"places", runs))
	table := Numbers{
		Title: "Inside the module",
		Note: "All of this is derived from how long writes take. A module opens its flash in allocation units. Writes " +
			"to an open unit are quick. To open one more, the module must first put another in order. It writes its " +
			"flash in pages. “Can’t tell”: the times don’t show it, which says nothing against the module.",
		Head: []string{"Measured", "Value", "Times as long", "99.9 % interval"},
	}
	for _, r := range runs {
		if said := Inside(r.Tests); said != "" {
			p.Said = append(p.Said, r.label()+": "+said)
		}
		for i := range r.Tests {
			for _, row := range insideRows(&r.Tests[i]) {
				row[0] = strings.TrimSpace(r.Letter + " " + row[0])
				table.Rows = append(table.Rows, row)
			}
		}
	}
	p.tabulate(table)
}

// insideRows are the rows of a test. There are none if the test tells nothing about the inside.
func insideRows(t *result.Test) (rows [][]string) {
	f := t.Figures()
	row := []string{"", "can’t tell", "", ""}
	if t.Name == result.GapWrite || t.Name == result.KeptWrite {
		rows = append(rows, []string{"Allocation unit", row[1], "", ""})
		if unit := t.Unit(); f.AllocationUnitBytes != nil {
			rows[0][1] = Size(float64(*f.AllocationUnitBytes))
		} else if unit.High > 0 {
			rows[0][1] = fromTo(float64(unit.Low)/(1<<20), float64(unit.High)/(1<<20)) + " MiB"
		}
	}
	switch {
	case t.Name == result.TurnWrite || t.Name == result.KeptWrite:
		row[0] = "Open units; with one more"
		if t.Name == result.KeptWrite {
			row[0] = "Open units that were chosen; with another"
		}
		if f.OpenUnits != nil {
			row[1] = CountOfPlaces(*f.OpenUnits)
		}
	case t.Name == result.AcrossWrite && t.BlockBytes == result.PageBlockBytes:
		row[0] = "Page"
		if page := t.Page(); page.High > 0 {
			row[1] = Size(float64(page.High))
			if page.Low < page.High {
				row[1] += " or less"
			}
		}
	case t.Name == result.AcrossWrite:
		row[0], row[1] = "Unaligned write of 4 KiB", ""
	case t.Name == result.PlaceWrite:
		row[0], row[1] = "Middle against beginning", ""
	default:
		return rows
	}
	if f.Ratio != nil {
		row[2], row[3] = result.Number(*f.Ratio), fromTo(*f.RatioLow, *f.RatioHigh)
	}
	return append(rows, row)
}

// CountOfPlaces writes a number of places that a module writes to at once.
func CountOfPlaces(n int64) string {
	if n == result.MostPlaces {
		return fmt.Sprintf("%d or more", n)
	}
	return result.Count(int(n))
}

// Places draws the time of a write over the number of places written to in turn, both logarithmic. ok is false if no
// run has two numbers of places.
func Places(id string, runs []Profiled) (c Chart, ok bool) {
	var lines []Line
	inside := map[string]string{}
	for i := range runs {
		r := &runs[i]
		t := testOf(r.Tests, result.TurnWrite)
		if t == nil {
			continue
		}
		l := Line{Label: r.label(), Class: r.Class, End: r.Letter}
		samples := result.TimesOf(t.Intervals)
		for n := int64(1); n <= result.MostPlaces; n++ {
			if of := samples[result.Kind{Places: n}]; len(of) > 0 {
				slices.Sort(of)
				l.At = append(l.At, point{float64(n), of[len(of)/2] / 1e6})
			}
		}
		lines, inside[l.Label] = append(lines, l), Inside(r.Tests)
	}
	lines, times := shown(lines)
	if len(lines) == 0 {
		return Chart{}, false
	}
	d := drawing{
		Chart: Chart{
			Title: "Time of a write over the number of places", Numbers: Numbers{Head: []string{"Run", "Places", "ms"}},
		},
		id: id, plot: sweepPlot, y: logScale("ms", times),
		x: scale{1, result.MostPlaces, true}.labelled("places written to in turn", placeTicks),
	}
	d.list(lines)
	return d.draw(lines, func(l Line) string { return l.Label + ": " + inside[l.Label] })
}

// Inside says in a sentence to how many places a module writes at once; "": no test looked for that.
func Inside(tests []result.Test) string {
	turns, kept := testOf(tests, result.TurnWrite), testOf(tests, result.KeptWrite)
	if turns == nil {
		return ""
	}
	f := turns.Figures()
	if kept != nil {
		f = kept.Figures()
	}
	switch {
	case f.OpenUnits == nil:
		return "the times don’t show to how many places the module writes at once."
	case f.Ratio == nil:
		return fmt.Sprintf("the module writes to %d places at once as fast as to one; more were not tried.", *f.OpenUnits)
	}
	places := "one place"
	if *f.OpenUnits > 1 {
		places = fmt.Sprintf("%d places", *f.OpenUnits)
	}
	if kept != nil {
		return fmt.Sprintf("the module writes to %s at once if they are chosen for that, since some places close each "+
			"other. A write that opens another takes %s times as long.", places, result.Number(*f.Ratio))
	}
	return fmt.Sprintf("the module writes to %s at once; with one more, each write takes %s times as long.", places,
		result.Number(*f.Ratio))
}
