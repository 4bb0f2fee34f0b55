package publish

import (
	"strconv"
	"strings"

	"flashdex/api/figure"
	"flashdex/api/page/markup"
	"flashdex/api/ranking"
	"flashdex/result"
)

// mainKeys are the figures of the smaller tables, runKeys those of a single run, in the order of the columns.
var (
	mainKeys = []string{figure.RandWriteIOPS, figure.RandReadIOPS, figure.SeqWriteMBPerS, figure.SeqReadMBPerS}
	runKeys  = append(mainKeys[:len(mainKeys):len(mainKeys)], figure.RandWriteP99MS, figure.RandWriteMaxMS)
)

// cells are those of some figures in a row of a table, empty where one is unknown.
func cells(keys []string, figures figure.Set) markup.HTML {
	var row []byte
	for _, key := range keys {
		e, ok := figures[key]
		row = appendCell(row, "", sortable(e.Value), shownOf(key, e), ok)
	}
	return markup.HTML(row)
}

// appendCell adds the cell of a figure to a row, an empty one where it is unknown. class is a further class of the cell, or nothing. An
// interval that is surer than 95 % passes for one of 95 %.
func appendCell(row []byte, class, sort string, s shown, known bool) []byte {
	if class != "" {
		class = " " + class
	}
	if !known {
		return markup.Append(row, `<td class="number%s"></td>`, class)
	}
	row = markup.Append(row, `<td class="number heat-%d%s" data-sort="%s">%s`, s.Heat, class, sort, s.Value)
	switch {
	case s.Sure != "":
		row = markup.Append(row, `<small title="%s interval"><span class="hidden">%[1]s interval </span>%s</small>`, s.Sure, s.Interval)
	case s.Interval != "":
		row = markup.Append(row, `<small>%s</small>`, s.Interval)
	}
	if s.N != "" {
		row = markup.Append(row, `<small>n %s</small>`, s.N)
	}
	return append(row, "</td>"...)
}

// sortable is a number as scripts sort it. The digits beyond are those in which processors differ.
func sortable(v float64) string { return strconv.FormatFloat(v, 'g', 9, 64) }

// rankingRow is a row of a ranking.
type rankingRow struct {
	HTML      markup.HTML
	At        string     // place on its metric's scale, if it has that figure
	Reference *reference // of a line to compare with
}

// reference is such a line.
type reference struct {
	name  string
	At    string `json:"at"`
	Value string `json:"value"` // of the ranking's metric
}

// rankingRow is a row of a ranking by a metric: the rank, with a box to choose the module for comparison, and a cell for each other column.
func (s *site) rankingRow(metric string, r ranking.Row, place ranking.Place) rankingRow {
	row := make([]byte, 0, 1<<12)
	if r.Reference == "" {
		row = markup.Append(row, `<tr>`)
	} else {
		row = markup.Append(row, `<tr class="reference">`)
	}
	row = appendRank(row, r, place)
	for _, column := range ranking.Columns {
		group := "g-" + column.Group
		switch column.Key {
		case "rank":
		case "module":
			row = appendModule(row, r)
		case "form":
			row = markup.Append(row, `<td class="col-form %s">%s</td>`, group, formLabel(r.Module.Form))
		case "classes":
			row = markup.Append(row, `<td class="col-classes %s">%s</td>`, group, strings.Join(r.Module.Classes, " "))
		case "source":
			row = s.appendSource(row, r, group)
		case "capacity_gb":
			row = appendNumber(row, column, r.Module.CapacityGB, r.Module.CapacityGB > 0)
		case "units":
			row = appendNumber(row, column, float64(r.Units), r.Results > 0)
		case "results":
			row = appendNumber(row, column, float64(r.Results), r.Results > 0)
		default:
			f, known := r.Figures[column.Key]
			sort, shown := sortable(f.Value), shownOf(column.Key, f)
			switch {
			case column.Key == figure.SeqWriteCliffMB && r.NoCliff():
				known, sort, shown = true, beyondAll, noCliff
			case r.Reference != "":
				shown.Value = result.Number(f.Value)
			}
			row = appendCell(row, group, sort, shown, known)
		}
	}
	of := rankingRow{HTML: markup.HTML(append(row, "</tr>"...))}
	if f, ok := r.Figures[metric]; ok {
		of.At = ranking.ColumnOf(metric).Scale.At(f.Value)
		if r.Reference != "" {
			of.Reference = &reference{r.Name(), of.At, result.Number(f.Value)}
		}
	}
	return of
}

// appendRank adds the cell of a rank. A range sorts by its first place and then by its last.
func appendRank(row []byte, r ranking.Row, place ranking.Place) []byte {
	if place.First > 0 {
		row = markup.Append(row, `<td class="rank" data-sort="%d.%07d">`, place.First, place.Last)
	} else {
		row = markup.Append(row, `<td class="rank" data-sort="">`)
	}
	if r.Reference == "" {
		row = markup.Append(row, `<input type="checkbox" form="compare" name="m" value="%s" aria-label="Compare %s">`, r.Module.Slug, r.Name())
	}
	switch {
	case place.First > 0 && place.Last != place.First:
		row = markup.Append(row, ` %d–%d`, place.First, place.Last)
	case place.First > 0:
		row = markup.Append(row, ` %d`, place.First)
	}
	return append(row, "</td>"...)
}

func appendModule(row []byte, r ranking.Row) []byte {
	if r.Reference != "" {
		return markup.Append(row, `<th scope="row"><bdi>%s</bdi></th>`, r.Name())
	}
	return markup.Append(row, `<th scope="row"><a href="/modules/%s/"><bdi>%s</bdi></a></th>`, r.Module.Slug, r.Name())
}

// appendNumber adds the cell of a number that is no figure, an empty one where it is unknown.
func appendNumber(row []byte, column ranking.Column, n float64, known bool) []byte {
	if !known {
		return markup.Append(row, `<td class="number col-%s g-%s"></td>`, column.Key, column.Group)
	}
	return markup.Append(row, `<td class="number col-%s g-%s" data-sort="%v">%s</td>`, column.Key, column.Group, n, exact(n))
}

// appendSource adds the cell that tells who measured: at most two sources, or Flashdex's users.
func (s *site) appendSource(row []byte, r ranking.Row, group string) []byte {
	row = markup.Append(row, `<td class="source %s">`, group)
	for i, key := range r.Sources[:min(len(r.Sources), 2)] {
		if i > 0 {
			row = append(row, ", "...)
		}
		source, _ := s.catalogue.Source(key)
		row = markup.Append(row, `<a href="/sources/#%s">%s</a>`, strings.ToLower(key), label(source))
	}
	if more := len(r.Sources) - 2; more > 0 {
		row = markup.Append(row, ` and %d more`, more)
	}
	if len(r.Sources) == 0 && r.Reference == "" {
		row = append(row, "Flashdex users"...)
		if r.Note != "" {
			row = markup.Append(row, ` <span class="note">%s</span>`, r.Note)
		}
	}
	return append(row, "</td>"...)
}
