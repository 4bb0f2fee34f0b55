package rest

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strconv"

	"flashdex/api/page"
	"flashdex/api/problem"
	"flashdex/api/submission"

	"github.com/go-chi/chi/v5"
)

// Limits of the pages of operators.
const (
	shownQueue      = 25        // results or objections
	shownList       = 100       // decisions, or changes of one
	maxDecisionForm = 256 << 10 // holds maxChosen ids
	maxChosen       = 2000      // as many as Store.Recent compares
)

// shown answers with a page for an operator.
func (s *server) shown(w http.ResponseWriter, r *http.Request, p page.Page, err error) error {
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(r.Context(), readTimeout)
	defer cancel()
	objections, err := s.Store.OpenObjections(ctx)
	if err != nil {
		return err
	}
	p, err = page.ForOperators(p, objections)
	s.show(w, r, http.StatusOK, p, err)
	return nil
}

// more returns the last id of a part of a list if there may be more; empty: there are not.
func more[T any](list []T, limit int, id func(T) string) (after string) {
	if len(list) == limit {
		after = id(list[limit-1])
	}
	return after
}

func (s *server) queuePage(w http.ResponseWriter, r *http.Request, _ submission.Authority) error {
	query := parametersOf(r, "state", "after")
	state := query.oneOf("state", submission.Quarantined, []string{submission.Quarantined, submission.Rejected})
	after := query.id("after", "that the page before ended with")
	if query.err != nil {
		return query.err
	}
	ctx, cancel := context.WithTimeout(r.Context(), readTimeout)
	defer cancel()
	waiting, err := s.Store.Queue(ctx, state, after, shownQueue)
	if err != nil {
		return err
	}
	reviewed, err := s.Store.Review(ctx, waiting)
	if err != nil {
		return err
	}
	var divided []submission.DividedModule
	if state == submission.Quarantined && after == "" {
		if divided, err = s.Store.DividedModules(ctx, "", shownList); err != nil {
			return err
		}
	}
	p, err := page.QueuePage(page.Queue{State: state, Divided: divided, Results: reviewed, Later: after != "",
		After: more(waiting, shownQueue, func(sub submission.Submission) string { return sub.ID })})
	return s.shown(w, r, p, err)
}

func (s *server) reviewPage(w http.ResponseWriter, r *http.Request, _ submission.Authority) error {
	sub, module, _, err := s.submission(r)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(r.Context(), readTimeout)
	defer cancel()
	reviewed, err := s.Store.Review(ctx, []submission.Submission{sub})
	if err != nil {
		return err
	}
	objections, err := s.Store.ObjectionsTo(ctx, sub.ID)
	if err != nil {
		return err
	}
	p, err := page.ReviewedPage(page.ReviewedResult{Name: module.Name(), Result: reviewed[0], Objections: objections})
	return s.shown(w, r, p, err)
}

func (s *server) decisionsPage(w http.ResponseWriter, r *http.Request, _ submission.Authority) error {
	query := parametersOf(r, "after")
	after := query.id("after", "of a decision")
	if query.err != nil {
		return query.err
	}
	ctx, cancel := context.WithTimeout(r.Context(), readTimeout)
	defer cancel()
	decisions, err := s.Store.Decisions(ctx, after, shownList)
	if err != nil {
		return err
	}
	p, err := page.DecisionsPage(decisions, after != "",
		more(decisions, shownList, func(d submission.Decided) string { return d.ID }))
	return s.shown(w, r, p, err)
}

func (s *server) decisionPage(w http.ResponseWriter, r *http.Request, _ submission.Authority) error {
	query := parametersOf(r, "after", "undone", "left")
	after := query.id("after", "of a result")
	undone, left := query.number("undone", "", 0, 1<<30), query.number("left", "", 0, 1<<30)
	if id := chi.URLParam(r, "id"); !reUUID.MatchString(id) {
		return notFound(nil, r)
	}
	if query.err != nil {
		return query.err
	}
	ctx, cancel := context.WithTimeout(r.Context(), readTimeout)
	defer cancel()
	decided, changes, err := s.Store.Decision(ctx, chi.URLParam(r, "id"), after, shownList)
	if err != nil {
		return err
	}
	shown := page.Decision{Decided: decided, Changes: changes,
		After: more(changes, shownList, func(c submission.Change) string { return c.Result })}
	if query.Has("undone") || query.Has("left") {
		shown.Notice = fmt.Sprintf("Results that have their former state back: %d. Results that stay as they are: %d.",
			undone, left)
	}
	p, err := page.DecisionPage(shown)
	return s.shown(w, r, p, err)
}

func (s *server) undoByForm(w http.ResponseWriter, r *http.Request, by submission.Authority) error {
	form, err := s.readForm(w, r, maxAskedBytes)
	if err != nil {
		return err
	}
	undone, left, err := s.undoDecision(r, oneLine(form, "reason"), by)
	if err != nil {
		return err
	}
	counts := url.Values{}
	for name, n := range map[string]int{"undone": undone, "left": left} {
		if n > 0 {
			counts.Set(name, strconv.Itoa(n))
		}
	}
	http.Redirect(w, r, "/operate/decisions/"+chi.URLParam(r, "id")+"?"+counts.Encode(), http.StatusSeeOther)
	return nil
}

func (s *server) groupsPage(w http.ResponseWriter, r *http.Request, _ submission.Authority) error {
	ctx, cancel := context.WithTimeout(r.Context(), readTimeout)
	defer cancel()
	recent, err := s.Store.Recent(ctx)
	if err != nil {
		return err
	}
	p, err := page.GroupsPage(submission.Groups(recent), len(recent))
	return s.shown(w, r, p, err)
}

func (s *server) objectionsPage(w http.ResponseWriter, r *http.Request, _ submission.Authority) error {
	query := parametersOf(r, "after")
	after := query.id("after", "of an objection")
	if query.err != nil {
		return query.err
	}
	ctx, cancel := context.WithTimeout(r.Context(), readTimeout)
	defer cancel()
	objections, err := s.Store.Objections(ctx, after, shownQueue)
	if err != nil {
		return err
	}
	p, err := page.ObjectionsPage(objections, after != "",
		more(objections, shownQueue, func(o submission.Objection) string { return o.ID }))
	return s.shown(w, r, p, err)
}

func (s *server) closeByForm(w http.ResponseWriter, r *http.Request, by submission.Authority) error {
	form, reason, err := s.readDecision(w, r)
	if err != nil {
		return err
	}
	back := "/operate/objections"
	id := chi.URLParam(r, "id")
	if !reUUID.MatchString(id) {
		return notFound(nil, r)
	}
	if err := s.Store.CloseObjection(r.Context(), id, reason, by); err != nil {
		return err
	}
	if of := form.Get("back"); reUUID.MatchString(of) {
		back = "/operate/results/" + of
	}
	http.Redirect(w, r, back, http.StatusSeeOther)
	return nil
}

// readDecision reads the form of a decision, and the reason in it.
func (s *server) readDecision(w http.ResponseWriter, r *http.Request) (form url.Values, reason string, err error) {
	if form, err = s.readForm(w, r, maxAskedBytes); err != nil {
		return nil, "", err
	}
	reason = oneLine(form, "reason")
	if err := submission.CheckReason(reason); err != nil {
		return nil, "", problem.New(problem.BadRequest, "%v. Nothing was changed.", err)
	}
	return form, reason, nil
}

// decide shows what a decision would change. It changes something only for the form on that page, which names the
// results, and for a decision on a result's own page.
func (s *server) decide(w http.ResponseWriter, r *http.Request, by submission.Authority) error {
	form, err := s.readForm(w, r, maxDecisionForm)
	if err != nil {
		return err
	}
	asked, err := decisionOf(form)
	if err != nil {
		return err
	}
	about, first, err := s.decideAbout(r.Context(), asked.about, asked.verdict, by, true)
	if err != nil {
		return err
	}
	key := asked.resultsKey(about)
	if asked.confirmed == key && key != "" {
		if _, _, err := s.decideAbout(r.Context(), asked.about, asked.verdict, by, false); err != nil {
			return err
		}
		http.Redirect(w, r, "/operate/decisions/"+asked.verdict.ID, http.StatusSeeOther)
		return nil
	}
	proposed := page.Proposed{Accepts: asked.verdict.State == submission.Accepted, Reason: asked.verdict.Reason,
		Conditions: asked.conditions(), Results: len(about), First: first, Fields: asked.fields(key)}
	if asked.confirmed != "" {
		proposed.Changed = "Meanwhile it is about other results than those that you confirmed."
	}
	p, err := page.ProposedPage(proposed)
	return s.shown(w, r, p, err)
}
