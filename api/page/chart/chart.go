// Package chart draws charts of measurements as SVG, and gives the numbers of each as a table.
package chart

import (
	"cmp"
	"fmt"
	"html/template"
	"math"
	"slices"
	"strconv"
	"strings"

	"flashdex/result"
)

// Chart is a finished drawing with its numbers, as site/layouts/_partials/shared/chart.html shows it.
type Chart struct {
	Title   string  `json:"title"`
	Key     []Key   `json:"key,omitempty"`
	SVG     string  `json:"chart_svg"`
	Numbers Numbers `json:"numbers"`
}

// Key explains a class.
type Key struct {
	Class string `json:"class"`
	Label string `json:"label"`
}

// Numbers is a table of numbers, as site/layouts/_partials/shared/numbers.html shows it.
type Numbers struct {
	Title   string     `json:"title"`
	Class   string     `json:"class,omitempty"`
	Caption string     `json:"caption,omitempty"`
	Words   bool       `json:"words,omitempty"` // cells hold words, maybe a contributor's
	Note    string     `json:"note,omitempty"`  // below the table
	Head    []string   `json:"head"`
	Rows    [][]string `json:"rows"`            // the first cell of each is its name
	Links   []string   `json:"links,omitempty"` // addresses that the names of the rows link to; empty: none
}

// Charts collects charts.
type Charts []Chart

// Add adds a chart, if there is something to draw.
func (all *Charts) Add(c Chart, ok bool) {
	if ok {
		*all = append(*all, c)
	}
}

// Classes of shapes. The site's chart.css tells them apart by weight, dashes and colour.
const (
	Main      = "main"     // the subject of the chart
	Behind    = "behind"   // other runs, in thin lines
	Envelope  = "envelope" // from the slowest to the fastest interval of Main
	Whole     = "whole"    // Main taken as a whole
	Cliff     = "cliff"    // the place where the rate fell for good
	Warmup    = "warmup"   // not counted
	Reference = "reference"
	Quartiles = "quartiles"
	Interval  = "interval"
	Unit      = "unit"
	This      = "this"  // the run that the page shows
	Second    = " read" // added to the class of a run's second line
)

// MaxSeveral is how many modules or runs can be told apart in one chart.
const MaxSeveral = 6

// Several is the class of the i-th of several modules or runs, from 0 on.
func Several(i int) string { return "several-" + strconv.Itoa(i%MaxSeveral+1) }

// Letter is the short name of the i-th of several modules or runs. It stands at the end of its line and before its name
// in the key.
func Letter(i int) string { return string(rune('A' + i%MaxSeveral)) }

func fromTo(low, high float64) string { return result.Number(low) + " to " + result.Number(high) }

// drawing is a chart under construction. Places across are in percent of the plot's width, so that the chart fits any
// screen and its words keep their size. Places down are in pixels from the top. Paths can't be given in percent: they
// lie on a plane of planeWidth units, which is stretched to the plot.
type drawing struct {
	Chart
	id   string // unique on its page; letters, digits and hyphens
	plot plot
	x, y axis // y has no name if nothing stands at the side

	layers [texts + 1]strings.Builder
	ends   []end
}

const planeWidth = 1000

// plot is the area within the axes, in pixels. below is the height below it, down to the foot of the drawing.
type plot struct{ top, height, below float64 }

func (p plot) foot() float64 { return p.top + p.height }

// linePlot has room for the unit above, and for ticks and the axis' name below.
var linePlot = plot{26, 190, 46}

// The layers of a drawing, from the bottom up.
const (
	areas = iota
	grid
	paths
	dots
	lines
	texts
)

// add writes to a layer. All strings are plain text.
func (d *drawing) add(layer int, format string, values ...any) {
	for i, value := range values {
		if text, is := value.(string); is {
			values[i] = template.HTMLEscapeString(text)
		}
	}
	fmt.Fprintf(&d.layers[layer], format+"\n", values...)
}

// area shades the plot from one value to another.
func (d *drawing) area(class string, from, to float64) {
	left, right := d.x.percent(from), d.x.percent(to)
	d.add(areas, `<rect class="%s" x="%v%%" width="%v%%" y="%v" height="%v"/>`,
		class, left, hundredth(right-left), d.plot.top, d.plot.height)
}

// line draws a line from one value to another, between heights in pixels from the top.
func (d *drawing) line(class string, from, to, top, foot float64) {
	d.add(lines, `<line class="%s" x1="%v%%" x2="%v%%" y1="%v" y2="%v"/>`,
		class, d.x.percent(from), d.x.percent(to), top, foot)
}

// dot draws one value, y pixels down.
func (d *drawing) dot(class string, v, y float64) {
	d.add(dots, `<circle class="%s" cx="%v%%" cy="%v" r="4.5"/>`, class, d.x.percent(v), tenth(y))
}

// text writes a label at a place; anchor is start, middle or end.
func (d *drawing) text(class, anchor string, percent, y float64, label string) {
	d.add(texts, `<text class="%s %s" x="%v%%" y="%v">%s</text>`, class, anchor, percent, y, label)
}

// mark draws an upright line from top to the foot of the plot, with its name above.
func (d *drawing) mark(class, label string, v, top float64) {
	at, anchor := d.x.percent(v), "middle"
	switch {
	case at < 20:
		anchor = "start"
	case at > 80:
		anchor = "end"
	}
	d.line(class, v, v, top, d.plot.foot())
	d.text(class, anchor, at, top-4, label)
}

func (d *drawing) path(class, path string) {
	d.add(paths, `<path class="%s" vector-effect="non-scaling-stroke" d="%s"/>`, class, path)
}

// point is a pair of values.
type point struct{ x, y float64 }

// end is a text at the end of a line, at a place in percent and in pixels from the top.
type end struct {
	class, label string
	x, y         float64
}

// run adds the line of a run, which ends at last, and its name to the key, the main one first.
func (d *drawing) run(r Run, path string, last point) {
	d.path(r.Class, path)
	if r.End != "" {
		d.ends = append(d.ends, end{r.Class, r.End, d.x.percent(last.x) + 0.8, d.plot.top + d.down(last.y)})
	}
	switch {
	case r.Label == "":
	case r.Class == Main:
		d.Key = slices.Insert(d.Key, 0, Key{r.Class, r.Label})
	default:
		d.Key = append(d.Key, Key{r.Class, r.Label})
	}
}

// curve returns the path through points.
func (d *drawing) curve(points []point) string {
	var path []string
	for _, p := range points {
		path = append(path, d.across(p.x)+" "+d.pixels(p.y))
	}
	return "M" + strings.Join(slices.Compact(path), "L")
}

// down returns the height of a value in pixels from the plot's top.
func (d *drawing) down(v float64) float64 { return d.plot.height * (1 - d.y.at(v)) }

// across and pixels write the coordinates of values on the plane.
func (d *drawing) across(v float64) string { return coordinate(math.Round(planeWidth * d.x.at(v))) }
func (d *drawing) pixels(v float64) string { return coordinate(tenth(d.down(v))) }

func coordinate(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// tenth and hundredth round to the precision that a screen can show.
func tenth(v float64) float64     { return math.Round(v*10) / 10 }
func hundredth(v float64) float64 { return math.Round(v*100) / 100 }

// writeEnds writes the texts at the ends of lines. It moves them apart if they would overlap.
func (d *drawing) writeEnds() {
	const apart, toBaseline = 12, 4
	slices.SortStableFunc(d.ends, func(a, b end) int { return cmp.Compare(a.y, b.y) })
	for i := range d.ends {
		e := &d.ends[i]
		for _, above := range d.ends[:i] {
			if math.Abs(above.x-e.x) < 4 {
				e.y = math.Max(e.y, above.y+apart)
			}
		}
		d.text(e.class, "start", e.x, tenth(e.y+toBaseline), e.label)
	}
}

// row adds a row to the numbers.
func (d *drawing) row(cells ...string) { d.Numbers.Rows = append(d.Numbers.Rows, cells) }

// finish joins the layers. said describes the content in words, for people who can't see it.
func (d *drawing) finish(said string) (Chart, bool) {
	d.writeEnds()
	foot := d.plot.foot()
	for _, t := range d.y.ticks {
		y := tenth(d.plot.top + d.down(t.at))
		d.add(grid, `<line class="grid" x1="0%%" x2="100%%" y1="%v" y2="%[1]v"/>`+
			`<text class="side" x="-8" y="%[1]v" dy="0.35em">%s</text>`, y, t.label)
	}
	for _, t := range d.x.ticks {
		d.add(grid, `<line class="grid" x1="%v%%" x2="%[1]v%%" y1="%v" y2="%v"/>`+
			`<text class="foot" x="%[1]v%%" y="%[3]v" dy="1.6em">%s</text>`, d.x.percent(t.at), d.plot.top, foot, t.label)
	}
	sided := ""
	if d.y.name != "" {
		sided = ` class="sided"`
		d.add(grid, `<text class="axis" x="-8" y="12">%s</text>`+
			`<text class="axis end" x="100%%" y="%v" dy="3.1em">%s</text>`, d.y.name, foot, d.x.name)
	}
	if plane := d.layers[paths].String(); plane != "" {
		d.layers[paths].Reset()
		fmt.Fprintf(&d.layers[paths], `<svg x="0" y="%v" width="100%%" height="%v" viewBox="0 0 %d %[2]v" `+
			"preserveAspectRatio=\"none\">\n%[4]s</svg>\n", d.plot.top, d.plot.height, planeWidth, plane)
	}
	var svg strings.Builder
	fmt.Fprintf(&svg, `<svg role="img" width="100%%" height="%v" aria-labelledby="%s-title %[2]s-desc"%s>`+
		"\n<title id=\"%[2]s-title\">%[4]s</title>\n<desc id=\"%[2]s-desc\">%[5]s</desc>\n",
		foot+d.plot.below, d.id, sided, template.HTMLEscapeString(d.Title), template.HTMLEscapeString(said))
	for i := range d.layers {
		svg.WriteString(d.layers[i].String())
	}
	d.SVG, d.Numbers.Title = svg.String()+"</svg>", "Numbers of "+d.Title
	return d.Chart, true
}
