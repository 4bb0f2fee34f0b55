package publish

import (
	"maps"
	"slices"
	"testing"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
)

// BenchmarkCharts makes the charts of every module of the fixture that has results that count, as HTML.
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
