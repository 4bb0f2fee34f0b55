package rest

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"flashdex/api/problem"
	"flashdex/api/submission"
	"flashdex/result"

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
	sub, module, document, err := s.submission(r)
	if err != nil {
		return err
	}
	answer, err := s.stored(r, sub, module, document)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, moderated{answer, append([]submission.Event{}, sub.History...)})
}

// moderate puts a result into a state and answers with the result.
func (s *server) moderate(state string) byOperatorFunc {
	return func(w http.ResponseWriter, r *http.Request, by submission.Authority) error {
		id, reason, err := s.reasonOf(w, r)
		if err != nil {
			return err
		}
		decision := submission.Decision{State: state, Reason: reason}
		if err := s.Store.Moderate(r.Context(), id, decision, by); err != nil {
			return err
		}
		return s.getModeration(w, r, by)
	}
}

// selected are the members of a request, or the fields of a form, that pick results.
type selected struct {
	Rule          string    `json:"rule"`
	Since         time.Time `json:"since"`
	Until         time.Time `json:"until"`
	ContributorOf string    `json:"contributor_of"`
	NetworkOf     string    `json:"network_of"`
	NetworkSize   string    `json:"network_size"`
}

// selection validates the selection of results.
func (s selected) selection() (submission.Selection, error) {
	for _, id := range []string{s.ContributorOf, s.NetworkOf} {
		if id != "" && !reUUID.MatchString(id) {
			return submission.Selection{}, problem.New(problem.BadRequest,
				"Results like %q can't be chosen, because that is no id of a result. Nothing was changed.", id)
		}
	}
	s.NetworkSize = cmp.Or(s.NetworkSize, submission.NetworkSizes[0])
	if !slices.Contains(submission.NetworkSizes, s.NetworkSize) {
		return submission.Selection{}, problem.New(problem.BadRequest, "network_size is one of %s. Nothing was changed.",
			strings.Join(submission.NetworkSizes, ", "))
	}
	return submission.Selection{Rule: s.Rule, Since: s.Since, Until: s.Until, ContributorOf: s.ContributorOf,
		NetworkOf: s.NetworkOf, NetworkSize: s.NetworkSize}, nil
}

// decideAll puts all results that the request picks into a state, or says which these would be.
func (s *server) decideAll(state string) byOperatorFunc {
	return func(w http.ResponseWriter, r *http.Request, by submission.Authority) error {
		var asked struct {
			selected
			Reason   string `json:"reason"`
			DryRun   bool   `json:"dry_run"`
			Decision string `json:"decision"` // that is gone on with; empty: a new one
		}
		if err := s.readJSON(w, r, &asked); err != nil {
			return err
		}
		if err := submission.CheckReason(asked.Reason); err != nil {
			return problem.New(problem.BadRequest, "%v. Nothing was changed.", err)
		}
		if asked.Decision != "" && !reUUID.MatchString(asked.Decision) {
			return problem.New(problem.BadRequest, "decision is the id of one to go on with. Nothing was changed.")
		}
		which, err := asked.selection()
		if err != nil {
			return err
		}
		verdict := submission.Decision{State: state, Reason: asked.Reason, ID: cmp.Or(asked.Decision, result.NewID())}
		about, first, err := s.decideAbout(r.Context(), which, verdict, by, asked.DryRun)
		if err != nil {
			return err
		}
		results := len(about)
		answer := struct {
			Results  int         `json:"results"`
			DryRun   bool        `json:"dry_run"`
			Decision string      `json:"decision,omitempty"` // by which it can be undone; empty: nothing was changed
			First    []ownResult `json:"first"`              // at most listedResults of them
		}{Results: results, DryRun: asked.DryRun, First: []ownResult{}}
		if results > 0 && !asked.DryRun {
			answer.Decision = verdict.ID
		}
		for _, sub := range first {
			answer.First = append(answer.First, listed(sub))
		}
		return writeJSON(w, http.StatusOK, answer)
	}
}

// listedResults limits how many results of a decision an answer lists.
const listedResults = 100

// decideAbout decides about many results within the time of one request, and returns their ids and the first of them.
func (s *server) decideAbout(ctx context.Context, which submission.Selection, verdict submission.Decision,
	by submission.Authority, dryRun bool) (about []string, first []submission.Submission, err error) {
	ctx, cancel := context.WithTimeout(ctx, deletionTime)
	defer cancel()
	err = s.Store.DecideAll(ctx, which, verdict, by, dryRun, func(sub submission.Submission) error {
		if about = append(about, sub.ID); len(about) <= listedResults {
			first = append(first, sub)
		}
		return nil
	})
	if errors.Is(ctx.Err(), context.DeadlineExceeded) && !dryRun {
		err = problem.Wrap(problem.Unavailable, err,
			"%d results are %s by the decision %s, and there are more. Send the same request again, with this decision, "+
				"for the rest.", len(about), verdict.State, verdict.ID)
	}
	return about, first, err
}

// undo gives the results of a decision back the states that they had before.
func (s *server) undo(w http.ResponseWriter, r *http.Request, by submission.Authority) error {
	var asked struct {
		Reason string `json:"reason"`
	}
	if err := s.readJSON(w, r, &asked); err != nil {
		return err
	}
	undone, left, err := s.undoDecision(r, asked.Reason, by)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, struct {
		Undone int `json:"undone"`
		Left   int `json:"left"`
	}{undone, left})
}

// undoDecision undoes the decision in the address, within the time of one request.
func (s *server) undoDecision(r *http.Request, reason string, by submission.Authority) (undone, left int, err error) {
	if err := submission.CheckReason(reason); err != nil {
		return 0, 0, problem.New(problem.BadRequest, "%v. Nothing was changed.", err)
	}
	id := chi.URLParam(r, "id")
	if !reUUID.MatchString(id) {
		return 0, 0, notFound(nil, r)
	}
	ctx, cancel := context.WithTimeout(r.Context(), deletionTime)
	defer cancel()
	undone, left, err = s.Store.Undo(ctx, id, reason, by)
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		err = problem.Wrap(problem.Unavailable, err,
			"%d results have their former state, and there are more. Send the same request again for the rest.", undone)
	}
	return undone, left, err
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

// listDivided answers with the modules whose contributors measured two groups of figures.
func (s *server) listDivided(w http.ResponseWriter, r *http.Request, _ submission.Authority) error {
	query := parametersOf(r, "after", "limit")
	after, limit := query.Get("after"), query.limit()
	if query.err != nil {
		return query.err
	}
	ctx, cancel := context.WithTimeout(r.Context(), readTimeout)
	defer cancel()
	divided, err := s.Store.DividedModules(ctx, after, limit)
	if err != nil {
		return err
	}
	answer := struct {
		Modules []submission.DividedModule `json:"modules"`
		After   string                     `json:"after,omitempty"` // to go on with, as ?after=
	}{Modules: append([]submission.DividedModule{}, divided...)}
	if len(divided) == limit {
		answer.After = divided[limit-1].Slug
	}
	return writeJSON(w, http.StatusOK, answer)
}

// objection is an open objection as an operator sees it.
type objection struct {
	ID       string `json:"id"`
	Result   string `json:"result,omitempty"` // id
	Module   string `json:"module,omitempty"` // slug
	Day      string `json:"day"`
	Kind     string `json:"kind"`
	ShouldBe string `json:"should_be,omitempty"`
	Words    string `json:"words,omitempty"`
}

// listObjections answers with the open objections, the oldest first.
func (s *server) listObjections(w http.ResponseWriter, r *http.Request, _ submission.Authority) error {
	query := parametersOf(r, "after", "limit")
	after, limit := query.id("after", "of an objection"), query.limit()
	if query.err != nil {
		return query.err
	}
	ctx, cancel := context.WithTimeout(r.Context(), readTimeout)
	defer cancel()
	open, err := s.Store.Objections(ctx, after, limit)
	if err != nil {
		return err
	}
	answer := struct {
		Objections []objection `json:"objections"`
		After      string      `json:"after,omitempty"` // to go on with, as ?after=
	}{[]objection{}, more(open, limit, func(o submission.Objection) string { return o.ID })}
	for _, o := range open {
		answer.Objections = append(answer.Objections,
			objection{o.ID, o.Result, o.Module, o.On.Format(time.DateOnly), o.Kind, o.ShouldBe, o.Words})
	}
	return writeJSON(w, http.StatusOK, answer)
}

// decideFunc is a method of the store that decides about a result, an objection or a module.
type decideFunc = func(to Store, ctx context.Context, about, reason string, by submission.Authority) error

// aboutID handles a decision about the result or the objection whose id is in the address.
func (s *server) aboutID(decide decideFunc) byOperatorFunc {
	return func(w http.ResponseWriter, r *http.Request, by submission.Authority) error {
		id, reason, err := s.reasonOf(w, r)
		if err != nil {
			return err
		}
		return done(w, decide(s.Store, r.Context(), id, reason, by))
	}
}

// reasonOf returns the id in the address of a decision, and its reason.
func (s *server) reasonOf(w http.ResponseWriter, r *http.Request) (id, reason string, err error) {
	var asked struct {
		Reason string `json:"reason"`
	}
	if err := s.readJSON(w, r, &asked); err != nil {
		return "", "", err
	}
	if err := submission.CheckReason(asked.Reason); err != nil {
		return "", "", problem.New(problem.BadRequest, "%v. Nothing was changed.", err)
	}
	if id = chi.URLParam(r, "id"); !reUUID.MatchString(id) {
		return "", "", notFound(nil, r)
	}
	return id, asked.Reason, nil
}
