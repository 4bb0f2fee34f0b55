package publish

import (
	"slices"

	"flashdex/api/catalogue"
	"flashdex/api/dataset"
	"flashdex/api/figure"
	"flashdex/api/page"
	"flashdex/api/ranking"
	"flashdex/result"
)

// ratedRow is a data sheet's figure beside the measured ones.
type ratedRow struct {
	Label, Unit, Rated       string
	Missing                  string            // stands in place of the module's measured figures: "not yet"
	Measured                 []measuredOfRated // first of the module, then of reference devices
	Span                     int               // how many table rows it takes
	Source, Path, Date, Note string
}

// measuredOfRated is a measurement of a rated figure by one method.
type measuredOfRated struct {
	page.Cell
	Percent            string // of the rated figure
	Method, MethodPath string
	Sources            []sourceLink // none: Flashdex's users measured
	Of                 string       // the reference device that the promise's source measured; empty: the module
}

// rated returns the figures of a module's data sheets, with the figures that Flashdex's standard test measured.
func (s *site) rated(m catalogue.Module) []dataset.RatedFigure {
	var figures figure.Set
	for _, sum := range s.summaries[moduleMethod{m.Slug, result.MethodFlashdex1}] {
		if sum.Whole() {
			figures = sum.Figures
		}
	}
	return dataset.RatedOf(m, s.catalogue, figures)
}

// besidePromises lists the measurements of reference devices by the sources of a module's promises.
func (s *site) besidePromises(m catalogue.Module) []catalogue.Published {
	listed, _ := s.catalogue.Module(m.Slug)
	promised := listed.AllRated()
	if len(promised) == 0 {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(s.published[""]), func(p catalogue.Published) bool {
		return !slices.ContainsFunc(promised, func(r catalogue.Rated) bool { return r.Source == p.Source })
	})
}

// ratedRows returns a row for each rated figure. Measurements by Flashdex's users come first, then published ones, each
// by its own method, then the reference devices that the promise's source measured.
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
					s.besideRated(r.Value, e, placed.method, placed.row.Printed[r.Metric.Key].Sources))
			}
		}
		switch {
		case r.Metric.Key == catalogue.RatedTransfer:
			row.Missing = "not compared"
		case row.Measured == nil:
			row.Missing = "not yet"
		}
		for _, p := range s.besidePromises(m) {
			if key, value, _ := figure.PublishedFigure(&p); key == r.Metric.Key && p.Source == r.Source.Key {
				method, _ := s.catalogue.Method(p.Method)
				beside := s.besideRated(r.Value, figure.Figure{Value: *value, N: 1}, method, []string{p.Source})
				for _, device := range s.catalogue.ReferenceDevices {
					if device.Slug == p.DeviceSlug {
						beside.Of = device.Name
					}
				}
				row.Measured = append(row.Measured, beside)
			}
		}
		if row.Span = len(row.Measured); row.Missing != "" {
			row.Span++
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
		percent = "≥\u00a0" + percent
	}
	return measuredOfRated{page.CellOf("", e), percent, by.Label, methodPath(by.ID), s.sourceLinks(sources), ""}
}
