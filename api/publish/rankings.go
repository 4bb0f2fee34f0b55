package publish

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/ranking"
	"flashdex/result"
)

// rankedForms are the forms that have a ranking, even without modules.
var rankedForms = slices.DeleteFunc(slices.Clone(catalogue.Forms), func(form string) bool { return form == "other" })

var formPlurals = map[string]string{
	"sd": "SD cards", "microsd": "microSD cards", "sdexpress": "SD Express cards", "cf": "CompactFlash cards",
	"usb": "USB sticks", "emmc": "eMMC modules", catalogue.FormStack: "Stacks of modules",
}

// rankedBy returns the figure that modules of a form are ranked by, unless a reader asks for another. A CompactFlash
// card mostly stores a camera's pictures, so it is ranked by linear writes.
func rankedBy(form string) string {
	if form == "cf" {
		return figure.SeqWriteMBPerS
	}
	return figure.RandWriteIOPS
}

// byFigure names a figure within a sentence: "by linear write".
func byFigure(key string) string {
	label := ranking.ColumnOf(key).Label
	return "by " + strings.ToLower(label[:1]) + label[1:]
}

// writeRankings writes the rankings of all modules by each figure, of each form, and of each class of hosts in which a
// module was measured.
func (s *site) writeRankings() (pages []dataPage, err error) {
	write := func(kind string, r rankingPage, sections []section[rankedRow]) {
		if err != nil {
			return
		}
		s.index.Rankings[kind] = append(s.index.Rankings[kind], r)
		var of []dataPage
		of, err = s.writeRanking(r, sections, nil)
		pages = append(pages, of...)
	}
	for _, key := range figure.KeyFigures {
		r := rankingPage{
			Path: "/by/" + strings.ReplaceAll(key, "_", "-") + "/", Metric: key, file: key,
			Title: "Flash modules " + byFigure(key),
		}
		sections := s.sections(key, s.rows, "", result.MethodFlashdex1)
		write("by", r, sections)
		if key == figure.RandWriteIOPS && err == nil {
			err = s.writeHome(r, sections)
		}
	}
	for _, form := range rankedForms {
		method, key := result.MethodFlashdex1, rankedBy(form)
		rows := s.rowsOf(func(r *ranking.Row) bool { return r.Reference != "" || r.Module.Form == form })
		if form == catalogue.FormStack {
			rows, method = s.stacks, result.MethodStack1
		}
		write("form", rankingPage{
			Path: "/form/" + form + "/", Metric: key, Form: form, file: "form-" + form,
			Title: formPlurals[form] + " " + byFigure(key),
		}, s.sections(key, rows, "", method))
	}
	for _, class := range ranking.HostClasses(s.snapshot) {
		rows := map[string][]*ranking.Row{}
		for _, r := range ranking.RowsIn(s.snapshot, class.Key) {
			rows[r.Method] = append(rows[r.Method], r)
		}
		write("in", rankingPage{
			Path: "/in/" + class.Key + "/", Metric: figure.RandWriteIOPS, HostClass: class.Label, file: "in-" + class.Key,
			Title: "Flash modules on " + class.Label,
		}, s.sections(figure.RandWriteIOPS, rows, class.Key, result.MethodFlashdex1))
	}
	return pages, err
}

// rowsOf returns the rows of single modules that which picks, by method.
func (s *site) rowsOf(which func(*ranking.Row) bool) map[string][]*ranking.Row {
	rows := map[string][]*ranking.Row{}
	for method, all := range s.rows {
		for _, r := range all {
			if which(r) {
				rows[method] = append(rows[method], r)
			}
		}
	}
	return rows
}

// rankingPage describes the first page of a ranking: by a figure over all modules and hosts, or within one form,
// maker or class of hosts.
type rankingPage struct {
	Path, Title, Metric string
	Form, HostClass     string `json:",omitempty"` // id of the form, label of the class

	file string // prefix of the names of its files
}

// rankingContent is the file of a ranking's page.
type rankingContent struct {
	rankingPage
	Page, Modules    int // Modules: on this page
	Pages, RowsTotal int
	Sections         []section[tableRow]
	Empty            []string // keys of the columns that are left out because they are empty
	Strip            strip
}

// strip draws a ranking's page with a tick for each module.
type strip struct {
	Sections   []stripSection       // only sections with ticks
	References map[string]reference // by name
	Linked     bool                 // each tick is a link
	Ticks      int                  // how many of Modules have a tick, if ticks are links
	Modules    int
}

type stripSection struct {
	Label     string
	Ticks     string `json:"ticks_svg"`
	Published bool
	Height    int // px
}

// reference is a line in a strip for comparison.
type reference struct{ At, Value string }

// waitingPage is a ranking's page that may wait.
type waitingPage struct {
	pageInputs
	file     string
	content  rankingContent
	sections []section[rankedRow]
}

// writeRanking splits a ranking into pages, and writes the files of pages that changed and may not wait. around is what
// the first page shows besides the ranking. The first page never waits. If the number of pages changed, none waits,
// because the pages link to each other.
func (s *site) writeRanking(r rankingPage, sections []section[rankedRow], around []byte) (pages []dataPage, err error) {
	total, spread := rowsTotal(sections), paginate(sections, s.pageRows)
	_, hasLast := s.reuse.previous.Pages[r.pathOf(len(spread))]
	_, hasMore := s.reuse.previous.Pages[r.pathOf(len(spread)+1)]
	for i, sections := range spread {
		p := dataPage{r.pathOf(i + 1), r.Title, fmt.Sprintf("rankings/%s-%d.json", r.file, i+1), "", i + 1}
		pages = append(pages, p)
		if i > 0 {
			around = nil
		}
		content := rankingContent{rankingPage: r, Page: i + 1, Pages: len(spread), RowsTotal: total}
		data := hashOf(s.madeOf(content, sections), around)
		if s.reuse.keeps(p.Path, data) {
			continue
		}
		page := waitingPage{pageInputs{p.Path, data, ""}, p.File, content, sections}
		if i > 0 && hasLast && !hasMore && s.reuse.mayWait(p.Path, sections) {
			s.waiting = append(s.waiting, page)
		} else if err := s.writeRankingPage(page); err != nil {
			return nil, err
		}
	}
	return pages, nil
}

// rowsTotal counts the rows of modules, without reference devices.
func rowsTotal(sections []section[rankedRow]) (total int) {
	for _, sec := range sections {
		for _, r := range sec.Rows {
			if r.Reference == "" {
				total++
			}
		}
	}
	return total
}

// pathOf is the path of one of the ranking's pages.
func (r rankingPage) pathOf(number int) string {
	if number == 1 {
		return r.Path
	}
	return fmt.Sprintf("%s%d/", r.Path, number)
}

// writeWaiting writes some of the pages that may wait, and keeps the others.
func (s *site) writeWaiting() error {
	var inputs []pageInputs
	for _, page := range s.waiting {
		inputs = append(inputs, page.pageInputs)
	}
	for _, at := range s.reuse.follow(inputs, maxMovedRankings) {
		if err := s.writeRankingPage(s.waiting[at]); err != nil {
			return err
		}
	}
	return nil
}

// writeRankingPage writes the file of a ranking's page.
func (s *site) writeRankingPage(page waitingPage) error {
	s.fillRanking(&page.content, page.sections)
	return s.writeFile(page.file, page.content)
}

// references places the catalogue's reference devices on the scale of a metric.
func (s *site) references(metric string) map[string]reference {
	references := map[string]reference{}
	for _, d := range s.catalogue.ReferenceDevices {
		if f, known := figure.OfReference(d).Find(metric); known {
			references[d.Name] = reference{ranking.ColumnOf(metric).Scale.At(f.Value), result.Number(f.Value)}
		}
	}
	return references
}

// fillRanking adds the rows of sections and draws their strip, with the catalogue's reference devices.
func (s *site) fillRanking(content *rankingContent, sections []section[rankedRow]) {
	scale := ranking.ColumnOf(content.Metric).Scale
	content.Strip = strip{Sections: []stripSection{}, References: s.references(content.Metric)}
	for _, sec := range sections {
		var ticks strings.Builder
		for _, r := range sec.Rows {
			if r.Reference != "" {
				continue
			}
			content.Modules++
			if f, known := r.Figures.Find(content.Metric); known && f.To == 0 {
				fmt.Fprintf(&ticks, `<line x1="%s" x2="%[1]s" y2="16"/>`+"\n", scale.At(f.Value))
			}
		}
		if ticks.Len() > 0 {
			content.Strip.Sections = append(content.Strip.Sections, stripSection{sec.Label, ticks.String(), sec.Published, 16})
		}
		content.Sections = append(content.Sections, convert(sec, func(r rankedRow) tableRow {
			row := s.tableRow(r.Row, r.place, rankingCells(r.Row))
			row.Note = r.note()
			return row
		}))
	}
	content.foldEmpty()
}

// foldEmpty removes the columns that are empty for every module on the page. It keeps the column that the page is
// about, to show that nobody knows the figure.
func (c *rankingContent) foldEmpty() {
	c.Empty = []string{}
	for i, column := range slices.Backward(cellColumns) {
		known := func(sec section[tableRow]) bool {
			return slices.ContainsFunc(sec.Rows, func(r tableRow) bool { return r.Slug != "" && r.Cells[i].Value != "" })
		}
		if column.Key == c.Metric || slices.ContainsFunc(c.Sections, known) {
			continue
		}
		c.Empty = append(c.Empty, column.Key)
		for _, sec := range c.Sections {
			for at := range sec.Rows {
				sec.Rows[at].Cells = slices.Delete(sec.Rows[at].Cells, i, i+1)
			}
		}
	}
}

// madeOf returns what a page of a ranking is made from, without making the page, because most pages don't change.
func (s *site) madeOf(content rankingContent, sections []section[rankedRow]) []byte {
	of := fmt.Appendf(nil, "%+v\n", content)
	for _, sec := range sections {
		of = fmt.Appendf(of, "%q %q %q %v %q %d\n", sec.Method, sec.Label, sec.Note, sec.Published, sec.Best, len(sec.Rows))
		for _, r := range sec.Rows {
			of = append(append(of, r.Reference...), s.ownData[r.Module.Slug]...)
			of = strconv.AppendInt(append(of, r.note()...), int64(r.place.First), 10)
			of = append(strconv.AppendInt(append(of, ' '), int64(r.place.Last), 10), '\n')
		}
	}
	return of
}
