package publish

import (
	"encoding/json"
	"fmt"
	"strings"

	"flashdex/api/ranking"
	"flashdex/result"
)

// rankingPage describes the first page of a ranking: by a figure over all modules and hosts, or within one form,
// maker or class of hosts.
type rankingPage struct {
	Path      string `json:"path"`
	Title     string `json:"title"`
	Metric    string `json:"metric"`
	Form      string `json:"form,omitempty"`       // id
	HostClass string `json:"host_class,omitempty"` // label

	file string // beginning of the names of its files
}

// rankingContent is the file of a ranking's page.
type rankingContent struct {
	rankingPage
	Page      int                 `json:"page"`
	Pages     int                 `json:"pages"`
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

// writeRanking spreads a ranking over pages and writes the files of those that changed. around is what the pages show
// beside the ranking.
func (s *site) writeRanking(r rankingPage, sections []section[rankedRow], around []byte) (pages []dataPage, err error) {
	total, spread := rowCount(sections), paginate(sections, s.pageRows)
	for i, sections := range spread {
		p := dataPage{Path: r.Path, Title: r.Title, File: fmt.Sprintf("rankings/%s-%d.json", r.file, i+1), Number: i + 1}
		if i > 0 {
			p.Path += fmt.Sprintf("%d/", i+1)
		}
		pages = append(pages, p)
		content := rankingContent{rankingPage: r, Page: i + 1, Pages: len(spread), RowsTotal: total}
		if s.reuse.keeps(p.Path, hashOf(s.madeOf(content, sections), around)) && p.File != homeRanking {
			continue
		}
		s.fillRanking(&content, sections)
		if err := s.writeFile(p.File, content); err != nil {
			return nil, err
		}
		if p.File == homeRanking {
			content.Pages, content.Sections = 1, paginate(content.Sections, homeRows)[0]
			if err := s.writeFile(homeFile, content); err != nil {
				return nil, err
			}
		}
	}
	return pages, nil
}

// fillRanking adds the rows of sections and draws their strip.
func (s *site) fillRanking(content *rankingContent, sections []section[rankedRow]) {
	scale := ranking.ColumnOf(content.Metric).Scale
	content.Strip = strip{[]stripSection{}, map[string]reference{}}
	for i, sec := range sections {
		var ticks strings.Builder
		for _, r := range sec.Rows {
			f, known := r.Figures[content.Metric]
			switch at := scale.At(f.Value); {
			case r.Reference == "":
				if content.Modules++; known {
					fmt.Fprintf(&ticks, `<line x1="%s" x2="%[1]s" y2="16"/>`+"\n", at)
				}
			case known && i == 0:
				content.Strip.References[r.Reference] = reference{at, result.Number(f.Value)}
			}
		}
		if ticks.Len() > 0 {
			content.Strip.Sections = append(content.Strip.Sections, stripSection{sec.Label, sec.Published, ticks.String()})
		}
		content.Sections = append(content.Sections, convert(sec, func(r rankedRow) tableRow {
			return s.tableRow(r.Row, r.place, rankingCells(r.Row))
		}))
	}
}

// madeOf tells what a page of a ranking is made of, without making it: most pages stay as they are.
func (s *site) madeOf(content rankingContent, sections []section[rankedRow]) []byte {
	of := fmt.Appendf(nil, "%+v\n", content)
	for _, sec := range sections {
		of = fmt.Appendf(of, "%q %q %q %v %d\n", sec.Method, sec.Label, sec.Note, sec.Published, len(sec.Rows))
		for _, r := range sec.Rows {
			if s.rowHashes[r.Row] == "" {
				text, err := json.Marshal(r.Row)
				if err != nil { // not a number, which writing the page reports
					text = []byte(err.Error())
				}
				s.rowHashes[r.Row] = hashOf(text)
			}
			of = fmt.Appendln(of, s.rowHashes[r.Row], r.place)
		}
	}
	return of
}
