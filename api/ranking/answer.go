package ranking

import (
	"cmp"
	"slices"

	"flashdex/api/figure"
	"flashdex/api/figure/question"
)

// Answer is the answer to a question for one row.
type Answer struct {
	*Row
	Score   figure.Figure
	Fails   string // how the module is known to fail; empty: it isn't
	LeftOut string // why it has no score, or that it fails; empty: neither
	Place   Place  // by the score
}

// Answers answers a question for rows of one method, if their form is one that the question is about. Modules that
// answer it come first, best first. Modules without a score, and modules that are known to fail at it, follow by name.
// A row with a Note has no place. Nor has a row of published figures, which may describe modules that are no longer
// sold. Rows of expected figures have places among themselves, unless the score is only a lower end. No published
// figure says how long a module stands still, so a question's limit applies only to uploads.
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
		a.Fails = cmp.Or(p.WornOut(r.FirstErrors, r.Module.CapacityGB), p.FallsBehind(a.Score.Value, r.FellBehind))
		a.LeftOut = cmp.Or(a.Fails, a.LeftOut)
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
