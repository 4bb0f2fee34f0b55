package publish

import (
	"fmt"
	"slices"
	"strings"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/figure/question"
	"flashdex/api/page"
	"flashdex/api/ranking"
	"flashdex/result"
)

// answered is the data of a question's page. It holds at most a page of rows; the API has all.
type answered struct {
	question.Question
	choices
	Sections []section[tableRow] // one for each method: uploads, expected, published; then the same for other forms
	Width    int                 // columns of the table
	Extra    []extraColumn       `json:",omitempty"` // after the figures of the formula
	Best     []bestAnswer        // at most three, in the order of Sections, of the question's forms
	Tied     string              // how many in the first one's section may be the best, if more than one
	Ahead    bool                // no other interval reaches the first one's
	LeftOut  []leftOut
	Needs    []string `json:",omitempty"` // what must be known of a module for an answer; nil if there are answers
	Few      int      `json:",omitempty"` // how many modules it is known of, if they are too few for a choice

	Ranked, LeftOutTotal, LeftOutPublished int // Ranked: uploads alone
}

// bestAnswer is one of a question's first answers.
type bestAnswer struct {
	Slug, Name      string
	Rank            int    `json:",omitempty"` // among uploads
	Score, Interval string `json:",omitempty"`
	Unit            string
	Origin          string // ranking.Measured ...
}

// bestAnswers is how many of a question's answers the home page shows.
const bestAnswers = 3

// otherForms begins the label of a section of modules whose form doesn't fit the question's device.
const otherForms = "Other forms: "

// leftOut is a module that doesn't answer a question, and why.
type leftOut struct{ Slug, Name, Reason string }

// questionPage is a question's page, with a page for each form that answers it.
type questionPage struct {
	dataPage
	Forms []formPage `json:",omitempty"`
}

// formPage is the page of a question's answers of one form.
type formPage struct{ Form, Path string }

// cards are what people who look for a module of a form call it.
var cards = map[string]string{
	"sd": "SD card", "microsd": "microSD card", "sdexpress": "SD Express card", "cf": "CF card",
	"usb": "USB stick", "emmc": "eMMC module",
}

// writeQuestions writes the answers to all questions.
func (s *site) writeQuestions() (pages []dataPage, err error) {
	for _, q := range s.questions {
		p := dataPage{Path: "/for/" + q.Key + "/", Title: q.Text, File: "questions/" + q.Key + ".json"}
		a := s.answer(q)
		text, err := encode(p.File, a)
		if err != nil {
			return nil, err
		}
		s.reuse.keeps(p.Path, hashOf(text))
		if err := s.writeText(p.File, text); err != nil { // the overview of the questions reads it too
			return nil, err
		}
		if err := s.drawQuestion(p.Path, &a); err != nil {
			return nil, err
		}
		of := questionPage{dataPage: p}
		pages = append(pages, p)
		for _, form := range q.Forms {
			a := s.answerOfForm(q, form)
			if len(q.Forms) == 1 || len(a.Sections) == 0 {
				continue
			}
			p := dataPage{Path: p.Path + form + "/", Title: a.Text, File: "questions/" + q.Key + "-" + form + ".json"}
			if err := s.writePage(p, a); err != nil {
				return nil, err
			}
			if err := s.drawQuestion(p.Path, &a); err != nil {
				return nil, err
			}
			of.Forms, pages = append(of.Forms, formPage{form, p.Path}), append(pages, p)
		}
		s.index.Questions = append(s.index.Questions, of)
	}
	return pages, nil
}

// drawQuestion draws the picture of a question's page, unless the page is kept.
func (s *site) drawQuestion(path string, a *answered) error {
	if s.reuse.kept[path] {
		return nil
	}
	return s.writePicture(path, questionPicture(a))
}

// answerOfForm answers a question with modules of one form. The answer has no sections if no such module answers it.
func (s *site) answerOfForm(q question.Question, form string) answered {
	q.Text, q.Forms = strings.Replace(q.Text, "card", cards[form], 1), []string{form}
	a := answered{Question: q, Sections: []section[tableRow]{}, Best: []bestAnswer{}}
	sections := s.answersFor(q, 0)
	s.show(&a, sections)
	a.addBest(sections)
	return a
}

// answer answers a question by uploads, by expected figures and by published figures. It lists the measured modules
// that it leaves out, and all modules that are known to fail. Modules of other forms, which don't fit the question's
// device, come last.
func (s *site) answer(q question.Question) answered {
	a := answered{Question: q, Sections: []section[tableRow]{}, Best: []bestAnswer{}, LeftOut: []leftOut{}}
	listed := map[leftOut]bool{}
	sections := s.answers(q, func(row ranking.Answer) {
		of := leftOut{row.Module.Slug, row.Name(), row.LeftOut}
		switch {
		case row.Origin() != ranking.Measured && row.Fails == "":
			a.LeftOutPublished++
		case row.Origin() != ranking.Measured && len(s.summaries[moduleMethod{of.Slug, result.MethodFlashdex1}]) > 0,
			result.NeverRanked(row.Method), row.Method == result.MethodDD1: // another row may stand above
		case !listed[of]:
			a.LeftOut, listed[of] = append(a.LeftOut, of), true
		}
	})
	a.LeftOutTotal = len(a.LeftOut)
	a.LeftOut = a.LeftOut[:min(len(a.LeftOut), s.pageRows)]
	others := q
	others.Forms = slices.DeleteFunc(slices.Clone(catalogue.Forms), func(form string) bool {
		return slices.Contains(q.Forms, form)
	})
	fitting := len(sections)
	for _, sec := range s.answers(others, func(ranking.Answer) {}) {
		sec.Label = otherForms + sec.Label
		sections = append(sections, sec)
	}
	s.show(&a, sections)
	a.addBest(sections[:fitting])
	return a
}

// show sets the rows of an answer's table to the first rows of sections, and sets what readers can filter them by. The
// answer takes the first section's currency. show leaves out columns that are empty in all rows.
func (s *site) show(a *answered, sections []section[ranking.Answer]) {
	if len(sections) > 0 {
		sections = paginate(sections, s.pageRows)[0]
		a.Question = a.In(sections[0].Currency)
	}
	a.choices = s.choicesOf(sections)
	a.Extra = slices.DeleteFunc(append(a.Extra, s.extraColumns(a.Key)...), func(c extraColumn) bool {
		return !slices.ContainsFunc(sections, func(sec section[ranking.Answer]) bool {
			return slices.ContainsFunc(sec.Rows, func(r ranking.Answer) bool { return c.cell(r).Value != "" })
		})
	})
	for _, sec := range sections {
		a.Sections = append(a.Sections, convert(sec, func(r ranking.Answer) tableRow {
			row := s.tableRow(r.Row, r.Place, a.cells(r, sec.Currency))
			a.Width, row.MoreSources = 3+len(row.Cells), 0 // beside the rank, the module and the source
			row.chosenBy = s.chosenBy(r.Row, a.choices)
			if origin := r.Origin(); origin != ranking.Measured {
				row.Origin = origin
			}
			return row
		}))
	}
}

// answers returns a section for each method and currency that answers a question: first uploads, then expected figures,
// then published ones. It calls leftOut with the rows that have no score.
func (s *site) answers(q question.Question, leftOut func(ranking.Answer)) []section[ranking.Answer] {
	by := map[string][]section[ranking.Answer]{} // by origin
	_, limited := q.Unlimited()
	for _, m := range s.catalogue.Methods {
		for _, of := range byCurrency(q, s.rows[m.ID]) {
			ranked, listed := emptySections[ranking.Answer](m, false)
			origin := ranking.Measured
			switch {
			case m.ID == catalogue.MethodExpected:
				origin = ranking.Expected
			case ranked.Published:
				origin, ranked.Label = ranking.Published, "Published: "+ranked.Label
			}
			if limited && ranked.Published {
				ranked.Note += " Nothing published tells how long these modules stand still, so the formula’s limit to that " +
					"is left out."
			}
			for _, row := range ranking.Answers(of.Question, of.rows) {
				switch {
				case row.LeftOut != "" && len(row.Prices) > 0 && of.Currency != "" && row.Prices[0].Currency != of.Currency:
					// told by its first currency
				case row.LeftOut != "":
					leftOut(row)
				case row.Note != "":
					listed.Rows = append(listed.Rows, row)
				default:
					ranked.Rows = append(ranked.Rows, row)
				}
			}
			for _, sec := range []section[ranking.Answer]{ranked, listed} {
				if sec.Currency = of.Currency; of.Currency != "" {
					sec.Label += ", prices in " + of.Currency
				}
				if len(sec.Rows) > 0 {
					by[origin] = append(by[origin], sec)
				}
			}
		}
	}
	return slices.Concat(by[ranking.Measured], by[ranking.Expected], by[ranking.Published])
}

// addBest records the first answers: ranked uploads, then expected figures, then published ones. If there are none, it
// records what would have to be known.
func (a *answered) addBest(sections []section[ranking.Answer]) {
	for _, sec := range sections {
		if sec.Currency != sections[0].Currency {
			continue // prices in two currencies can't be compared
		}
		for _, r := range sec.Rows {
			b := bestAnswer{Slug: r.Module.Slug, Name: r.Name(), Origin: r.Origin()}
			if b.Origin == ranking.Measured {
				if r.Place.First == 0 {
					continue
				}
				a.Ranked++
				b.Rank = r.Place.First
			}
			if len(a.Best) == bestAnswers ||
				slices.ContainsFunc(a.Best, func(o bestAnswer) bool { return o.Slug == b.Slug }) {
				continue
			}
			if len(a.Best) == 0 && r.Place.First > 0 {
				low, high := r.Score.Span()
				n := ranking.MayBeBest(sec.Rows, a.Direction == question.Lower)
				if a.Ahead = n == 1 && low < high; n > 1 {
					a.Tied = result.Count(n)
				}
			}
			cell := page.CellOf("", r.Score)
			b.Unit = a.In(sec.Currency).Unit
			b.Score, b.Interval = cell.Value, strings.Replace(cell.Interval, "–", " to ", 1)
			a.Best = append(a.Best, b)
		}
	}
	known := map[string]bool{}
	for _, sec := range sections {
		for _, r := range sec.Rows {
			known[r.Module.Slug] = true
		}
	}
	// If few prices are known, the module that does most for its price may be the slowest of all.
	if a.Currency != "" && a.Direction == question.Higher && len(known) < bestAnswers {
		a.Few, a.Best, a.Ranked, a.Tied, a.Ahead = len(known), []bestAnswer{}, 0, "", false
	}
	if len(a.Best) > 0 {
		return
	}
	for _, key := range a.Figures {
		a.Needs = append(a.Needs, "the "+figure.MetricOf(key).Name)
	}
	if a.Currency != "" {
		a.Needs = append(a.Needs, "a price")
	}
}

// leastUnits returns the number of units behind the figure that has the fewest; 0: nobody knows of any.
func leastUnits(keys []string, figures figure.Set) (least int) {
	for _, key := range keys {
		if f, _ := figures.Find(key); f.N > 0 && (least == 0 || f.N < least) {
			least = f.N
		}
	}
	return least
}

// cells returns the score, its meaning, the price, the figures behind the score, and the extra columns. If the score's
// currency differs from the answer's, the cell shows the score's unit.
func (a *answered) cells(r ranking.Answer, currency string) []page.Cell {
	r.Score.N, r.Score.Confidence = 0, 0
	score := page.CellOf("number score", r.Score)
	score.Sort, score.Behind = page.Sortable(r.Score.Value), r.Origin()
	if n := leastUnits(a.Figures, r.Figures); n > 0 {
		score.Behind += ", n " + result.Count(n)
	}
	if currency != a.Currency {
		score.Value += " " + a.In(currency).Unit
	}
	cells := []page.Cell{score}
	if len(a.Steps) > 0 {
		cells = append(cells, page.Cell{Class: "medium", Value: a.Meaning(r.Score.Value), Sort: score.Sort})
	}
	if len(a.Currencies) > 0 {
		var prices []string
		for _, p := range r.Prices {
			prices = append(prices, fmt.Sprintf("%s %.2f", p.Currency, p.Amount))
		}
		cells = append(cells, page.Cell{Class: "number", Value: strings.Join(prices, ", ")})
	}
	cells = append(cells, figureCells(a.Figures, r.Figures)...)
	for _, extra := range a.Extra {
		cells = append(cells, extra.cell(r))
	}
	return cells
}
