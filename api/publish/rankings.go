package publish

import (
	"fmt"
	"strings"

	"flashdex/api/index"
	"flashdex/api/ranking"
	"flashdex/result"
)

// section is the part of a ranking page that holds results of one method: they alone are ranked with each other.
type section struct {
	Method    string           `json:"method"`
	Label     string           `json:"label"`
	Published bool             `json:"published"`
	Note      string           `json:"note"`
	Rows      []map[string]any `json:"rows"`
}

// writeRankings writes the pre-sorted pages of every ranked figure.
func (s *site) writeRankings() ([]rankingPage, error) {
	var all []rankingPage
	for _, key := range rankedKeys {
		pages := paginate(s.sections(key))
		total := 0
		for _, sections := range pages {
			for _, section := range sections {
				total += len(section.Rows)
			}
		}
		for i, sections := range pages {
			page := rankingPage{
				Path: "/by/" + strings.ReplaceAll(key, "_", "-") + "/", Metric: key, Page: i + 1, Pages: len(pages),
				File: fmt.Sprintf("rankings/%s-%d.json", key, i+1), Title: "Flash modules by " + strings.ToLower(columnOf(key).Label[:1]) + columnOf(key).Label[1:],
			}
			if i > 0 {
				page.Path += fmt.Sprintf("%d/", i+1)
			}
			content := map[string]any{"metric": key, "page": page.Page, "pages": page.Pages, "rows_total": total, "sections": sections}
			if err := s.writeFile(page.File, content); err != nil {
				return nil, err
			}
			all = append(all, page)
		}
	}
	return all, nil
}

// sections sorts the rows of each method by a figure. Rows without a rank have a section of their own below it, so that
// they don't stand above others however their columns are sorted. Methods of which no row has the figure come last.
func (s *site) sections(key string) []section {
	var with, without []section
	for _, m := range s.catalogue.Methods {
		ranked := section{Method: m.ID, Label: m.Label, Published: !m.UsedForUploads, Note: m.Description, Rows: []map[string]any{}}
		ours := m.ID == result.MethodFlashdex1
		if ours {
			ranked.Label = "Measured with Flashdex"
			ranked.Note = fmt.Sprintf("Uploads of the standard test. A module has a rank from %d contributors on.", index.MinRankedContributors)
		}
		listed := ranked
		listed.Label += ", not ranked"
		listed.Note = fmt.Sprintf("Fewer than %d contributors, or no result that counts.", index.MinRankedContributors)

		rows := s.rows[m.ID]
		ranking.Sort(rows, key)
		places := ranking.Ranks(rows, key)
		has := false
		modules := 0
		for i, r := range rows {
			_, ok := r.Figures[key]
			has = has || ok && r.Reference == ""
			switch {
			case r.Note != "":
				listed.Rows = append(listed.Rows, s.rankingRow(r, ranking.Place{}))
				continue
			case r.Reference == "":
				modules++
			case !ok:
				continue
			}
			ranked.Rows = append(ranked.Rows, s.rankingRow(r, places[i]))
		}
		var sections []section
		if ours && modules == 0 && len(listed.Rows) == 0 {
			ranked.Note = "Nobody has uploaded a result yet: yours would be the first."
		}
		if modules > 0 || ours {
			sections = append(sections, ranked)
		}
		if len(listed.Rows) > 0 {
			sections = append(sections, listed)
		}
		if has || ours {
			with = append(with, sections...)
		} else {
			without = append(without, sections...)
		}
	}
	return append(with, without...)
}

func (s *site) rankingRow(r ranking.Row, place ranking.Place) map[string]any {
	object := map[string]any{"name": r.Name(), "reference": r.Reference != "", "sources": s.sourceLinks(r.Sources)}
	if r.Reference == "" {
		object["slug"], object["form"], object["classes"] = r.Module.Slug, r.Module.Form, list(r.Module.Classes)
		if r.Module.CapacityGB > 0 {
			object["capacity_gb"] = r.Module.CapacityGB
		}
		if r.Results > 0 {
			object["units"], object["boards"], object["results"] = r.Units, r.Boards, r.Results
		}
	}
	placeInto(object, place)
	if r.Note != "" {
		object["rank_note"] = r.Note
	}
	figuresInto(object, r)
	return object
}

// paginate spreads sections over pages of at most maxPageRows rows. A section that is cut goes on under the same head.
func paginate(sections []section) [][]section {
	pages := [][]section{{}}
	room := maxPageRows
	for _, sec := range sections {
		rows := sec.Rows
		for first := true; first || len(rows) > 0; first = false {
			if room == 0 {
				pages, room = append(pages, nil), maxPageRows
			}
			n := min(room, len(rows))
			part := sec
			part.Rows = rows[:n]
			pages[len(pages)-1] = append(pages[len(pages)-1], part)
			rows, room = rows[n:], room-n
		}
	}
	return pages
}
