// Package question answers people's questions about a module, each with one number that is computed from the module's
// figures. The questions and their models are data (data/presets.json). The formula that a page shows is made from the
// same data.
package question

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"

	"flashdex/api/figure"
	"flashdex/result"
)

// Directions of a score.
const (
	Higher = "higher" // is better
	Lower  = "lower"  // is better
)

// Question is one question and the model that computes its answer.
type Question struct {
	Key         string   `json:"key"`         // slug
	Text        string   `json:"question"`    // as people ask it
	Use         string   `json:"use"`         // what a module is used for, as in "good for a small database"
	Summary     string   `json:"summary"`     // what the score stands for, in a sentence
	Explanation string   `json:"explanation"` // what is assumed
	Forms       []string `json:"forms"`       // of catalogue.Forms: the forms that the question is about
	Formula     string   `json:"formula"`     // as readers see it
	Unit        string   `json:"unit"`        // of the score: "s", "MB/s", "IOPS per EUR"
	Direction   string   `json:"direction"`   // Higher or Lower
	Figures     []string `json:"figures"`     // of figure.FigureKeys: what the score is computed from
	Steps       []Step   `json:"steps"`       // rising, from 0 on; may be empty
	Sources     []string `json:"sources"`     // addresses; the rest is assumed, and Explanation says so

	Currency string `json:"-"` // of the price in the formula, ISO 4217; empty: there is none

	model model
	bus   float64 // linear rates count up to this, in MB/s; 0: no limit
}

// Step describes what scores from AtLeast on are good for.
type Step struct {
	AtLeast float64 `json:"at_least"`
	Means   string  `json:"means"`
}

// Score computes the score of a module from its figures and its prices by currency ("EUR"). The interval of the score
// is conservative: its ends take all figures at their bad ends, and all at their good ends. If ok is false there is
// no score, and reason says why in words.
func (q Question) Score(figures figure.Set, prices map[string]float64) (value figure.Figure, reason string, ok bool) {
	if q.bus > 0 {
		figures = figures.Through(q.bus)
	}
	value, reason = q.model.score(figures, prices)
	return value, reason, reason == ""
}

// In returns q by prices in a currency, ISO 4217: none is ever converted. A question without a price has no currency.
func (q Question) In(currency string) Question {
	switch m := q.model.(type) {
	case *perPrice:
		q.model = &perPrice{m.Figure, currency}
	case *cheapest:
		q.model = &cheapest{m.Figure, m.AtLeast, currency}
	default:
		return q
	}
	q.model.describe(&q)
	return q
}

// Through returns q for a slot whose bus carries at most limit, in MB/s; 0: nobody knows. Linear rates count only up to
// the limit.
func (q Question) Through(limit float64) Question {
	q.bus = limit
	return q
}

// Unlimited returns q without its limit, and whether it has one.
func (q Question) Unlimited() (unlimited Question, limited bool) {
	d, ok := q.model.(*duration)
	if !ok || d.Limit == nil {
		return q, false
	}
	q.model = &duration{Work: d.Work}
	return q, true
}

// Limit returns the figure that a module may have at most, and its limit, or else q leaves the module out.
func (q Question) Limit() (key string, atMost float64, ok bool) {
	d, isTime := q.model.(*duration)
	if !isTime || d.Limit == nil {
		return "", 0, false
	}
	return d.Limit.Figure, d.Limit.AtMost, true
}

// WornOut says that two units of a module had their first error within the writes of q's days; empty: nobody knows
// that. rounds says how often single units were written full without an error. A write costs a module at least the
// 4,096 bytes that it holds, and no module spreads writes better than evenly. So nobody needs to know what the module
// does inside.
func (q Question) WornOut(rounds []int, capacityGB float64) (reason string) {
	d, isTime := q.model.(*duration)
	if !isTime || capacityGB == 0 || len(rounds) < 2 {
		return ""
	}
	writes := 0.0
	for _, w := range d.Work {
		if w.Figure == figure.RandWriteIOPS {
			writes += d.Days * w.Amount
		}
	}
	by, takes := slices.Sorted(slices.Values(rounds))[1]+1, writes*4096/(capacityGB*1e9)
	if float64(by) > takes {
		return ""
	}
	return fmt.Sprintf("two units had their first error by round %s of being written full, and the writes of %s days "+
		"take %s", result.Count(by), result.Count(int(d.Days)), result.Number(takes))
}

// FallsBehind says that a module fell behind a recording of mbPerS although its score reaches a step that begins there
// or above; empty: it reaches no such step, or no recording is known (0).
func (q Question) FallsBehind(score, mbPerS float64) (reason string) {
	for _, step := range q.Steps {
		if mbPerS > 0 && mbPerS <= step.AtLeast && step.AtLeast <= score && q.Unit == "MB/s" {
			return fmt.Sprintf("it fell behind a recording of %s MB/s", result.Number(mbPerS))
		}
	}
	return ""
}

// Only returns the part of q's work that depends on the rates of these figures, without q's limit. ok is false if q has
// no such work.
func (q Question) Only(keys ...string) (part Question, ok bool) {
	d, isTime := q.model.(*duration)
	if !isTime {
		return q, false
	}
	of := new(duration)
	q.Figures = nil
	for _, w := range d.Work {
		if slices.Contains(keys, w.Figure) {
			of.Work, q.Figures = append(of.Work, w), append(q.Figures, w.Figure)
		}
	}
	q.model = of
	return q, len(of.Work) > 0
}

// Meaning returns what a score is good for: the last of q.Steps that it reaches, or "" if q has none.
func (q Question) Meaning(score float64) string {
	meaning := ""
	for _, step := range q.Steps {
		if score >= step.AtLeast {
			meaning = step.Means
		}
	}
	return meaning
}

const file = "presets.json"

// entry is one question as presets.json has it, with exactly one model.
type entry struct {
	Question
	Time     *duration `json:"time"`
	Sure     *sure     `json:"sure"`
	PerPrice *perPrice `json:"per_price"`
	Cheapest *cheapest `json:"cheapest"`
}

// Load reads presets.json in data/, given as a file system rooted there. It returns the questions in the order of the
// file. The data are part of the program, so only tests check what Load trusts.
func Load(fsys fs.FS) ([]Question, error) {
	text, err := fs.ReadFile(fsys, file)
	if err != nil {
		return nil, err
	}
	var entries []entry
	if err := json.Unmarshal(text, &entries); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	var questions []Question
	for _, e := range entries {
		switch {
		case e.Time != nil:
			e.model = e.Time
		case e.Sure != nil:
			e.model = e.Sure
		case e.Cheapest != nil:
			e.model = e.Cheapest
		default:
			e.model = e.PerPrice
		}
		e.model.describe(&e.Question)
		questions = append(questions, e.Question)
	}
	return questions, nil
}
