package publish

import (
	"fmt"
	"strings"

	"flashdex/api/figure/question"
	"flashdex/api/page"
	"flashdex/api/ranking"
	"flashdex/result"
)

// presetPage is where the answer to one question stands.
type presetPage struct {
	Path     string `json:"path"`
	Key      string `json:"key"`
	Question string `json:"question"`
	File     string `json:"file"`
}

// presetContent is the file of a question's page. Of more rows than a page holds it has the first; the API has all.
type presetContent struct {
	question.Question
	Sections         []section[tableRow] `json:"sections"`   // one for each method, uploads first
	Width            int                 `json:"width"`      // columns of the table
	HasPrices        bool                `json:"has_prices"` // whether the table has a column of prices
	Measured         bool                `json:"measured"`   // whether uploads answer the question
	Best             []bestAnswer        `json:"best"`       // at most three, of all ranked modules
	Ranked           int                 `json:"ranked"`
	Tied             string              `json:"tied,omitempty"` // how many may be the best, if several
	LeftOut          []leftOut           `json:"left_out"`
	LeftOutTotal     int                 `json:"left_out_total"`
	LeftOutPublished int                 `json:"left_out_published"`
}

// bestAnswer is one of the first answers to a question.
type bestAnswer struct {
	Slug  string `json:"slug"`
	Name  string `json:"name"`
	Rank  int    `json:"rank"`
	Score string `json:"score"`
}

// leftOut is a measured module that a preset has no number for.
type leftOut struct {
	Slug   string `json:"slug"`
	Name   string `json:"name"`
	Reason string `json:"reason"`
}

// writePresets writes the answers to all questions.
func (s *site) writePresets() ([]presetPage, error) {
	pages := []presetPage{}
	for _, p := range s.presets {
		page := presetPage{Path: "/for/" + p.Key + "/", Key: p.Key, Question: p.Text, File: "presets/" + p.Key + ".json"}
		text, err := encode(page.File, s.preset(p))
		if err != nil {
			return nil, err
		}
		s.reuse.keeps(page.Path, hashOf(text))
		if err := s.writeText(page.File, text); err != nil { // the overview of the questions reads it, too
			return nil, err
		}
		pages = append(pages, page)
	}
	return pages, nil
}

// preset answers a question by the uploads and by published figures, and lists which measured modules it leaves out.
func (s *site) preset(p question.Question) presetContent {
	answers := presetContent{Question: p, Best: []bestAnswer{}, LeftOut: []leftOut{}}
	var uploads, published []section[ranking.Answer]
	for _, m := range s.catalogue.Methods {
		ranked, listed := emptySections[ranking.Answer](m, false)
		for _, a := range ranking.Answers(p, s.rows[m.ID]) {
			switch {
			case a.LeftOut != "" && ranked.Published:
				answers.LeftOutPublished++
			case a.LeftOut != "":
				answers.LeftOut = append(answers.LeftOut, leftOut{a.Module.Slug, a.Name(), a.LeftOut})
			case a.Note != "":
				listed.Rows = append(listed.Rows, a)
			default:
				ranked.Rows = append(ranked.Rows, a)
			}
		}
		to := &uploads
		if ranked.Published {
			ranked.Label, to = "Published: "+ranked.Label, &published
		}
		for _, sec := range []section[ranking.Answer]{ranked, listed} {
			if len(sec.Rows) > 0 {
				*to = append(*to, sec)
			}
		}
	}
	answers.Measured, answers.LeftOutTotal = len(uploads) > 0, len(answers.LeftOut)
	answers.LeftOut = answers.LeftOut[:min(len(answers.LeftOut), s.pageRows)]
	sections := paginate(append(uploads, published...), s.pageRows)[0]
	if len(sections) > 0 {
		answers.addBest(sections[0].Rows)
	}
	s.fillPreset(&answers, sections)
	return answers
}

// addBest notes the best of the first section's answers.
func (answers *presetContent) addBest(rows []ranking.Answer) {
	for _, a := range rows {
		if a.Place.First == 0 {
			continue
		}
		if answers.Ranked == 0 && a.Place.Last > 1 {
			answers.Tied = result.Count(a.Place.Last)
		}
		if answers.Ranked++; answers.Ranked <= 3 {
			answers.Best = append(answers.Best, bestAnswer{a.Module.Slug, a.Name(), a.Place.First, result.Number(a.Score.Value)})
		}
	}
}

// fillPreset adds the rows of sections. Each begins with the score, what it is good for and the price.
func (s *site) fillPreset(answers *presetContent, sections []section[ranking.Answer]) {
	for _, sec := range sections {
		for _, a := range sec.Rows {
			answers.HasPrices = answers.HasPrices || len(a.Prices) > 0
		}
	}
	answers.Sections = []section[tableRow]{}
	for _, sec := range sections {
		shown := section[tableRow]{sec.Method, sec.Label, sec.Published, sec.Note, []tableRow{}}
		for _, a := range sec.Rows {
			score := page.Cell{Class: "number score", Value: result.Number(a.Score.Value), Sort: page.Sortable(a.Score.Value)}
			if a.Score.Low != nil && a.Score.High != nil {
				score.Interval = page.Interval(*a.Score.Low, *a.Score.High)
			}
			cells := []page.Cell{score}
			if len(answers.Steps) > 0 {
				cells = append(cells, page.Cell{Class: "medium", Value: a.Meaning, Sort: score.Sort})
			}
			if answers.HasPrices {
				var prices []string
				for _, price := range a.Prices {
					prices = append(prices, fmt.Sprintf("%s %.2f", price.Currency, price.Amount))
				}
				cells = append(cells, page.Cell{Class: "number", Value: strings.Join(prices, ", ")})
			}
			cells = append(cells, figureCells(answers.Figures, a.Figures)...)
			answers.Width = 3 + len(cells) // with the rank, the module and the source
			row := s.tableRow(a.Row, a.Place, cells)
			row.MoreSources = 0
			shown.Rows = append(shown.Rows, row)
		}
		answers.Sections = append(answers.Sections, shown)
	}
}
