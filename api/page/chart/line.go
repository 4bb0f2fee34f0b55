package chart

import (
	"slices"
	"strings"

	"flashdex/result"
)

// Line is a line of a chart.
type Line struct {
	Label, Class string
	End          string // the text at the end of the line
	At           []point
}

// shown removes points that a logarithmic scale can't hold, and then lines with fewer than two points. It returns the
// other lines and the extent of their points.
func shown(all []Line) (some []Line, values extent) {
	for _, l := range all {
		l.At = slices.DeleteFunc(slices.Clone(l.At), func(p point) bool { return !drawable(p.y) })
		if len(l.At) < 2 {
			continue
		}
		some = append(some, l)
		for _, p := range l.At {
			values.add(p.y)
		}
	}
	return some, values
}

// draw draws lines on axes that are already set, and describes each line in words.
func (d *drawing) draw(all []Line, words func(Line) string) (Chart, bool) {
	var said []string
	for _, l := range all {
		d.run(Run{Label: l.Label, Class: l.Class, End: l.End}, d.curve(l.At), l.At[len(l.At)-1])
		said = append(said, words(l))
	}
	return d.finish(strings.Join(said, " "))
}

// mostListed limits how many points of a line are listed.
const mostListed = 20

// list adds the points of the shown lines to the numbers: all of them, or a selection from the first to the last.
func (d *drawing) list(all []Line) {
	for _, l := range all {
		n := min(len(l.At), mostListed)
		for i := range n {
			p := l.At[i*(len(l.At)-1)/(n-1)]
			d.row(l.Label, result.Number(p.x), result.Number(p.y))
		}
	}
}
