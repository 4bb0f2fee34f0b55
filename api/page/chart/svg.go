package chart

import (
	"encoding/json"
	"fmt"
	"html/template"
)

// MarshalJSON gives what site/layouts/_partials/shared/chart.html shows: the drawing as finished SVG, and the numbers
// as a table.
func (c Chart) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Title   string  `json:"title"`
		Key     []Key   `json:"key,omitempty"`
		SVG     string  `json:"chart_svg"`
		Numbers Numbers `json:"numbers"`
	}{c.Title, c.Key, c.svg(), Numbers{Title: "Numbers of " + c.Title, Table: c.Table, inChart: true}})
}

// svg draws the chart. Across, places are in percent, so that the chart fits any width and its words keep their size.
func (c Chart) svg() string {
	svg := make([]byte, 0, 1<<13)
	add := func(format string, values ...any) {
		for i, value := range values {
			if text, is := value.(string); is {
				values[i] = template.HTMLEscapeString(text)
			}
		}
		svg = fmt.Appendf(svg, format, values...)
	}
	add(`<svg role="img" width="100%%" height="%d" aria-labelledby="%s-title %[2]s-desc"`, c.Height, c.ID)
	if c.Y.Name != "" {
		add(` class="sided"`)
	}
	add(">\n<title id=\"%s-title\">%s</title>\n<desc id=\"%[1]s-desc\">%[3]s</desc>\n", c.ID, c.Title, c.Desc)
	for _, a := range c.Areas {
		add(`<rect class="%s" x="%v%%" width="%v%%" y="%v" height="%v"/>`+"\n", a.Class, a.X1, a.Width, a.Y1, a.Height)
	}
	for _, t := range c.Y.Ticks {
		add(`<line class="grid" x1="0%%" x2="100%%" y1="%v" y2="%[1]v"/>`, t.At)
		add(`<text class="side" x="-8" y="%v" dy="0.35em">%s</text>`+"\n", t.At, t.Label)
	}
	for _, t := range c.X.Ticks {
		add(`<line class="grid" x1="%v%%" x2="%[1]v%%" y1="%d" y2="%d"/>`, t.At, c.Plot.Top, c.Plot.Foot)
		add(`<text class="foot" x="%v%%" y="%d" dy="1.6em">%s</text>`+"\n", t.At, c.Plot.Foot, t.Label)
	}
	if c.Y.Name != "" {
		add(`<text class="axis" x="-8" y="12">%s</text>`, c.Y.Name)
		add(`<text class="axis end" x="100%%" y="%d" dy="3.1em">%s</text>`+"\n", c.Plot.Foot, c.X.Name)
	}
	if len(c.Paths) > 0 {
		add(`<svg x="0" y="%d" width="100%%" height="%d" viewBox="0 0 %d %[2]d" preserveAspectRatio="none">`+"\n",
			c.Plot.Top, c.Plot.Height, PlaneWidth)
		for _, p := range c.Paths {
			add(`<path class="%s" vector-effect="non-scaling-stroke" d="%s"/>`+"\n", p.Class, p.D)
		}
		add("</svg>\n")
	}
	for _, d := range c.Dots {
		add(`<circle class="%s" cx="%v%%" cy="%v" r="4.5"/>`+"\n", d.Class, d.X, d.Y)
	}
	for _, l := range c.Lines {
		add(`<line class="%s" x1="%v%%" x2="%v%%" y1="%v" y2="%v"/>`+"\n", l.Class, l.X1, l.X2, l.Y1, l.Y2)
	}
	for _, t := range c.Texts {
		add(`<text class="%s %s" x="%v%%" y="%v">%s</text>`+"\n", t.Class, t.Anchor, t.X, t.Y, t.Label)
	}
	add("</svg>")
	return string(svg)
}
