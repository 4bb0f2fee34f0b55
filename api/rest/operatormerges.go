package rest

import (
	"context"
	"net/http"
	"strconv"

	"flashdex/api/page"
	"flashdex/api/submission"
)

// mergesPage lists merges, above them the form for another one.
func (s *server) mergesPage(w http.ResponseWriter, r *http.Request, _ submission.Authority) error {
	query := parametersOf(r, "from")
	from := query.word("from", "", reSlug.MatchString, "The parameter from is the slug of a module.")
	if query.err != nil {
		return query.err
	}
	ctx, cancel := context.WithTimeout(r.Context(), readTimeout)
	defer cancel()
	merges, err := s.Store.Merges(ctx, shownList)
	if err != nil {
		return err
	}
	p, err := page.MergesPage(from, merges)
	return s.shown(w, r, p, err)
}

// mergeByForm shows what a merge would move. It merges only when the form on that page comes back, which contains the
// number of results.
func (s *server) mergeByForm(w http.ResponseWriter, r *http.Request, by submission.Authority) error {
	form, reason, err := s.readDecision(w, r)
	if err != nil {
		return err
	}
	from, err := moduleIn(form, "from")
	if err != nil {
		return err
	}
	into, err := moduleIn(form, "into")
	if err != nil {
		return err
	}
	moved, err := s.Store.TryMerge(r.Context(), from, into, by)
	if err != nil {
		return err
	}
	proposed := page.ProposedMerge{From: from, Into: into, Reason: reason, Moved: moved,
		Results: submission.MovedResults(moved)}
	switch form.Get("confirmed") {
	case strconv.Itoa(proposed.Results):
		if err := s.Store.MergeModules(r.Context(), from, into, reason, by); err != nil {
			return err
		}
		http.Redirect(w, r, "/operate/merges", http.StatusSeeOther)
		return nil
	case "":
	default:
		proposed.Changed = "Meanwhile it is about another number of results than you confirmed."
	}
	p, err := page.ProposedMergePage(proposed)
	return s.shown(w, r, p, err)
}
