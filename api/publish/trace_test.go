package publish

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"

	"flashdex/api/catalogue"
	"flashdex/api/dataset"
	"flashdex/api/figure"
	"flashdex/api/figure/question"
	"flashdex/data"
)

// This test crawls the pages of questions and devices, of a fresh start and of the fixture. Each figure in their
// tables, in their first answers and in their facts about a slot is in a row of the data set's CSV files, or follows
// from such rows in a way that the page states:
//
//   - a score and its interval by the formula on the question's page, and its meaning by the steps there
//   - a rank, and how many may be the best, by the intervals of the scores that share a table
//   - "here" by the slot's rate in the table devices, rounds by the table endured, open and allocation units by the table results
//   - the longest wait of a recording by the tables results and samples
//
// It doesn't trace figures in prose, how many rows are left out and why, and the table of what owners measured in a
// device: no table has figures of one class of hosts, as docs/data.md says.
//
// No page, with everything that it loads, is larger than docs/growth.md says.
func TestFiguresOfAnswersTraceToTheDataSet(t *testing.T) {
	t.Parallel()
	questions, err := question.Load(data.FS)
	if err != nil {
		t.Fatal(err)
	}
	snapshot, results := fixture(t)
	for name, of := range map[string]struct {
		*site
		results        uploads
		pages, figures int // at least
	}{
		"a fresh start": {freshStart(t), uploads{}, 120, 20_000},
		"the fixture":   {newSite(t.TempDir(), snapshot, results, load(t), questions), results, 120, 5_000},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := of.site
			if err := s.write(t.Context(), metaJSON{}, dataset.Index{}, nil); err != nil {
				t.Fatal(err)
			}
			pages := slices.DeleteFunc(s.pages, func(p dataPage) bool {
				return !strings.HasPrefix(p.Path, "/for/") && !strings.HasPrefix(p.Path, "/device/")
			})
			if err := s.writePagesFile(pages); err != nil {
				t.Fatal(err)
			}
			work := t.TempDir()
			if err := (hugo{"../../bin/hugo", "../../site"}).build(t.Context(), s.input, work, work+"/out", ""); err != nil {
				t.Fatal(err)
			}
			c := crawl{T: t, tables: tablesOf(t, s, of.results), forms: map[string]string{}, sizes: map[string]float64{},
				questions: map[string]string{}, answered: map[string]answerOf{}}
			for _, m := range c.tables["modules"] {
				c.forms[m["module"]], c.sizes[m["module"]] = m["form"], m.number("capacity_gb")
			}
			texts, heaviest := map[string]string{}, 0
			for _, p := range pages {
				whole := read(t, work+"/out", p.Path+"index.html")
				sent := compressed(t, whole)
				for _, loaded := range reLoaded.FindAllStringSubmatch(whole, -1) {
					sent += compressed(t, read(t, work+"/out", loaded[1]))
				}
				if heaviest = max(heaviest, sent); sent > 100_000 {
					t.Errorf("%s takes %d bytes, compressed and with everything that it loads, want at most 100,000", p.Path, sent)
				}
				texts[p.Path], _, _ = strings.Cut(whole, "</main>")
			}
			for _, q := range s.questions {
				path := "/for/" + q.Key + "/"
				c.questions[path] = texts[path]
				c.page(path, texts[path], path, q.Forms, 0, 0)
				for _, form := range q.Forms {
					if text, has := texts[path+form+"/"]; has {
						c.page(path+form+"/", text, path, []string{form}, 0, 0)
					}
				}
			}
			for _, d := range s.catalogue.Devices {
				path := "/device/" + d.Slug + "/"
				if text, has := texts[path]; has {
					carries, most := c.slot(path, text)
					_, question, _ := strings.Cut(text, `<h2><a href="`)
					question, _, _ = strings.Cut(question, `"`)
					c.page(path, text, question, formsOrAssumed(d, profileFor(d)), carries, most)
				}
			}
			for _, path := range []string{"/for/", "/"} {
				for _, answer := range strings.Split(read(t, work+"/out", path+"index.html"), `<h3><a href="`)[1:] {
					of, _, _ := strings.Cut(answer, `"`)
					c.answers(path, of, answer)
				}
			}
			t.Logf("%d pages of at most %d bytes, %d figures", len(pages), heaviest, c.figures)
			if len(pages) < of.pages || c.figures < of.figures {
				t.Errorf("only %d figures of %d pages were traced", c.figures, len(pages))
			}
		})
	}
}

// reLoaded finds what a page loads by itself.
var reLoaded = regexp.MustCompile(`<(?:link rel="stylesheet"|script)[^>]* (?:href|src)="?(/[^" >]+)`)

// tablesOf writes tables of the data set as CSV, as a snapshot does, and reads them.
func tablesOf(t *testing.T, s *site, results uploads) map[string][]csvRow {
	t.Helper()
	tables := map[string][]csvRow{}
	add(t, tables, dataset.Modules, func(do func(*dataset.Module) error) error {
		return dataset.EachModule(s.snapshot, s.catalogue, do)
	})
	add(t, tables, dataset.Figures, func(do func(*dataset.Figure) error) error {
		return dataset.EachFigure(s.snapshot, s.catalogue, do)
	})
	add(t, tables, dataset.Devices, func(do func(*dataset.DeviceFact) error) error {
		return dataset.EachDeviceFact(s.snapshot, s.catalogue, do)
	})
	add(t, tables, dataset.Endured, func(do func(*catalogue.Endured) error) error {
		return dataset.EachEndured(s.snapshot, s.catalogue, do)
	})
	var tests []figure.Test
	var samples []dataset.Sample
	for slug, of := range results {
		for _, up := range of {
			for _, test := range up.Tests {
				tests = append(tests, figure.Test{Result: up.ID, Module: slug, Figures: test})
			}
			document, err := json.Marshal(map[string]any{"tests": up.document.Tests})
			if err != nil {
				t.Fatal(err)
			}
			_, sampled, err := dataset.ReadDocument(up.ID, document)
			if err != nil {
				t.Fatal(err)
			}
			samples = append(samples, sampled...)
		}
	}
	add(t, tables, dataset.Results, func(do func(*figure.Test) error) error { return each(tests, do) })
	add(t, tables, dataset.Samples, func(do func(*dataset.Sample) error) error { return each(samples, do) })
	return tables
}

func each[R any](rows []R, do func(*R) error) (err error) {
	for i := range rows {
		err = errors.Join(err, do(&rows[i]))
	}
	return err
}

func add[R any](t *testing.T, tables map[string][]csvRow, table *dataset.Of[R], each func(func(*R) error) error) {
	t.Helper()
	var file bytes.Buffer
	if _, err := dataset.Stream(table, each, dataset.NewCSV(&file, &table.Table)); err != nil {
		t.Fatal(err)
	}
	lines, err := csv.NewReader(&file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	tables[table.Name] = nil
	for _, line := range lines[1:] {
		of := csvRow{}
		for i, name := range lines[0] {
			of[name] = line[i]
		}
		tables[table.Name] = append(tables[table.Name], of)
	}
}
