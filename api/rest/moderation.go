package rest

import (
	"context"
	"errors"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"flashdex/api/problem"
	"flashdex/api/submission"

	"github.com/go-chi/chi/v5"
)

var reSlug = regexp.MustCompile(`^[a-z0-9-]{1,80}$`)

// byOperatorFunc handles a request of an operator.
type byOperatorFunc = func(w http.ResponseWriter, r *http.Request, by submission.Authority) error

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
		if _, err := s.Store.Operator(ctx, token); err != nil {
			return err
		}
		return do(w, r, submission.Authority{Token: token})
	})
}

func (s *server) listModeration(w http.ResponseWriter, r *http.Request, _ submission.Authority) error {
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
func (s *server) getModeration(w http.ResponseWriter, r *http.Request, _ submission.Authority) error {
	sub, module, _, err := s.submission(r)
	if err != nil {
		return err
	}
	answer := moderated{s.stored(r, sub, module), append([]submission.Event{}, sub.History...)}
	return writeJSON(w, http.StatusOK, answer)
}

// moderate puts a result into a state and answers with the result.
func (s *server) moderate(state string) byOperatorFunc {
	return func(w http.ResponseWriter, r *http.Request, by submission.Authority) error {
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
		if err := s.Store.Moderate(r.Context(), id, decision, by); err != nil {
			return err
		}
		return s.getModeration(w, r, by)
	}
}

// listedRejections limits how many rejected results an answer lists.
const listedRejections = 100

// rejectAll rejects all results that the request picks, or says which these would be.
func (s *server) rejectAll(w http.ResponseWriter, r *http.Request, by submission.Authority) error {
	asked := struct {
		Rule          string    `json:"rule"`
		Since         time.Time `json:"since"`
		Until         time.Time `json:"until"`
		ContributorOf string    `json:"contributor_of"`
		NetworkOf     string    `json:"network_of"`
		NetworkSize   string    `json:"network_size"`
		Reason        string    `json:"reason"`
		DryRun        bool      `json:"dry_run"`
	}{NetworkSize: submission.NetworkSizes[0]}
	if err := s.readJSON(w, r, &asked); err != nil {
		return err
	}
	if err := submission.CheckReason(asked.Reason); err != nil {
		return problem.New(problem.BadRequest, "%v. Nothing was changed.", err)
	}
	for _, id := range []string{asked.ContributorOf, asked.NetworkOf} {
		if id != "" && !reUUID.MatchString(id) {
			return problem.New(problem.BadRequest, "The members contributor_of and network_of are ids of results. "+
				"Nothing was changed.")
		}
	}
	if !slices.Contains(submission.NetworkSizes, asked.NetworkSize) {
		return problem.New(problem.BadRequest, "The member network_size is one of %s. Nothing was changed.",
			strings.Join(submission.NetworkSizes, ", "))
	}
	answer := struct {
		Results int         `json:"results"`
		DryRun  bool        `json:"dry_run"`
		First   []ownResult `json:"first"` // at most listedRejections of them
	}{DryRun: asked.DryRun, First: []ownResult{}}
	ctx, cancel := context.WithTimeout(r.Context(), deletionTime)
	defer cancel()
	which := submission.Selection{Rule: asked.Rule, Since: asked.Since, Until: asked.Until,
		ContributorOf: asked.ContributorOf, NetworkOf: asked.NetworkOf, NetworkSize: asked.NetworkSize}
	err := s.Store.RejectAll(ctx, which, asked.Reason, by, asked.DryRun, func(sub submission.Submission) error {
		if answer.Results++; answer.Results <= listedRejections {
			answer.First = append(answer.First, listed(sub))
		}
		return nil
	})
	if errors.Is(ctx.Err(), context.DeadlineExceeded) && !asked.DryRun {
		return problem.Wrap(problem.Unavailable, err,
			"%d results are rejected, and there are more. Send the same request again for the rest.", answer.Results)
	}
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, answer)
}

// unlistedModule is a module that waits until somebody confirms it.
type unlistedModule struct {
	moduleSummary
	ResultURL string `json:"result_url"` // the page of a result
}

// listUnlisted answers with the modules that wait until somebody confirms them.
func (s *server) listUnlisted(w http.ResponseWriter, r *http.Request, _ submission.Authority) error {
	query := parametersOf(r, "after", "limit")
	after, limit := query.Get("after"), query.limit()
	if query.err != nil {
		return query.err
	}
	ctx, cancel := context.WithTimeout(r.Context(), readTimeout)
	defer cancel()
	waiting, err := s.Store.UnlistedModules(ctx, after, limit)
	if err != nil {
		return err
	}
	answer := struct {
		Modules []unlistedModule `json:"modules"`
		After   string           `json:"after,omitempty"` // to go on with, as ?after=
	}{Modules: []unlistedModule{}}
	for _, m := range waiting {
		answer.Modules = append(answer.Modules, unlistedModule{s.summary(r, m.Module), s.baseURL(r) + "/r/" + m.Newest})
	}
	if len(waiting) == limit {
		answer.After = waiting[limit-1].Slug
	}
	return writeJSON(w, http.StatusOK, answer)
}

// confirmModule has a module listed that nobody else has confirmed.
func (s *server) confirmModule(w http.ResponseWriter, r *http.Request, by submission.Authority) error {
	var asked struct {
		Module string `json:"module"`
		Reason string `json:"reason"`
	}
	if err := s.readJSON(w, r, &asked); err != nil {
		return err
	}
	if err := submission.CheckReason(asked.Reason); err != nil {
		return problem.New(problem.BadRequest, "%v. Nothing was changed.", err)
	}
	if !reSlug.MatchString(asked.Module) {
		return problem.New(problem.BadRequest, "The member module is the slug of a module. Nothing was changed.")
	}
	return done(w, s.Store.ConfirmModule(r.Context(), asked.Module, asked.Reason, by))
}

func (s *server) mergeModules(w http.ResponseWriter, r *http.Request, by submission.Authority) error {
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
	return done(w, s.Store.MergeModules(r.Context(), asked.From, asked.Into, asked.Reason, by))
}
