package chart

import "encoding/json"

// Numbers is a table of numbers. Its JSON is what site/layouts/_partials/shared/numbers.html shows.
type Numbers struct {
	Title     string
	Note      string   // below the table
	Links     []string // where the names of the rows lead, empty: nowhere; nil: none of them leads anywhere
	Captioned bool     // shows the title
	Table

	inChart bool
}

func (n Numbers) MarshalJSON() ([]byte, error) {
	type row struct {
		Name  string   `json:"name"`
		Link  string   `json:"link,omitempty"`
		Cells []string `json:"cells"`
	}
	shown := struct {
		Title   string   `json:"title"`
		Class   string   `json:"class,omitempty"`
		Caption string   `json:"caption,omitempty"`
		Note    string   `json:"note,omitempty"`
		Head    []string `json:"head"`
		Rows    []row    `json:"rows"`
	}{Title: n.Title, Note: n.Note, Head: n.Head, Rows: make([]row, len(n.Rows))}
	for i, cells := range n.Rows {
		shown.Rows[i] = row{Name: cells[0], Cells: cells[1:]}
		if n.Links != nil {
			shown.Rows[i].Link = n.Links[i]
		}
	}
	if !n.inChart {
		shown.Class = "numbers"
	}
	if n.Captioned {
		shown.Caption = n.Title
	}
	return json.Marshal(shown)
}
