// Package question answers the questions that people have of a module, each by one number that is computed from its
// figures. The questions and their formulas are data (data/presets.json); the formula that a page shows is made from
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

// Question is a question and how its number is computed.
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

// Step is what a score is good for, from a value on.
type Step struct {
	AtLeast float64 `json:"at_least"`
	Means   string  `json:"means"`
}

// model is one way of making a number of figures.
type model interface {
	check() error
	formula() string
	unit() string
	direction() string
	figures() []string
	score(figures figure.Set, prices map[string]float64) (figure.Figure, string)
}

// Score computes the number of a module by its figures, keyed as figure.FigureKeys, and its prices by currency
// ("EUR"). Its interval is conservative: all figures at their bad ends, and all at their good ones. ok is false where
// there is no number, and reason says why in words.
func (p Question) Score(figures figure.Set, prices map[string]float64) (value figure.Figure, reason string, ok bool) {
	value, reason = p.model.score(figures, prices)
	return value, reason, reason == ""
}

// Meaning is what a score is good for: the last of p.Steps that it reaches, or "" where p has none.
func (p Question) Meaning(s figure.Figure) string {
	meaning := ""
	for _, step := range p.Steps {
		if s.Value >= step.AtLeast {
			meaning = step.Means
		}
	}
	return meaning
}

// divisor finds a figure that one can divide by, or says why there is none. An interval that doesn't lie around the
// value, above zero, is dropped.
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
