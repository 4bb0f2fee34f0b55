package publish

import (
	"context"
	"slices"
	"strings"
	"testing"

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
	// A module fell behind if two units did in hosts whose bus carries 30 MB/s. One unit, or a slow host, isn't enough.
	late := func(unit string, bus float64) figure.ProfiledRun { return run(250e6, result.TimeLimit, unit, bus) }
	for want, runs := range map[float64][]figure.ProfiledRun{
		0: {late("a", 104), late("a", 104), late("b", 25), late("c", 0)}, 30: {late("a", 104), late("b", 50)},
	} {
		if got := fellBehind(recordingsOf(runs)); got != want {
			t.Errorf("it fell behind at %v MB/s, want %v", got, want)
		}
	}
	snapshot, results := fixture(t)
	fresh := freshStart(t)
	s := newSite(t.TempDir(), snapshot, results, fresh.catalogue, fresh.questions)
	if err := s.readProfiled(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := extrasOf(t, s, "camera"); got != "wait-4 wait-10 wait-30" {
		t.Errorf("with recordings, the camera's table has %q", got)
	}
	if got := extrasOf(t, fresh, "camera"); got != "" {
		t.Errorf("without recordings, the camera's table has %q", got)
	}
}

// lateRuns are results in which two units of each recorded module fell behind at 30 MB/s.
type lateRuns struct{ uploads }

func (lateRuns) Profiled(_ context.Context, slugs []string, do func(string, []figure.ProfiledRun) error) error {
	var runs []figure.ProfiledRun
	for _, unit := range []string{"a", "b"} {
		run := figure.ProfiledRun{Method: result.MethodRecording1, Unit: unit, BusMBPerS: 104}
		run.Tests = []result.Test{{Name: result.Record30MBPerS, Ended: result.TimeLimit}}
		runs = append(runs, run)
	}
	for _, slug := range slugs {
		if err := do(slug, runs); err != nil {
			return err
		}
	}
	return nil
}

// A module that fell behind at 30 MB/s is no answer for 4K, whatever its mean rate, but still one for less.
func TestWhatFellBehindIsNoAnswer(t *testing.T) {
	t.Parallel()
	snapshot, results := fixture(t)
	fresh := freshStart(t)
	s := newSite(t.TempDir(), snapshot, lateRuns{results}, fresh.catalogue, fresh.questions)
	if err := s.readProfiled(t.Context()); err != nil {
		t.Fatal(err)
	}
	a := s.answer(s.questions[slices.IndexFunc(s.questions, func(q question.Question) bool { return q.Key == "camera" })])
	stay := 0
	for _, sec := range a.Sections {
		for _, row := range sec.Rows {
			if s.recordings[row.Slug] == nil {
				continue
			}
			if stay++; row.Cells[1].Value == "4K" {
				t.Errorf("%s fell behind at 30 MB/s, and stands among the answers with %s", row.Slug, row.Cells[0].Value)
			}
		}
	}
	for _, l := range a.LeftOut {
		if s.recordings[l.Slug] != nil && l.Reason != "it fell behind a recording of 30 MB/s" {
			t.Errorf("%s is left out: %s", l.Slug, l.Reason)
		}
		for _, of := range s.answersOf(s.modules[l.Slug]) {
			if of.Path == "/for/camera/" && (of.LeftOut != l.Reason || of.verdict.word == good) {
				t.Errorf("%s is left out, and its page says %+v", l.Slug, of)
			}
		}
	}
	t.Logf("of %d modules with recordings, %d are left out, and %d rows stay", len(s.recordings), len(a.LeftOut), stay)
	if len(a.LeftOut) == 0 || stay == 0 {
		t.Errorf("%d are left out, %d rows stay", len(a.LeftOut), stay)
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

// The cell shows the range over a module's units. Units that nobody wrote to death are left out.
func TestHomeAssistantsTableHasRounds(t *testing.T) {
	t.Parallel()
	s := freshStart(t)
	for _, c := range []struct {
		rounds []int
		want   page.Cell
	}{
		{[]int{1572, 0}, page.Cell{Class: "number", Value: "0 to 1,572", N: "2", Sort: "0"}},
		{nil, page.Cell{Class: "number"}},
	} {
		if got := roundsCell(ranking.Answer{Row: &ranking.Row{FirstErrors: c.rounds}}); got != c.want {
			t.Errorf("%v: %+v, want %+v", c.rounds, got, c.want)
		}
	}
	if got := extrasOf(t, s, "home-assistant"); got != "rounds" {
		t.Errorf("on a fresh start, the table has %q", got)
	}
}
