package publish

import (
	"cmp"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/ranking"
	"flashdex/result"
)

// The home page shows the first rows of the ranking by 4K random writes, and a strip of all modules.
const (
	homeFile = "rankings/home.json"
	homeRows = 15
	maxTicks = 1000 // of the strip: each has a link and a name, 30 bytes compressed
)

// Ticks that are links stand in lanes, so that each can be pointed at. Within a lane they are at least tickGap percent
// of the width apart, which is 6 px on a phone.
const (
	tickGap    = 2.0
	maxLanes   = 12
	laneHeight = 10 // px
)

// writeHome writes the home page's part of the ranking by 4K random writes.
func (s *site) writeHome(r rankingPage, sections []section[rankedRow]) error {
	content := rankingContent{rankingPage: r, Page: 1, Pages: 1, RowsTotal: rowsTotal(sections)}
	s.fillRanking(&content, paginate(sections, homeRows)[0])
	content.Strip = s.homeStrip(sections)
	return s.writeFile(homeFile, content)
}

// tick is a module in the strip of the home page.
type tick struct {
	slug, title string
	at, to      float64 // percent of the width; to is at, but for figures of different things
}

// homeStrip draws each module with a 4K random write figure once, by the first section that has it: measured with
// Flashdex, else expected, else measured in other ways. If there are more than maxTicks modules, it takes an even
// selection.
func (s *site) homeStrip(sections []section[rankedRow]) strip {
	scale := ranking.ColumnOf(figure.RandWriteIOPS).Scale
	drawn := strip{Sections: []stripSection{}, References: s.references(figure.RandWriteIOPS), Linked: true}
	known, ticks := map[string]bool{}, map[string][]tick{}
	var order []stripSection
	for _, sec := range sections {
		of := stripSection{Label: "Measured in other ways", Published: true}
		if sec.Method == result.MethodFlashdex1 || sec.Method == catalogue.MethodExpected {
			of = stripSection{Label: sec.Label, Published: sec.Published}
		}
		for _, r := range sec.Rows {
			f, has := r.Figures.Find(figure.RandWriteIOPS)
			if !has || r.Reference != "" || known[r.Module.Slug] {
				continue
			}
			known[r.Module.Slug] = true
			if ticks[of.Label] == nil {
				order = append(order, of)
			}
			ticks[of.Label] = append(ticks[of.Label], tickOf(r, f, scale))
		}
	}
	drawn.Modules = len(known)
	for _, of := range order {
		shown := slices.SortedFunc(slices.Values(ticks[of.Label]), func(a, b tick) int {
			return cmp.Or(cmp.Compare(a.at, b.at), strings.Compare(a.slug, b.slug))
		})
		if most := max(1, len(shown)*maxTicks/len(known)); most < len(shown) {
			some := make([]tick, most)
			for i := range some {
				some[i] = shown[i*len(shown)/most]
			}
			shown = some
		}
		drawn.Ticks += len(shown)
		of.Ticks, of.Height = linkedTicks(shown)
		drawn.Sections = append(drawn.Sections, of)
	}
	return drawn
}

func tickOf(r rankedRow, f figure.Figure, scale *ranking.Scale) tick {
	t := tick{r.Module.Slug, r.Name() + ": " + result.Number(f.Value), scale.Percent(f.Value), scale.Percent(f.Value)}
	if f.To > 0 {
		t.title, t.to = t.title+" to "+result.Number(f.To), scale.Percent(f.To)
	}
	t.title += " IOPS"
	return t
}

// linkedTicks draws ticks in their order, and returns the height of all lanes in px. A tick is a link with a title. The
// link's text is the same, shown while the link has the pointer or the focus.
func linkedTicks(ticks []tick) (svg string, height int) {
	var b strings.Builder
	var lanes []float64 // where the last tick of each ends
	for _, t := range ticks {
		lane := slices.IndexFunc(lanes, func(end float64) bool { return t.at-end >= tickGap })
		switch {
		case lane < 0 && len(lanes) < maxLanes:
			lane, lanes = len(lanes), append(lanes, 0)
		case lane < 0:
			lane = slices.Index(lanes, slices.Min(lanes))
		}
		lanes[lane] = t.to
		width := "3"
		if t.to > t.at {
			width = fmt.Sprintf("%.2f%%", t.to-t.at)
		}
		title := template.HTMLEscapeString(t.title)
		fmt.Fprintf(&b, `<a href="%s"><title>%s</title><rect x="%.2f%%" y="%d" width="%s" height="8"/></a>`+
			`<text x="3%%" y="-8">%[2]s</text>`+"\n", modulePath(t.slug), title, t.at, lane*laneHeight, width)
	}
	return b.String(), len(lanes) * laneHeight
}
