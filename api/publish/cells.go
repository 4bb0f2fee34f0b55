package publish

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"flashdex/api/figure"
	"flashdex/api/page"
	"flashdex/api/ranking"
	"flashdex/result"
)

// figureCells are the cells of some metrics.
func figureCells(keys []string, figures figure.Set) (cells []page.Cell) {
	for _, key := range keys {
		cell := page.Cell{Class: "number"}
		if f, known := figures.Find(key); known {
			cell = page.TintedCell(key, "", f)
		}
		cells = append(cells, cell)
	}
	return cells
}

// tableRow is one row of a table of modules: a rank if the table has ranks, the module, and a cell for each other
// column. If the table says who measured, that is the last cell.
type tableRow struct {
	Slug, Name, Rank, RankSort string `json:",omitempty"` // without a slug: a reference device
	Cells                      []page.Cell
	Origin                     string       `json:",omitempty"` // of figures that users didn't measure, on questions
	Sources                    []sourceLink `json:",omitempty"` // at most two; none: Flashdex's users measured
	MoreSources                int          `json:",omitempty"`
	Note                       string       `json:",omitempty"` // why there is no rank

	chosenBy // on questions' pages
}

// sourceLink leads to a source of published figures: to an anchor on the page of all sources.
type sourceLink struct{ Anchor, Label string }

// tableRow begins the row of a module or a reference device. A range of ranks sorts by its first place, then its last.
func (s *site) tableRow(r *ranking.Row, place ranking.Place, cells []page.Cell) tableRow {
	row := tableRow{Slug: r.Module.Slug, Name: r.Name(), Cells: cells, Sources: s.sourceLinks(r.Sources), Note: r.Note}
	if r.Reference != "" {
		row.Slug = ""
	}
	if place.First > 0 {
		row.Rank, row.RankSort = strconv.Itoa(place.First), fmt.Sprintf("%d.%07d", place.First, place.Last)
		if place.Last != place.First {
			row.Rank += "–" + strconv.Itoa(place.Last)
		}
	}
	if more := len(row.Sources) - 2; more > 0 {
		row.Sources, row.MoreSources = row.Sources[:2], more
	}
	return row
}

// cellColumns are the columns between the module and the source.
var cellColumns = slices.DeleteFunc(slices.Clone(ranking.Columns), func(c ranking.Column) bool {
	return slices.Contains([]string{"rank", "module", "source"}, c.Key)
})

// rankingCells are the cells of a ranking's row, in the order of cellColumns.
func rankingCells(r *ranking.Row) (cells []page.Cell) {
	for _, column := range cellColumns {
		class := "g-" + column.Group
		f, known := r.Figures.Find(column.Key)
		switch key := column.Key; {
		case column.Scale == nil:
			cells = append(cells, plainCell(column, r))
		case key == figure.SeqWriteCliffMB && r.NoCliff():
			class = fmt.Sprintf("number heat-%d %s", column.Scale.Heat(math.Inf(1)), class)
			cells = append(cells, page.Cell{Class: class, Value: "none", Sort: beyondAll})
		case known:
			if r.Foretold(key) {
				class += " foretold"
			}
			cells = append(cells, page.TintedCell(key, class, f))
		default:
			cells = append(cells, page.Cell{Class: "number " + class})
		}
	}
	return cells
}

// plainCell is the cell of a column that holds no figure.
func plainCell(column ranking.Column, r *ranking.Row) page.Cell {
	cell := page.Cell{Class: "col-" + column.Key + " g-" + column.Group}
	n, known := 0.0, r.Results > 0
	switch column.Key {
	case "form":
		cell.Value = formLabel(r.Module.Form)
		return cell
	case "classes":
		cell.Value = strings.Join(r.Module.Classes, " ")
		return cell
	case "capacity_gb":
		n, known = r.Module.CapacityGB, r.Module.CapacityGB > 0
	case "units":
		n = float64(r.Units)
	case "contributors":
		n = float64(r.Contributors)
	case "results":
		n = float64(r.Results)
	}
	cell.Class = "number " + cell.Class
	if known {
		cell.Value, cell.Sort = result.Exact(n), fmt.Sprint(n)
	}
	return cell
}

// beyondAll sorts after every number. JSON can't express infinity, but JavaScript parses this text as infinity.
const beyondAll = "Infinity"
