package publish

import (
	"maps"
	"slices"
	"testing"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/result"
)

// A plot over minutes holds only runs of its own method. Other methods have rates over time, too, but of something
// else.
func TestAPlotHoldsRunsOfOneMethod(t *testing.T) {
	t.Parallel()
	s := newSite(t.TempDir(), &figure.Overview{}, uploads{}, load(t), nil)
	write := result.Test{Name: result.SeqWrite, BlockBytes: 1 << 20, Ops: 600, Bytes: 600 << 20, DurationNS: 60e9}
	for range 60 {
		write.Intervals = append(write.Intervals, result.Interval{Ops: 10, Bytes: 10 << 20, NS: 1e9})
	}
	var runs []figure.ProfiledRun
	for _, method := range figure.ProfiledMethods {
		runs = append(runs, figure.ProfiledRun{Method: method,
			SampledRun: figure.SampledRun{ID: method, Tests: []result.Test{write}}})
	}
	profiles := s.profiles(catalogue.Module{}, runs)
	for _, p := range profiles {
		if len(p.Runs) != 1 || p.Runs[0].Path != "/r/"+p.Method {
			t.Errorf("%s has the runs %+v", p.Method, p.Runs)
		}
		if p.Method == result.MethodSustained1 && (len(p.Charts) != 1 || len(p.Tables[0].Rows) != 1) {
			t.Errorf("the plot over minutes holds %v", p.Tables)
		}
	}
	if len(profiles) != len(runs) {
		t.Errorf("%d profiles of %d methods", len(profiles), len(runs))
	}
}

// BenchmarkCharts makes, as HTML, the charts of every module of the fixture with results that count.
func BenchmarkCharts(b *testing.B) {
	snapshot, results := fixture(b)
	s := newSite(b.TempDir(), snapshot, results, load(b), nil)
	modules := map[string]catalogue.Module{}
	for _, m := range snapshot.Modules {
		modules[m.Slug] = m
	}
	drawn := map[string][]figure.ChartData{}
	slugs := slices.Collect(maps.Keys(modules))
	err := results.ChartData(b.Context(), slugs, func(slug string, d []figure.ChartData) error {
		drawn[slug] = d
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	bytes := 0
	for b.Loop() {
		bytes = 0
		for slug, d := range drawn {
			text, err := encode(slug, s.charts(modules[slug], d))
			if err != nil {
				b.Fatal(err)
			}
			bytes += len(text)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(drawn)), "ns/module")
	b.ReportMetric(float64(bytes)/float64(len(drawn)), "bytes/module")
}
