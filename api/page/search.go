package page

import (
	"fmt"
	"strings"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/ranking"
	"flashdex/result"
)

// Search holds the results of a search for some words.
type Search struct {
	Asked   string
	Pages   []FoundPage
	Modules []FoundModule // the first of Total
	Total   int
	Command string // tests a module
}

// FoundPage is the page of a maker or a host.
type FoundPage struct {
	Kind    string `json:"kind"` // maker or host
	Name    string `json:"name"`
	Path    string `json:"path"`
	Modules int    `json:"modules"` // on the page
}

// FoundModule is a module with its figures by one method.
type FoundModule struct {
	Module  catalogue.Module
	Method  string // label; empty: there are no figures
	Figures figure.Set
}

// foundFigures are the figures that a list of modules shows.
var foundFigures = []string{figure.RandWriteIOPS, figure.RandReadIOPS, figure.SeqWriteMBPerS, figure.SeqReadMBPerS}

// searchView is what search.html shows.
type searchView struct {
	Asked   string      `json:"asked"`
	Pages   []foundPage `json:"pages"`
	Status  string      `json:"status"`
	Heads   []tableHead `json:"heads"`
	Modules []foundRow  `json:"modules"`
	Command string      `json:"command"`
}

type foundPage struct {
	Name string `json:"name"`
	Path string `json:"path"`
	Text string `json:"text"`
}

type foundRow struct {
	Slug    string `json:"slug"`
	Name    string `json:"name"`
	Classes string `json:"classes"`
	Cells   []Cell `json:"cells"`
	Method  string `json:"method"`
}

// SearchPage lists the results of a search.
func SearchPage(s Search) (Page, error) {
	view := searchView{Asked: s.Asked, Command: s.Command, Status: Counted(s.Total, "module") + "."}
	if s.Total > len(s.Modules) {
		view.Status = fmt.Sprintf("%s modules, of which these are the %d with the most results. "+
			"Another word makes them fewer.",
			result.Count(s.Total), len(s.Modules))
	}
	for _, p := range s.Pages {
		view.Pages = append(view.Pages, foundPage{p.Name, p.Path, p.Kind + ", " + Counted(p.Modules, "module")})
	}
	for _, key := range foundFigures {
		column := ranking.ColumnOf(key)
		view.Heads = append(view.Heads, tableHead{Label: column.Label, Unit: column.Unit})
	}
	for _, m := range s.Modules {
		row := foundRow{
			Slug: m.Module.Slug, Name: m.Module.Name(), Classes: strings.Join(m.Module.Classes, " "), Method: m.Method,
		}
		for _, key := range foundFigures {
			cell := Cell{Class: "number"}
			if f, known := m.Figures[key]; known {
				cell = CellOf("number", f)
				cell.N = ""
			}
			row.Cells = append(row.Cells, cell)
		}
		view.Modules = append(view.Modules, row)
	}
	title := "Search"
	if s.Asked != "" {
		title += ": " + s.Asked
	}
	body, err := bodyOf("search.html", view)
	return Page{Title: title, Frame: searchFrame, Body: body}, err
}
