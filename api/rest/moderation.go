package rest

import (
	"context"
	"crypto/sha256"
	"net/http"
	"regexp"
	"time"

	"github.com/go-chi/chi/v5"

	"flashdex/api/problem"
	"flashdex/api/submission"
)

var reSlug = regexp.MustCompile(`^[a-z0-9-]{1,80}$`)

// ModerationStore is what operators can do.
type ModerationStore interface {
	// Operator names the operator whose token has this hash; anybody else is problem.NotOperator.
	Operator(ctx context.Context, token [sha256.Size]byte) (name string, err error)
	// Queue lists at most limit submissions in a state, by id, from the one after the id after.
	Queue(ctx context.Context, state, after string, limit int) ([]submission.Submission, error)
	// Moderate puts a submission into the state that an operator decided on.
	Moderate(ctx context.Context, id string, verdict submission.Decision, operator string) error
	// MergeModules makes one module another name of a second one.
	MergeModules(ctx context.Context, from, into, operator, reason string) error
}

func (s *server) moderationRoutes(r chi.Router) {
	r.Get("/v1/moderation/submissions", s.handle(s.listModeration))
	r.Get("/v1/moderation/submissions/{id}", s.handle(s.getModeration))
	r.Post("/v1/moderation/submissions/{id}/accept", s.handle(s.moderate(submission.Accepted)))
	r.Post("/v1/moderation/submissions/{id}/reject", s.handle(s.moderate(submission.Rejected)))
	r.Post("/v1/moderation/modules/merge", s.handle(s.mergeModules))
}

// operator names the operator that a request is from.
func (s *server) operator(r *http.Request) (string, error) {
	token, err := contributor(r)
	if err != nil {
		return "", problem.New(problem.NoToken, "Moderation needs the header \"Authorization: Bearer\" with an operator's token: 64 hex digits. Nothing was changed.")
	}
	ctx, cancel := context.WithTimeout(r.Context(), readTimeout)
	defer cancel()
	return s.Store.Operator(ctx, token)
}

func (s *server) listModeration(w http.ResponseWriter, r *http.Request) error {
	if _, err := s.operator(r); err != nil {
		return err
	}
	query, err := parametersOf(r, "state", "after", "limit")
	if err != nil {
		return err
	}
	state := query.Get("state")
	if state == "" {
		state = submission.Quarantined
	}
	if state != submission.Quarantined && state != submission.Rejected {
		return problem.New(problem.BadRequest, "The parameter state is %s or %s.", submission.Quarantined, submission.Rejected)
	}
	after, limit, err := partOf(query)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(r.Context(), readTimeout)
	defer cancel()
	subs, err := s.Store.Queue(ctx, state, after, limit)
	if err != nil {
		return err
	}
	return s.writeJSON(w, http.StatusOK, listOf(subs, limit))
}

// moderated is what an operator sees of a result, besides what everybody does.
type moderated struct {
	stored
	History []operatorEvent `json:"history"`
}

// operatorEvent tells who did it and when, which only operators may know.
type operatorEvent struct {
	At     time.Time `json:"at"`
	From   string    `json:"from,omitempty"`
	State  string    `json:"state"`
	Reason string    `json:"reason,omitempty"`
	By     string    `json:"by"`
}

// getModeration gives all that there is to decide by. The document itself is at /v1/results/{id}.
func (s *server) getModeration(w http.ResponseWriter, r *http.Request) error {
	if _, err := s.operator(r); err != nil {
		return err
	}
	sub, module, _, err := s.submission(r)
	if err != nil {
		return err
	}
	answer := moderated{stored: s.stored(r, sub, module), History: []operatorEvent{}}
	for _, e := range sub.History {
		answer.History = append(answer.History, operatorEvent{e.At, e.From, e.To, e.Reason, e.Actor})
	}
	return s.writeJSON(w, http.StatusOK, answer)
}

// moderate puts a result into a state, and answers with how it stands then.
func (s *server) moderate(state string) func(http.ResponseWriter, *http.Request) error {
	return func(w http.ResponseWriter, r *http.Request) error {
		name, err := s.operator(r)
		if err != nil {
			return err
		}
		var asked struct {
			Reason string `json:"reason"`
		}
		if err := s.readJSON(w, r, &asked); err != nil {
			return err
		}
		if err := submission.CheckReason(asked.Reason); err != nil {
			return problem.New(problem.BadRequest, "%v. Nothing was changed.", err)
		}
		id := chi.URLParam(r, "id")
		if !reUUID.MatchString(id) {
			return notFound(nil, r)
		}
		if err := s.Store.Moderate(r.Context(), id, submission.Decision{State: state, Reason: asked.Reason}, name); err != nil {
			return err
		}
		return s.getModeration(w, r)
	}
}

func (s *server) mergeModules(w http.ResponseWriter, r *http.Request) error {
	name, err := s.operator(r)
	if err != nil {
		return err
	}
	var asked struct {
		From   string `json:"from"`
		Into   string `json:"into"`
		Reason string `json:"reason"`
	}
	if err := s.readJSON(w, r, &asked); err != nil {
		return err
	}
	if err := submission.CheckReason(asked.Reason); err != nil {
		return problem.New(problem.BadRequest, "%v. Nothing was changed.", err)
	}
	if !reSlug.MatchString(asked.From) || !reSlug.MatchString(asked.Into) {
		return problem.New(problem.BadRequest, "The members from and into are modules: the last part of a module page's address. Nothing was changed.")
	}
	if err := s.Store.MergeModules(r.Context(), asked.From, asked.Into, name, asked.Reason); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}
