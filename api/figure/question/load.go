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
)

const file = "presets.json"

// entry is one question as presets.json has it, with exactly one model.
type entry struct {
	Key         string   `json:"key"`
	Question    string   `json:"question"`
	Explanation string   `json:"explanation"`
	Forms       []string `json:"forms"`
	Steps       []Step   `json:"steps"`
	Sources     []string `json:"sources"`

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
		p, err := e.question()
		if err == nil && slices.ContainsFunc(questions, func(o Question) bool { return o.Key == p.Key }) {
			err = errors.New("the key is taken")
		}
		if err != nil {
			return nil, fmt.Errorf("%s: preset %d, %q: %w", file, i+1, e.Key, err)
		}
		questions = append(questions, p)
	}
	return questions, nil
}

var reKey = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

func (e entry) question() (Question, error) {
	m, err := e.model()
	if err == nil {
		err = errors.Join(e.check(), m.check())
	}
	if err != nil {
		return Question{}, err
	}
	p := Question{
		Key: e.Key, Text: e.Question, Explanation: e.Explanation, Forms: e.Forms, Steps: e.Steps, Sources: e.Sources,
		model: m,
	}
	m.describe(&p)
	return p, checkSteps(p)
}

func (e entry) model() (model, error) {
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
	if len(models) != 1 {
		return nil, fmt.Errorf("it has %d of time, sure and per_price, want one", len(models))
	}
	return models[0], nil
}

func (e entry) check() error {
	switch {
	case !reKey.MatchString(e.Key):
		return errors.New("the key is not a-z, 0-9 and single hyphens")
	case strings.TrimSpace(e.Question) == "" || strings.TrimSpace(e.Explanation) == "":
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
	return nil
}

// checkSteps checks that the steps begin at 0 and rise, so that every score has a meaning.
func checkSteps(p Question) error {
	for i, s := range p.Steps {
		switch {
		case p.Direction != Higher:
			return errors.New("steps are for scores of which more is better")
		case i == 0 && s.AtLeast != 0, i > 0 && s.AtLeast <= p.Steps[i-1].AtLeast:
			return fmt.Errorf("step %d: the steps must begin with 0 and rise", i+1)
		case strings.TrimSpace(s.Means) == "":
			return fmt.Errorf("step %d means nothing", i+1)
		}
	}
	return nil
}
