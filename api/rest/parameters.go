package rest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"flashdex/api/problem"
)

// Limits of what a request may ask for.
const (
	maxAskedBytes = 4 << 10
	defaultLimit  = 100
	maxLimit      = 1000
)

// readJSON reads a small JSON object from a request. It refuses members that to doesn't have.
func (s *server) readJSON(w http.ResponseWriter, r *http.Request, to any) error {
	text, err := s.receive(w, r, maxAskedBytes)
	if err != nil {
		return err
	}
	body := json.NewDecoder(bytes.NewReader(text))
	body.DisallowUnknownFields()
	err = body.Decode(to)
	if err == nil {
		if _, more := body.Token(); !errors.Is(more, io.EOF) {
			err = errors.Join(errors.New("more than one value"), more)
		}
	}
	if err != nil {
		return problem.Wrap(problem.Malformed, err, "The body is not the JSON object that is read here. Nothing was changed.")
	}
	return nil
}

// parameters are the parameters of a request. err is about the first one that can't be used, so callers check it once
// after reading all of them.
type parameters struct {
	url.Values
	err error
}

// parametersOf reads the parameters of a request. It refuses all other names: a misspelt parameter must not select more
// than was asked for.
func parametersOf(r *http.Request, names ...string) *parameters {
	p := &parameters{Values: r.URL.Query()}
	for name, values := range p.Values {
		if !slices.Contains(names, name) || len(values) > 1 {
			p.refuse("The parameters are %s, each once at most. There is no other, so that a misspelt one doesn't lead to "+
				"more than was asked for.", strings.Join(names, ", "))
		}
	}
	return p
}

func (p *parameters) refuse(format string, args ...any) {
	if p.err == nil {
		p.err = problem.New(problem.BadRequest, format, args...)
	}
}

// word returns a parameter, or missing if it isn't given. It must satisfy fits. must describes the parameter in errors.
func (p *parameters) word(name, missing string, fits func(string) bool, must string) string {
	given := cmp.Or(p.Get(name), missing)
	if given != "" && !fits(given) {
		p.refuse("%s", must)
	}
	return given
}

// oneOf returns a parameter that takes one of a few values.
func (p *parameters) oneOf(name, missing string, values []string) string {
	fits := func(given string) bool { return slices.Contains(values, given) }
	return p.word(name, missing, fits, "The parameter "+name+" is one of "+strings.Join(values, ", ")+".")
}

// number returns a parameter from 1 to most. what names the things that it counts.
func (p *parameters) number(name, what string, missing, most int) int {
	text := p.Get(name)
	if text == "" {
		return missing
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > most {
		p.refuse("The parameter %s is a number%s from 1 to %d.", name, what, most)
	}
	return n
}

// limit returns how many rows of a list are asked for.
func (p *parameters) limit() int { return p.number("limit", "", defaultLimit, maxLimit) }

// id returns a parameter that is an id. what says of what, in errors.
func (p *parameters) id(name, what string) string {
	return p.word(name, "", reUUID.MatchString, "The parameter "+name+" is the id "+what+".")
}

// day returns a parameter that is a day, UTC.
func (p *parameters) day(name string) (day time.Time) {
	if text := p.Get(name); text != "" {
		var err error
		if day, err = time.Parse(time.DateOnly, text); err != nil {
			p.refuse("The parameter %s is a day, as in 2026-11-22.", name)
		}
	}
	return day
}

// method returns the id of a method of the catalogue.
func (s *server) method(p *parameters, missing string) string {
	return p.word("method", missing, func(id string) bool { _, known := s.Catalogue.Method(id); return known },
		"There is no method of the name that the parameter method gives. /method/ lists them.")
}

// following returns the requested part of a list. It begins after the module that the parameter after names, takes only
// rows that fit, and takes as many as the parameter limit says. more is the module to continue after; empty: there are
// no more.
func following[T any](p *parameters, rows []T, slug func(T) string, fits func(T) bool) (some []T, more string) {
	limit := p.limit()
	if after := p.Get("after"); after != "" {
		at := slices.IndexFunc(rows, func(row T) bool { return slug(row) == after })
		if at < 0 {
			p.refuse("The module that the parameter after names is not in this list, or no longer. " +
				"Begin the list again without it.")
		}
		rows = rows[at+1:]
	}
	if p.err != nil {
		return nil, ""
	}
	for _, row := range rows {
		if !fits(row) {
			continue
		}
		if len(some) == limit {
			return some, slug(some[limit-1])
		}
		some = append(some, row)
	}
	return some, ""
}
