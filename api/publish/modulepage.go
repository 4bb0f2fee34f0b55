package publish

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"flashdex/api/catalogue"
	"flashdex/api/dataset"
	"flashdex/api/figure"
	"flashdex/api/figure/speedclass"
	"flashdex/api/page/chart"
	"flashdex/api/ranking"
	"flashdex/api/submission"
	"flashdex/result"
)

const (
	// maxRuns limits how many of a module's results its page lists: the newest. The data set has all.
	maxRuns = 50
	// modulesBatch limits how many modules' results are in memory at once.
	modulesBatch = 200
)

// methodVariant is a variant as one method measured it.
type methodVariant struct{ method, variant string }

// moduleResults holds what the results of one module add to its page.
type moduleResults struct {
	newest   []submission.Submission
	charts   moduleCharts
	profiles []profile
	variants map[methodVariant]figure.Set
}

// writeModulePages writes the data of each module's page that isn't kept, and returns the pages of all modules.
func (s *site) writeModulePages(ctx context.Context) (all []dataPage, err error) {
	inputs := make([]moduleInputs, len(s.snapshot.Modules))
	for i, m := range s.snapshot.Modules {
		all = append(all, dataPage{Path: modulePath(m.Slug), Title: m.Name(), File: moduleFile(m.Slug)})
		if inputs[i], err = s.moduleInputs(m); err != nil {
			return nil, err
		}
	}
	changed := s.reuse.changed(inputs)
	left := map[string]catalogue.Module{}
	for _, m := range s.snapshot.Modules {
		if changed[m.Slug] {
			left[m.Slug] = m
		}
	}
	measured := slices.DeleteFunc(s.snapshot.Measured(), func(slug string) bool { return !changed[slug] })
	for some := range slices.Chunk(measured, modulesBatch) {
		of, err := s.readResults(ctx, some, left)
		if err != nil {
			return nil, err
		}
		for _, slug := range some {
			if err := s.writeModule(left[slug], of[slug]); err != nil {
				return nil, err
			}
			delete(left, slug)
		}
	}
	for _, m := range left { // modules without results
		if err := s.writeModule(m, &moduleResults{}); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// readResults reads what the results of some modules add to their pages, by slug.
func (s *site) readResults(
	ctx context.Context, slugs []string, modules map[string]catalogue.Module,
) (map[string]*moduleResults, error) {
	of := map[string]*moduleResults{}
	for _, slug := range slugs {
		of[slug] = &moduleResults{variants: map[methodVariant]figure.Set{}}
	}
	variants, err := s.results.Variants(ctx, slugs)
	if err != nil {
		return nil, err
	}
	for _, sum := range variants {
		of[sum.ModuleSlug].variants[methodVariant{sum.Method, sum.Variant}] = sum.Figures
	}
	err = s.results.ChartData(ctx, slugs, func(slug string, drawn []figure.ChartData) error {
		of[slug].charts = s.charts(modules[slug], drawn)
		return nil
	})
	if err != nil {
		return nil, err
	}
	err = s.results.Profiled(ctx, slugs, func(slug string, runs []figure.ProfiledRun) error {
		of[slug].profiles = s.profiles(modules[slug], runs)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return of, s.results.Newest(ctx, slugs, maxRuns, func(slug string, newest []submission.Submission) error {
		of[slug].newest = newest
		return nil
	})
}

func (s *site) writeModule(m catalogue.Module, of *moduleResults) error {
	if err := s.writeModuleData(m, of.newest); err != nil {
		return err
	}
	return s.writeFile(moduleFile(m.Slug), s.module(m, of))
}

func moduleFile(slug string) string { return "modules/" + slug + ".json" }

// moduleInputs says what a module's page is made of, beside what all pages depend on. What its results say changes only
// when the module was touched.
func (s *site) moduleInputs(m catalogue.Module) (moduleInputs, error) {
	data, err := json.Marshal([]any{s.snapshot.Touched[m.Slug], m, s.published[m.Slug], s.vendor[m.Slug], s.rated(m)})
	if err != nil {
		return moduleInputs{}, fmt.Errorf("publish: %s: %w", m.Slug, err)
	}
	var standings []standing
	for _, p := range s.placed[m.Slug] {
		standings = append(standings, p.standing)
	}
	standing, err := json.Marshal(standings)
	if err != nil {
		return moduleInputs{}, fmt.Errorf("publish: %s: %w", m.Slug, err)
	}
	return moduleInputs{m.Slug, hashOf(data), hashOf(standing)}, nil
}

// modulePage is the data of a module's page: site/layouts/modules/page.html. Numbers are ready to print.
type modulePage struct {
	Slug        string `json:"slug"`
	Name        string `json:"name"`
	Vendor      string `json:"vendor"`
	VendorPath  string `json:"vendor_path"` // the maker's page; empty: none
	Product     string `json:"product"`
	CapacityGB  string `json:"capacity_gb"`
	Form        string `json:"form"`
	Classes     string `json:"classes"`
	KnownFrom   string `json:"known_from"`
	Stack       bool   `json:"stack"`
	Provisional bool   `json:"provisional"`

	Speed       *speed           `json:"speed"` // 4K random write; nil: unknown
	Scale       *scaleStrip      `json:"scale"`
	CompareWith []neighbour      `json:"compare_with"`
	Measured    []*methodFigures `json:"measured"`
	Published   []*methodFigures `json:"published"`
	Rated       []ratedRow       `json:"rated"`
	Charts      moduleCharts     `json:"charts"`
	Profiles    []profile        `json:"profiles"`
	Runs        []runRow         `json:"runs"`
	RunsTotal   string           `json:"runs_total"` // empty: the page lists all
	Sources     []publishedRow   `json:"published_rows"`

	// Whether there is anything to show in some sections.
	Judged      bool `json:"judged"` // a printed class beside the figures
	RunsJudged  bool `json:"runs_judged"`
	HasHosts    bool `json:"has_hosts"`
	HasVariants bool `json:"has_variants"`
	HasPrices   bool `json:"has_prices"`

	MinContributors int    `json:"min_contributors"`
	Caveat          string `json:"caveat"` // of all verdicts on classes
}

// module gathers what a module's page shows.
func (s *site) module(m catalogue.Module, of *moduleResults) *modulePage {
	page := &modulePage{
		Slug: m.Slug, Name: m.Name(), Vendor: m.Vendor, Product: m.Product, Form: formLabel(m.Form),
		Classes: strings.Join(m.Classes, " "), KnownFrom: s.knownFrom(m), Stack: m.Form == catalogue.FormStack,
		Provisional: m.Provisional, Rated: ratedRows(s.rated(m)), Charts: of.charts, Profiles: of.profiles,
		Sources:         s.publishedRows(s.published[m.Slug]),
		MinContributors: figure.MinRankedContributors, Caveat: speedclass.Caveat,
	}
	if m.CapacityGB > 0 {
		page.CapacityGB = strconv.FormatFloat(m.CapacityGB, 'f', -1, 64)
	}
	if slug := s.vendor[m.Slug]; slug != "" {
		page.VendorPath = "/vendors/" + slug + "/"
	}
	all := s.figures(m.Slug)
	runs := 0
	for i, f := range all {
		placed := &s.placed[m.Slug][i]
		runs += placed.row.Results
		if f.Published {
			f.Cells = figureCells(mainKeys, placed.row.Figures)
			page.Published = append(page.Published, f)
			continue
		}
		f.Spread = spreadRows(placed.row.Figures)
		_, f.HasSpeed = placed.row.Figures[figure.RandWriteIOPS]
		f.measured = s.measured(m, s.summaries[moduleMethod{m.Slug, f.methodID}], of)
	}
	page.Measured = measuredOf(all)
	page.Runs, page.RunsJudged = s.runRows(m, of.newest)
	if runs > len(page.Runs) {
		page.RunsTotal = result.Count(runs)
	}
	page.speak(all, s.placed[m.Slug])
	for _, f := range page.Measured {
		page.Judged = page.Judged || len(f.Verdicts) > 0
		page.HasHosts = page.HasHosts || len(f.HostClasses) > 0
		page.HasVariants = page.HasVariants || len(f.Variants) > 0
		page.HasPrices = page.HasPrices || len(f.Prices) > 0
	}
	return page
}

// speak fills in what the head of the page says of the 4K random write, from all methods. Measurements come before what
// others published.
func (page *modulePage) speak(all []*methodFigures, placed []placedRow) {
	column := ranking.ColumnOf(figure.RandWriteIOPS)
	for i, f := range all {
		if beside := placed[i].Beside; page.CompareWith == nil && len(beside) > 0 {
			page.CompareWith = beside
		}
		e, known := placed[i].row.Figures[figure.RandWriteIOPS]
		if !known {
			continue
		}
		if page.Speed == nil {
			page.Speed = speedOf(f, e)
			page.Scale = &scaleStrip{
				Ticks: column.Scale.Ticks, Disk: result.Number(chart.LaptopDiskIOPS), DiskAt: column.Scale.At(chart.LaptopDiskIOPS),
			}
		}
		page.Scale.add(f, e, column.Scale)
	}
}

// listed returns a module as the catalogue has it, with more than the database stores; without a slug if it hasn't.
func (s *site) listed(slug string) catalogue.Module {
	m, _ := s.catalogue.Module(slug)
	return m
}

// rated returns the figures of a module's data sheets, beside the measured ones.
func (s *site) rated(m catalogue.Module) []dataset.RatedFigure {
	var figures figure.Set
	for _, sum := range s.summaries[moduleMethod{m.Slug, result.MethodFlashdex1}] {
		if sum.Whole() {
			figures = sum.Figures
		}
	}
	return dataset.RatedOf(m, s.catalogue, figures)
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
