package rest

import (
	"context"
	"encoding/hex"
	"errors"
	"net/http"
	"strings"
	"time"

	"flashdex/api/problem"
	"flashdex/api/submission"
)

// secret is a contributor's secret or an operator's token.
type secret = [32]byte

// readSecret reads a secret. ok is false if the text isn't 32 bytes in hex.
func readSecret(text string) (read secret, ok bool) {
	bytes, err := hex.DecodeString(text)
	ok = err == nil && len(bytes) == len(read)
	copy(read[:], bytes)
	return read, ok
}

// contributor returns the secret in the Authorization header.
func contributor(r *http.Request) (secret, error) {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	read, ok := readSecret(strings.TrimSpace(token))
	if !ok || !strings.EqualFold(scheme, "Bearer") {
		return secret{}, problem.New(problem.NoToken,
			"Uploading and deleting need the header \"Authorization: Bearer\" with the contributor's secret: "+
				"64 hex digits, which the client makes on first use. Nothing was changed.")
	}
	return read, nil
}

// byContributor handles a request with a contributor's secret.
func (s *server) byContributor(do func(w http.ResponseWriter, r *http.Request, from secret) error) http.HandlerFunc {
	return s.handle(func(w http.ResponseWriter, r *http.Request) error {
		from, err := contributor(r)
		if err != nil {
			return err
		}
		return do(w, r, from)
	})
}

func (s *server) getContributor(w http.ResponseWriter, r *http.Request, from secret) error {
	ctx, cancel := context.WithTimeout(r.Context(), readTimeout)
	defer cancel()
	known, err := s.Store.Contributor(ctx, from)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, struct {
		Results int            `json:"results"`
		ByState map[string]int `json:"by_state"`
		Since   string         `json:"since"` // the day of the first upload
	}{known.Results, known.ByState, known.Since.Format(time.DateOnly)})
}

// ownResult is one line of a list of results.
type ownResult struct {
	ID     string `json:"id"`
	State  string `json:"state"`
	Reason string `json:"reason,omitempty"`
	Rule   string `json:"rule,omitempty"`
	Module string `json:"module"` // slug
	Day    string `json:"day"`    // that it was received on
}

func listed(sub submission.Submission) ownResult {
	return ownResult{
		sub.ID, sub.State, sub.StateReason, sub.StateRule, sub.ModuleSlug, sub.ReceivedAt.Format(time.DateOnly),
	}
}

// list answers with the requested part of a list of results.
func list(
	w http.ResponseWriter, r *http.Request, query *parameters,
	read func(ctx context.Context, after string, limit int) ([]submission.Submission, error),
) error {
	after, limit := query.id("after", "that the page before ended with"), query.limit()
	if query.err != nil {
		return query.err
	}
	ctx, cancel := context.WithTimeout(r.Context(), readTimeout)
	defer cancel()
	subs, err := read(ctx, after, limit)
	if err != nil {
		return err
	}
	answer := struct {
		Results []ownResult `json:"results"`
		After   string      `json:"after,omitempty"` // to go on with, as ?after=
	}{Results: []ownResult{}}
	for _, sub := range subs {
		answer.Results = append(answer.Results, listed(sub))
	}
	if len(subs) == limit {
		answer.After = subs[limit-1].ID
	}
	return writeJSON(w, http.StatusOK, answer)
}

func (s *server) listOwn(w http.ResponseWriter, r *http.Request, from secret) error {
	return list(w, r, parametersOf(r, "after", "limit"),
		func(ctx context.Context, after string, limit int) ([]submission.Submission, error) {
			return s.Store.ContributorSubmissions(ctx, from, after, limit)
		})
}

// putSecret replaces the request's secret by another one.
func (s *server) putSecret(w http.ResponseWriter, r *http.Request, old secret) error {
	var asked struct {
		NewSecret string `json:"new_secret"`
	}
	if err := s.readJSON(w, r, &asked); err != nil {
		return err
	}
	fresh, ok := readSecret(asked.NewSecret)
	if !ok {
		return problem.New(problem.BadRequest,
			"The member new_secret must be 64 hex digits: 32 random bytes. The old secret stays in force.")
	}
	if fresh == old {
		return problem.New(problem.SecretInUse, "The new secret is the old one, which stays in force.")
	}
	return done(w, s.Store.RotateSecret(r.Context(), old, fresh))
}

// deletionTime limits how long one request deletes. A contributor with more results sends another request.
const deletionTime = 20 * time.Second

func (s *server) deleteContributor(w http.ResponseWriter, r *http.Request, from secret) error {
	ctx, cancel := context.WithTimeout(r.Context(), deletionTime)
	defer cancel()
	deleted, err := s.Store.DeleteContributor(ctx, from)
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return problem.Wrap(problem.Unavailable, err,
			"%d results are deleted, and there are more. Send the same request again for the rest.", deleted)
	}
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, struct {
		Deleted int `json:"deleted"`
	}{deleted})
}
