package publish

import (
	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/figure/question"
	"flashdex/api/page"
	"flashdex/api/ranking"
	"flashdex/result"
)

// moduleAnswer is a module's answer to a question: a score, or why the module is left out.
type moduleAnswer struct {
	Path, Question, Use, Score, Unit, Interval, Meaning, Origin, LeftOut string

	Beside []referenceAnswer // what reference devices answer

	verdict verdict
}

// referenceAnswer is what a reference device answers to a question.
type referenceAnswer struct{ Name, Score string }

// answersOf returns a module's answers to the questions about its form: by uploads, else by expected figures, else by
// published figures. It leaves out questions about figures that nobody knows of the module.
func (s *site) answersOf(m catalogue.Module) (answers []moduleAnswer) {
	for _, q := range s.questions {
		for _, origin := range []string{ranking.Measured, ranking.Expected, ranking.Published} {
			if a, ok := s.answerBy(q, m, origin); ok {
				answers = append(answers, a)
				break
			}
		}
	}
	return answers
}

// answerBy returns a module's answer by figures of one origin. ok is false if they don't suffice.
func (s *site) answerBy(q question.Question, m catalogue.Module, origin string) (a moduleAnswer, ok bool) {
	for _, placed := range s.placed[m.Slug] {
		if placed.row.Origin() != origin || result.NeverRanked(placed.method.ID) {
			continue
		}
		asked := byCurrency(q, []*ranking.Row{placed.row})[0]
		unlimited, limited := asked.Unlimited()
		of, whole := ranking.Answers(asked.Question, asked.rows), ranking.Answers(unlimited, asked.rows)
		if len(of) == 0 || of[0].Fails == "" && whole[0].LeftOut != "" {
			continue
		}
		cell, v := page.CellOf("", of[0].Score), verdictOn(asked.Question, of[0], s.catalogue.ReferenceDevices)
		unknown := limited && origin != ranking.Measured || len(q.Steps) > 0 && len(s.recordings[m.Slug]) == 0
		if unknown && (v.word == good || v.word == fine) {
			v.why += "; nobody knows its pauses"
		}
		if origin == ranking.Published && v.word != "" && of[0].Fails == "" {
			v.why += "; published: " + placed.method.Label
		}
		return moduleAnswer{
			Path: "/for/" + q.Key + "/", Question: q.Text, Use: q.Use, Score: cell.Value, Unit: asked.Unit,
			Interval: cell.Interval, Meaning: q.Meaning(of[0].Score.Value), Origin: origin, LeftOut: of[0].LeftOut,
			Beside: s.beside[q.Key], verdict: v,
		}, true
	}
	return moduleAnswer{}, false
}

// referenceAnswers returns the answers of reference devices, in the order of data/reference_devices.json: better
// answers come later.
func (s *site) referenceAnswers(q question.Question) (answers []referenceAnswer) {
	for _, device := range s.catalogue.ReferenceDevices {
		if device.Does == "" {
			continue
		}
		if score, _, ok := q.Score(figure.OfReference(device), nil); ok {
			answers = append(answers, referenceAnswer{device.Name, page.CellOf("", score).Value})
		}
	}
	return answers
}
