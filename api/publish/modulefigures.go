package publish

import (
	"slices"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/page/markup"
	"flashdex/api/ranking"
	"flashdex/result"
)

// placedRow is what there is of a module by one method, and where it stands.
type placedRow struct {
	method catalogue.Method
	row    ranking.Row
	standing
}

// place notes for each module its place among the rows of one method.
func (s *site) place(method catalogue.Method, rows []ranking.Row) {
	ranking.Sort(rows, figure.RandWriteIOPS)
	places := ranking.Ranks(rows, figure.RandWriteIOPS)
	ranked := []ranking.Row{}
	for i, place := range places {
		if place.First > 0 {
			ranked = append(ranked, rows[i])
		}
	}
	beside := besideOf(ranked)
	for i, r := range rows {
		if r.Reference == "" {
			s.placed[r.Module.Slug] = append(s.placed[r.Module.Slug], placedRow{method, r, standing{places[i], len(ranked), r.Note, beside[r.Module.Slug]}})
		}
	}
}

// moduleFigures are the figures of a module by one method.
type moduleFigures struct {
	Method, Label string
	Heading       string // where a page has the same of several methods
	Published     bool   // by others
	Standing      standing
	Spoken        *spoken // its 4K random write, if it has any

	Units, Boards, Results int

	Rows  markup.HTML // of what was measured: one for each figure
	Cells markup.HTML // of what others published: of mainKeys

	measured // what else was measured
}

// figures are those of a module by each method, without what only its page shows.
func (s *site) figures(slug string) (all []*moduleFigures) {
	for _, p := range s.placed[slug] {
		r := &p.row
		of := &moduleFigures{
			Method: p.method.ID, Label: p.method.Label, Published: !p.method.UsedForUploads, Standing: p.standing, Units: r.Units, Boards: r.Boards, Results: r.Results,
		}
		all = append(all, of)
	}
	if measured := measuredOf(all); len(measured) > 1 {
		for _, f := range measured {
			f.Heading = f.Label
		}
	}
	return all
}

// show adds what only the module's page shows.
func (f *moduleFigures) show(figures figure.Set) {
	if f.Published {
		f.Cells = cells(mainKeys, figures)
	} else {
		f.Rows = spread(figures)
	}
	if randWrite, ok := figures[figure.RandWriteIOPS]; ok {
		f.Spoken = spokenOf(figure.RandWriteIOPS, randWrite)
	}
}

// measuredOf are those that were measured by methods that rank. Those by others have sections of their own.
func measuredOf(figures []*moduleFigures) []*moduleFigures {
	return slices.DeleteFunc(slices.Clone(figures), func(f *moduleFigures) bool { return f.Published || result.NeverRanked(f.Method) })
}

// standing is where a module stands among others.
type standing struct {
	ranking.Place
	Of     int // modules with a rank
	Note   string
	Beside []neighbour
}

// neighbour is a module that another one is worth a comparison with.
type neighbour struct{ Slug, Name, Why string }

// besideOf gives for each of the ranked rows of a method, the best first, those next to it and the best of its form.
func besideOf(ranked []ranking.Row) map[string][]neighbour {
	best := map[string]int{} // by form
	for i := len(ranked) - 1; i >= 0; i-- {
		best[ranked[i].Module.Form] = i
	}
	beside := map[string][]neighbour{}
	for i, r := range ranked {
		add := func(at int, why string) {
			if at >= 0 && at < len(ranked) && at != i {
				m := ranked[at].Module
				beside[r.Module.Slug] = append(beside[r.Module.Slug], neighbour{m.Slug, m.Name(), why})
			}
		}
		add(i-1, "next faster")
		add(i+1, "next slower")
		if at := best[r.Module.Form]; at != i-1 {
			if form := catalogue.FormLabel(r.Module.Form); form != "" {
				add(at, "fastest "+form)
			}
		}
	}
	return beside
}
