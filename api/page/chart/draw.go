package chart

import "flashdex/api/page/markup"

// HTML is the chart as SVG with its numbers below, for the site and for the server's own pages. Across it is drawn in percent, so that it
// fits any width while its words keep their size. It is no template because a large site has 50,000 charts, and a template takes several
// times as long over each.
func (c Chart) HTML() markup.HTML {
	page := make([]byte, 0, 1<<13)
	add := func(format markup.Format, values ...any) { page = markup.Append(page, format, values...) }
	add(`<figure class="chart">
<figcaption>%s</figcaption>`, c.Title)
	if len(c.Key) > 0 {
		add(`
<ul class="key">`)
		for _, k := range c.Key {
			add(`
<li><svg aria-hidden="true" width="26" height="12"><line class="%s" x1="1" x2="25" y1="6" y2="6"/></svg> %s</li>`, k.Class, k.Label)
		}
		add(`
</ul>`)
	}
	add(`
<svg role="img" width="100%%" height="%d" aria-labelledby="%s-title %[2]s-desc"`, c.Height, c.ID)
	if c.Y.Name != "" {
		add(` class="sided"`)
	}
	add(`>
<title id="%s-title">%s</title>
<desc id="%[1]s-desc">%[3]s</desc>`, c.ID, c.Title, c.Desc)
	for _, a := range c.Areas {
		add(`
<rect class="%s" x="%v%%" width="%v%%" y="%v" height="%v"/>`, a.Class, a.X1, a.Width, a.Y1, a.Down)
	}
	for _, t := range c.Y.Ticks {
		add(`
<line class="grid" x1="0%%" x2="100%%" y1="%v" y2="%[1]v"/><text class="side" x="-8" y="%[1]v" dy="0.35em">%[2]s</text>`, t.At, t.Label)
	}
	for _, t := range c.X.Ticks {
		add(`
<line class="grid" x1="%v%%" x2="%[1]v%%" y1="%[2]d" y2="%[3]d"/><text class="foot" x="%[1]v%%" y="%[3]d" dy="1.6em">%[4]s</text>`,
			t.At, c.Plot.Top, c.Plot.Foot, t.Label)
	}
	if c.Y.Name != "" {
		add(`
<text class="axis" x="-8" y="12">%s</text><text class="axis end" x="100%%" y="%d" dy="3.1em">%s</text>`, c.Y.Name, c.Plot.Foot, c.X.Name)
	}
	if len(c.Paths) > 0 {
		add(`
<svg x="0" y="%d" width="100%%" height="%d" viewBox="0 0 %d %[2]d" preserveAspectRatio="none">`, c.Plot.Top, c.Plot.Height, PlaneWidth)
		for _, p := range c.Paths {
			add(`
<path class="%s" vector-effect="non-scaling-stroke" d="%s"/>`, p.Class, p.D)
		}
		add(`
</svg>`)
	}
	for _, d := range c.Dots {
		add(`
<circle class="%s" cx="%v%%" cy="%v" r="4.5"/>`, d.Class, d.X, d.Y)
	}
	for _, l := range c.Lines {
		add(`
<line class="%s" x1="%v%%" x2="%v%%" y1="%v" y2="%v"/>`, l.Class, l.X1, l.X2, l.Y1, l.Y2)
	}
	for _, t := range c.Texts {
		add(`
<text class="%s %s" x="%v%%" y="%v">%s</text>`, t.Class, t.Anchor, t.X, t.Y, t.Label)
	}
	add(`
</svg>
<details>
<summary>Numbers<span class="hidden"> of %s</span></summary>
`, c.Title)
	add(`<div class="scroll" role="region" tabindex="0" aria-label="Numbers of %s">
<table>
<thead><tr>`, c.Title)
	for i, head := range c.Table.Head {
		if i == 0 {
			add(`<th scope="col">%s</th>`, head)
		} else {
			add(`<th scope="col" class="number">%s</th>`, head)
		}
	}
	add(`</tr></thead>
<tbody>`)
	for _, row := range c.Table.Rows {
		add(`
<tr>`)
		for i, cell := range row {
			if i == 0 {
				add(`<th scope="row">%s</th>`, cell)
			} else {
				add(`<td class="number">%s</td>`, cell)
			}
		}
		add(`</tr>`)
	}
	add(`
</tbody>
</table>
</div>
</details>
</figure>
`)
	return markup.HTML(page)
}
