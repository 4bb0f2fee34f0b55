package rest

import (
	"net/http"

	"flashdex/api/problem"
	"flashdex/api/submission"
)

// confirmModule has a module listed that nobody else has confirmed.
func (s *server) confirmModule(w http.ResponseWriter, r *http.Request, by submission.Authority) error {
	slug, reason, err := s.moduleOf(w, r)
	if err != nil {
		return err
	}
	return done(w, s.Store.ConfirmModule(r.Context(), slug, reason, by))
}

// unmergeModule makes a module that an operator merged one of its own again.
func (s *server) unmergeModule(w http.ResponseWriter, r *http.Request, by submission.Authority) error {
	slug, reason, err := s.moduleOf(w, r)
	if err != nil {
		return err
	}
	return done(w, s.Store.UndoMerge(r.Context(), slug, reason, by))
}

// moduleOf returns the module in a decision, and its reason.
func (s *server) moduleOf(w http.ResponseWriter, r *http.Request) (slug, reason string, err error) {
	var asked struct {
		Module string `json:"module"`
		Reason string `json:"reason"`
	}
	if err := s.readJSON(w, r, &asked); err != nil {
		return "", "", err
	}
	if err := submission.CheckReason(asked.Reason); err != nil {
		return "", "", problem.New(problem.BadRequest, "%v. Nothing was changed.", err)
	}
	if !reSlug.MatchString(asked.Module) {
		return "", "", problem.New(problem.BadRequest, "The member module is the slug of a module. Nothing was changed.")
	}
	return asked.Module, asked.Reason, nil
}

// mergeModules makes a module another name of a second one, or says what that would move.
func (s *server) mergeModules(w http.ResponseWriter, r *http.Request, by submission.Authority) error {
	var asked struct {
		From   string `json:"from"`
		Into   string `json:"into"`
		Reason string `json:"reason"`
		DryRun bool   `json:"dry_run"`
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
	if !asked.DryRun {
		return done(w, s.Store.MergeModules(r.Context(), asked.From, asked.Into, asked.Reason, by))
	}
	moved, err := s.Store.TryMerge(r.Context(), asked.From, asked.Into, by)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, struct {
		Results int                `json:"results"`
		DryRun  bool               `json:"dry_run"`
		Modules []submission.Moved `json:"modules"`
	}{submission.MovedResults(moved), true, append([]submission.Moved{}, moved...)})
}
