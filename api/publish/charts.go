package publish

import (
	"slices"
	"time"

	"flashdex/api/catalogue"
	"flashdex/api/dataset"
	"flashdex/api/figure"
	"flashdex/api/page"
	"flashdex/api/page/chart"
	"flashdex/result"
)

// moduleCharts are the charts of a module that its page shows: its units, and the samples of some runs.
type moduleCharts struct {
	Units   []unitCharts
	Samples []sampleCharts

	units map[string]map[string]unitVerdicts // how its units stand to its printed classes: by method, then class
}

// unitCharts are a module's units by one method, drawn by their figures.
type unitCharts struct {
	Heading string // where there are several methods
	Some    string // "50 of 120 units"; empty: all are drawn
	Charts  []chart.Chart
}

// sampleCharts draw the samples of a run by one method in front of other runs.
type sampleCharts struct {
	Heading, Run, On string // the id of the run, and the day that it was received
	Others           []otherRun
	Charts           []chart.Chart
}

// otherRun is a run whose samples are drawn behind, with its 4K random write.
type otherRun struct{ ID, IOPS string }

func (s *site) charts(m catalogue.Module, drawn []figure.ChartData) moduleCharts {
	all := moduleCharts{units: map[string]map[string]unitVerdicts{}}
	for _, f := range measuredOf(s.figures(m.Slug)) {
		at := slices.IndexFunc(drawn, func(d figure.ChartData) bool { return d.Method == f.methodID })
		if at < 0 {
			continue
		}
		d := drawn[at]
		all.units[d.Method] = s.unitVerdicts(m, d)
		for _, sum := range s.summaries[moduleMethod{m.Slug, d.Method}] {
			strips := chart.Module{Classes: s.catalogue.SpeedClasses, Printed: m.Classes, Summary: sum, Units: d.Units}
			charts := strips.Strips(d.Method+"-units-", nil)
			if !sum.Whole() || len(charts) == 0 {
				continue
			}
			of := unitCharts{Heading: f.Heading, Charts: charts}
			if sum.Units > len(d.Units) {
				of.Some = result.Count(len(d.Units)) + " of " + page.Counted(sum.Units, "unit")
			}
			all.Units = append(all.Units, of)
		}
		if samples := s.sampleCharts(f.Heading, d); len(samples.Charts) > 0 {
			all.Samples = append(all.Samples, samples)
		}
	}
	return all
}

func (s *site) sampleCharts(heading string, d figure.ChartData) (of sampleCharts) {
	if len(d.Runs) == 0 {
		return of
	}
	run, label := d.Runs[0], "the newest run"
	of = sampleCharts{Heading: heading, Run: run.ID, On: run.ReceivedAt.UTC().Format(time.DateOnly)}
	for _, o := range d.Runs[1:] {
		of.Others = append(of.Others, otherRun{o.ID, result.Number(o.RandWriteIOPS())})
		label = "the unit nearest to the median"
	}
	of.Charts = chart.Samples(d.Method+"-", label, run.Tests, d.Runs[1:])
	return of
}

// growth draws how the data set has grown; nothing before its first snapshot.
func growth(latest *dataset.Snapshot) chart.Charts {
	all := chart.Charts{}
	if latest == nil {
		return all
	}
	var months []string
	var runs, modules []int64
	for _, m := range latest.Months {
		months, runs, modules = append(months, m.Month), append(runs, m.Runs), append(modules, m.Modules)
	}
	all.Add(chart.Growth("growth-runs", "Uploaded runs", "runs", months, runs))
	all.Add(chart.Growth("growth-modules", "Modules measured", "modules", months, modules))
	return all
}
