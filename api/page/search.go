package page

import (
	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/ranking"
)

// Search holds the results of a search for some words.
type Search struct {
	Asked   string
	Pages   []FoundPage
	Modules []FoundModule // the first ones of Total
	Total   int
	Command string // tests a module
}

// FoundPage is something that has a page, or a place on a page.
type FoundPage struct {
	Kind     string   `json:"kind"` // maker, host, question, word, how to test or import, or the kind of a device
	Name     string   `json:"name"`
	Path     string   `json:"path"`
	Question string   `json:"question"` // that Path answers, for a device without a page of its own; else empty
	Modules  int      `json:"modules"`  // number of modules on the page; 0: it has none of its own
	Aliases  []string `json:"aliases"`  // what else people type to find it
}

// FoundModule is a module with its figures by one method.
type FoundModule struct {
	catalogue.Module
	Method  string // label; empty: there are no figures
	Figures figure.Set
}

// Columns returns the columns of a list of modules.
func (Search) Columns() (columns []ranking.Column) {
	for _, key := range figure.MainFigures {
		columns = append(columns, ranking.ColumnOf(key))
	}
	return columns
}

// Cells returns the figures of a module as cells.
func (m FoundModule) Cells() (cells []Cell) {
	for _, key := range figure.MainFigures {
		cell := Cell{Class: "number"}
		if f, known := m.Figures.Find(key); known {
			cell = CellOf("number", f)
			cell.N = ""
		}
		cells = append(cells, cell)
	}
	return cells
}

// SearchPage lists the results of a search.
func SearchPage(s Search) (Page, error) {
	title := "Search"
	if s.Asked != "" {
		title += ": " + s.Asked
	}
	p, err := render("search.html", searchFrame, title, s)
	if s.Asked != "" {
		p.Description = "What Flashdex knows by the words “" + s.Asked + "”: " + Counted(s.Total, "module") + " and " +
			Counted(len(s.Pages), "other page") + "."
	}
	return p, err
}
