package publish

import (
	"fmt"
	"slices"
	"strings"

	"flashdex/api/catalogue"
	"flashdex/api/figure/question"
	"flashdex/api/page"
	"flashdex/api/ranking"
	"flashdex/result"
)

// answered is the file of a question's page. Of more rows than a page holds it has the first; the API has all.
type answered struct {
	question.Question
	Sections  []section[tableRow] // one for each method, uploads first
	Width     int                 // columns of the table
	HasPrices bool                // whether the table has a column of prices
	Measured  bool                // whether uploads answer the question
	Best      []bestAnswer        // at most three, of all Ranked modules
	Tied      string              // how many may be the best, if several
	LeftOut   []leftOut

	Ranked, LeftOutTotal, LeftOutPublished int
}

// bestAnswer is one of the first answers to a question.
type bestAnswer struct {
	Slug, Name string
	Rank       int
	Score      string
}

// leftOut is a measured module that a question has no number for.
type leftOut struct{ Slug, Name, Reason string }

// writeQuestions writes the answers to all questions.
func (s *site) writeQuestions() (pages []dataPage, err error) {
	for _, q := range s.questions {
		p := dataPage{Path: "/for/" + q.Key + "/", Title: q.Text, File: "questions/" + q.Key + ".json"}
		text, err := encode(p.File, s.answer(q))
		if err != nil {
			return nil, err
		}
		s.reuse.keeps(p.Path, hashOf(text))
		if err := s.writeText(p.File, text); err != nil { // also for the overview of the questions
			return nil, err
		}
		pages = append(pages, p)
	}
	s.index.Questions = pages
	return pages, nil
}

// answer answers a question by uploads and by published figures, and lists the measured modules that it leaves out.
func (s *site) answer(q question.Question) answered {
	a := answered{Question: q, Sections: []section[tableRow]{}, Best: []bestAnswer{}, LeftOut: []leftOut{}}
	var uploads, published []section[ranking.Answer]
	for _, m := range s.catalogue.Methods {
		ranked, listed := emptySections[ranking.Answer](m, false)
		for _, row := range ranking.Answers(q, s.rows[m.ID]) {
			switch {
			case row.LeftOut != "" && ranked.Published:
				a.LeftOutPublished++
			case row.LeftOut != "":
				a.LeftOut = append(a.LeftOut, leftOut{row.Module.Slug, row.Name(), row.LeftOut})
			case row.Note != "":
				listed.Rows = append(listed.Rows, row)
			default:
				ranked.Rows = append(ranked.Rows, row)
			}
		}
		to := &uploads
		if ranked.Published {
			if to = &published; m.ID != catalogue.MethodExpected {
				ranked.Label = "Published: " + ranked.Label
			}
		}
		for _, sec := range []section[ranking.Answer]{ranked, listed} {
			if len(sec.Rows) > 0 {
				*to = append(*to, sec)
			}
		}
	}
	a.Measured, a.LeftOutTotal = len(uploads) > 0, len(a.LeftOut)
	a.LeftOut = a.LeftOut[:min(len(a.LeftOut), s.pageRows)]
	sections := paginate(append(uploads, published...), s.pageRows)[0]
	for i, sec := range sections {
		a.HasPrices = a.HasPrices || slices.ContainsFunc(sec.Rows, func(r ranking.Answer) bool { return len(r.Prices) > 0 })
		if i == 0 {
			a.addBest(sec.Rows)
		}
	}
	for _, sec := range sections {
		a.Sections = append(a.Sections, convert(sec, func(r ranking.Answer) tableRow {
			row := s.tableRow(r.Row, r.Place, a.cells(r))
			a.Width, row.MoreSources = 3+len(row.Cells), 0 // beside the rank, the module and the source
			return row
		}))
	}
	return a
}

// addBest notes the best of the first section's answers.
func (a *answered) addBest(rows []ranking.Answer) {
	for _, r := range rows {
		if r.Place.First == 0 {
			continue
		}
		if a.Ranked == 0 && r.Place.Last > 1 {
			a.Tied = result.Count(r.Place.Last)
		}
		if a.Ranked++; a.Ranked <= 3 {
			a.Best = append(a.Best, bestAnswer{r.Module.Slug, r.Name(), r.Place.First, result.Number(r.Score.Value)})
		}
	}
}

// cells are the score, its meaning, the price and the figures behind the score.
func (a *answered) cells(r ranking.Answer) []page.Cell {
	r.Score.N, r.Score.Confidence = 0, 0
	score := page.CellOf("number score", r.Score)
	score.Sort = page.Sortable(r.Score.Value)
	cells := []page.Cell{score}
	if len(a.Steps) > 0 {
		cells = append(cells, page.Cell{Class: "medium", Value: r.Meaning, Sort: score.Sort})
	}
	if a.HasPrices {
		var prices []string
		for _, p := range r.Prices {
			prices = append(prices, fmt.Sprintf("%s %.2f", p.Currency, p.Amount))
		}
		cells = append(cells, page.Cell{Class: "number", Value: strings.Join(prices, ", ")})
	}
	return append(cells, figureCells(a.Figures, r.Figures)...)
}
