package publish

import (
	"encoding/json"
	"fmt"
	"strings"

	"flashdex/api/ranking"
	"flashdex/result"
)

// rankingPage is one page of a ranking: by a figure over all modules and hosts, or within one form, maker or class of
// hosts.
type rankingPage struct {
	Path      string `json:"path"`
	Metric    string `json:"metric"`
	Form      string `json:"form,omitempty"`       // id
	Vendor    string `json:"vendor,omitempty"`     // slug of its page
	HostClass string `json:"host_class,omitempty"` // its label
	Page      int    `json:"page"`
	Pages     int    `json:"pages"`
	File      string `json:"file"`
	Title     string `json:"title"`
}

// rankingContent is the file of a ranking's page.
type rankingContent struct {
	rankingPage
	First     string              `json:"first"`      // path of the first page
	RowsTotal int                 `json:"rows_total"` // of all pages
	Modules   int                 `json:"modules"`    // on this page
	Sections  []section[tableRow] `json:"sections"`
	Strip     strip               `json:"strip"`
}

// strip draws a ranking's page with a tick for each module.
type strip struct {
	Sections   []stripSection       `json:"sections"`   // those with ticks
	References map[string]reference `json:"references"` // by name
}

type stripSection struct {
	Label     string `json:"label"`
	Published bool   `json:"published"`
	Ticks     string `json:"ticks_svg"`
}

// reference is a line of a strip to compare with.
type reference struct {
	At    string `json:"at"`
	Value string `json:"value"`
}

// The home page shows the first rows of a ranking, and the strip of its first page.
const (
	homeRanking = "rankings/rand_write_iops-1.json"
	homeFile    = "rankings/home.json"
	homeRows    = 15
)

// writePages spreads one ranking over pages and writes the files of those that changed. first describes the first page;
// around is what the pages show beside the ranking.
func (s *site) writePages(first rankingPage, sections []section[rankedRow], around []byte) (all []rankingPage, err error) {
	total, pages := rowCount(sections), paginate(sections, s.pageRows)
	for i, sections := range pages {
		page := first
		page.Page, page.Pages, page.File = i+1, len(pages), fmt.Sprintf("rankings/%s-%d.json", first.File, i+1)
		if i > 0 {
			page.Path += fmt.Sprintf("%d/", i+1)
		}
		all = append(all, page)
		if s.reuse.keeps(page.Path, hashOf(s.madeOf(page, total, sections), around)) && page.File != homeRanking {
			continue
		}
		content := rankingContent{rankingPage: page, First: first.Path, RowsTotal: total}
		s.fillRanking(&content, sections)
		if err := s.writeFile(page.File, content); err != nil {
			return nil, err
		}
		if page.File == homeRanking {
			content.Pages, content.Sections = 1, paginate(content.Sections, homeRows)[0]
			if err := s.writeFile(homeFile, content); err != nil {
				return nil, err
			}
		}
	}
	return all, nil
}

// fillRanking adds the rows of sections and draws their strip.
func (s *site) fillRanking(page *rankingContent, sections []section[rankedRow]) {
	scale := ranking.ColumnOf(page.Metric).Scale
	page.Strip = strip{[]stripSection{}, map[string]reference{}}
	for i, sec := range sections {
		rows := section[tableRow]{sec.Method, sec.Label, sec.Published, sec.Note, []tableRow{}}
		var ticks strings.Builder
		for _, r := range sec.Rows {
			rows.Rows = append(rows.Rows, s.tableRow(r.Row, r.place, rankingCells(r.Row)))
			if r.Reference == "" {
				page.Modules++
			}
			f, known := r.Figures[page.Metric]
			switch at := scale.At(f.Value); {
			case known && r.Reference == "":
				fmt.Fprintf(&ticks, `<line x1="%s" x2="%[1]s" y2="16"/>`+"\n", at)
			case known && i == 0:
				page.Strip.References[r.Reference] = reference{at, result.Number(f.Value)}
			}
		}
		page.Sections = append(page.Sections, rows)
		if ticks.Len() > 0 {
			page.Strip.Sections = append(page.Strip.Sections, stripSection{sec.Label, sec.Published, ticks.String()})
		}
	}
}

// rowKey names a ranking's row: the same row stands in several rankings.
type rowKey struct{ class, method, slug, reference string }

// madeOf tells what a page of a ranking is made of, without making it: most pages stay as they are.
func (s *site) madeOf(page rankingPage, total int, sections []section[rankedRow]) []byte {
	of := fmt.Appendf(nil, "%+v %d\n", page, total)
	for _, sec := range sections {
		of = fmt.Appendf(of, "%q %q %q %v %d\n", sec.Method, sec.Label, sec.Note, sec.Published, len(sec.Rows))
		for _, r := range sec.Rows {
			key := rowKey{page.HostClass, r.Method, r.Module.Slug, r.Reference}
			if s.rowHashes[key] == "" {
				text, err := json.Marshal(r.Row)
				if err != nil { // not a number, which writing the page reports
					text = []byte(err.Error())
				}
				s.rowHashes[key] = hashOf(text)
			}
			of = fmt.Appendln(of, s.rowHashes[key], r.place)
		}
	}
	return of
}
