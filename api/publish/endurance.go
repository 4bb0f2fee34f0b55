package publish

import (
	"maps"
	"slices"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/figure/survival"
	"flashdex/api/page/chart"
	"flashdex/result"
)

// enduranceStudy is the key of the page /endurance/ among the studies.
const enduranceStudy = "endurance"

// endings are the two ends of a module that is written over and over. surveyed and uploaded return a unit's life up to
// one, in cycles. told is false if nobody tells how long a living unit was watched: the life is what is known of it.
var endings = []struct {
	id, title, note string
	threshold       string // in endurance_survey.csv
	surveyed        func(catalogue.Endured) (life survival.Life, told bool)
	uploaded        func(result.Life) survival.Life
}{
	{"first-error", "Until the first error", "The share of units that had no wrong or unreadable block yet." + bySurvivors,
		"first error",
		func(e catalogue.Endured) (survival.Life, bool) { return lifeUntil(e.FirstError, 0, e.Watched) },
		func(l result.Life) survival.Life {
			if l.FirstError > 0 {
				return survival.Life{At: l.FirstError, Failed: true}
			}
			return survival.Life{At: l.Cycles, Failed: l.Dead}
		}},
	{"dead", "Until it was dead", "The share of units that still worked, if not without errors. The source doesn’t tell " +
		"how far most living units of the survey were. They leave the curve at their first error, although they lived on, " +
		"so it falls too fast, and half of the units last longer than it says." + bySurvivors,
		"complete failure",
		func(e catalogue.Endured) (survival.Life, bool) { return lifeUntil(e.Failed, e.FirstError, e.Watched) },
		func(l result.Life) survival.Life { return survival.Life{At: l.Cycles, Failed: l.Dead} }},
}

// bySurvivors ends the note of both.
const bySurvivors = " A short upright stroke is a unit that was alive then. The author’s own sums are of the cards " +
	"that had failed, without those that lived longer."

// lifeUntil is the life of a unit of the survey that failed after so many cycles, or lived for least of them, and for
// watched if that is told. Numbers below 0 aren't known.
func lifeUntil(failed, least, watched int) (life survival.Life, told bool) {
	if failed >= 0 {
		return survival.Life{At: float64(failed), Failed: true}, true
	}
	return survival.Life{At: float64(max(least, watched, 0))}, watched >= 0
}

// livesOf returns the life of each unit, whose runs stand one after the other, the oldest first. Several runs are
// pieces of one life, which goes on where the one before ended; the last says how it ended. The longest alone would
// be alive in the curve although another says that it died. Of a unit that doesn't say what it is only the first
// counts: the next may be of another card in the same reader.
func livesOf(runs []figure.LivedRun) (lives []result.Life) {
	for i, run := range runs {
		if i == 0 || run.Unit != runs[i-1].Unit {
			lives = append(lives, run.Life)
		} else if run.Told {
			lives[len(lives)-1] = lives[len(lives)-1].Then(run.Life)
		}
	}
	return lives
}

// endurance tabulates how many cycles units of the survey and of uploads lasted, in all and by module. A unit that
// isn't dead yet counts as censored, for as long as it has lasted.
func (s *site) endurance() (of study) {
	const survey, uploads = "survey", "uploads"
	for _, ending := range endings {
		from := map[string]map[string]*lived{survey: {}, uploads: {}} // by slug
		add := func(source, slug string, life survival.Life, told bool) {
			if from[source][slug] == nil {
				from[source][slug] = new(lived)
			}
			from[source][slug].add(life, told)
		}
		for _, e := range s.catalogue.Endured {
			life, told := ending.surveyed(e)
			add(survey, e.ModuleSlug, life, told)
		}
		for slug, lives := range s.lives {
			for _, life := range lives {
				add(uploads, slug, ending.uploaded(life), true)
			}
		}
		var all, rows [][]string
		var links []string
		var lines []chart.Lives
		for i, source := range []string{survey, uploads} {
			bySlug := from[source]
			var whole lived
			for _, slug := range slices.Sorted(maps.Keys(bySlug)) {
				whole.lives, whole.untold = append(whole.lives, bySlug[slug].lives...), whole.untold+bySlug[slug].untold
				rows = append(rows, bySlug[slug].row(s.moduleName(slug), source))
				links = append(links, s.pageOf(slug))
			}
			if len(whole.lives) == 0 {
				continue
			}
			line := chart.Lives{Label: source, Class: chart.Main, Steps: survival.Curve(whole.lives)}
			if i > 0 {
				line.Class = chart.Several(i)
			}
			lines = append(lines, line)
			all = append(all, whole.row("All units", source))
		}
		for _, e := range s.catalogue.Endurance {
			if e.Source == cardSurvey && e.Threshold == ending.threshold && e.Group == "all" {
				n := result.Count(e.N)
				all = append(all, []string{"All failed cards of the survey, as its author sums it up on " + e.AsOf, survey, n, n,
					"", "", result.Exact(float64(e.Median)), ""})
			}
		}
		of.add(ending.id, ending.title, ending.note, []string{"Module", "From", "Units", "Of them failed",
			"Alive when last watched", "Alive, and not told how long", "Half of them last, cycles", "95 % interval"},
			append(all, rows...), append(make([]string, len(all)), links...))
		drawn, ok := chart.Survival("endurance-"+ending.id, ending.title+": units that are left", "cycles", lines)
		of[len(of)-1].Charts.Add(drawn, ok)
	}
	return of
}

// lived are the lives of several units. Of some that were alive nobody tells how long they were watched.
type lived struct {
	lives  []survival.Life
	untold int
}

func (l *lived) add(life survival.Life, told bool) {
	l.lives = append(l.lives, life)
	if !told {
		l.untold++
	}
}

// row is a row of a table of lives. Those that aren't told leave the curve too early, so half of the units last longer
// than it says, and its interval doesn't hold.
func (l *lived) row(name, from string) []string {
	m := survival.MedianOf(survival.Curve(l.lives))
	half, interval := chart.MedianLife(m), chart.MedianInterval(m)
	if l.untold > 0 {
		interval = ""
		if m.At != nil {
			half = "at least " + half
		}
	}
	return []string{name, from, result.Count(m.Units), result.Count(m.Failed),
		result.Count(m.Units - m.Failed - l.untold), result.Count(l.untold), half, interval}
}
