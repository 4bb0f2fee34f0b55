// Package question answers the questions that people have of a module, each by one number that is computed from its
// figures. The questions and their models are data (data/presets.json). The formula that a page shows is made from
// the same data.
package question

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"flashdex/api/catalogue"
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

// Score computes the score of a module from its figures and its prices by currency ("EUR"). The interval of the score
// is conservative: its ends take all figures at their bad ends, and all at their good ends. If ok is false there is
// no score, and reason says why in words.
func (q Question) Score(figures figure.Set, prices map[string]float64) (value figure.Figure, reason string, ok bool) {
	value, reason = q.model.score(figures, prices)
	return value, reason, reason == ""
}

// Meaning returns what a score is good for: the last of q.Steps that it reaches, or "" if q has none.
func (q Question) Meaning(s figure.Figure) string {
	meaning := ""
	for _, step := range q.Steps {
		if s.Value >= step.AtLeast {
			meaning = step.Means
		}
	}
	return meaning
}

const file = "presets.json"

// entry is one question as presets.json has it, with exactly one model, which computes what the entry must not have.
type entry struct {
	Question
	Time     *duration `json:"time"`
	Sure     *sure     `json:"sure"`
	PerPrice *perPrice `json:"per_price"`
}

// Load reads and checks presets.json in data/, given as a file system rooted there. It returns the questions in the
// order of the file. An error names the question.
func Load(fsys fs.FS) ([]Question, error) {
	text, err := fs.ReadFile(fsys, file)
	if err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	var entries []entry
	if err := d.Decode(&entries); err != nil {
		return nil, fmt.Errorf("%s:%d: %w", file, 1+bytes.Count(text[:d.InputOffset()], []byte("\n")), err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: there is something behind the list", file)
	}
	var questions []Question
	for i, e := range entries {
		err := e.complete()
		if err == nil && slices.ContainsFunc(questions, func(o Question) bool { return o.Key == e.Key }) {
			err = errors.New("the key is taken")
		}
		if err != nil {
			return nil, fmt.Errorf("%s: preset %d, %q: %w", file, i+1, e.Key, err)
		}
		questions = append(questions, e.Question)
	}
	return questions, nil
}

var reKey = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// complete checks an entry and computes the rest of its question.
func (e *entry) complete() error {
	var models []model
	if e.Time != nil {
		models = append(models, e.Time)
	}
	if e.Sure != nil {
		models = append(models, e.Sure)
	}
	if e.PerPrice != nil {
		models = append(models, e.PerPrice)
	}
	switch {
	case len(models) != 1:
		return fmt.Errorf("it has %d of time, sure and per_price, want one", len(models))
	case e.Formula+e.Unit+e.Direction != "" || e.Figures != nil:
		return errors.New("formula, unit, direction and figures follow from the model")
	case !reKey.MatchString(e.Key):
		return errors.New("the key is not a-z, 0-9 and single hyphens")
	case strings.TrimSpace(e.Text) == "" || strings.TrimSpace(e.Explanation) == "":
		return errors.New("the question or its explanation is empty")
	case len(e.Forms) == 0:
		return errors.New("it is about no form")
	}
	for i, form := range e.Forms {
		if !slices.Contains(catalogue.Forms, form) || slices.Contains(e.Forms[:i], form) {
			return fmt.Errorf("form %q is there twice, or none of %s", form, strings.Join(catalogue.Forms, ", "))
		}
	}
	for _, source := range e.Sources {
		if u, err := url.Parse(source); err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
			return fmt.Errorf("source %q is no address on the web", source)
		}
	}
	e.model = models[0]
	if err := e.model.describe(&e.Question); err != nil {
		return err
	}
	for i, s := range e.Steps { // they begin at 0 and rise, so that every score has a meaning
		switch {
		case e.Direction != Higher:
			return errors.New("steps are for scores of which more is better")
		case i == 0 && s.AtLeast != 0, i > 0 && s.AtLeast <= e.Steps[i-1].AtLeast:
			return fmt.Errorf("step %d: the steps must begin with 0 and rise", i+1)
		case strings.TrimSpace(s.Means) == "":
			return fmt.Errorf("step %d means nothing", i+1)
		}
	}
	return nil
}
