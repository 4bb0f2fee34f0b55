package rest

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"

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

// page reads which part of a list of results is asked for: ?after=, an id, and ?limit=.
func page(r *http.Request) (after string, limit int, err error) {
	after = r.URL.Query().Get("after")
	if after != "" && !reUUID.MatchString(after) {
		return "", 0, problem.New(problem.BadRequest, "The parameter after is the id that the page before ended with.")
	}
	limit, err = limitOf(r)
	return after, limit, err
}

func limitOf(r *http.Request) (int, error) {
	text := r.URL.Query().Get("limit")
	if text == "" {
		return defaultLimit, nil
	}
	limit, err := strconv.Atoi(text)
	if err != nil || limit < 1 || limit > maxLimit {
		return 0, problem.New(problem.BadRequest, "The parameter limit is a number from 1 to %d.", maxLimit)
	}
	return limit, nil
}
