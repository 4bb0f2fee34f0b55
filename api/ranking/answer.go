package ranking

import (
	"cmp"
	"slices"

	"flashdex/api/figure"
	"flashdex/api/figure/question"
)

// Answer is the answer to a question for one row.
type Answer struct {
	Row
	Score   figure.Figure
	Meaning string // what the score is good for; may be empty
	LeftOut string // why there is no score; empty: there is one
	Place   Place  // by the score
}

// Answers answers a question for the rows, all of one method, of the forms that it is about. Modules with a score
// come first, best first, then the others by name. A row with a Note has no place, nor has a row of published
// figures, which describe what was once sold.
func Answers(p question.Question, rows []Row) []Answer {
	var answers []Answer
	for _, r := range rows {
		if r.Reference != "" || !slices.Contains(p.Forms, r.Module.Form) {
			continue
		}
		a := Answer{Row: r}
		var ok bool
		if a.Score, a.LeftOut, ok = p.Score(r.Figures, pricesOf(r)); ok {
			a.Meaning = p.Meaning(a.Score)
		} else if len(r.Figures) == 0 {
			a.LeftOut = r.Note
		}
		answers = append(answers, a)
	}
	slices.SortFunc(answers, func(a, b Answer) int {
		if scored := a.LeftOut == ""; scored != (b.LeftOut == "") {
			if scored {
				return -1
			}
			return 1
		}
		x, y := a.Score.Value, b.Score.Value
		if p.Direction == question.Higher {
			x, y = y, x
		}
		if order := cmp.Compare(x, y); order != 0 {
			return order // without building names, which takes longer than all else here
		}
		return cmp.Or(cmp.Compare(a.Name(), b.Name()), cmp.Compare(a.Module.Slug, b.Module.Slug))
	})
	spans := make([]span, len(answers))
	for i, a := range answers {
		if a.LeftOut == "" && a.Note == "" && len(a.Sources) == 0 {
			spans[i] = spanOf(a.Score, p.Direction == question.Lower)
		}
	}
	for i, place := range placesOf(spans) {
		answers[i].Place = place
	}
	return answers
}

func pricesOf(r Row) map[string]float64 {
	prices := map[string]float64{}
	for _, p := range r.Prices {
		prices[p.Currency] = p.Amount
	}
	return prices
}
