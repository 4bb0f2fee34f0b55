package publish

import (
	"flashdex/api/catalogue"
	"flashdex/api/dataset"
	"flashdex/api/figure"
	"flashdex/api/page"
	"flashdex/api/ranking"
	"flashdex/result"
)

// ratedRow is a figure of a data sheet beside the measured ones.
type ratedRow struct {
	Label, Unit, Rated       string
	Missing                  string // what stands in place of what was measured: "not yet"
	Measured                 []measuredOfRated
	Span                     int // rows that it takes
	Source, Path, Date, Note string
}

// measuredOfRated is what one method measured of a rated figure.
type measuredOfRated struct {
	page.Cell
	Percent            string // of the rated figure
	Method, MethodPath string
	Sources            []sourceLink // none: Flashdex's users measured
}

// rated returns the figures of a module's data sheets, beside the ones by Flashdex's standard test.
func (s *site) rated(m catalogue.Module) []dataset.RatedFigure {
	var figures figure.Set
	for _, sum := range s.summaries[moduleMethod{m.Slug, result.MethodFlashdex1}] {
		if sum.Whole() {
			figures = sum.Figures
		}
	}
	return dataset.RatedOf(m, s.catalogue, figures)
}

// ratedRows puts what Flashdex's users measured first, then what others published, each by its own method.
func (s *site) ratedRows(m catalogue.Module) (rows []ratedRow) {
	for _, r := range s.rated(m) {
		row := ratedRow{
			Label: r.Metric.Label, Unit: r.Metric.Unit, Rated: result.Number(r.Value), Note: r.Note,
		}
		if r.Source.Key != "" {
			row.Source, row.Path, row.Date = r.Source.Title, sourcePath(r.Source.Key), r.Source.Date
		}
		if r.Measured != nil {
			method, _ := s.catalogue.Method(result.MethodFlashdex1)
			row.Measured = append(row.Measured, s.besideRated(r.Value, *r.Measured, method, nil))
		}
		for _, placed := range s.placed[m.Slug] {
			e, has := placed.row.Figures.Find(r.Metric.Key)
			if has && placed.row.Origin() == ranking.Published {
				row.Measured = append(row.Measured,
					s.besideRated(r.Value, e, placed.method, placed.row.SourcesOf[r.Metric.Key]))
			}
		}
		switch row.Span = max(1, len(row.Measured)); {
		case r.Metric.Key == catalogue.RatedTransfer:
			row.Missing = "not compared"
		case row.Measured == nil:
			row.Missing = "not yet"
		}
		rows = append(rows, row)
	}
	return rows
}

func (s *site) besideRated(rated float64, e figure.Figure, by catalogue.Method, sources []string) measuredOfRated {
	percent := result.Number(100 * e.Value / rated)
	if e.To > 0 {
		percent += " to " + result.Number(100*e.To/rated)
	}
	if e.AtLeast {
		percent = "≥ " + percent
	}
	return measuredOfRated{page.CellOf("", e), percent, by.Label, methodPath(by.ID), s.sourceLinks(sources)}
}
