package rest

import (
	"net/http"

	"flashdex/api/problem"
	"flashdex/api/submission"
)

// aboutModule handles a decision about the module that the request names.
func (s *server) aboutModule(decide decideFunc) byOperatorFunc {
	return func(w http.ResponseWriter, r *http.Request, by submission.Authority) error {
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
		return done(w, decide(s.Store, r.Context(), asked.Module, asked.Reason, by))
	}
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
