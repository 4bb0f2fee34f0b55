package publish

import (
	"context"
	"slices"
	"time"

	"flashdex/api/catalogue"
	"flashdex/api/dataset"
	"flashdex/api/figure"
	"flashdex/api/page/chart"
	"flashdex/api/page/markup"
)

// drawnMethod is what is drawn of a module by one method.
type drawnMethod struct {
	Method         string
	Heading        string      // where there are several
	Units, OfUnits int         // that are drawn, and that there are
	Strips         markup.HTML // its units by their figures
	Run            *drawnRun
	Others         []otherRun  // behind Run
	Samples        markup.HTML // of Run before Others
}

// drawnRun is the run whose samples are drawn.
type drawnRun struct{ ID, ReceivedOn, Host string }

// otherRun is a run whose samples are drawn behind.
type otherRun struct {
	ID            string
	RandWriteIOPS float64
}

// writeCharts makes the charts of each of some modules that has results that count.
func (s *site) writeCharts(ctx context.Context, slugs []string, modules map[string]catalogue.Module) error {
	return s.results.Drawn(ctx, slugs, func(slug string, drawn []figure.Drawn) error {
		return s.writeSection("charts", slug, s.charts(modules[slug], drawn))
	})
}

// chartSections are the charts of a module that its page shows.
type chartSections struct{ Strips, Samples []drawnMethod }

func (s *site) charts(m catalogue.Module, drawn []figure.Drawn) (sections chartSections) {
	for _, f := range measuredOf(s.figures(m.Slug)) {
		at := slices.IndexFunc(drawn, func(d figure.Drawn) bool { return d.Method == f.Method })
		if at < 0 {
			continue
		}
		d := drawn[at]
		s.units[[2]string{m.Slug, d.Method}] = s.unitVerdicts(m, d)
		of := drawnMethod{Method: d.Method, Heading: f.Heading, Units: len(d.Units)}
		for _, sum := range s.summaries[[2]string{m.Slug, d.Method}] {
			if sum.Whole() {
				of.OfUnits = sum.Units
				of.Strips = drawAll(chart.Module{Classes: s.catalogue.SpeedClasses, Printed: m.Classes, Summary: sum, Units: d.Units}.Strips(d.Method+"-units-", nil))
			}
		}
		if len(d.Runs) > 0 {
			run := d.Runs[0]
			of.Run = &drawnRun{run.ID, run.ReceivedAt.UTC().Format(time.DateOnly), run.Host}
			for _, o := range d.Runs[1:] {
				of.Others = append(of.Others, otherRun{o.ID, o.RandWriteIOPS()})
			}
			label := "the newest run"
			if len(d.Runs) > 1 {
				label = "the unit nearest to the median"
			}
			of.Samples = drawAll(chart.Samples(d.Method+"-", label, run.Tests, d.Runs[1:]))
		}
		if of.Strips != "" {
			sections.Strips = append(sections.Strips, of)
		}
		if of.Samples != "" {
			sections.Samples = append(sections.Samples, of)
		}
	}
	return sections
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
