package publish

import (
	"context"
	"time"

	"flashdex/api/catalogue"
	"flashdex/api/chart"
	"flashdex/api/dataset"
	"flashdex/api/index"
	"flashdex/api/markup"
)

// chartsJSON is what is drawn of a module by one method.
type chartsJSON struct {
	Method  string         `json:"method"`
	Units   int            `json:"units"`       // that are drawn
	OfUnits int            `json:"of_units"`    // that there are
	Strips  markup.HTML    `json:"strips_html"` // its units by their figures
	Run     *drawnRunJSON  `json:"run,omitempty"`
	Others  []otherRunJSON `json:"others"`       // runs behind that one
	Samples markup.HTML    `json:"samples_html"` // of Run before Others
}

// drawnRunJSON is the run whose samples are drawn.
type drawnRunJSON struct {
	ID         string `json:"id"`
	ReceivedOn string `json:"received_on"`
	Host       string `json:"host"`
}

// otherRunJSON is a run whose samples are drawn behind.
type otherRunJSON struct {
	ID            string  `json:"id"`
	RandWriteIOPS float64 `json:"rand_write_iops"`
}

// writeCharts writes the charts of each of some modules that has results that count.
func (s *site) writeCharts(ctx context.Context, slugs []string, modules map[string]catalogue.Module) error {
	return s.results.Drawn(ctx, slugs, func(slug string, drawn []index.Drawn) error {
		s.drawn[slug] = true
		return s.writeFile("charts/"+slug+".json", s.charts(modules[slug], drawn))
	})
}

func (s *site) charts(m catalogue.Module, drawn []index.Drawn) []chartsJSON {
	list := []chartsJSON{}
	for _, d := range drawn {
		s.units[[2]string{m.Slug, d.Method}] = s.unitVerdicts(m, d)
		of := chartsJSON{Method: d.Method, Units: len(d.Units), Others: []otherRunJSON{}}
		for _, sum := range s.summaries[[2]string{m.Slug, d.Method}] {
			if sum.Whole() {
				of.OfUnits = sum.Units
				of.Strips = drawAll(chart.Module{Classes: s.catalogue.SpeedClasses, Printed: m.Classes, Summary: sum, Units: d.Units}.Strips(d.Method+"-units-", nil))
			}
		}
		if len(d.Runs) > 0 {
			run := d.Runs[0]
			of.Run = &drawnRunJSON{run.ID, run.ReceivedAt.UTC().Format(time.DateOnly), run.Host}
			for _, o := range d.Runs[1:] {
				of.Others = append(of.Others, otherRunJSON{o.ID, o.RandWriteIOPS()})
			}
			label := "the newest run"
			if len(d.Runs) > 1 {
				label = "the unit nearest to the median"
			}
			of.Samples = drawAll(chart.Samples(d.Method+"-", label, run.Tests, d.Runs[1:]))
		}
		list = append(list, of)
	}
	return list
}

// drawAll draws charts below each other.
func drawAll(charts []chart.Chart) (html markup.HTML) {
	for _, c := range charts {
		html += "\n" + c.HTML()
	}
	return html
}

// growth draws how the data set has grown; nothing before its first snapshot.
func growth(latest *dataset.Snapshot) map[string]markup.HTML {
	var charts []chart.Chart
	if latest == nil {
		return map[string]markup.HTML{"html": ""}
	}
	var runs, modules []chart.Added
	for _, m := range latest.Months {
		runs, modules = append(runs, chart.Added{Month: m.Month, N: m.Runs}), append(modules, chart.Added{Month: m.Month, N: m.Modules})
	}
	for _, of := range []struct {
		id, title, counted string
		months             []chart.Added
	}{{"growth-runs", "Uploaded runs", "runs", runs}, {"growth-modules", "Modules measured", "modules", modules}} {
		if c, ok := chart.Growth(of.id, of.title, of.counted, of.months); ok {
			charts = append(charts, c)
		}
	}
	return map[string]markup.HTML{"html": drawAll(charts)}
}
