package chart

import (
	"fmt"
	"slices"
	"strconv"

	"flashdex/result"
)

// RunsInARow are the figures of runs without a pause between them, the first one first.
type RunsInARow struct {
	Label, Class string
	End          string // the text at the end of the line
	Values       []float64
}

// InARow draws a figure over runs in a row. It falls when a cache runs out or a module gets hot. unit is the unit of
// the values. ok is false if no line has two runs.
func InARow(id, title, unit string, lines []RunsInARow) (c Chart, ok bool) {
	most, highest := 0, 0.0
	d := drawing{Chart: Chart{Title: title, Numbers: Numbers{Class: "numbers", Head: []string{"Module"}}}, id: id,
		plot: linePlot}
	for _, l := range lines {
		most = max(most, len(l.Values))
		if len(l.Values) > 0 {
			highest = max(highest, slices.Max(l.Values))
		}
	}
	if most < 2 || highest <= 0 {
		return Chart{}, false
	}
	d.x, d.y = scale{1, 1.05 * float64(most), false}.labelled("run", nil), linearScale(unit, highest)
	for run := 1; run <= most; run++ {
		d.Numbers.Head = append(d.Numbers.Head, "Run "+strconv.Itoa(run))
		d.x.number(float64(run))
	}
	said := ""
	for _, l := range lines {
		if len(l.Values) == 0 {
			continue
		}
		var points []point
		cells := make([]string, 1+most)
		cells[0] = l.Label
		for i, v := range l.Values {
			points, cells[1+i] = append(points, point{float64(i + 1), v}), result.Number(v)
		}
		last := points[len(points)-1]
		d.row(cells...)
		d.run(Run{Label: l.Label, Class: l.Class, End: l.End}, d.curve(points), last)
		said += fmt.Sprintf(" %s: from %s to %s %s, the least %s.", l.Label, result.Number(points[0].y),
			result.Number(last.y), unit, result.Number(slices.Min(l.Values)))
	}
	return d.finish(said[1:])
}
