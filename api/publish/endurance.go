package publish

import (
	"slices"

	"flashdex/api/catalogue"
	"flashdex/api/figure/survival"
	"flashdex/api/page/chart"
	"flashdex/result"
)

// enduranceStudy is the key of the page /endurance/ among the studies.
const enduranceStudy = "endurance"

// endings are the two ends of a module that is written over and over. of returns a surveyed unit's life up to one, and
// false if nothing is known of it.
var endings = []struct {
	id, title, note string
	of              func(catalogue.Endured) (survival.Life, bool)
}{
	{"first-error", "Until the first error", "The share of units that had no wrong or unreadable block yet.",
		func(e catalogue.Endured) (survival.Life, bool) {
			return survival.Life{At: float64(e.FirstError), Failed: true}, e.FirstError >= 0
		}},
	{"dead", "Until it was dead", "The share of units that still worked, if not without errors. Of a unit that wasn’t " +
		"dead when the source printed its page, or whose end it doesn’t tell, only this is known: it lived longer than " +
		"until its first error. A short upright stroke is such a unit.",
		func(e catalogue.Endured) (survival.Life, bool) {
			return survival.Life{At: float64(max(e.FirstError, e.Failed)), Failed: e.Failed >= 0}, true
		}},
}

// endurance is how many cycles units of the survey lasted, all of them and by module. A unit that isn't dead yet counts
// for as long as it lasted.
func (s *site) endurance() (of study) {
	bySlug := map[string][]catalogue.Endured{}
	var slugs []string
	for _, e := range s.catalogue.Endured {
		if bySlug[e.ModuleSlug] == nil {
			slugs = append(slugs, e.ModuleSlug)
		}
		bySlug[e.ModuleSlug] = append(bySlug[e.ModuleSlug], e)
	}
	slices.Sort(slugs)
	for _, ending := range endings {
		livesOf := func(units []catalogue.Endured) (lives []survival.Life) {
			for _, e := range units {
				if life, known := ending.of(e); known {
					lives = append(lives, life)
				}
			}
			return lives
		}
		all := survival.Curve(livesOf(s.catalogue.Endured))
		rows, links := [][]string{lifeRow("All of the survey", survival.MedianOf(all))}, []string{""}
		for _, slug := range slugs {
			m := survival.MedianOf(survival.Curve(livesOf(bySlug[slug])))
			rows, links = append(rows, lifeRow(s.moduleName(slug), m)), append(links, s.pageOf(slug))
		}
		of.add(ending.id, ending.title, ending.note, []string{"Module", "Units", "Of them failed", "Not yet, or not told",
			"Half of them last, cycles", "95 % interval"}, rows, links)
		drawn, ok := chart.Survival("endurance-"+ending.id, ending.title+": units that are left", "cycles",
			[]chart.Lives{{Label: "the survey", Class: chart.Main, Steps: all}})
		of[len(of)-1].Charts.Add(drawn, ok)
	}
	return of
}

// lifeRow is a row of a table of lives.
func lifeRow(name string, m survival.Median) []string {
	return []string{name, result.Count(m.Units), result.Count(m.Failed), result.Count(m.Units - m.Failed),
		chart.MedianLife(m), chart.MedianInterval(m)}
}
