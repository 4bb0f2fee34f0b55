package chart

import (
	"encoding/json"

	"flashdex/api/page/markup"
)

// Numbers is a table that stands beside charts, or by itself.
type Numbers struct {
	Title, Note string
	Links       []string // where the names of the rows lead to, empty: nowhere; nil: none of them leads anywhere
	Plain       bool     // without a caption, and without the look of a table that stands by itself
	Table
}

// MarshalJSON gives what site/layouts/_partials/shared/numbers.html shows.
func (n Numbers) MarshalJSON() ([]byte, error) {
	type row struct {
		Name  string   `json:"name"`
		Link  string   `json:"link,omitempty"`
		Cells []string `json:"cells"`
	}
	rows := make([]row, 0, len(n.Rows))
	for i, cells := range n.Rows {
		r := row{Name: cells[0], Cells: cells[1:]}
		if n.Links != nil {
			r.Link = n.Links[i]
		}
		rows = append(rows, r)
	}
	class, caption := "numbers", n.Title
	if n.Plain {
		class, caption = "", ""
	}
	return json.Marshal(struct {
		Title   string   `json:"title"`
		Class   string   `json:"class,omitempty"`
		Caption string   `json:"caption,omitempty"`
		Note    string   `json:"note,omitempty"`
		Head    []string `json:"head"`
		Rows    []row    `json:"rows"`
	}{n.Title, class, caption, n.Note, n.Head, rows})
}

// HTML is the table under its title, with the note below.
func (n Numbers) HTML() markup.HTML {
	page := n.append(nil, true)
	if n.Note != "" {
		page = markup.Append(page, "<p class=\"notes\">%s</p>\n", n.Note)
	}
	return markup.HTML(page)
}

// Bare is the table alone, to stand under a heading of its title.
func (n Numbers) Bare() markup.HTML { return markup.HTML(n.append(nil, false)) }

func (n Numbers) append(page []byte, captioned bool) []byte {
	page = markup.Append(page, `<div class="scroll" role="region" tabindex="0" aria-label="%s">
<table class="numbers">
`, n.Title)
	if captioned {
		page = markup.Append(page, "<caption><span>%s</span></caption>\n", n.Title)
	}
	page = markup.Append(page, "<thead><tr>")
	for i, head := range n.Head {
		if i == 0 {
			page = markup.Append(page, `<th scope="col">%s</th>`, head)
		} else {
			page = markup.Append(page, `<th scope="col" class="number">%s</th>`, head)
		}
	}
	page = markup.Append(page, "</tr></thead>\n<tbody>\n")
	for r, row := range n.Rows {
		page = markup.Append(page, "<tr>")
		for i, cell := range row {
			switch {
			case i > 0:
				page = markup.Append(page, `<td class="number">%s</td>`, cell)
			case n.Links != nil && n.Links[r] != "":
				page = markup.Append(page, `<th scope="row"><a href="%s"><bdi>%s</bdi></a></th>`, n.Links[r], cell)
			default:
				page = markup.Append(page, `<th scope="row"><bdi>%s</bdi></th>`, cell)
			}
		}
		page = markup.Append(page, "</tr>\n")
	}
	return markup.Append(page, "</tbody>\n</table>\n</div>\n")
}
