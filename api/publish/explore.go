package publish

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/ranking"
	"flashdex/result"
)

// explored is every row of every table in one file, for the page on which one sorts and filters them all.
type explored struct {
	Columns []ranking.Column    `json:"columns"`
	Words   map[string][]string `json:"words"` // of the columns whose cells are places in these lists
	Rows    [][]any             `json:"rows"`  // a cell for each column, null where nothing is known
}

// exploredColumns are those of the tables, and the method that a table has as a section.
var exploredColumns = append(slices.Clone(ranking.Columns), ranking.MethodColumn)

// exactColumns hold whole numbers, which are shown with all of their digits.
var exactColumns = []string{"capacity_gb", "units", "results"}

// firstExplored is the number of rows that stand on the page before the list has come.
const firstExplored = 20

// explore lists every module by every method, and those that nobody has measured. Stacks have a page of their own.
//
// What the list holds is told beside it, for templates: its columns and methods, how many rows the first method has, and the
// first of them, with words for their places.
func (s *site) explore() (text []byte, holds map[string]any, err error) {
	e := explored{Columns: exploredColumns, Words: map[string][]string{}, Rows: [][]any{}}
	word := map[[2]string]int{}
	place := func(column, text string) any {
		if text == "" {
			return nil
		}
		at, known := word[[2]string{column, text}]
		if !known {
			at = len(e.Words[column])
			word[[2]string{column, text}], e.Words[column] = at, append(e.Words[column], text)
		}
		return at
	}
	listed := map[string]bool{}
	for _, m := range s.catalogue.Methods {
		rows := s.rows[m.ID]
		ranking.Sort(rows, figure.RandWriteIOPS)
		places := ranking.Ranks(rows, figure.RandWriteIOPS)
		for i, r := range rows {
			if r.Reference == "" {
				listed[r.Module.Slug] = true
				e.Rows = append(e.Rows, s.exploredRow(r, places[i], m.Label, place))
			}
		}
	}
	for _, m := range s.snapshot.Modules {
		if !listed[m.Slug] && m.Form != catalogue.FormStack {
			e.Rows = append(e.Rows, s.exploredRow(ranking.Row{Module: m}, ranking.Place{}, "", place))
		}
	}
	text, err = json.Marshal(e)
	if err != nil {
		return nil, nil, fmt.Errorf("publish: %w", err)
	}
	count, first := e.first(firstExplored)
	return text, map[string]any{"columns": e.Columns, "methods": list(e.Words[ranking.MethodColumn.Key]), "rows": count, "first": first}, nil
}

// first counts the rows of the first method and returns so many of those that lead, with words for their places and numbers as they are shown. What too few
// have measured to be ranked comes after the others, as it does in the whole table.
func (e *explored) first(most int) (count int, rows [][]any) {
	at := func(key string) int {
		return slices.IndexFunc(e.Columns, func(c ranking.Column) bool { return c.Key == key })
	}
	rank, results, method := at("rank"), at("results"), at(ranking.MethodColumn.Key)
	leading, unranked := [][]any{}, [][]any{}
	for _, row := range e.Rows {
		switch {
		case row[method] != 0:
		case row[results] != nil && row[rank] == nil:
			unranked = append(unranked, row)
		default:
			leading = append(leading, row)
		}
	}
	rows = append(leading, unranked...)
	count = len(rows)
	rows = rows[:min(most, count)]
	for n, row := range rows {
		rows[n] = slices.Clone(row)
		for i, column := range e.Columns {
			switch cell := row[i].(type) {
			case int:
				rows[n][i] = e.Words[column.Key][cell]
			case float64:
				rows[n][i] = result.Number(cell)
				if slices.Contains(exactColumns, column.Key) {
					rows[n][i] = exact(cell)
				}
			case [3]float64:
				rows[n][i] = [3]string{result.Number(cell[0]), result.Number(cell[1]), result.Number(cell[2])}
			}
		}
	}
	return count, rows
}

// exploredRow makes the cells: a module is its slug and name, a rank its first and last place, a figure its value or that
// and its interval, a cliff that never came "none".
func (s *site) exploredRow(r ranking.Row, at ranking.Place, method string, place func(column, text string) any) []any {
	row := make([]any, len(exploredColumns))
	for i, column := range exploredColumns {
		switch key := column.Key; key {
		case "rank":
			if at.First > 0 {
				row[i] = [2]int{at.First, at.Last}
			}
		case "module":
			row[i] = [2]string{r.Module.Slug, r.Module.Name()}
		case "form":
			row[i] = place(key, catalogue.FormLabel(r.Module.Form))
		case "capacity_gb":
			row[i] = known(r.Module.CapacityGB)
		case "classes":
			row[i] = place(key, strings.Join(r.Module.Classes, " "))
		case "units":
			row[i] = known(float64(r.Units))
		case "results":
			row[i] = known(float64(r.Results))
		case "source":
			row[i] = place(key, s.sourceText(r))
		case "method":
			row[i] = place(key, method)
		default:
			if key == figure.SeqWriteCliffMB && r.NoCliff() {
				row[i] = "none"
			}
			if f, has := r.Figures[key]; has {
				row[i] = rounded(f.Value)
				if f.Low != nil {
					row[i] = [3]float64{rounded(f.Value), rounded(*f.Low), rounded(*f.High)}
				}
			}
		}
	}
	return row
}

// sourceText says who measured.
func (s *site) sourceText(r ranking.Row) string {
	var labels []string
	for _, link := range s.sourceLinks(r.Sources) {
		labels = append(labels, link["label"])
	}
	if len(labels) == 0 && r.Results > 0 {
		return "Flashdex users"
	}
	return strings.Join(labels, ", ")
}

// known is a number, or nothing for the zero that stands for unknown.
func known(v float64) any {
	if v == 0 {
		return nil
	}
	return v
}

// rounded keeps four digits, one more than is shown, or more where the four would be shown as another number.
func rounded(v float64) float64 {
	for n := 4; n < 8; n++ {
		if r := result.Round(v, n); result.Round(r, 3) == result.Round(v, 3) {
			return r
		}
	}
	return result.Round(v, 3)
}
