package publish

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"flashdex/api/catalogue"
	"flashdex/api/dataset"
	"flashdex/api/figure"
	"flashdex/api/figure/question"
	"flashdex/api/ranking"
	"flashdex/api/submission"
	"flashdex/client/release"
	"flashdex/docs"
	"flashdex/result"
)

// maxPageRows is the most rows a ranking page holds: at 200 rows of 20 columns a phone is still quick.
const maxPageRows = 200

// maxSitemapPaths is how many pages made of data one sitemap lists. The protocol allows 50,000 addresses
// (https://www.sitemaps.org/protocol.html); the other pages stand in the first one.
const maxSitemapPaths = 49_000

// site writes the data of the Hugo project: JSON files whose shapes site/README.md describes.
type site struct {
	input       string // folder of the data
	destination string // folder of the pages that are rendered
	snapshot    *figure.Overview
	modules     map[string]catalogue.Module // of the snapshot, by slug
	results     submission.Results
	catalogue   *catalogue.Catalogue
	questions   []question.Question

	pageRows     int   // most rows of a page
	sliceBytes   int64 // most data that one run of Hugo reads
	sitemapPaths int   // most pages of data that a sitemap lists

	rows   map[string][]*ranking.Row // by method: rows of single modules
	stacks map[string][]*ranking.Row // by method: rows of stacks of modules, which share no table with modules

	// What a module's page shows, by slug.
	placed    map[string][]placedRow             // one for each method
	summaries map[moduleMethod][]*figure.Summary // of variants without figures
	published map[string][]catalogue.Published
	vendor    map[string]string // slug of the maker's page
	told      map[string]told
	beside    map[string][]referenceAnswer // what reference devices answer, by question: all pages share it

	builtOn, siteURL string
	meta             metaJSON

	pages   []dataPage // all pages made from data, by path
	index   pagesIndex // the part of pages.json besides the pages to render
	reuse   *reuse
	ownData map[string]string // what modules' own figures are made from, by slug
	waiting []waitingPage     // rankings' pages that may wait

	recordings map[string]map[int64]recording // by slug and the rate of the recording in MB/s
	insides    map[string]inside              // by slug
	lives      map[string][]result.Life       // of units by MethodEndure1, by slug

	// What the pages of devices show.
	owners         map[string]*hostPage                 // what contributors measured in them, by slug
	answersOfForms map[string][]section[ranking.Answer] // by question, forms and bus
}

// moduleMethod identifies what one method measured of a module.
type moduleMethod struct{ slug, method string }

// newSite returns a site that writes below work and reuses no pages.
func newSite(
	work string, snapshot *figure.Overview, results submission.Results, c *catalogue.Catalogue,
	questions []question.Question,
) *site {
	s := &site{
		input: filepath.Join(work, "data"), destination: filepath.Join(work, "site"), snapshot: snapshot, results: results,
		catalogue: c, questions: questions, pageRows: maxPageRows, sliceBytes: maxSliceBytes, sitemapPaths: maxSitemapPaths,
		rows: map[string][]*ranking.Row{}, stacks: map[string][]*ranking.Row{}, placed: map[string][]placedRow{},
		summaries: map[moduleMethod][]*figure.Summary{}, published: map[string][]catalogue.Published{},
		vendor: map[string]string{}, ownData: map[string]string{}, modules: map[string]catalogue.Module{}, told: toldOf(c),
		reuse:          newReuse("", manifest{}, "", snapshot.Generation),
		answersOfForms: map[string][]section[ranking.Answer]{}, beside: map[string][]referenceAnswer{},
		index: pagesIndex{Rankings: map[string][]rankingPage{}},
	}
	for _, m := range snapshot.Modules {
		s.modules[m.Slug] = m
	}
	for _, r := range ranking.Rows(snapshot, c) {
		of := s.rows
		if r.Module.Form == catalogue.FormStack {
			of = s.stacks
		}
		of[r.Method] = append(of[r.Method], r)
	}
	for _, method := range c.Methods {
		s.place(method, s.rows[method.ID])
		s.place(method, s.stacks[method.ID])
	}
	for i := range snapshot.Summaries {
		sum := &snapshot.Summaries[i]
		of := moduleMethod{sum.ModuleSlug, sum.Method}
		s.summaries[of] = append(s.summaries[of], sum)
	}
	for _, p := range snapshot.Published {
		s.published[p.ModuleSlug] = append(s.published[p.ModuleSlug], p)
	}
	for _, q := range questions {
		unlimited, _ := q.Unlimited()
		s.beside[q.Key] = s.referenceAnswers(unlimited)
	}
	return s
}

type metaJSON struct {
	BuiltAt          time.Time
	Generation       int64
	Version, SiteURL string

	Results, Units, Modules, PublishedFigures int

	NewestResultOn string `json:",omitempty"` // a day: nothing more exact is published about an upload's time
}

// write writes the data of all pages that aren't kept.
func (s *site) write(ctx context.Context, meta metaJSON, data dataset.Index, clients []clientFile) error {
	s.builtOn, s.siteURL = meta.BuiltAt.Format(time.DateOnly), meta.SiteURL
	if err := s.readProfiled(ctx); err != nil {
		return err
	}
	inputs := make([]pageInputs, len(s.snapshot.Modules))
	for i, m := range s.snapshot.Modules {
		var err error
		if inputs[i], err = s.moduleInputs(m); err != nil {
			return err
		}
	}
	changed := s.reuse.changed(inputs)
	s.meta = s.counted(meta)
	for _, write := range []func() ([]dataPage, error){
		s.writeRankings, s.writeQuestions, s.writeVendorPages, s.writeHostPages,
		s.writeDevicePages,
		func() ([]dataPage, error) { return s.writeModulePages(ctx, changed) },
	} {
		pages, err := write()
		if err != nil {
			return err
		}
		s.pages = append(s.pages, pages...)
	}
	if err := s.writeWaiting(); err != nil {
		return err
	}
	if err := s.writeFeeds(ctx); err != nil {
		return err
	}
	slices.SortFunc(s.pages, func(a, b dataPage) int { return strings.Compare(a.Path, b.Path) })
	s.index.Modules, s.index.SitemapPaths = len(s.snapshot.Modules), s.sitemapPaths
	for _, p := range s.pages {
		s.index.Paths = append(s.index.Paths, p.Path)
	}
	explore, explored, err := s.explore()
	if err != nil {
		return err
	}
	studies, err := s.studies()
	if err != nil {
		return err
	}
	for name, value := range map[string]any{
		"explore.json": explore, "explored.json": explored, "wanted.json": s.wanted(), "studies.json": studies,
		"fakes.json":  s.fakes(),
		"growth.json": growth(data.Latest),
		"meta.json":   s.meta, "columns.json": ranking.Columns, "methods.json": s.methods(),
		"sources.json": s.sources(), "forms.json": forms(), "data_files.json": data, "client.json": clients,
		"openapi.json": json.RawMessage(docs.OpenAPI),
		"method.md":    docs.Method,
	} {
		if err := s.writeFile(name, value); err != nil {
			return err
		}
	}
	return s.writePagesFile(s.pages)
}

// counted fills in the counts.
func (s *site) counted(meta metaJSON) metaJSON {
	meta.Generation, meta.Modules = s.snapshot.Generation, len(s.snapshot.Modules)
	meta.PublishedFigures = len(s.snapshot.Published)
	var newest time.Time
	for i := range s.snapshot.Summaries {
		if sum := &s.snapshot.Summaries[i]; sum.Whole() {
			meta.Results, meta.Units = meta.Results+sum.Results, meta.Units+sum.Units
			if sum.NewestAt.After(newest) {
				newest = sum.NewestAt
			}
		}
	}
	if !newest.IsZero() {
		meta.NewestResultOn = newest.UTC().Format(time.DateOnly)
	}
	return meta
}

// dataPage is a page that Hugo makes from data.
type dataPage struct {
	Path, Title string
	File        string // the data that it shows
	Ranking     string `json:",omitempty"` // the ranking that a maker's page shows
	Page        int    `json:",omitempty"` // page number, if a ranking has several pages
}

// writePage writes a page's data file, unless the page is kept.
func (s *site) writePage(p dataPage, value any) error {
	text, err := encode(p.File, value)
	if err != nil || s.reuse.keeps(p.Path, hashOf(text)) {
		return err
	}
	return s.writeText(p.File, text)
}

// writeFile writes text as it is, and all else as JSON.
func (s *site) writeFile(name string, value any) error {
	text, err := encode(name, value)
	if err != nil {
		return err
	}
	return s.writeText(name, text)
}

func encode(name string, value any) ([]byte, error) {
	if text, isText := value.([]byte); isText {
		return text, nil
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false) // escapes would be many, and no browser takes these files for pages
	if err := encoder.Encode(value); err != nil {
		return nil, fmt.Errorf("publish: %s: %w", name, err)
	}
	return text.Bytes(), nil
}

func (s *site) writeText(name string, text []byte) error {
	return writeText(filepath.Join(s.input, filepath.FromSlash(name)), text)
}

// writeText writes a file, and the folders above it.
func writeText(path string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("publish: %w", err)
	}
	if err := os.WriteFile(path, text, 0o644); err != nil {
		return fmt.Errorf("publish: %w", err)
	}
	return nil
}

func (s *site) sourceLinks(keys []string) []sourceLink {
	links := []sourceLink{}
	for _, key := range keys {
		source, _ := s.catalogue.Source(key)
		links = append(links, sourceLink{strings.ToLower(key), label(source)})
	}
	return links
}

// label names a source in a table cell.
func label(source catalogue.Source) string {
	year, _, _ := strings.Cut(source.Date, "-")
	return strings.TrimSpace(source.Author + " " + year)
}

// listedMethod is a method in the list of methods.
type listedMethod struct {
	ID, Label, Description string
	Published              bool
	Example                string `json:",omitempty"` // the address of a module's runs
}

func (s *site) methods() (all []listedMethod) {
	examples := s.profileExamples()
	for _, m := range s.catalogue.Methods {
		listed := listedMethod{m.ID, m.Label, m.Description, !m.UsedForUploads, ""}
		if example := examples[m.ID]; example != nil {
			listed.Example = modulePath(example.ModuleSlug) + "#" + m.ID
		}
		all = append(all, listed)
	}
	return all
}

// listedSource is a source with the number of its figures, the page of its tables (if it has one) and the corrections
// to its rows.
type listedSource struct {
	catalogue.Source
	Figures     int
	Page        string
	Corrections []catalogue.Correction `json:",omitempty"`
}

func (s *site) sources() (all []listedSource) {
	figures := map[string]int{}
	for _, p := range s.snapshot.Published {
		figures[p.Source]++
	}
	for _, source := range s.catalogue.Sources {
		listed := listedSource{Source: source, Figures: figures[source.Key], Page: studyPages[source.Key]}
		for _, correction := range s.catalogue.Corrections {
			if slices.Contains(correction.Sources, source.Key) {
				listed.Corrections = append(listed.Corrections, correction)
			}
		}
		all = append(all, listed)
	}
	return all
}

type listedForm struct{ ID, Label string }

func forms() (all []listedForm) {
	for _, form := range catalogue.Forms {
		all = append(all, listedForm{form, formLabel(form)})
	}
	return all
}

// formLabel is a form as a table shows it; empty for none.
func formLabel(form string) string {
	if form == "other" {
		return "Other"
	}
	return catalogue.FormLabel(form)
}

// clientFile describes one client program to the download page.
type clientFile struct {
	File, Platform string
	Bytes          int64
	SHA256         string // empty: it is still being built
}

// readClients lists the client programs, and reports whether some are still to come.
func readClients(dir string) (clients []clientFile, toCome bool, err error) {
	programs, err := release.Programs(dir)
	if err != nil {
		return nil, false, fmt.Errorf("publish: %w", err)
	}
	clients = make([]clientFile, len(programs))
	for i, program := range programs {
		platform := strings.Replace(strings.TrimPrefix(program.File, "flashdex-"), "-", "/", 1)
		clients[i] = clientFile{File: program.File, Platform: platform, SHA256: program.SHA256}
		if program.SHA256 == "" {
			toCome = true
			continue
		}
		info, err := os.Stat(filepath.Join(dir, program.File))
		if err != nil {
			return nil, false, fmt.Errorf("publish: %s names %q, which is not there: build the clients again", dir, program.File)
		}
		clients[i].Bytes = info.Size()
	}
	return clients, toCome, nil
}
