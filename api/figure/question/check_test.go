package question

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
)

// Check reads presets.json and verifies everything that Load trusts. An error names the question.
func Check(fsys fs.FS) error {
	text, err := fs.ReadFile(fsys, file)
	if err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	var entries []entry
	if err := d.Decode(&entries); err != nil {
		return fmt.Errorf("%s:%d: %w", file, 1+bytes.Count(text[:d.InputOffset()], []byte("\n")), err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return fmt.Errorf("%s: there is something behind the list", file)
	}
	for i, e := range entries {
		err := e.check()
		if err == nil && slices.ContainsFunc(entries[:i], func(o entry) bool { return o.Key == e.Key }) {
			err = errors.New("the key is taken")
		}
		if err != nil {
			return fmt.Errorf("%s: preset %d, %q: %w", file, i+1, e.Key, err)
		}
	}
	_, err = Load(fsys)
	return err
}

var (
	reKey      = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	reCurrency = regexp.MustCompile(`^[A-Z]{3}$`)
)

func (e *entry) check() error {
	var checks []func() error
	if e.Time != nil {
		checks = append(checks, e.Time.check)
	}
	if e.Sure != nil {
		checks = append(checks, func() error { return checkRate(e.Sure.Figure) })
	}
	if e.PerPrice != nil {
		checks = append(checks, e.PerPrice.check)
	}
	if e.Cheapest != nil {
		checks = append(checks, e.Cheapest.check)
	}
	switch {
	case len(checks) != 1:
		return fmt.Errorf("it has %d of time, sure, per_price and cheapest, want one", len(checks))
	case e.Formula+e.Unit+e.Direction != "" || e.Figures != nil:
		return errors.New("formula, unit, direction and figures follow from the model")
	case !reKey.MatchString(e.Key):
		return errors.New("the key is not a-z, 0-9 and single hyphens")
	case slices.Contains([]string{strings.TrimSpace(e.Text), strings.TrimSpace(e.Use), strings.TrimSpace(e.Summary),
		strings.TrimSpace(e.Explanation)}, ""):
		return errors.New("the question, its use, its summary or its explanation is empty")
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
	if err := checks[0](); err != nil {
		return err
	}
	for i, s := range e.Steps { // they begin at 0 and rise, so that every score has a meaning
		switch {
		case e.Time != nil:
			return errors.New("steps are for scores of which more is better")
		case i == 0 && s.AtLeast != 0, i > 0 && s.AtLeast <= e.Steps[i-1].AtLeast:
			return fmt.Errorf("step %d: the steps must begin with 0 and rise", i+1)
		case strings.TrimSpace(s.Means) == "":
			return fmt.Errorf("step %d means nothing", i+1)
		}
	}
	return nil
}

// checkRate refuses a figure by which work can't be divided.
func checkRate(key string) error {
	rates := []string{figure.RandWriteIOPS, figure.RandReadIOPS, figure.SeqWriteMBPerS, figure.SeqReadMBPerS}
	if !slices.Contains(rates, key) {
		return fmt.Errorf("%q is no rate; there are %v", key, rates)
	}
	return nil
}

// whole reports whether a formula can show v in full.
func whole(v float64) bool { return v == math.Trunc(v) && v >= 1 && v <= 1e6 }

func (d *duration) check() error {
	if len(d.Work) == 0 {
		return errors.New("there is no work")
	}
	var figures []string
	for _, w := range d.Work {
		switch err := checkRate(w.Figure); {
		case err != nil:
			return fmt.Errorf("work: %w", err)
		case slices.Contains(figures, w.Figure):
			return fmt.Errorf("work: %s is there twice", w.Figure)
		case !whole(w.Amount):
			return fmt.Errorf("work: the amount %v of %s is no whole number from 1 to a million", w.Amount, w.Figure)
		}
		figures = append(figures, w.Figure)
	}
	if d.Days != 0 && (!whole(d.Days) || !slices.Contains(figures, figure.RandWriteIOPS)) {
		return fmt.Errorf("days: %v of no random writes, or no whole number from 1 to a million", d.Days)
	}
	if l := d.Limit; l != nil && (!figure.LowerIsBetter(l.Figure) || !whole(l.AtMost)) {
		return fmt.Errorf("limit: %s of at most %v is no limit of a time to a whole number from 1 to a million", l.Figure,
			l.AtMost)
	}
	return nil
}

func (c *cheapest) check() error {
	if !reCurrency.MatchString(c.Currency) || !whole(c.AtLeast) {
		return fmt.Errorf("cheapest: %q is not three capital letters, or %v no whole number from 1 to a million", c.Currency,
			c.AtLeast)
	}
	return checkRate(c.Figure)
}

func (p *perPrice) check() error {
	if !reCurrency.MatchString(p.Currency) {
		return fmt.Errorf("currency %q is not three capital letters", p.Currency)
	}
	return checkRate(p.Figure)
}
