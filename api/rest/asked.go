package rest

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"flashdex/api/catalogue"
	"flashdex/api/problem"
)

// What a request may ask for.
const (
	maxAskedBytes = 4 << 10
	defaultLimit  = 100
	maxLimit      = 1000
)

// readJSON reads the small JSON object that a request carries. It takes no member that to doesn't have.
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

// parametersOf reads the parameters of a request, which takes no others than these. A misspelt one must not lead to more than was asked for.
func parametersOf(r *http.Request, names ...string) (url.Values, error) {
	query := r.URL.Query()
	for name, values := range query {
		if !slices.Contains(names, name) || len(values) > 1 {
			return nil, problem.New(problem.BadRequest, "The parameters are %s, each once at most. There is no other, so that a misspelt one doesn't lead to more than was asked for.", strings.Join(names, ", "))
		}
	}
	return query, nil
}

// partOf reads which part of a list of results is asked for: ?after=, an id, and ?limit=.
func partOf(query url.Values) (after string, limit int, err error) {
	after = query.Get("after")
	if after != "" && !reUUID.MatchString(after) {
		return "", 0, problem.New(problem.BadRequest, "The parameter after is the id that the page before ended with.")
	}
	limit, err = limitOf(query)
	return after, limit, err
}

// checkMethod refuses a method that there isn't. None given is well.
func (s *server) checkMethod(id string) error {
	if id == "" || slices.ContainsFunc(s.Catalogue.Methods, func(m catalogue.Method) bool { return m.ID == id }) {
		return nil
	}
	return problem.New(problem.BadRequest, "There is no method of the name that the parameter method gives. /method/ lists them.")
}

func limitOf(query url.Values) (int, error) {
	text := query.Get("limit")
	if text == "" {
		return defaultLimit, nil
	}
	limit, err := strconv.Atoi(text)
	if err != nil || limit < 1 || limit > maxLimit {
		return 0, problem.New(problem.BadRequest, "The parameter limit is a number from 1 to %d.", maxLimit)
	}
	return limit, nil
}
