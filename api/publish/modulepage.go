package publish

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/figure/model"
	"flashdex/api/figure/speedclass"
	"flashdex/api/page"
	"flashdex/api/page/chart"
	"flashdex/api/ranking"
	"flashdex/api/submission"
	"flashdex/result"
)

const (
	// maxRuns limits how many of a module's results its page lists. It lists the newest; the data set has all.
	maxRuns = 50
	// modulesBatch limits how many modules' results are in memory at once.
	modulesBatch = 200
)

// methodVariant is a variant measured by one method.
type methodVariant struct{ method, variant string }

// moduleResults holds what the results of one module add to its page.
type moduleResults struct {
	newest   []submission.Submission
	charts   moduleCharts
	profiles []page.Profile
	queued   map[string]speedclass.Verdict // by class: verdicts by runs with a full queue
	units    map[string][]figure.Unit      // by method: some, if there are many
	variants map[methodVariant]figure.Set
}

// writeModulePages writes the data of the modules' pages, except kept ones, and returns the pages of all modules.
func (s *site) writeModulePages(ctx context.Context, changed map[string]bool) (all []dataPage, err error) {
	var slugs []string
	for _, m := range s.snapshot.Modules {
		all = append(all, dataPage{Path: modulePath(m.Slug), Title: m.Name(), File: moduleFile(m.Slug)})
		if changed[m.Slug] {
			slugs = append(slugs, m.Slug)
		}
	}
	for some := range slices.Chunk(slugs, modulesBatch) {
		of, err := s.readResults(ctx, some)
		if err != nil {
			return nil, err
		}
		for _, slug := range some {
			if err := s.writeModule(s.modules[slug], of[slug]); err != nil {
				return nil, err
			}
		}
	}
	return all, nil
}

// readResults reads what the results of some modules add to their pages, by slug.
func (s *site) readResults(ctx context.Context, slugs []string) (map[string]*moduleResults, error) {
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
		of[slug].charts, of[slug].units = s.charts(s.modules[slug], drawn), map[string][]figure.Unit{}
		for _, d := range drawn {
			of[slug].units[d.Method] = d.Units
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	err = s.results.Profiled(ctx, slugs, func(slug string, runs []figure.ProfiledRun) error {
		of[slug].profiles, of[slug].queued = s.profiles(s.modules[slug], runs), s.queued(s.modules[slug], runs)
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
	if err := s.writePicture(modulePath(m.Slug), s.modulePicture(m)); err != nil {
		return err
	}
	return s.writeFile(moduleFile(m.Slug), s.module(m, of))
}

func moduleFile(slug string) string { return "modules/" + slug + ".json" }

// moduleInputs returns what a module's page is made from, besides what all pages depend on. Its results change only
// when the module is touched, so the time of that stands for them.
func (s *site) moduleInputs(m catalogue.Module) (pageInputs, error) {
	var standings []standing
	for _, p := range s.placed[m.Slug] {
		standings = append(standings, p.standing)
	}
	listed, _ := s.catalogue.Module(m.Slug) // the catalogue's module has more fields than the stored one
	told := s.told[m.Slug]
	data, err := json.Marshal([]any{
		s.snapshot.Touched[m.Slug], m, s.published[m.Slug], listed.AllRated(), s.besidePromises(m), told.prices,
		told.checks, told.endured, s.snapshot.Checks[m.Slug],
	})
	standing, standingErr := json.Marshal(standings)
	if err := cmp.Or(err, standingErr); err != nil {
		return pageInputs{}, fmt.Errorf("publish: %s: %w", m.Slug, err)
	}
	s.ownData[m.Slug] = hashOf(data)
	return pageInputs{modulePath(m.Slug), s.ownData[m.Slug], hashOf(standing)}, nil
}

// modulePage is the data of site/layouts/modules/page.html, which uses these field names. Numbers are ready to print,
// and empty if nothing is known.
type modulePage struct {
	Slug, Name, Vendor, VendorPath, Product, CapacityGB, Form, Classes, KnownFrom string
	Title                                                                         string // with its figure, plain text
	Stack, Provisional                                                            bool

	Speed               *speed // 4K random write; nil: unknown
	GoodFor             string // a sentence; empty: no question is answered
	Scale               *scaleStrip
	CompareWith         []neighbour
	Answers             []moduleAnswer
	MarkdownRow         string // of the figures by Speed's method; empty: Speed is nil
	Measured, Published []*methodFigures
	WhyPublished        []why // the figures of Published, one for each metric
	Rated               []ratedRow
	Checked             []checkedUnits
	Endured             []enduredUnits
	PublishedPrices     []publishedPrice
	Charts              moduleCharts
	Profiles            []page.Profile
	InARow              chart.Charts // of runs that others did one after the other
	Runs                []runRow
	RunsTotal           string               // empty: the page lists all
	Evidence            []submission.NamedBy // that named the module of any of the runs
	Sources             []publishedSource
	SourcesLeft         int // number of published figures that Sources leaves out

	Judged, RunsJudged bool // there is a verdict on a printed class by the figures, by a run
	MinContributors    int
	Caveat             string // applies to all verdicts on classes
}

// module gathers what a module's page shows.
func (s *site) module(m catalogue.Module, of *moduleResults) *modulePage {
	page := &modulePage{
		Slug: m.Slug, Name: m.Name(), Title: s.moduleTitle(m), Vendor: m.Vendor,
		Product: m.Product, Form: formLabel(m.Form),
		Classes: strings.Join(m.Classes, " "), KnownFrom: s.knownFrom(m), Stack: m.Form == catalogue.FormStack,
		Provisional: m.Provisional, Rated: s.ratedRows(m), Charts: of.charts, Profiles: of.profiles,
		InARow:  s.inARow(m.Slug),
		Checked: s.checkedUnits(m.Slug), Endured: s.enduredUnits(m.Slug), PublishedPrices: s.publishedPrices(m),
		MinContributors: model.RankedFrom, Caveat: speedclass.Caveat,
	}
	page.Sources, page.SourcesLeft = s.publishedSources(s.published[m.Slug])
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
		if page.CompareWith == nil {
			page.CompareWith = placed.Beside
		}
		page.draw(f, placed.row.Figures)
		if f.Published {
			f.Cells = figureCells(figure.MainFigures, placed.row.Figures)
			page.Published = append(page.Published, f)
			continue
		}
		f.Spread, f.Composition = spreadRows(placed.row.Figures, of.units[f.methodID]), s.composition(placed.row)
		_, f.HasSpeed = placed.row.Figures.Find(figure.RandWriteIOPS)
		f.measured = s.measured(m, s.summaries[moduleMethod{m.Slug, f.methodID}], of)
	}
	page.Measured = measuredOf(all)
	page.Answers = s.answersOf(m)
	page.GoodFor = goodFor(page.Answers)
	if at, e, known := s.headFigure(m.Slug); known {
		placed := s.placed[m.Slug][at]
		page.Speed = speedOf(placed.method, placed.row, e)
		if placed.row.Origin() == ranking.Published && e.To == 0 {
			page.Speed.Behind += s.besideHead(m.Slug, e.Value)
		}
		page.MarkdownRow = markdownRow(placed.row, page.Speed.Behind, placed.method.Label)
	}
	s.giveReasons(page, all, of)
	page.Judged = slices.ContainsFunc(page.Measured, func(f *methodFigures) bool { return len(f.Verdicts) > 0 })
	page.Runs, page.RunsJudged = s.runRows(m, of.newest)
	page.Evidence = evidenceIn(of.newest)
	if runs > len(page.Runs) {
		page.RunsTotal = result.Count(runs)
	}
	return page
}

// draw adds the 4K random write by one method to the drawing, unless it is a range of different things.
func (page *modulePage) draw(f *methodFigures, figures figure.Set) {
	e, known := figures.Find(figure.RandWriteIOPS)
	if !known || e.To > 0 {
		return
	}
	scale := ranking.ColumnOf(figure.RandWriteIOPS).Scale
	if page.Scale == nil {
		page.Scale = &scaleStrip{
			Ticks: scale.Ticks, Disk: result.Number(chart.LaptopDiskIOPS), DiskAt: scale.At(chart.LaptopDiskIOPS),
		}
	}
	line := scaleLine{Label: f.Method, Published: f.Published, At: scale.At(e.Value)}
	if e.HasInterval() {
		line.LowAt, line.HighAt = scale.At(*e.Low), scale.At(*e.High)
	}
	page.Scale.Lines = append(page.Scale.Lines, line)
}

func (s *site) knownFrom(m catalogue.Module) string {
	source, _ := s.catalogue.Source(m.KnownFrom)
	return cmp.Or(source.Title, map[string]string{
		catalogue.KnownFromPublished: "published measurements",
		catalogue.KnownFromTyped:     "a contributor who named it",
		catalogue.KnownFromKernel:    "what the kernel shows of it",
	}[m.KnownFrom])
}
