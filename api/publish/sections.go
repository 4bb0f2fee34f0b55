package publish

import (
	"fmt"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/figure/model"
	"flashdex/api/ranking"
	"flashdex/result"
)

// section holds the rows of a table that were measured by one method. Only these are ranked with each other.
type section[Row any] struct {
	Method, Label, Note string
	Published           bool
	Unranked            bool      `json:",omitempty"` // holds modules that others may help to get a rank
	Currency            string    `json:",omitempty"` // of the prices in a question's score
	Best                []bestRow // with 95 % confidence the best is among them; empty if there are many
	Rows                []Row
}

// bestRow is a module that may be the best of a section.
type bestRow struct{ Slug, Name string }

// maxBest limits how many modules a page names as possibly the best.
const maxBest = 10

// rankedRow is a row of a ranking with its place there.
type rankedRow struct {
	*ranking.Row
	place ranking.Place
	would ranking.Place // if it has no place: where it would stand
}

// note says why the row has no rank, and where it would stand.
func (r rankedRow) note() string {
	if r.would.First == 0 {
		return r.Note
	}
	return r.Note + "; it would stand " + wherePlaced(r.would)
}

// wherePlaced tells a range of places: "at place 4", "between place 3 and 9".
func wherePlaced(p ranking.Place) string {
	if p.First == p.Last {
		return "at place " + result.Count(p.First)
	}
	return "between place " + result.Count(p.First) + " and " + result.Count(p.Last)
}

// sections sorts the rows of each method by a figure. Rows without a rank get a section of their own, so that they
// never stand above ranked rows, whichever column is sorted. Reference devices without the figure are left out. Methods
// without a module that has the figure come last. class is the class of hosts of all rows, or empty. The method first
// always has a section: without rows it is a line at the end.
func (s *site) sections(key string, rows map[string][]*ranking.Row, class, first string) (all []section[rankedRow]) {
	var last []section[rankedRow]
	for _, m := range s.catalogue.Methods {
		rows, isFirst := rows[m.ID], m.ID == first
		if class != "" && len(rows) == 0 {
			continue
		}
		ranking.Sort(rows, key)
		ranked, listed := emptySections[rankedRow](m, class != "")
		modules, has := 0, isFirst
		places, would := ranking.Ranks(rows, key)
		for i, place := range places {
			r := rankedRow{rows[i], place, would[i]}
			_, known := r.Figures.Find(key)
			has = has || known && r.Reference == ""
			switch {
			case r.Note != "":
				listed.Rows = append(listed.Rows, r)
			case r.Reference == "":
				modules++
				ranked.Rows = append(ranked.Rows, r)
			case known:
				ranked.Rows = append(ranked.Rows, r)
			}
		}
		if best := ranking.Best(rows, key, maxBest); len(best) < modules {
			for _, r := range best {
				ranked.Best = append(ranked.Best, bestRow{r.Module.Slug, r.Name()})
			}
		}
		if isFirst && modules == 0 && len(listed.Rows) == 0 {
			has, ranked.Rows = false, []rankedRow{}
			ranked.Note = "Nobody has uploaded a result yet: yours would be the first."
		}
		to := &last
		if has {
			to = &all
		}
		if modules > 0 || isFirst && len(listed.Rows) == 0 {
			*to = append(*to, ranked)
		}
		if len(listed.Rows) > 0 {
			*to = append(*to, listed)
		}
	}
	return append(all, last...)
}

// emptySections returns a method's section of ranked rows and its section of rows without a rank.
func emptySections[Row any](m catalogue.Method, inClass bool) (ranked, listed section[Row]) {
	ranked = section[Row]{Method: m.ID, Label: m.Label, Published: !m.UsedForUploads, Note: m.Description, Rows: []Row{}}
	if m.ID == result.MethodFlashdex1 {
		in := ""
		if inClass {
			in = ", as they are in this class of hosts"
		}
		ranked.Label = "Measured with Flashdex"
		ranked.Note = fmt.Sprintf("Uploads of the standard test%s, corrected for their hosts. "+
			"Ranked from %d independent contributors on %d days on; a rank is a range where nobody can tell yet which is "+
			"faster.", in,
			model.RankedFrom, figure.RankedDays)
	}
	listed = ranked
	listed.Label += ", not ranked"
	listed.Unranked = m.ID == result.MethodFlashdex1
	listed.Note = fmt.Sprintf("Fewer than %d independent contributors, one day alone, no result that counts, or "+
		"foretold from other hosts.",
		model.RankedFrom)
	return ranked, listed
}

// paginate splits sections into pages with a limited number of rows. If it cuts a section, the rest continues on the
// next page under the same heading.
func paginate[Row any](sections []section[Row], most int) [][]section[Row] {
	pages := [][]section[Row]{{}}
	room := most
	for _, sec := range sections {
		rows := sec.Rows
		for first := true; first || len(rows) > 0; first = false {
			if room == 0 {
				pages, room = append(pages, nil), most
			}
			n := min(room, len(rows))
			part := sec
			if part.Rows = rows[:n]; !first {
				part.Best = nil
			}
			pages[len(pages)-1] = append(pages[len(pages)-1], part)
			rows, room = rows[n:], room-n
		}
	}
	return pages
}

// convert converts a section's rows.
func convert[From, To any](sec section[From], row func(From) To) section[To] {
	rows := make([]To, 0, len(sec.Rows))
	to := section[To]{sec.Method, sec.Label, sec.Note, sec.Published, sec.Unranked, sec.Currency, sec.Best, rows}
	for _, r := range sec.Rows {
		to.Rows = append(to.Rows, row(r))
	}
	return to
}
