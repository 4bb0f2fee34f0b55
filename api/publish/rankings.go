package publish

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/page/markup"
	"flashdex/api/ranking"
	"flashdex/result"
)

// section is the part of a ranking page that holds results of one method: they alone are ranked with each other.
type section struct {
	Method    string `json:"method"`
	Label     string `json:"label"`
	Published bool   `json:"published"`
	Note      string `json:"note"`
	Rows      []row  `json:"rows"`
}

// row is one of a table. Most rankings are kept, so a row becomes what its page shows only when that is made.
type row struct {
	of     string // what a ranking's row is made of
	object func() any
}

// MarshalJSON makes what the page shows.
func (r row) MarshalJSON() ([]byte, error) { return encode("a row", r.object()) }

// rankingPage is one page of a ranking: by a figure over all modules and hosts, or within one form, maker or class of hosts.
type rankingPage struct {
	Path      string `json:"path"`
	Metric    string `json:"metric"`
	Form      string `json:"form,omitempty"`       // id
	Vendor    string `json:"vendor,omitempty"`     // slug of its page
	HostClass string `json:"host_class,omitempty"` // as one reads it
	Page      int    `json:"page"`
	Pages     int    `json:"pages"`
	File      string `json:"file"`
	Title     string `json:"title"`
}

// rankedKeys are the figures that have pre-sorted pages.
var rankedKeys = []string{figure.RandWriteIOPS, figure.RandReadIOPS, figure.SeqWriteMBPerS, figure.SeqReadMBPerS, figure.RandWriteP99MS, figure.RandWriteMaxMS}

// writeRankings writes the pre-sorted pages of every ranked figure.
func (s *site) writeRankings() (all []rankingPage, err error) {
	for _, key := range rankedKeys {
		label := ranking.ColumnOf(key).Label
		pages, err := s.writePages(s.sections(key, s.rows, "", result.MethodFlashdex1), rankingPage{
			Path: "/by/" + strings.ReplaceAll(key, "_", "-") + "/", Metric: key, File: key, Title: "Flash modules by " + strings.ToLower(label[:1]) + label[1:],
		}, nil)
		if err != nil {
			return nil, err
		}
		all = append(all, pages...)
	}
	return all, nil
}

// rankedForms are the forms that have a ranking, with modules or without.
var rankedForms = slices.DeleteFunc(slices.Clone(catalogue.Forms), func(form string) bool { return form == "other" })

// writeForms writes a ranking for each form.
func (s *site) writeForms() (all []rankingPage, err error) {
	for _, form := range rankedForms {
		rows, first := s.rowsOf(func(m catalogue.Module) bool { return m.Form == form }), result.MethodFlashdex1
		if form == catalogue.FormStack {
			rows, first = s.stacks, result.MethodStack1
		}
		pages, err := s.writePages(s.sections(figure.RandWriteIOPS, rows, "", first), rankingPage{
			Path: "/form/" + form + "/", Metric: figure.RandWriteIOPS, Form: form, File: "form-" + form, Title: formTitles[form],
		}, nil)
		if err != nil {
			return nil, err
		}
		all = append(all, pages...)
	}
	return all, nil
}

var formTitles = map[string]string{
	"sd": "SD cards by 4K random write", "microsd": "microSD cards by 4K random write", "cf": "CompactFlash cards by 4K random write",
	"usb": "USB sticks by 4K random write", "emmc": "eMMC modules by 4K random write",
	catalogue.FormStack: "Stacks of modules by 4K random write",
}

// rowsOf are the rows of some modules, by method, and of the reference devices.
func (s *site) rowsOf(which func(catalogue.Module) bool) map[string][]ranking.Row {
	rows := map[string][]ranking.Row{}
	for method, all := range s.rows {
		for _, r := range all {
			if r.Reference != "" || which(r.Module) {
				rows[method] = append(rows[method], r)
			}
		}
	}
	return rows
}

// writeHosts writes a ranking for each class of hosts that something was measured in.
func (s *site) writeHosts() ([]rankingPage, error) {
	all := []rankingPage{}
	for _, class := range ranking.HostClasses(s.snapshot) {
		rows := map[string][]ranking.Row{}
		for _, r := range ranking.RowsIn(s.snapshot, class.Key) {
			rows[r.Method] = append(rows[r.Method], r)
		}
		for method := range rows {
			for _, r := range s.rows[method] {
				if r.Reference != "" {
					rows[method] = append(rows[method], r)
				}
			}
		}
		pages, err := s.writePages(s.sections(figure.RandWriteIOPS, rows, class.Key, result.MethodFlashdex1), rankingPage{
			Path: "/in/" + class.Key + "/", Metric: figure.RandWriteIOPS, HostClass: class.Label, File: "in-" + class.Key, Title: "Flash modules on " + class.Label,
		}, nil)
		if err != nil {
			return nil, err
		}
		all = append(all, pages...)
	}
	return all, nil
}

// The home page has the first rows of a ranking, and the drawing of its first page.
const (
	homeRanking = "rankings/" + figure.RandWriteIOPS + "-1.json"
	homeTable   = "rankings/first.html"
	homeRows    = 15
)

// writePages spreads one ranking over pages. first is what the first of them is called. beside is what they show beside the ranking.
func (s *site) writePages(sections []section, first rankingPage, beside []byte) (all []rankingPage, err error) {
	total := 0
	for _, section := range sections {
		total += len(section.Rows)
	}
	pages := paginate(sections, s.pageRows)
	for i, sections := range pages {
		page := first
		page.Page, page.Pages, page.File = i+1, len(pages), fmt.Sprintf("rankings/%s-%d.json", first.File, i+1)
		if i > 0 {
			page.Path += fmt.Sprintf("%d/", i+1)
		}
		if !s.reuse.keeps(page.Path, hashOf(madeOf(page, total, sections), beside)) || page.File == homeRanking {
			if err := s.writeRanking(page, rankingJSON{rankingPage: page, RowsTotal: total, Links: pageLinks(first.Path, i, len(pages))}, sections); err != nil {
				return nil, err
			}
		}
		all = append(all, page)
	}
	return all, nil
}

// rankingJSON is what a page of a ranking shows beside its table.
type rankingJSON struct {
	rankingPage
	RowsTotal int         `json:"rows_total"` // of all pages
	Modules   int         `json:"modules"`    // of this one
	Table     string      `json:"table"`      // file of its body
	Links     markup.HTML `json:"links_html"` // to all pages; nothing if this is the only one
	Strip     strip       `json:"strip"`
}

// strip is a drawing of a ranking's page: each module a tick.
type strip struct {
	Sections   []stripSection       `json:"sections"` // that have any
	References map[string]reference `json:"references"`
}

type stripSection struct {
	Label     string      `json:"label"`
	Published bool        `json:"published"`
	Ticks     markup.HTML `json:"ticks_html"`
}

// writeRanking writes a page of a ranking: the body of its table, and what stands beside.
func (s *site) writeRanking(page rankingPage, content rankingJSON, sections []section) error {
	rows := make([][]rankingRow, len(sections))
	for i, sec := range sections {
		for _, r := range sec.Rows {
			row, _ := r.object().(rankingRow)
			rows[i] = append(rows[i], row)
			if row.Reference == nil {
				content.Modules++
			}
		}
	}
	content.Table, content.Strip = strings.TrimSuffix(page.File, ".json")+".html", stripOf(sections, rows)
	if page.File == homeRanking {
		if err := s.writeFile(homeTable, tableBody(sections, rows, homeRows)); err != nil {
			return err
		}
	}
	if err := s.writeFile(content.Table, tableBody(sections, rows, len(rows)*s.pageRows)); err != nil {
		return err
	}
	return s.writeFile(page.File, content)
}

// tableBody is the body of a ranking's table, of at most so many rows.
func tableBody(sections []section, rows [][]rankingRow, most int) []byte {
	var body []byte
	for i, sec := range sections {
		if most <= 0 {
			break
		}
		body = markup.Append(body, `<tbody>
<tr class="section"><th colspan="%d" scope="rowgroup"><div><a href="/method/#%s">%s</a> <span>%s</span></div></th></tr>
`, len(ranking.Columns), strings.ToLower(sec.Method), sec.Label, sec.Note)
		shown := rows[i][:min(most, len(rows[i]))]
		for _, row := range shown {
			body = append(append(body, row.HTML...), '\n')
		}
		most -= len(shown)
		body = append(body, "</tbody>\n"...)
	}
	return body
}

// stripOf draws the modules of each section, and the references of the first.
func stripOf(sections []section, rows [][]rankingRow) strip {
	of := strip{[]stripSection{}, map[string]reference{}}
	for i, sec := range sections {
		var ticks []byte
		for _, row := range rows[i] {
			switch {
			case row.Reference == nil && row.At != "":
				ticks = markup.Append(ticks, `
<line x1="%s" x2="%[1]s" y2="16"/>`, row.At)
			case row.Reference != nil && i == 0:
				of.References[row.Reference.name] = *row.Reference
			}
		}
		if len(ticks) > 0 {
			of.Sections = append(of.Sections, stripSection{sec.Label, sec.Published, markup.HTML(ticks)})
		}
	}
	return of
}

// pageLinks are links to all pages of a ranking, whose first page has this path; nothing if there is one alone.
func pageLinks(first string, current, pages int) markup.HTML {
	if pages == 1 {
		return ""
	}
	var links []byte
	for i := range pages {
		path := first
		if i > 0 {
			path += fmt.Sprintf("%d/", i+1)
		}
		mark := markup.HTML("")
		if i == current {
			mark = ` aria-current="page"`
		}
		links = markup.Append(links, `
<li><a href="%s"%s>%d</a></li>`, path, mark, i+1)
	}
	return markup.HTML(links)
}

// madeOf is what a page of a ranking is made of, without making it.
func madeOf(page rankingPage, total int, sections []section) []byte {
	of := fmt.Appendf(nil, "%+v %d\n", page, total)
	for _, sec := range sections {
		of = fmt.Appendf(of, "%q %q %q %v %d\n", sec.Method, sec.Label, sec.Note, sec.Published, len(sec.Rows))
		for _, r := range sec.Rows {
			of = append(append(of, r.of...), '\n')
		}
	}
	return of
}

// sections sorts the rows of each method by a figure. Rows without a rank have a section of their own below it, so that
// they don't stand above others however their columns are sorted. Methods of which no row has the figure come last. class is
// the class of hosts that all rows are of, empty for any. first is the method whose section is there also without rows.
func (s *site) sections(key string, rows map[string][]ranking.Row, class, first string) []section {
	var with, without []section
	for _, m := range s.catalogue.Methods {
		rows, ours := rows[m.ID], m.ID == first
		if class != "" && len(rows) == 0 {
			continue
		}
		ranking.Sort(rows, key)
		places := ranking.Ranks(rows, key)
		ranked := sectionOf(m, class != "")
		listed := notRanked(ranked)
		has, modules := false, 0
		for i, r := range rows {
			_, ok := r.Figures[key]
			has = has || ok && r.Reference == ""
			switch {
			case r.Note != "":
				listed.Rows = append(listed.Rows, s.row(key, r, ranking.Place{}, class))
				continue
			case r.Reference == "":
				modules++
			case !ok:
				continue
			}
			ranked.Rows = append(ranked.Rows, s.row(key, r, places[i], class))
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

// sectionOf is the empty section of a method's ranked rows.
func sectionOf(m catalogue.Method, inClass bool) section {
	of := section{Method: m.ID, Label: m.Label, Published: !m.UsedForUploads, Note: m.Description, Rows: []row{}}
	if m.ID == result.MethodFlashdex1 {
		in := ""
		if inClass {
			in = " in this class of hosts alone"
		}
		of.Label = "Measured with Flashdex"
		of.Note = fmt.Sprintf("Uploads of the standard test%s, each unit in its best bus mode. Ranked from %d contributors on; a rank is a range where intervals overlap.",
			in, figure.MinRankedContributors)
	}
	return of
}

// notRanked is the empty section of those rows of a method that have no rank.
func notRanked(of section) section {
	of.Label += ", not ranked"
	of.Note = fmt.Sprintf("Fewer than %d contributors, or no result that counts.", figure.MinRankedContributors)
	return of
}

// beyondAll sorts before every number: JSON has none for it, but JavaScript reads one in this.
const beyondAll = "Infinity"

// noCliff is what a cliff that no unit has shows: nothing is better.
var noCliff = shown{Value: "none", Heat: ranking.ColumnOf(figure.SeqWriteCliffMB).Scale.Heat(math.Inf(1))}

// row is that of a ranking by a metric in a class of hosts, or in any.
func (s *site) row(metric string, r ranking.Row, place ranking.Place, class string) row {
	key := [4]string{class, r.Method, r.Module.Slug, r.Reference}
	if s.rowMaking[key] == "" {
		text, err := json.Marshal(r)
		if err != nil { // a number that is none, which making the page tells of
			text = []byte(err.Error())
		}
		s.rowMaking[key] = hashOf(text)
	}
	return row{fmt.Sprint(s.rowMaking[key], place), func() any { return s.rankingRow(metric, r, place) }}
}

// paginate spreads sections over pages of at most so many rows. A section that is cut goes on under the same head.
func paginate(sections []section, most int) [][]section {
	pages := [][]section{{}}
	room := most
	for _, sec := range sections {
		rows := sec.Rows
		for first := true; first || len(rows) > 0; first = false {
			if room == 0 {
				pages, room = append(pages, nil), most
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
