package chart

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"flashdex/api/figure/survival"
	"flashdex/result"
)

// Lives says how many of some units are left over time.
type Lives struct {
	Label, Class string
	End          string // the text at the end of the line
	Steps        []survival.Step
}

// Survival draws the share of units that are left over time, in unit, with the 95 % interval of Main. The curve ends
// with the longest life that anybody watched. Upright strokes are units that had not failed when somebody last looked
// at them. ok is false if there are no units.
func Survival(id, title, unit string, all []Lives) (c Chart, ok bool) {
	all = slices.DeleteFunc(slices.Clone(all), func(l Lives) bool { return l.Steps[0].AtRisk == 0 })
	longest := 0.0
	for _, l := range all {
		longest = max(longest, l.Steps[len(l.Steps)-1].At)
	}
	if longest == 0 {
		return Chart{}, false
	}
	d := drawing{Chart: Chart{Title: title, Numbers: Numbers{Class: "numbers", Head: []string{"Of", "After, " + unit,
		"Were left", "Failed", "Last seen working", "Survive, %", "95 % interval"}}}, id: id, plot: linePlot,
		y: linearScale("% are left", 100)}
	d.x = scale{0, longest, false}.labelled(unit, linearScale(unit, longest).ticks)
	var said []string
	for _, l := range all {
		columns := d.lives(l)
		last := columns[len(columns)-1]
		d.run(Run{Label: l.Label, Class: l.Class, End: l.End}, d.steps(columns, false), point{last.To, last.Mean})
		d.listLives(l)
		m := survival.MedianOf(l.Steps)
		said = append(said, fmt.Sprintf("%s: %d units, of which %d failed; half of them last %s %s.", l.Label, m.Units,
			m.Failed, MedianLife(m), unit))
	}
	if slices.ContainsFunc(all, func(l Lives) bool { return l.Class == Main }) {
		d.Key = append(d.Key, Key{Envelope, "95 % interval"})
	}
	return d.finish(strings.Join(said, " "))
}

// lives draws a line's interval and its censored units, and returns the line in columns.
func (d *drawing) lives(l Lives) (columns []Column) {
	known := 0 // columns with an interval
	for i, s := range l.Steps {
		to := s.At
		if i+1 < len(l.Steps) {
			to = l.Steps[i+1].At
		}
		columns = append(columns, Column{s.At, to, 100 * s.Low, 100 * s.Survival, 100 * s.High})
		if !math.IsNaN(s.Low) {
			known = len(columns)
		}
		if y := d.plot.top + d.down(100*s.Survival); s.Censored > 0 {
			d.line(l.Class, s.At, s.At, tenth(y-4), tenth(y+4))
		}
	}
	if l.Class == Main && known > 0 {
		if area := d.envelope(columns[:known]); area != "" {
			d.path(Envelope, area)
		}
	}
	return columns
}

// listLives adds the steps of a line to the numbers: all of them, or a selection from the first to the last.
func (d *drawing) listLives(l Lives) {
	n := min(len(l.Steps), 2*mostListed)
	for i := range n {
		s := l.Steps[i*(len(l.Steps)-1)/max(n-1, 1)]
		interval := ""
		if !math.IsNaN(s.Low) && s.Survival < 1 {
			interval = fromTo(100*s.Low, 100*s.High)
		}
		d.row(l.Label, result.Exact(s.At), result.Count(s.AtRisk), result.Count(s.Failed), result.Count(s.Censored),
			result.Number(100*s.Survival), interval)
	}
}

// MedianLife writes a median life: "1,487", or "more than 4,035" if more than half of the units were left when somebody
// last looked.
func MedianLife(m survival.Median) string {
	if m.At == nil {
		return "more than " + result.Exact(m.Longest)
	}
	return result.Exact(*m.At)
}

// MedianInterval writes the interval of a median life: "921 to 2,109", or "921 or more"; "": not known.
func MedianInterval(m survival.Median) string {
	switch {
	case m.Low == nil:
		return ""
	case m.High == nil:
		return result.Exact(*m.Low) + " or more"
	}
	return result.Exact(*m.Low) + " to " + result.Exact(*m.High)
}
