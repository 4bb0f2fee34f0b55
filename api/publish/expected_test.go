package publish

import (
	"slices"
	"strings"
	"testing"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/figure/question"
	"flashdex/data"
	"flashdex/result"
)

// Modules that only others have measured have a section of their own, with an interval and a range of places, on the
// pages of rankings, modules and questions.
func TestExpectedFiguresHaveASectionOfTheirOwn(t *testing.T) {
	t.Parallel()
	s := freshStart(t)
	c := s.catalogue
	expected := false
	sections := s.sections(figure.RandWriteIOPS, s.rows, "", result.MethodFlashdex1)
	for i, sec := range sections {
		placed := 0
		for _, r := range sec.Rows {
			if r.place.First > 0 && r.place.Last > r.place.First && r.Figures.At(figure.RandWriteIOPS).HasInterval() {
				placed++
			}
		}
		if expected = expected || sec.Method == catalogue.MethodExpected; sec.Method == catalogue.MethodExpected {
			if i != 0 || !sec.Published || placed < 60 {
				t.Errorf("section %d: published %v, %d modules with a range of places", i, sec.Published, placed)
			}
		} else if placed > 0 {
			t.Errorf("%d modules by %s have places", placed, sec.Method)
		}
	}
	if !expected {
		t.Error("no section of expected figures")
	}
	none := slices.IndexFunc(sections, func(sec section[rankedRow]) bool { return sec.Method == result.MethodFlashdex1 })
	if none < 10 || len(sections[none].Rows) > 0 || !strings.Contains(sections[none].Note, "Nobody has uploaded") {
		t.Errorf("that nobody has uploaded anything stands in section %d: %+v", none, sections[none])
	}
	content := rankingContent{rankingPage: rankingPage{Metric: figure.RandWriteIOPS}}
	s.fillRanking(&content, sections)
	if !slices.Contains(content.Empty, figure.RandWriteP99MS) || slices.Contains(content.Empty, figure.SeqReadMBPerS) {
		t.Errorf("the columns %q are left out", content.Empty)
	}
	m, _ := c.Module("samsung-evo-plus-32gb-microsd")
	page := s.module(m, new(moduleResults))
	first := page.Published[0]
	if first.Method != "Expected from published figures" || !strings.Contains(first.Rank, " to ") {
		t.Errorf("the module's published figures begin with %+v", first)
	}
	of := page.Speed
	if of == nil || of.Low == "" || of.Method != first.Method || !strings.HasPrefix(of.Behind, "4 units by 4 authors") {
		t.Errorf("the module's page begins with %+v", of)
	}
	for _, q := range s.questions {
		if q.Key != "boot" {
			continue
		}
		a := s.answer(q)
		if len(a.Sections) == 0 || a.Ranked > 0 || a.Sections[0].Label != first.Method || a.Sections[0].Rows[0].Rank == "" {
			t.Errorf("%s is answered by %+v", q.Key, a.Sections)
		}
	}
}

// freshStart returns a site without uploads. It has the published figures of the catalogue.
func freshStart(t testing.TB) *site {
	t.Helper()
	c := load(t)
	questions, err := question.Load(data.FS)
	if err != nil {
		t.Fatal(err)
	}
	snapshot := &figure.Overview{Modules: c.Modules, Published: c.Published, Calibrations: new(figure.Calibrations)}
	shares := figure.PublishedShares(c.Published)
	for _, key := range figure.MainFigures {
		var modules [][]figure.KindShare
		for _, m := range c.Modules {
			if of := shares[m.Slug][key]; len(of) > 0 {
				modules = append(modules, of)
			}
		}
		snapshot.Calibrations.Add(figure.CalibrationKey{Method: figure.PublishedMethod, Figure: key},
			figure.Calibrated(key, modules, figure.Contributors{}, figure.StandardMix(0, nil)))
	}
	return newSite(t.TempDir(), snapshot, uploads{}, c, questions)
}
