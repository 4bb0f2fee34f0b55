package ranking

import (
	"slices"

	"flashdex/api/figure"
	"flashdex/api/figure/question"
)

// Answer is the answer to a question for one row.
type Answer struct {
	*Row
	Score   figure.Figure
	LeftOut string // why there is no score; empty: there is one
	Place   Place  // by the score
}

// Answers answers a question for the rows, all of one method, of the forms that it is about. Modules with a score
// come first, best first, then the others by name. A row with a Note has no place, nor has a row of published
// figures, which describe modules that were once sold. Rows of expected figures have places among themselves, except
// by a score that is a lower end alone. No published figure tells how long a module stands still, so a question's limit
// holds for uploads alone.
func Answers(p question.Question, rows []*Row) []Answer {
	unlimited, _ := p.Unlimited()
	var answers []Answer
	for _, r := range rows {
		if r.Reference != "" || !slices.Contains(p.Forms, r.Module.Form) {
			continue
		}
		prices := map[string]float64{}
		for _, p := range r.Prices {
			prices[p.Currency] = p.Amount
		}
		a := Answer{Row: r}
		of := p
		if len(r.Sources) > 0 {
			of = unlimited
		}
		var ok bool
		if a.Score, a.LeftOut, ok = of.Score(r.Figures, prices); !ok && r.Figures.Len() == 0 {
			a.LeftOut = r.Note
		}
		answers = append(answers, a)
	}
	lower := p.Direction == question.Lower
	slices.SortFunc(answers, func(a, b Answer) int {
		x, y := order(a.Score.Value, a.LeftOut == "", lower), order(b.Score.Value, b.LeftOut == "", lower)
		return compareRows(a.Row, b.Row, x, y)
	})
	scores := make([]*figure.Figure, len(answers))
	for i, a := range answers {
		placed := len(a.Sources) == 0 || a.expected() && (!a.Score.AtLeast || a.Score.HasInterval())
		if placed && a.LeftOut == "" && a.Note == "" {
			scores[i] = &a.Score
		}
	}
	for i, place := range placesOf(scores, lower) {
		answers[i].Place = place
	}
	return answers
}
