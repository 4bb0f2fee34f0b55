package publish

import (
	"slices"
	"strings"
	"testing"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/figure/question"
	"flashdex/api/page"
	"flashdex/api/ranking"
	"flashdex/result"
)

// The longest wait of any run counts, and a run that fell behind marks the module.
func TestACamerasTableHasTheLongestWaits(t *testing.T) {
	t.Parallel()
	run := func(behindNS int64, ended result.Ended, unit string, bus float64) figure.ProfiledRun {
		of := figure.ProfiledRun{Method: result.MethodRecording1, Unit: unit, BusMBPerS: bus}
		of.Tests = []result.Test{
			{Name: result.Record4MBPerS, Ended: result.Complete,
				Intervals: []result.Interval{{BehindNS: 1}, {BehindNS: behindNS}}},
			{Name: result.Record30MBPerS, Ended: ended, Intervals: []result.Interval{{BehindNS: behindNS}}},
		}
		return of
	}
	of := recordingsOf([]figure.ProfiledRun{run(250e6, result.TimeLimit, "a", 104), run(40e6, result.Complete, "a", 104)})
	for rate, want := range map[int64]page.Cell{
		4:  {Class: "number", Value: "0.25", N: "2", Sort: "0.25"},
		10: {Class: "number"},
		30: {Class: "number", Value: "falls behind", N: "2", Sort: beyondAll},
	} {
		if got := waitCell(of[rate]); got != want {
			t.Errorf("at %d MB/s: %+v, want %+v", rate, got, want)
		}
	}
	// Two units that fell behind in hosts whose bus carries 30 MB/s say so of the module; one, or a slow host, doesn't.
	late := func(unit string, bus float64) figure.ProfiledRun { return run(250e6, result.TimeLimit, unit, bus) }
	for want, runs := range map[float64][]figure.ProfiledRun{
		0: {late("a", 104), late("a", 104), late("b", 25), late("c", 0)}, 30: {late("a", 104), late("b", 50)},
	} {
		one := site{recordings: map[string]map[int64]recording{"module": recordingsOf(runs)}}
		if got := one.fellBehind("module"); got != want {
			t.Errorf("it fell behind at %v MB/s, want %v", got, want)
		}
	}
	snapshot, results := fixture(t)
	fresh := freshStart(t)
	s := newSite(t.TempDir(), snapshot, results, fresh.catalogue, fresh.questions)
	if err := s.readRecordings(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, m := range snapshot.Modules {
		rate := s.fellBehind(m.Slug)
		if rate == 0 {
			continue
		}
		for _, a := range s.answersOf(m) {
			if a.Path == "/for/camera/" && (a.Meaning == "4K" || a.verdict.word == good) {
				t.Errorf("%s fell behind at %v MB/s, and is %+v, good for %s", m.Slug, rate, a.verdict, a.Meaning)
			}
		}
	}
	if got := extrasOf(t, s, "camera"); got != "wait-4 wait-10 wait-30" {
		t.Errorf("with recordings, the camera's table has %q", got)
	}
	if got := extrasOf(t, fresh, "camera"); got != "" {
		t.Errorf("without recordings, the camera's table has %q", got)
	}
}

func extrasOf(t *testing.T, s *site, key string) string {
	t.Helper()
	a := s.answer(s.questions[slices.IndexFunc(s.questions, func(q question.Question) bool { return q.Key == key })])
	var keys []string
	for _, extra := range a.Extra {
		keys = append(keys, extra.Key)
	}
	for _, sec := range a.Sections {
		for _, row := range sec.Rows {
			if len(row.Cells) != len(sec.Rows[0].Cells) {
				t.Errorf("%s: %s has %d cells, others %d", key, row.Slug, len(row.Cells), len(sec.Rows[0].Cells))
			}
		}
	}
	return strings.Join(keys, " ")
}

// From the least to the most of a module's units; those that nobody wrote to death say nothing.
func TestHomeAssistantsTableHasRounds(t *testing.T) {
	t.Parallel()
	s := freshStart(t)
	answer := func(slug string) ranking.Answer {
		return ranking.Answer{Row: &ranking.Row{Module: catalogue.Module{Slug: slug}}}
	}
	s.told["several"] = told{endured: []catalogue.Endured{{FirstError: 1572}, {FirstError: -1}, {FirstError: 0}}}
	s.told["alive"] = told{endured: []catalogue.Endured{{FirstError: -1}}}
	for slug, want := range map[string]page.Cell{
		"several": {Class: "number", Value: "0 to 1,572", N: "2", Sort: "0"}, "alive": {Class: "number"},
		"nobody": {Class: "number"},
	} {
		if got := s.roundsCell(answer(slug)); got != want {
			t.Errorf("%s: %+v, want %+v", slug, got, want)
		}
	}
	if got := extrasOf(t, s, "home-assistant"); got != "rounds" {
		t.Errorf("on a fresh start, the table has %q", got)
	}
}
