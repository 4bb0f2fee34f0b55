package rest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"time"

	"github.com/go-chi/chi/v5"

	"flashdex/api/problem"
	"flashdex/api/submission"
)

// ContributorStore is what a contributor can do beside uploading. Every call may fail with problem.SecretRetired, and all
// but the deletion of one result with problem.UnknownContributor.
type ContributorStore interface {
	// Contributor tells how many results a contributor has.
	Contributor(ctx context.Context, secret [sha256.Size]byte) (submission.Contributor, error)
	// ContributorSubmissions lists at most limit of their results, by id, from the one after the id after.
	ContributorSubmissions(ctx context.Context, secret [sha256.Size]byte, after string, limit int) ([]submission.Submission, error)
	// RotateSecret puts a fresh secret in the place of the old one.
	RotateSecret(ctx context.Context, old, fresh [sha256.Size]byte) error
	// DeleteContributor erases all of their results, as many as there is time for, and counts them.
	DeleteContributor(ctx context.Context, secret [sha256.Size]byte) (deleted int, err error)
}

func (s *server) contributorRoutes(r chi.Router) {
	r.Get("/v1/contributor", s.handle(s.getContributor))
	r.Delete("/v1/contributor", s.handle(s.deleteContributor))
	r.Get("/v1/contributor/results", s.handle(s.listOwn))
	r.Put("/v1/contributor/secret", s.handle(s.putSecret))
}

func (s *server) getContributor(w http.ResponseWriter, r *http.Request) error {
	from, err := contributor(r)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(r.Context(), readTimeout)
	defer cancel()
	known, err := s.Store.Contributor(ctx, from)
	if err != nil {
		return err
	}
	return s.writeJSON(w, http.StatusOK, struct {
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
	Day    string `json:"day"`    // on which it was received
}

// resultList is a page of results. After is the id to go on with, as ?after=; empty at the end.
type resultList struct {
	Results []ownResult `json:"results"`
	After   string      `json:"after,omitempty"`
}

func listOf(subs []submission.Submission, limit int) resultList {
	list := resultList{Results: []ownResult{}}
	for _, sub := range subs {
		list.Results = append(list.Results, ownResult{sub.ID, sub.State, sub.StateReason, sub.StateRule, sub.ModuleSlug, sub.ReceivedAt.Format(time.DateOnly)})
	}
	if len(subs) == limit {
		list.After = subs[limit-1].ID
	}
	return list
}

func (s *server) listOwn(w http.ResponseWriter, r *http.Request) error {
	from, err := contributor(r)
	if err != nil {
		return err
	}
	query, err := parametersOf(r, "after", "limit")
	if err != nil {
		return err
	}
	after, limit, err := partOf(query)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(r.Context(), readTimeout)
	defer cancel()
	subs, err := s.Store.ContributorSubmissions(ctx, from, after, limit)
	if err != nil {
		return err
	}
	return s.writeJSON(w, http.StatusOK, listOf(subs, limit))
}

// putSecret changes the secret that the request bears for another one.
func (s *server) putSecret(w http.ResponseWriter, r *http.Request) error {
	old, err := contributor(r)
	if err != nil {
		return err
	}
	var asked struct {
		NewSecret string `json:"new_secret"`
	}
	if err := s.readJSON(w, r, &asked); err != nil {
		return err
	}
	secret, err := hex.DecodeString(asked.NewSecret)
	if err != nil || len(secret) != 32 {
		return problem.New(problem.BadRequest, "The member new_secret must be 64 hex digits: 32 random bytes. The old secret stays in force.")
	}
	fresh := sha256.Sum256(secret)
	if fresh == old {
		return problem.New(problem.SecretInUse, "The new secret is the old one, which stays in force.")
	}
	if err := s.Store.RotateSecret(r.Context(), old, fresh); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// deletionTime is how long one request goes on deleting. Who has more results asks again.
const deletionTime = 20 * time.Second

func (s *server) deleteContributor(w http.ResponseWriter, r *http.Request) error {
	from, err := contributor(r)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(r.Context(), deletionTime)
	defer cancel()
	deleted, err := s.Store.DeleteContributor(ctx, from)
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return problem.Wrap(problem.Unavailable, err, "%d results are deleted, and there are more. Send the same request again for the rest.", deleted)
	}
	if err != nil {
		return err
	}
	return s.writeJSON(w, http.StatusOK, struct {
		Deleted int `json:"deleted"`
	}{deleted})
}
