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
	add("\n%s", markup.HTML(c.svg()))
	add(`
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
