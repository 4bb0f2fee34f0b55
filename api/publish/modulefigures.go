package publish

import (
	"maps"
	"slices"
	"strings"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/page"
	"flashdex/api/ranking"
	"flashdex/result"
)

// placedRow is a module's row by one method, and its place.
type placedRow struct {
	method catalogue.Method
	row    *ranking.Row
	standing
}

// place records where each module stands among the rows of one method.
func (s *site) place(method catalogue.Method, rows []*ranking.Row) {
	ranking.Sort(rows, figure.RandWriteIOPS)
	places, would := ranking.Ranks(rows, figure.RandWriteIOPS)
	ranked := withPlace(rows, places)
	neighbours := neighboursOf(ranked, figure.RandWriteIOPS)
	linear := slices.DeleteFunc(slices.Clone(rows), func(r *ranking.Row) bool {
		return rankedBy(r.Module.Form) != figure.SeqWriteMBPerS
	})
	ranking.Sort(linear, figure.SeqWriteMBPerS)
	linearPlaces, _ := ranking.Ranks(linear, figure.SeqWriteMBPerS)
	maps.Copy(neighbours, neighboursOf(withPlace(linear, linearPlaces), figure.SeqWriteMBPerS))
	for i, r := range rows {
		if r.Reference == "" {
			slug := r.Module.Slug
			placed := placedRow{method, r, standing{places[i], would[i], len(ranked), r.Note, neighbours[slug]}}
			s.placed[slug] = append(s.placed[slug], placed)
		}
	}
}

// withPlace returns the rows that have a place.
func withPlace(rows []*ranking.Row, places []ranking.Place) (ranked []*ranking.Row) {
	for i, place := range places {
		if place.First > 0 {
			ranked = append(ranked, rows[i])
		}
	}
	return ranked
}

// methodFigures are the figures of a module by one method.
type methodFigures struct {
	Method, MethodPath string // its label
	Heading            string // if a page shows the same of several methods
	Published          bool

	Rank, RankOf string // "3 to 5"; empty: none
	Overlaps     bool   // its interval overlaps others
	RankNote     string // why there is no rank
	Units        string // "3 units"; empty: none count
	Hosts, Runs  string
	HasSpeed     bool // there is a 4K random write

	Would string // where it would stand with enough contributors, as wherePlaced says; empty: not known

	Composition *composition // nil: its 4K random write has no model
	Spread      []spreadRow  // if it was measured: one row for each figure
	Cells       []page.Cell  // if others published it: of figure.MainFigures
	Why         []why        // if it was measured: figure.KeyFigures

	measured // what else was measured

	methodID string
}

// figures returns a module's figures by each method. It leaves out what only the module's page shows.
func (s *site) figures(slug string) (all []*methodFigures) {
	for _, p := range s.placed[slug] {
		of := &methodFigures{
			Method: p.method.Label, MethodPath: methodPath(p.method.ID), Published: !p.method.UsedForUploads, RankNote: p.Note,
			Hosts: page.Counted(p.row.Boards, "model") + " of hosts", Runs: page.Counted(p.row.Results, "result"),
			methodID: p.method.ID,
		}
		if p.row.Boards == 1 {
			of.Hosts = "1 model of host"
		}
		if p.row.Units > 0 {
			of.Units = page.Counted(p.row.Units, "unit")
		}
		if p.First > 0 {
			of.Rank, of.RankOf, of.Overlaps = result.Count(p.First), result.Count(p.Of), p.First != p.Last
			if of.Overlaps {
				of.Rank += " to " + result.Count(p.Last)
			}
		}
		if p.Would.First > 0 {
			of.Would = wherePlaced(p.Would)
		}
		all = append(all, of)
	}
	if measured := measuredOf(all); len(measured) > 1 {
		for _, f := range measured {
			f.Heading = f.Method
		}
	}
	return all
}

// measuredOf returns the figures measured by methods that rank. Pages show other methods in sections of their own.
func measuredOf(figures []*methodFigures) []*methodFigures {
	return slices.DeleteFunc(slices.Clone(figures), func(f *methodFigures) bool {
		return f.Published || result.NeverRanked(f.methodID)
	})
}

// standing is where a module stands among others.
type standing struct {
	ranking.Place
	Would  ranking.Place // if it has no rank: where it would stand
	Of     int           // modules with a rank
	Note   string
	Beside []neighbour // modules to compare it with
}

// neighbour is a module to compare another one with.
type neighbour struct{ Slug, Name, Why string }

// neighboursOf returns, for each ranked row of a method, the rows next to it and the best row of its form. The rows
// next to it have its form and capacity, so a buyer can choose among them. Forms that are ranked by another figure have
// no neighbours. ranked must be sorted by the figure, the best first.
func neighboursOf(ranked []*ranking.Row, key string) map[string][]neighbour {
	type choice struct {
		form       string
		capacityGB float64
	}
	best, peers := map[string]*ranking.Row{}, map[choice][]*ranking.Row{}
	by := "" // the page speaks of 4K random write
	if key != figure.RandWriteIOPS {
		by = " " + byFigure(key)
	}
	for _, r := range ranked {
		of := choice{r.Module.Form, r.Module.CapacityGB}
		if rankedBy(of.form) != key {
			continue
		}
		if peers[of] = append(peers[of], r); best[of.form] == nil {
			best[of.form] = r
		}
	}
	neighbours := map[string][]neighbour{}
	for of, rows := range peers {
		for i, r := range rows {
			beside := []neighbour{}
			add := func(o *ranking.Row, why string) {
				if !slices.ContainsFunc(beside, func(n neighbour) bool { return n.Slug == o.Module.Slug }) && o != r {
					beside = append(beside, neighbour{o.Module.Slug, o.Module.Name(), why})
				}
			}
			add(rows[max(i-1, 0)], "next faster"+by)
			add(rows[min(i+1, len(rows)-1)], "next slower"+by)
			if form := catalogue.FormLabel(of.form); form != "" {
				add(best[of.form], "fastest "+form+by)
			}
			neighbours[r.Module.Slug] = beside
		}
	}
	return neighbours
}

// scaleStrip is a drawing of 4K random write on the log scale, a line for each method.
type scaleStrip struct {
	Ticks        []ranking.Tick
	Disk, DiskAt string // IOPS of the laptop disk, and their place
	Lines        []scaleLine
}

type scaleLine struct {
	Label             string
	Published         bool
	At, LowAt, HighAt string // the ends are empty where there is no interval
}

func percent(part float64) string { return result.Number(100 * part) }

// ratio writes a ratio with two digits: 5.9, 14, 230.
func ratio(v float64) string { return result.Number(result.Round(v, 2)) }

// duration writes seconds as people say them, with two digits: "0.19 seconds", "2.7 minutes".
func duration(seconds float64) string {
	switch {
	case seconds < 100:
		return ratio(seconds) + " seconds"
	case seconds < 5400:
		return ratio(seconds/60) + " minutes"
	}
	return ratio(seconds/3600) + " hours"
}

func methodPath(id string) string { return "/method/#" + strings.ToLower(id) }
