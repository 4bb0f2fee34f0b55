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

// ratedRow is a figure of a data sheet beside the measured ones.
type ratedRow struct {
	Label, Unit, Rated       string
	Missing                  string            // what stands in place of what was measured of the module: "not yet"
	Measured                 []measuredOfRated // of the module, then of other devices
	Span                     int               // rows that it takes
	Source, Path, Date, Note string
}

// measuredOfRated is what one method measured of a rated figure.
type measuredOfRated struct {
	page.Cell
	Percent            string // of the rated figure
	Method, MethodPath string
	Sources            []sourceLink // none: Flashdex's users measured
	Of                 string       // a reference device that the source of the promise measured; empty: the module
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

// besidePromises lists what the sources of a module's promises measured of reference devices.
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

// ratedRows puts what Flashdex's users measured first, then what others published, each by its own method, then what
// the source of a promise set beside it.
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
