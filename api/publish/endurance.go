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

// endings are the two ways in which a module ends that is written over and over. surveyed and uploaded return a unit's
// life until this ending, in cycles.
var endings = []struct {
	id, title, note string
	surveyed        func(catalogue.Endured) (life survival.Life, known bool)
	uploaded        func(result.Life) survival.Life
}{
	{"first-error", "Until the first error", "The share of units that had no wrong or unreadable block yet.",
		func(e catalogue.Endured) (survival.Life, bool) {
			return survival.Life{At: float64(e.FirstError), Failed: true}, e.FirstError >= 0
		},
		func(l result.Life) survival.Life {
			if l.FirstError > 0 {
				return survival.Life{At: l.FirstError, Failed: true}
			}
			return survival.Life{At: l.Cycles, Failed: l.Dead}
		}},
	{"dead", "Until it was dead", "The share of units that still worked, if not without errors. Of a unit that wasn’t " +
		"dead when the source printed its page, or whose end it doesn’t tell, only this is known: it lived longer than " +
		"until its first error. A short upright stroke is such a unit.",
		func(e catalogue.Endured) (survival.Life, bool) {
			return survival.Life{At: float64(max(e.FirstError, e.Failed)), Failed: e.Failed >= 0}, true
		},
		func(l result.Life) survival.Life { return survival.Life{At: l.Cycles, Failed: l.Dead} }},
}

// livesOf returns the life of each unit. A unit's runs must be consecutive, the oldest first. Several runs are pieces
// of one life: each continues where the one before ended, and the last one says how the life ended. If only the longest
// run counted, the curve might show a unit as alive although another run says that it died. If a unit doesn't identify
// itself, only its first run counts: the next one may be of another card in the same reader.
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
		from := map[string]map[string][]survival.Life{survey: {}, uploads: {}} // by slug
		for _, e := range s.catalogue.Endured {
			if life, known := ending.surveyed(e); known {
				from[survey][e.ModuleSlug] = append(from[survey][e.ModuleSlug], life)
			}
		}
		for slug, lives := range s.lives {
			for _, life := range lives {
				from[uploads][slug] = append(from[uploads][slug], ending.uploaded(life))
			}
		}
		var all, rows [][]string
		var links []string
		var lines []chart.Lives
		for i, source := range []string{survey, uploads} {
			bySlug := from[source]
			var whole []survival.Life
			for _, slug := range slices.Sorted(maps.Keys(bySlug)) {
				whole = append(whole, bySlug[slug]...)
				rows = append(rows, lifeRow(s.moduleName(slug), source, survival.Curve(bySlug[slug])))
				links = append(links, s.pageOf(slug))
			}
			if len(whole) == 0 {
				continue
			}
			line := chart.Lives{Label: source, Class: chart.Main, Steps: survival.Curve(whole)}
			if i > 0 {
				line.Class = chart.Several(i)
			}
			lines = append(lines, line)
			all = append(all, lifeRow("All units", source, line.Steps))
		}
		of.add(ending.id, ending.title, ending.note, []string{"Module", "From", "Units", "Of them failed",
			"Not yet, or not told", "Half of them last, cycles", "95 % interval"}, append(all, rows...),
			append(make([]string, len(all)), links...))
		drawn, ok := chart.Survival("endurance-"+ending.id, ending.title+": units that are left", "cycles", lines)
		of[len(of)-1].Charts.Add(drawn, ok)
	}
	return of
}

// lifeRow is a row of a table of lives.
func lifeRow(name, from string, steps []survival.Step) []string {
	m := survival.MedianOf(steps)
	return []string{name, from, result.Count(m.Units), result.Count(m.Failed), result.Count(m.Units - m.Failed),
		chart.MedianLife(m), chart.MedianInterval(m)}
}
