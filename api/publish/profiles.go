package publish

import (
	"cmp"
	"slices"
	"time"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/page"
	"flashdex/api/page/chart"
	"flashdex/result"
)

// profile is what a module's page shows of its runs by a method that is never ranked: the newest of each unit, then the
// ones before.
type profile struct {
	Method string // id
	page.Profile
}

func (s *site) profiles(m catalogue.Module, runs []figure.ProfiledRun) (list []profile) {
	for _, id := range figure.ProfiledMethods {
		of := slices.DeleteFunc(slices.Clone(runs), func(r figure.ProfiledRun) bool { return r.Method != id })
		if len(of) == 0 {
			continue
		}
		drawn := chart.ProfiledRuns(of)
		method, _ := s.catalogue.Method(id)
		p := profile{id, page.Profile{
			Label: method.Label, Description: method.Description, Profile: chart.ProfileOf(id, id+"-", drawn),
		}}
		for i, r := range of {
			on := r.ReceivedAt.UTC().Format(time.DateOnly)
			p.Runs = append(p.Runs, page.ProfiledRun{Letter: drawn[i].Letter, Path: "/r/" + r.ID, ReceivedOn: on, Host: r.Host})
		}
		if id == result.MethodIozone50M && len(p.Tables) > 0 {
			for _, of := range iozoneMeasurements(s.published[m.Slug]) { // below the runs
				source, _ := s.catalogue.Source(of.source)
				row := chart.IozoneRow(label(source), 0, of.recordBytes, of.kbPerS)
				p.Tables[0].Rows = append(p.Tables[0].Rows, row)
			}
		}
		list = append(list, p)
	}
	return list
}

// profileExamples returns, by each method that is never ranked, the module that most contributors measured. Nothing may
// have spoiled its newest run, which its page shows.
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

// iozoneMeasurement is one row of iozone's table that somebody published, by direct I/O and with a record size of the
// profile.
type iozoneMeasurement struct {
	source, module, host string
	recordBytes          int64
	kbPerS               map[string]float64 // by test, in units of 1,024 bytes
}

// iozoneTests are the tests of a result by the names that published tables have for them.
var iozoneTests = map[string]string{
	result.SeqWrite: result.SeqWrite, "rewrite": result.SeqRewrite,
	result.SeqRead: result.SeqRead, "reread": result.SeqReread,
	result.RandRead: result.RandRead, result.RandWrite: result.RandWrite,
}

// iozoneMeasurements collects the figures of each measurement in a row, in the order of the files. A test that comes
// again begins another row.
func iozoneMeasurements(published []catalogue.Published) (all []iozoneMeasurement) {
	for _, p := range published {
		test, known := iozoneTests[p.Test]
		recorded := p.BlockBytes == 4<<10 || p.BlockBytes == 512<<10
		if !known || p.Method != "iozone-direct" || p.MBPerS == nil || p.Restates > 0 || !recorded {
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
