// Package question answers the questions that people have of a module, each by one number that is computed from its
// figures. The questions and their models are data (data/presets.json). The formula that a page shows is made from
// the same data.
package question

import (
	"fmt"
	"math"

	"flashdex/api/figure"
)

// Directions of a score.
const (
	Higher = "higher" // is better
	Lower  = "lower"  // is better
)

// Question is one question and the model that computes its answer.
type Question struct {
	Key         string   `json:"key"`      // slug
	Text        string   `json:"question"` // as people ask it
	Explanation string   `json:"explanation"`
	Forms       []string `json:"forms"`     // of catalogue.Forms, that the question is about
	Formula     string   `json:"formula"`   // as one reads it
	Unit        string   `json:"unit"`      // of the score: "s", "MB/s", "IOPS per EUR"
	Direction   string   `json:"direction"` // Higher or Lower
	Figures     []string `json:"figures"`   // of figure.FigureKeys, that the score is made of
	Steps       []Step   `json:"steps"`     // rising, from 0 on; may be empty
	Sources     []string `json:"sources"`   // addresses; what has none in them is our assumption, and Explanation says so

	model model
}

// Step describes what scores from AtLeast on are good for.
type Step struct {
	AtLeast float64 `json:"at_least"`
	Means   string  `json:"means"`
}

// model computes a score from figures and prices by currency.
type model interface {
	check() error
	describe(q *Question) // sets Formula, Unit, Direction and Figures
	score(figures figure.Set, prices map[string]float64) (figure.Figure, string)
}

// Score computes the score of a module from its figures and its prices by currency ("EUR"). The interval of the score
// is conservative: its ends take all figures at their bad ends, and all at their good ends. If ok is false there is
// no score, and reason says why in words.
func (p Question) Score(figures figure.Set, prices map[string]float64) (value figure.Figure, reason string, ok bool) {
	value, reason = p.model.score(figures, prices)
	return value, reason, reason == ""
}

// Meaning returns what a score is good for: the last of p.Steps that it reaches, or "" if p has none.
func (p Question) Meaning(s figure.Figure) string {
	meaning := ""
	for _, step := range p.Steps {
		if s.Value >= step.AtLeast {
			meaning = step.Means
		}
	}
	return meaning
}

// divisor returns a figure that one can divide by, or the reason why there is none. It drops an interval that is not
// above zero or does not contain the value.
func divisor(figures figure.Set, key string) (figure.Figure, string) {
	metric := figure.MetricOf(key)
	m, ok := figures[key]
	if !ok {
		return m, fmt.Sprintf("the %s was not measured", metric.Name)
	}
	if !(m.Value > 0) || math.IsInf(m.Value, 0) {
		return m, fmt.Sprintf("the %s is %v %s", metric.Name, m.Value, metric.Unit)
	}
	if low, high := m.Ends(); !(low > 0 && low <= m.Value && m.Value <= high) || math.IsInf(high, 0) {
		m.Low, m.High = nil, nil
	}
	return m, ""
}
