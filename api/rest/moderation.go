package rest

import (
	"context"
	"net/http"
	"regexp"

	"flashdex/api/problem"
	"flashdex/api/submission"

	"github.com/go-chi/chi/v5"
)

var reSlug = regexp.MustCompile(`^[a-z0-9-]{1,80}$`)

// byOperatorFunc handles a request of the operator called name.
type byOperatorFunc = func(w http.ResponseWriter, r *http.Request, name string) error

// byOperator handles a request with an operator's token.
func (s *server) byOperator(do byOperatorFunc) http.HandlerFunc {
	return s.handle(func(w http.ResponseWriter, r *http.Request) error {
		token, err := contributor(r)
		if err != nil {
			return problem.New(problem.NoToken, "Moderation needs the header \"Authorization: Bearer\" with an "+
				"operator's token: 64 hex digits. Nothing was changed.")
		}
		ctx, cancel := context.WithTimeout(r.Context(), readTimeout)
		defer cancel()
		name, err := s.Store.Operator(ctx, token)
		if err != nil {
			return err
		}
		return do(w, r, name)
	})
}

func (s *server) listModeration(w http.ResponseWriter, r *http.Request, _ string) error {
	query := parametersOf(r, "state", "after", "limit")
	states := []string{submission.Quarantined, submission.Rejected}
	state := query.oneOf("state", submission.Quarantined, states)
	return list(w, r, query, func(ctx context.Context, after string, limit int) ([]submission.Submission, error) {
		return s.Store.Queue(ctx, state, after, limit)
	})
}

// moderated is a result as an operator sees it.
type moderated struct {
	stored
	History []submission.Event `json:"history"` // who changed its state and when, which only operators may know
}

// getModeration answers with a result as an operator sees it. The document itself is at /v1/results/{id}.
func (s *server) getModeration(w http.ResponseWriter, r *http.Request, _ string) error {
	sub, module, _, err := s.submission(r)
	if err != nil {
		return err
	}
	answer := moderated{s.stored(r, sub, module), append([]submission.Event{}, sub.History...)}
	return writeJSON(w, http.StatusOK, answer)
}

// moderate puts a result into a state and answers with the result.
func (s *server) moderate(state string) byOperatorFunc {
	return func(w http.ResponseWriter, r *http.Request, name string) error {
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
		decision := submission.Decision{State: state, Reason: asked.Reason}
		if err := s.Store.Moderate(r.Context(), id, decision, name); err != nil {
			return err
		}
		return s.getModeration(w, r, name)
	}
}

func (s *server) mergeModules(w http.ResponseWriter, r *http.Request, name string) error {
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
		return problem.New(problem.BadRequest, "The members from and into are modules: the last part of a module page's "+
			"address. Nothing was changed.")
	}
	return done(w, s.Store.MergeModules(r.Context(), asked.From, asked.Into, name, asked.Reason))
}
