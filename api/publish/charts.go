package publish

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"flashdex/api/catalogue"
	"flashdex/api/dataset"
	"flashdex/api/figure"
	"flashdex/api/figure/speedclass"
	"flashdex/api/page"
	"flashdex/api/page/chart"
	"flashdex/result"
)

// moduleCharts are the charts on a module's page: its units, and the samples of some runs.
type moduleCharts struct {
	Units   []unitCharts
	Samples []sampleCharts

	units map[string]map[string]unitVerdicts // how many units reach its printed classes, by method, then class
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

// otherRun is a run whose samples are drawn in the background, with its 4K random write.
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
	run, label := d.Runs[0], "the newest result"
	of = sampleCharts{Heading: heading, Run: run.ID, On: run.ReceivedAt.UTC().Format(time.DateOnly)}
	for _, o := range d.Runs[1:] {
		of.Others = append(of.Others, otherRun{o.ID, result.Number(o.RandWriteIOPS())})
		label = "the unit nearest to the median"
	}
	of.Charts = chart.Samples(d.Method+"-", label, run.Tests, d.Runs[1:])
	return of
}

// growth draws how the data set has grown. It draws nothing before the first snapshot.
func growth(latest *dataset.Snapshot) chart.Charts {
	all := chart.Charts{}
	if latest == nil {
		return all
	}
	var months []string
	var results, modules []int64
	for _, m := range latest.Months {
		months, results, modules = append(months, m.Month), append(results, m.Runs), append(modules, m.Modules)
	}
	all.Add(chart.Growth("growth-results", "Results", "results", months, results))
	all.Add(chart.Growth("growth-modules", "Modules measured", "modules", months, modules))
	return all
}

// profiles shows a module's runs by each method that is never ranked: first the newest run of each unit, then older
// runs.
func (s *site) profiles(m catalogue.Module, runs []figure.ProfiledRun) (list []page.Profile) {
	for _, id := range figure.ProfiledMethods {
		of := slices.DeleteFunc(slices.Clone(runs), func(r figure.ProfiledRun) bool { return r.Method != id })
		if len(of) == 0 {
			continue
		}
		drawn := chart.ProfiledRuns(of)
		method, _ := s.catalogue.Method(id)
		p := page.Profile{
			Method: id, Label: method.Label, Description: method.Description, Profile: chart.ProfileOf(id, id+"-", drawn),
		}
		for i, r := range of {
			on := r.ReceivedAt.UTC().Format(time.DateOnly)
			p.Runs = append(p.Runs, page.ProfiledRun{Letter: drawn[i].Letter, Path: "/r/" + r.ID, ReceivedOn: on, Host: r.Host,
				How: r.Target.Configuration})
		}
		if id == result.MethodIozone50M && len(p.Tables) > 0 {
			for _, of := range iozoneMeasurements(s.published[m.Slug]) { // the table shows them below the runs
				source, _ := s.catalogue.Source(of.source)
				row := chart.IozoneRow(label(source), 0, of.recordBytes, of.kbPerS)
				p.Tables[0].Rows = append(p.Tables[0].Rows, row)
			}
		}
		if id == result.MethodQueue1 && len(p.Tables) > 0 { // below the answers of these runs
			p.Tables = slices.Insert(p.Tables, 1, chart.QueueCounts(s.queueCounts(m.Slug)).Tables...)
		}
		list = append(list, p)
	}
	return list
}

// queueCounts counts the units of a module's variants by whether command queueing works with them, the first
// maxVariants of them.
func (s *site) queueCounts(slug string) (all []figure.QueueCount) {
	for _, sum := range s.summaries[moduleMethod{slug, result.MethodQueue1}] {
		if v := cmp.Or(sum.Variant, sum.OnlyVariant); v != "" && sum.HostClass == "" {
			all = append(all, figure.QueueCountsOf(figure.VariantOf(v), sum.Shown)...)
		}
	}
	slices.SortStableFunc(all, func(a, b figure.QueueCount) int { return cmp.Compare(a.Registers, b.Registers) })
	return all[:min(len(all), maxVariants)]
}

// queued judges the classes printed on a module by runs with a full queue: by the newest one of each unit that tells
// something, of contributors whose results count. It leaves out classes on which units disagree: one contributor must
// not outweigh another.
func (s *site) queued(m catalogue.Module, runs []figure.ProfiledRun) map[string]speedclass.Verdict {
	type told struct{ unit, class string }
	seen := map[told]bool{}
	verdicts := map[string]speedclass.Verdict{}
	for _, run := range runs {
		if run.Method != result.MethodQueue1 || !run.Counts {
			continue
		}
		for _, v := range ofOneCard(speedclass.OfQueue(s.catalogue.SpeedClasses, m, run, nil)) {
			key := told{run.Unit, v.Class}
			if v.State == speedclass.CantTell || seen[key] {
				continue
			}
			seen[key] = true
			if other, known := verdicts[v.Class]; !known {
				verdicts[v.Class] = v
			} else if other.State != v.State {
				verdicts[v.Class] = speedclass.Verdict{State: speedclass.CantTell}
			}
		}
	}
	maps.DeleteFunc(verdicts, func(_ string, v speedclass.Verdict) bool { return v.State == speedclass.CantTell })
	return verdicts
}

// profileExamples returns, for each method that is never ranked, the module that the most contributors measured. It
// takes only modules whose newest run, which their page shows, nothing may have spoiled.
func (s *site) profileExamples() map[string]*figure.Summary {
	best := map[string]*figure.Summary{}
	for i := range s.snapshot.Summaries {
		sum := &s.snapshot.Summaries[i]
		if !sum.Whole() || !figure.Profiled(sum.Method) || len(sum.NotRanked) != 1 {
			continue
		}
		of := best[sum.Method]
		if of == nil || cmp.Or(sum.Contributors-of.Contributors, sum.Results-of.Results) > 0 {
			best[sum.Method] = sum
		}
	}
	return best
}

// iozoneMeasurement is one row of a published iozone table, on the profile's area and with one of its record sizes. A
// row on another area is another method's.
type iozoneMeasurement struct {
	source, module, host string
	recordBytes          int64
	kbPerS               map[string]float64 // by test, in units of 1,024 bytes
}

// iozoneTests maps the names of tests in published tables to the tests of a result.
var iozoneTests = map[string]string{
	result.SeqWrite: result.SeqWrite, "rewrite": result.SeqRewrite,
	result.SeqRead: result.SeqRead, "reread": result.SeqReread,
	result.RandRead: result.RandRead, result.RandWrite: result.RandWrite,
}

// iozoneMeasurements collects the figures of each measurement in one row, in the order of the files. A repeated test
// begins another row.
func iozoneMeasurements(published []catalogue.Published) (all []iozoneMeasurement) {
	for _, p := range published {
		test, known := iozoneTests[p.Test]
		recorded := p.BlockBytes == 4<<10 || p.BlockBytes == 512<<10
		if !known || p.Method != "iozone-direct-50m" || p.MBPerS == nil || p.Restates > 0 || !recorded {
			continue
		}
		at := slices.IndexFunc(all, func(of iozoneMeasurement) bool {
			same := of.source == p.Source && of.module == p.ModuleSlug && of.host == p.Host
			return same && of.recordBytes == p.BlockBytes && of.kbPerS[test] == 0
		})
		if at < 0 {
			at = len(all)
			all = append(all, iozoneMeasurement{p.Source, p.ModuleSlug, p.Host, p.BlockBytes, map[string]float64{}})
		}
		all[at].kbPerS[test] = *p.MBPerS * 1e6 / 1024
	}
	return all
}
