package publish

import (
	"cmp"
	"encoding/json"
	"fmt"
	"html"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/page/chart"
	"flashdex/result"
)

// crawl compares the figures of pages with the rows of tables.
type crawl struct {
	*testing.T
	tables    map[string][]csvRow
	forms     map[string]string  // of modules
	sizes     map[string]float64 // of modules, in GB
	questions map[string]string  // pages of questions by path
	answered  map[string]answerOf
	figures   int // how many were compared
}

// answerOf is the part of a table's row that a page's first answers repeat, by page, module and origin.
type answerOf struct {
	score, place figure.Figure
	unit         string
	tied         float64 // how many may be the best
}

var (
	reFormula = regexp.MustCompile(`<p class="formula">([^<]*)</p>`)
	reHeading = regexp.MustCompile(`<th scope="col"[^>]* data-key="([^"]+)"[^>]*><span>[^<]*(?:<small>([^<]*)</small>)?`)
	reSection = regexp.MustCompile(`(?s)<tr class="section">.*?<a href="/method/#([^"]+)">(` + otherForms + `|` +
		inAdapter + `)?([^<]*)</a>.*?</tbody>`)
	reRow = regexp.MustCompile(`<tr><td class="rank"[^>]*><input[^>]*>([^<]*)</td><th scope="row"><a href="` +
		`/modules/([^/]+)/"><bdi>[^<]*</bdi></a></th>(.*)<td class="source g-source">(?:(expected|published): )?.*</td></tr>`)
	reCell   = regexp.MustCompile(`<td[^>]*?(?: data-sort="([^"]*)")?>(.*?)</td>`)
	reStep   = regexp.MustCompile(`<tr><td class="number">([^<]*)</td><td>([^<]*)</td></tr>`)
	reAnswer = regexp.MustCompile(`<li(?: value="(\d+)"| class="unranked")><a href="/modules/([^/]+)/">.*?` +
		`<strong>(.*?[\d,.]+) ([^<]*)</strong>(?: of waiting for it,)? (measured|expected|published)` +
		`(?: from published figures)?([^<]*)</span>`)
	reBehind = regexp.MustCompile(`\s*<small class="behind">(\w+)(?:, n ([\d,]+))?</small>\s*`)
	reTie    = regexp.MustCompile(`any of ([\d,]+) may be the best`)
	reSaid   = regexp.MustCompile(`(The slot carries at most|Somebody measured) ` +
		`(?:\S* to )?(\S*) MB/s(?: of (read|write)s in it)?`)
)

// check counts a figure, and reports one that differs.
func (c *crawl) check(ok bool, path, what, printed string, want any) {
	c.Helper()
	if c.figures++; !ok {
		c.Errorf("%s: %s is %q, and by the data set %+v", path, what, printed, want)
	}
}

// page compares the figures on the page of a question or a device. A device's slot has a rate (carries, in MB/s) and a
// largest card (most, in GB). The question is about forms.
func (c *crawl) page(path, text, question string, forms []string, carries, most float64) {
	formula := html.UnescapeString(reFormula.FindStringSubmatch(c.questions[question])[1])
	higher := !strings.HasPrefix(formula, "seconds") && !strings.HasPrefix(formula, "price")
	first, table, _ := strings.Cut(text, `<table class="sortable n-last ranking preset">`)
	table, _, _ = strings.Cut(table, "</table>")
	headings := reHeading.FindAllStringSubmatch(table, -1)
	sections := reSection.FindAllStringSubmatch(table, -1)
	if n := strings.Count(table, "<tbody>"); n != len(sections) {
		c.Errorf("%s: %d of %d sections are read", path, len(sections), n)
	}
	for _, section := range sections {
		_, currency, _ := strings.Cut(section[3], ", prices in ")
		rows, all, of := map[string]csvRow{}, []figure.Figure(nil), forms
		if section[2] == inAdapter {
			of = []string{"microsd"}
		}
		for _, r := range c.tables["figures"] {
			form := c.forms[r["module"]]
			if r["method"] != section[1] || slices.Contains(of, form) == (section[2] == otherForms) || form == "reference" {
				continue
			}
			rows[r["module"]] = r
			if score, known := r.score(formula, currency, carries); known && r.placed(score) {
				all = append(all, score)
			}
		}
		shown := reRow.FindAllStringSubmatch(section[0], -1)
		if n := strings.Count(section[0], "<tr>"); n != len(shown) {
			c.Errorf("%s: %d of %d rows by %s are read", path, len(shown), n, section[1])
		}
		var rivals []figure.Figure // the ones that fit
		for slug, r := range rows {
			score, known := r.score(formula, currency, carries)
			if known && r.placed(score) && (most == 0 || c.sizes[slug] <= most) {
				rivals = append(rivals, score)
			}
		}
		for _, m := range shown {
			r, unit := rows[m[2]], headings[2][2]
			score, known := r.score(formula, currency, carries)
			if !known {
				c.Errorf("%s: the data set has no score of %s by %s", path, m[2], section[1])
				continue
			}
			place := placeAmong(all, score, higher, 0)
			if r.placed(score) {
				near := placeAmong(all, score, higher, sixDigits)
				c.check(shows(m[1], place) || shows(m[1], near), path, "the rank of "+m[2], m[1], place)
			} else {
				c.check(m[1] == "", path, "the rank of "+m[2], m[1], "none")
			}
			if of := path + " " + m[2] + " " + m[4]; c.answered[of].unit == "" {
				c.answered[of] = answerOf{score, place, unit, mayBe(rivals, higher)}
			}
			cells := reCell.FindAllStringSubmatch(m[3], -1)
			if len(cells) != len(headings)-3 { // without the rank, the module and the source
				c.Fatalf("%s: %s has %d cells below %d headings", path, m[2], len(cells), len(headings))
			}
			for i, cell := range cells {
				key := headings[i+2][1]
				f, exact := c.cell(key, r, score, carries, c.questions[question])
				if key == "score" {
					behind := reBehind.FindStringSubmatch(cell[2])
					c.check(behind != nil && behind[1] == cmp.Or(m[4], "measured") && r.hasUnits(behind[2]), path,
						"what the score of "+m[2]+" is made of", cell[2], r)
					cell[2] = reBehind.ReplaceAllString(cell[2], "")
				}
				if key == "score" && !strings.HasSuffix(unit, currency) { // it shows its own unit
					cell[2] = strings.TrimSuffix(cell[2], currency)
				}
				ok := exact != "" && html.UnescapeString(cell[2]) == exact || exact == "" && shows(cell[2], f)
				if sort := printed(cell[1]); cell[1] != "" && sort != f.Value {
					ok = ok && math.Abs(sort/f.Value-1) < sixDigits
				}
				if unknown := f.Value == 0 && f.N == 0 && exact == ""; !unknown || cell[2] != "" {
					c.check(ok, path, key+" of "+m[2], cell[0], f)
				}
			}
		}
	}
	c.answers(path, path, first)
}

// cell returns what the cell of a row shows, or its exact text.
func (c *crawl) cell(key string, r csvRow, score figure.Figure, carries float64, question string) (f figure.Figure,
	exact string) {
	switch {
	case key == "score":
		return score, ""
	case key == "meaning":
		for _, step := range reStep.FindAllStringSubmatch(question, -1) {
			if score.Value >= printed(step[1]) {
				exact = html.UnescapeString(step[2])
			}
		}
		return score, exact
	case key == "price":
		var all []string
		for _, p := range rePrice.FindAllStringSubmatch(r["prices"], -1) {
			all = append(all, fmt.Sprintf("%s %.2f", p[1], printed(p[2])))
		}
		return f, strings.Join(all, ", ")
	case strings.HasSuffix(key, "-here"):
		f = r.figure(strings.ReplaceAll(strings.TrimSuffix(key, "-here"), "-", "_"))
		f = figure.Figure{Value: min(f.Value, carries), To: min(f.To, carries), AtLeast: f.AtLeast && f.Value < carries}
		if f.To == f.Value {
			f.To = 0
		}
		return f, ""
	case key == "rounds":
		return c.rounds(r["module"]), ""
	case strings.HasPrefix(key, "wait-"):
		return c.wait(r["module"], "record-"+strings.TrimPrefix(key, "wait-")+"-mb-per-s")
	case key == "open-units":
		return c.inside(r["module"], result.TurnWrite, "open_units", chart.CountOfPlaces)
	case key == "allocation-unit":
		return c.inside(r["module"], result.GapWrite, "allocation_unit_bytes", func(n int64) string { return chart.Size(float64(n)) })
	}
	return r.figure(key), ""
}

// rounds returns the range of rounds until the first error, over the cards in table endured.
func (c *crawl) rounds(slug string) (f figure.Figure) {
	for _, e := range c.tables["endured"] {
		if e["module"] != slug || e["first_error_rounds"] == "" {
			continue
		}
		rounds := e.number("first_error_rounds")
		if f.N++; f.N == 1 {
			f.Value = rounds
		}
		f.Value, f.To = min(f.Value, rounds), max(f.To, rounds)
	}
	if f.To == f.Value {
		f.To = 0
	}
	return f
}

// wait returns the longest that a recording's data waited, by the tables results and samples, or that the module fell
// behind.
func (c *crawl) wait(slug, test string) (f figure.Figure, late string) {
	runs := map[string]bool{}
	for _, r := range c.tables["results"] {
		if r["module"] == slug && r["test"] == test {
			runs[r["result"]] = true
			if r["ended"] != string(result.Complete) {
				late = "falls behind"
			}
		}
	}
	for _, of := range c.tables["samples"] {
		var intervals []result.Interval
		if !runs[of["result"]] || of["test"] != test {
			continue
		}
		if err := json.Unmarshal([]byte(of["intervals"]), &intervals); err != nil {
			c.Fatal(err)
		}
		f.N++
		for _, v := range intervals {
			f.Value = max(f.Value, float64(v.BehindNS)/1e9)
		}
	}
	if late != "" {
		f.Value, late = math.Inf(1), fmt.Sprintf("%s <small>n %d</small>", late, f.N)
	}
	return f, late
}

// inside computes the range that a test found in the units of a module, by the table results.
func (c *crawl) inside(slug, test, column string, text func(int64) string) (f figure.Figure, exact string) {
	units := map[string]int64{}
	for _, r := range c.tables["results"] { // the newest one of a unit comes last
		if r["module"] == slug && r["test"] == test && r[column] != "" {
			units[cmp.Or(r["unit"], r["result"])] = int64(r.number(column))
		}
	}
	if len(units) == 0 {
		return f, ""
	}
	values := slices.Sorted(maps.Values(units))
	exact = text(values[0])
	if last := values[len(values)-1]; last > values[0] {
		exact += " to " + text(last)
	}
	return figure.Figure{Value: float64(values[0])}, fmt.Sprintf("%s <small>n %d</small>", exact, len(units))
}

// slot compares what the page of a device says of its slot, and returns what the slot carries, in MB/s, and the largest
// card that it takes, in GB.
func (c *crawl) slot(path, text string) (carries, most float64) {
	told := map[string]csvRow{}
	for _, fact := range c.tables["devices"] {
		if path == "/device/"+fact["device"]+"/" {
			told[fact["fact"]] = fact
		}
	}
	unescaped := html.UnescapeString(text) // Hugo writes &#43; for +
	for _, known := range deviceFacts {
		if fact := told[known.key]; fact != nil {
			value := fact["value"]
			if known.key == "games_need" {
				value = catalogue.FormLabel(value)
			}
			shown := fmt.Sprintf("<dt>%s</dt><dd>%s%s <small>", known.label, value, known.unit)
			c.check(strings.Contains(unescaped, shown), path, known.key, "something else", shown)
		}
	}
	if n := strings.Count(text, "<dt>"); n != len(told) {
		c.Errorf("%s: %d facts, and in the data set %d", path, n, len(told))
	}
	if carries = told["bus_mb_per_s"].number("mb_per_s"); carries == 0 {
		carries = told["bus_mode"].number("mb_per_s")
	}
	said := reSaid.FindAllStringSubmatch(reTag.ReplaceAllString(text, ""), -1)
	if carries > 0 && (len(said) == 0 || said[0][3] != "") {
		c.Errorf("%s doesn't say that the slot carries %v MB/s", path, carries)
	}
	for _, m := range said {
		want, more := figure.Figure{Value: carries}, false
		if m[3] != "" {
			owned, some := ownersHighest(text, m[3])
			want.Value, more = max(told["measured_"+m[3]+"_mb_per_s"].number("mb_per_s"), owned), some
		}
		c.check(shows(m[2], want) || more && printed(m[2]) > want.Value, path, m[1], m[2], want)
	}
	return carries, told["max_capacity_gb"].number("value")
}

// ownersHighest returns the highest rate of reads or writes, in MB/s, in the table of what owners measured in a device.
// It takes only rows whose figures are this host's own. more says that the table leaves out rows.
func ownersHighest(text, does string) (mbPerS float64, more bool) {
	column := slices.Index(figure.MainFigures, "seq_"+does+"_mb_per_s")
	_, table, _ := strings.Cut(text, "What owners measured in it")
	for _, row := range strings.Split(table, `<tr><th scope="row">`)[1:] {
		cells := reCell.FindAllStringSubmatch(row, -1)
		if v := printed(cells[column][1]); v > mbPerS && cells[len(figure.MainFigures)+1][2] == "this host" {
			mbPerS = v
		}
	}
	return mbPerS, strings.Contains(table, " are below.</p>")
}

// answers compares the first answers on a page with the rows of a table, of the same or another page.
func (c *crawl) answers(path, of, text string) {
	all := reAnswer.FindAllStringSubmatch(text, -1)
	if n := strings.Count(text, `<li class="unranked">`) + strings.Count(text, `<li value="`); n != len(all) {
		c.Errorf("%s: %d of %d first answers are read", path, len(all), n)
	}
	for i, m := range all {
		row := c.answered[of+" "+m[2]+" "+strings.TrimPrefix(m[5], "measured")]
		ok := row.unit == m[4] && shows(m[3]+m[6], row.score) && (m[1] == "" || printed(m[1]) == row.place.Value)
		c.check(ok, path, "a first answer", m[0], row)
		if tie := reTie.FindStringSubmatch(text); tie != nil && i == 0 {
			c.check(printed(tie[1]) == row.tied, path, "how many may be the best", tie[1], row.tied)
		}
	}
}
