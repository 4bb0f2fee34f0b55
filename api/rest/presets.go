package rest

import (
	"net/http"
	"slices"

	"flashdex/api/figure"
	"flashdex/api/figure/question"
	"flashdex/api/problem"
	"flashdex/api/ranking"
	"flashdex/result"

	"github.com/go-chi/chi/v5"
)

// presetHead is a question without its answers.
type presetHead struct {
	Key  string `json:"key"` // this and the next come before the URL
	Text string `json:"question"`
	URL  string `json:"url"` // the page with the answer
	question.Question
}

func (s *server) question(r *http.Request, p question.Question) presetHead {
	p.Steps, p.Sources = append([]question.Step{}, p.Steps...), append([]string{}, p.Sources...)
	return presetHead{p.Key, p.Text, s.baseURL(r) + "/for/" + p.Key + "/", p}
}

// answeredModule is a module with its score, or why it has none.
type answeredModule struct {
	module
	Rank     int            `json:"rank,omitempty"`
	RankTo   int            `json:"rank_to,omitempty"`
	RankNote string         `json:"rank_note,omitempty"`
	Score    *figure.Figure `json:"score,omitempty"`
	Meaning  string         `json:"meaning,omitempty"`
	LeftOut  string         `json:"left_out,omitempty"`
	Figures  figure.Set     `json:"figures"` // in the formula
	Prices   []price        `json:"prices,omitempty"`
	Sources  []string       `json:"sources"`
}

func (s *server) listPresets(r *http.Request, _ *table) (any, error) {
	answer := struct {
		Presets []presetHead `json:"presets"`
	}{[]presetHead{}}
	for _, p := range s.Presets {
		answer.Presets = append(answer.Presets, s.question(r, p))
	}
	return answer, nil
}

// getPreset answers a question with the modules measured by one method, best first. Modules left out come last.
func (s *server) getPreset(r *http.Request, t *table) (any, error) {
	at := slices.IndexFunc(s.Presets, func(p question.Question) bool { return p.Key == chi.URLParam(r, "key") })
	if at < 0 {
		return nil, problem.New(problem.NotFound, "There is no such question. /v1/presets lists them.")
	}
	p := s.Presets[at]
	query := parametersOf(r, "method", "limit", "after")
	method := s.method(query, result.MethodFlashdex1)
	var rows []*ranking.Row
	for _, placed := range t.order[order{method, figure.RandWriteIOPS}] {
		rows = append(rows, placed.Row)
	}
	slug, all := func(a ranking.Answer) string { return a.Module.Slug }, func(ranking.Answer) bool { return true }
	answers, more := following(query, ranking.Answers(p, rows), slug, all)
	if query.err != nil {
		return nil, query.err
	}
	answer := struct {
		Generation int64 `json:"generation"`
		presetHead
		Method  string           `json:"method"`
		Modules []answeredModule `json:"modules"`
		After   string           `json:"after,omitempty"` // to go on with, as ?after=
	}{t.generation, s.question(r, p), method, []answeredModule{}, more}
	for _, a := range answers {
		m := answeredModule{
			module: s.describe(r, a.Module), Rank: a.Place.First, RankTo: a.Place.Last, RankNote: a.Note,
			Meaning: a.Meaning, LeftOut: a.LeftOut, Figures: figure.Set{},
			Prices: pricesOf(a.Module, a.Prices), Sources: append([]string{}, a.Sources...),
		}
		if a.LeftOut == "" {
			m.Score = &a.Score
		}
		for _, key := range p.Figures {
			if f, ok := a.Figures[key]; ok {
				m.Figures[key] = f
			}
		}
		answer.Modules = append(answer.Modules, m)
	}
	return answer, nil
}
