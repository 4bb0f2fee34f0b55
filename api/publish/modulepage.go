package publish

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"

	"flashdex/api/catalogue"
	"flashdex/api/chart"
	"flashdex/api/index"
	"flashdex/api/ranking"
	"flashdex/api/verdict"
	"flashdex/result"
)

// maxRuns is how many of a module's results its page lists: the newest. The data set has all.
const maxRuns = 50

// writeModulePages writes what the page of each module shows, but of those that are kept, and returns the slugs of all.
func (s *site) writeModulePages(ctx context.Context) ([]string, error) {
	slugs := []string{}
	makings := make([]moduleMaking, len(s.snapshot.Modules))
	for i, m := range s.snapshot.Modules {
		slugs = append(slugs, m.Slug)
		var err error
		if makings[i], err = s.moduleMaking(m); err != nil {
			return nil, err
		}
	}
	changed := s.reuse.changed(makings)
	left := map[string]catalogue.Module{}
	for _, m := range s.snapshot.Modules {
		if changed[m.Slug] {
			left[m.Slug] = m
		}
	}
	measured := slices.DeleteFunc(s.snapshot.Measured(), func(slug string) bool {
		_, is := left[slug]
		return !is
	})
	if err := s.writeCharts(ctx, measured, left); err != nil {
		return nil, err
	}
	if err := s.writeProfiles(ctx, measured, left); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(s.beside, 0o755); err != nil {
		return nil, fmt.Errorf("publish: %w", err)
	}
	write := func(slug string, newest []index.Submission) error {
		m := left[slug]
		delete(left, slug)
		if err := s.writeModuleData(m, newest); err != nil {
			return err
		}
		return s.writeFile("modules/"+slug+".json", s.module(m, newest))
	}
	if err := s.results.Newest(ctx, measured, maxRuns, write); err != nil {
		return nil, err
	}
	for slug := range left { // those without results
		if err := write(slug, nil); err != nil {
			return nil, err
		}
	}
	return slugs, nil
}

// moduleMaking tells what a module's page is made of, beside what all pages are. All that its results say changes only when the module
// was touched.
func (s *site) moduleMaking(m catalogue.Module) (moduleMaking, error) {
	of, err := json.Marshal([]any{s.snapshot.Touched[m.Slug], m, s.published[m.Slug], s.vendor[m.Slug]})
	if err != nil {
		return moduleMaking{}, fmt.Errorf("publish: %s: %w", m.Slug, err)
	}
	around, err := json.Marshal(s.places[m.Slug])
	if err != nil {
		return moduleMaking{}, fmt.Errorf("publish: %s: %w", m.Slug, err)
	}
	return moduleMaking{m.Slug, hashOf(of), hashOf(around)}, nil
}

// module is what a module's page shows.
func (s *site) module(m catalogue.Module, newest []index.Submission) map[string]any {
	figures := s.figures[m.Slug]
	if figures == nil {
		figures = []map[string]any{}
	}
	total, measured := 0, 0
	for _, object := range figures {
		if method, _ := object["method"].(string); object["published"] == false && result.NeverRanked(method) {
			object["never_ranked"] = true
		} else if object["published"] == false {
			measured++
		}
	}
	for i, object := range figures {
		if measured > 1 && object["published"] == false {
			object["heading"] = object["method_label"]
		}
		maps.Copy(object, s.places[m.Slug][i])
		method, _ := object["method"].(string)
		n, _ := object["results"].(int)
		total += n
		s.addMeasured(object, m, s.summaries[[2]string{m.Slug, method}])
	}
	results, judged := s.resultRows(m, newest)
	return map[string]any{
		"slug": m.Slug, "name": m.Name(), "vendor": m.Vendor, "vendor_slug": s.vendor[m.Slug], "product": m.Product, "capacity_gb": m.CapacityGB, "form": m.Form,
		"classes": list(m.Classes), "provisional": m.Provisional, "known_from": s.knownFrom(m), "figures": figures, "results": len(newest), "results_html": results, "results_classes": judged,
		"results_total": total, "published_html": s.publishedRows(s.published[m.Slug]), "drawn": s.drawn[m.Slug], "profiled": s.profiled[m.Slug], "reference_iops": chart.LaptopDiskIOPS, "min_contributors": index.MinRankedContributors, "class_caveat": verdict.Caveat,
	}
}

// besideJSON is a module that another one is worth a comparison with.
type besideJSON struct {
	Slug string `json:"slug"`
	Name string `json:"name"`
	Why  string `json:"why"`
}

// besideOf gives for each of the ranked rows of a method, the best first, those next to it and the best of its form.
func besideOf(ranked []ranking.Row) map[string][]besideJSON {
	best := map[string]int{} // by form
	for i := len(ranked) - 1; i >= 0; i-- {
		best[ranked[i].Module.Form] = i
	}
	beside := map[string][]besideJSON{}
	for i, r := range ranked {
		add := func(at int, why string) {
			if at >= 0 && at < len(ranked) && at != i {
				m := ranked[at].Module
				beside[r.Module.Slug] = append(beside[r.Module.Slug], besideJSON{m.Slug, m.Name(), why})
			}
		}
		add(i-1, "next faster")
		add(i+1, "next slower")
		if at := best[r.Module.Form]; at != i-1 {
			if form := catalogue.FormLabel(r.Module.Form); form != "" {
				add(at, "fastest "+form)
			}
		}
	}
	return beside
}

func (s *site) knownFrom(m catalogue.Module) string {
	switch m.KnownFrom {
	case catalogue.KnownFromPublished:
		return "published measurements"
	case catalogue.KnownFromTyped:
		return "a contributor who named it"
	case catalogue.KnownFromKernel:
		return "what the kernel shows of it"
	}
	source, _ := s.catalogue.Source(m.KnownFrom)
	return source.Title
}
