package publish

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"flashdex/api/catalogue"
	"flashdex/api/dataset"
	"flashdex/api/figure"
	"flashdex/api/figure/speedclass"
	"flashdex/api/page/chart"
	"flashdex/api/page/markup"
	"flashdex/api/ranking"
	"flashdex/api/submission"
	"flashdex/result"
)

// maxRuns is how many of a module's results its page lists: the newest. The data set has all.
const maxRuns = 50

// writeModulePages writes what the page of each module shows, but of those that are kept, and returns the pages of all.
func (s *site) writeModulePages(ctx context.Context) (all []dataPage, err error) {
	makings := make([]moduleMaking, len(s.snapshot.Modules))
	for i, m := range s.snapshot.Modules {
		all = append(all, dataPage{Path: modulePath(m.Slug), Title: m.Name(), File: "modules/" + m.Slug + ".html"})
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
	write := func(slug string, newest []submission.Submission) error {
		m := left[slug]
		delete(left, slug)
		if err := s.writeModuleData(m, newest); err != nil {
			return err
		}
		page, err := s.module(m, newest)
		if err != nil {
			return err
		}
		html, err := fill("module", page)
		if err != nil {
			return err
		}
		return s.writeFile("modules/"+slug+".html", html)
	}
	for some := range slices.Chunk(measured, variantsBatch) {
		if err := s.readVariants(ctx, some); err != nil {
			return nil, err
		}
		if err := s.results.Newest(ctx, some, maxRuns, write); err != nil {
			return nil, err
		}
	}
	for slug := range left { // those without results
		if err := write(slug, nil); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// variantsBatch is of how many modules the figures of variants are in memory.
const variantsBatch = 500

func (s *site) readVariants(ctx context.Context, slugs []string) error {
	all, err := s.results.Variants(ctx, slugs)
	s.variants = map[[3]string]figure.Set{}
	for _, sum := range all {
		s.variants[[3]string{sum.ModuleSlug, sum.Method, sum.Variant}] = sum.Figures
	}
	return err
}

// moduleMaking tells what a module's page is made of, beside what all pages are. All that its results say changes only when the module
// was touched.
func (s *site) moduleMaking(m catalogue.Module) (moduleMaking, error) {
	of, err := json.Marshal([]any{s.snapshot.Touched[m.Slug], m, s.published[m.Slug], s.vendor[m.Slug], s.rated(m)})
	if err != nil {
		return moduleMaking{}, fmt.Errorf("publish: %s: %w", m.Slug, err)
	}
	var standings []standing
	for _, p := range s.placed[m.Slug] {
		standings = append(standings, p.standing)
	}
	around, err := json.Marshal(standings)
	if err != nil {
		return moduleMaking{}, fmt.Errorf("publish: %s: %w", m.Slug, err)
	}
	return moduleMaking{m.Slug, hashOf(of), hashOf(around)}, nil
}

// modulePage is what a module's page shows below its head: modulepage.html.
type modulePage struct {
	catalogue.Module
	VendorPath       string // of the maker's page
	KnownFrom        string
	Figures          []*moduleFigures // in the order in which they speak
	Charts, Profiles markup.HTML      // sections
	ResultRows       markup.HTML
	Results          int  // rows
	ResultsTotal     int  // that there are
	ResultsJudged    bool // a column tells of the printed classes
	PublishedRows    markup.HTML
	RatedFigures     []dataset.RatedFigure
}

// module is what a module's page shows.
func (s *site) module(m catalogue.Module, newest []submission.Submission) (*modulePage, error) {
	page := &modulePage{
		Module: m, KnownFrom: s.knownFrom(m), Results: len(newest), PublishedRows: s.publishedRows(s.published[m.Slug]), RatedFigures: s.rated(m),
	}
	if slug := s.vendor[m.Slug]; slug != "" {
		page.VendorPath = "/vendors/" + slug + "/"
	}
	page.Figures = s.figures(m.Slug)
	for i, f := range page.Figures {
		f.show(s.placed[m.Slug][i].row.Figures)
		page.ResultsTotal += f.Results
		f.measured = s.measured(m, s.summaries[[2]string{m.Slug, f.Method}])
	}
	page.ResultRows, page.ResultsJudged = s.resultRows(m, newest)
	for kind, into := range map[string]*markup.HTML{"charts": &page.Charts, "profiles": &page.Profiles} {
		text, err := os.ReadFile(s.sectionFile(kind, m.Slug))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("publish: %w", err)
		}
		*into = markup.HTML(text)
	}
	return page, nil
}

// listed is a module as the catalogue has it, with more than is stored of it; without a slug: it hasn't.
func (s *site) listed(slug string) catalogue.Module {
	m, _ := s.catalogue.Module(slug)
	return m
}

// rated are the figures of a module's data sheets, beside the measured ones.
func (s *site) rated(m catalogue.Module) []dataset.RatedFigure {
	var figures figure.Set
	for _, sum := range s.summaries[[2]string{m.Slug, result.MethodFlashdex1}] {
		if sum.Whole() {
			figures = sum.Figures
		}
	}
	return dataset.RatedOf(m, s.catalogue, figures)
}

// writeSection makes sections of a module's page before the rest is known: they are too many to be kept in memory.
func (s *site) writeSection(kind, slug string, of any) error {
	html, err := fill(kind, of)
	if err != nil {
		return err
	}
	file := s.sectionFile(kind, slug)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return fmt.Errorf("publish: %w", err)
	}
	if err := os.WriteFile(file, html, 0o644); err != nil {
		return fmt.Errorf("publish: %w", err)
	}
	return nil
}

func (s *site) sectionFile(kind, slug string) string {
	return filepath.Join(s.ahead, kind, slug+".html")
}

// Measured are its figures by methods that rank.
func (p *modulePage) Measured() []*moduleFigures { return measuredOf(p.Figures) }

// Published are its figures that others published.
func (p *modulePage) Published() []*moduleFigures {
	return slices.DeleteFunc(slices.Clone(p.Figures), func(f *moduleFigures) bool { return !f.Published })
}

// Spoken are the figures that the page speaks of: the first that have a 4K random write. Measurements come before what others published.
func (p *modulePage) Spoken() *moduleFigures {
	for _, f := range p.Figures {
		if f.Spoken != nil {
			return f
		}
	}
	return nil
}

// Judged reports whether a printed class stands beside what was measured.
func (p *modulePage) Judged() bool {
	return slices.ContainsFunc(p.Measured(), func(f *moduleFigures) bool { return len(f.Verdicts) > 0 })
}

// Beside are modules to compare it with, of the first method that ranks it.
func (p *modulePage) Beside() []neighbour {
	for _, f := range p.Figures {
		if len(f.Standing.Beside) > 0 {
			return f.Standing.Beside
		}
	}
	return nil
}

// scaleStrip is a drawing of 4K random write on the log scale, a line for each method. Lengths are in pixels.
type scaleStrip struct {
	Height, Foot, Axis int // Axis: where its labels stand
	Ticks              []ranking.Tick
	Disk               string // place of the laptop disk
	Lines              []scaleLine
}

type scaleLine struct {
	*moduleFigures
	Y, LabelY int
}

// Scale is nil where there is nothing to draw.
func (p *modulePage) Scale() *scaleStrip {
	scale := ranking.ColumnOf(figure.RandWriteIOPS).Scale
	strip := &scaleStrip{Ticks: scale.Ticks, Disk: scale.At(chart.LaptopDiskIOPS)}
	for _, f := range p.Figures {
		if f.Spoken != nil {
			y := 56 + 40*len(strip.Lines)
			strip.Lines = append(strip.Lines, scaleLine{f, y, y - 14})
		}
	}
	if len(strip.Lines) == 0 {
		return nil
	}
	strip.Height = 62 + 40*len(strip.Lines)
	strip.Foot, strip.Axis = strip.Height-22, strip.Height-6
	return strip
}

//go:embed modulepage.html
var modulePageHTML string

var modulePageTemplate = template.Must(template.New("").Funcs(template.FuncMap{
	"anchor": func(method string) string { return "/method/#" + strings.ToLower(method) },
	"count":  result.Count, "counted": counted, "number": result.Number, "join": strings.Join, "lower": strings.ToLower, "form": formLabel,
	"percent":   func(part float64) string { return result.Number(100 * part) },
	"price":     func(amount float64) string { return strings.TrimSuffix(fmt.Sprintf("%.2f", amount), ".00") },
	"bar":       func(percent float64) string { return fmt.Sprintf("%.1f", min(100, percent/2)) },
	"times":     func(iops float64) float64 { return iops / chart.LaptopDiskIOPS },
	"inverse":   func(ratio float64) float64 { return 1 / ratio },
	"ratio":     ratio,
	"thousand":  func(iops float64) string { return duration(1000 / iops) }, // how long a thousand operations take
	"mainHeads": sync.OnceValue(func() markup.HTML { return heads(mainKeys) }), "runHeads": sync.OnceValue(func() markup.HTML { return heads(runKeys) }),
	"laptopDisk": func() float64 { return chart.LaptopDiskIOPS }, "minContributors": func() int { return figure.MinRankedContributors },
	"caveat": func() string { return speedclass.Caveat }, "verdict": func(state string) string { return verdictWords[state] },
	"perGB": perGB, "claimed": func(kind string) string { return claimWords[kind] },
	"inHosts": func(of []*moduleFigures) bool {
		return slices.ContainsFunc(of, func(f *moduleFigures) bool { return len(f.HostClasses) > 0 })
	},
	"inVariants": func(of []*moduleFigures) bool {
		return slices.ContainsFunc(of, func(f *moduleFigures) bool { return len(f.Variants) > 0 })
	},
	"priced": func(of []*moduleFigures) bool {
		return slices.ContainsFunc(of, func(f *moduleFigures) bool { return len(f.Prices) > 0 })
	},
}).Parse(modulePageHTML))

// claimWords are the kinds of claims about ids, but for those about the maker.
var claimWords = map[string]string{catalogue.ClaimCard: "seen on a card labelled", catalogue.ClaimSuspect: "taken for a sign of counterfeits"}

// perGB is a median price for each GB of a module, on the month of the newest; nil where its capacity is not stated.
func perGB(m catalogue.Module, p figure.PriceMedian) *figure.PriceMedian {
	amount := ranking.PricePerGB(m, p)
	if amount == 0 {
		return nil
	}
	return &figure.PriceMedian{Amount: amount, Currency: p.Currency, On: ranking.PriceMonth(p), N: p.N}
}

// fill is a part of a module's page.
func fill(part string, of any) ([]byte, error) {
	var html bytes.Buffer
	if err := modulePageTemplate.ExecuteTemplate(&html, part, of); err != nil {
		return nil, fmt.Errorf("publish: %w", err)
	}
	return html.Bytes(), nil
}

// heads are the heads of the columns of some figures.
func heads(keys []string) markup.HTML {
	var row []byte
	for _, column := range ranking.Columns {
		if slices.Contains(keys, column.Key) {
			row = markup.Append(row, `<th scope="col" class="number">%s <small>%s</small></th>`, column.Label, column.Unit)
		}
	}
	return markup.HTML(row)
}

// ratio writes a ratio with two digits: 5.9, 14, 230.
func ratio(v float64) string { return result.Number(result.Round(v, 2)) }

// duration writes seconds as one says them, with two digits: "0.19 seconds", "2.7 minutes".
func duration(seconds float64) string {
	switch {
	case seconds < 100:
		return ratio(seconds) + " seconds"
	case seconds < 5400:
		return ratio(seconds/60) + " minutes"
	}
	return ratio(seconds/3600) + " hours"
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
