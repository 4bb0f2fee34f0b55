package rest

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"

	"flashdex/api/catalogue"
	"flashdex/api/page"
	"flashdex/api/problem"
	"flashdex/api/submission"
	"flashdex/result"

	"github.com/go-chi/chi/v5"
)

// What operators decide about modules: which one a result is of, and which are listed.

// namePage shows the modules that an operator can name for a result: the modules that the search words find, or else
// the modules that are known to fit.
func (s *server) namePage(w http.ResponseWriter, r *http.Request, _ submission.Authority) error {
	query := parametersOf(r, "q", "objection")
	objection := query.id("objection", "of an objection")
	if query.err != nil {
		return query.err
	}
	sub, module, document, err := s.submission(r)
	if err != nil {
		return err
	}
	shown := page.Naming{ID: sub.ID, Name: module.Name(), Objection: objection, Asked: askedWords(r)}
	if shown.Asked == "" {
		var doc result.Document
		if err := json.Unmarshal(document, &doc); err != nil {
			return fmt.Errorf("rest: the document of %s: %w", sub.ID, err)
		}
		shown.Modules = submission.Nameable(module, s.Catalogue.Of(&doc, sub.Agreed), s.Catalogue)
	} else {
		t, err := s.tables.get(r.Context())
		if err != nil {
			return err
		}
		shown.Modules = slices.DeleteFunc(t.find(shown.Asked), func(m catalogue.Module) bool {
			return catalogue.IsStack(m.Slug) != catalogue.IsStack(sub.ModuleSlug) // the store refuses these
		})
		if m, is := t.module(cmp.Or(t.aliases[shown.Asked], shown.Asked)); is { // other slugs may contain this one
			shown.Modules = []catalogue.Module{m}
		}
	}
	shown.Found = len(shown.Modules)
	shown.Modules = shown.Modules[:min(shown.Found, maxShownFound)]
	p, err := page.NamePage(shown)
	return s.shown(w, r, p, err)
}

// nameByForm names a result, and closes the objection that led to it.
func (s *server) nameByForm(w http.ResponseWriter, r *http.Request, by submission.Authority) error {
	form, reason, err := s.readDecision(w, r)
	if err != nil {
		return err
	}
	slug, err := moduleIn(form, "module")
	if err != nil {
		return err
	}
	id := chi.URLParam(r, "id")
	if !reUUID.MatchString(id) {
		return notFound(nil, r)
	}
	if err := s.Store.NameResult(r.Context(), id, slug, reason, by); err != nil {
		return err
	}
	if of := form.Get("objection"); reUUID.MatchString(of) {
		err := s.Store.CloseObjection(r.Context(), of, reason, by)
		if err != nil && problem.Of(err).Kind != problem.NotFound { // the objection may be gone by now
			return err
		}
	}
	http.Redirect(w, r, "/operate/results/"+id, http.StatusSeeOther)
	return nil
}

// contributorByForm decides about whoever uploaded a result.
func (s *server) contributorByForm(decide decideFunc) byOperatorFunc {
	return func(w http.ResponseWriter, r *http.Request, by submission.Authority) error {
		_, reason, err := s.readDecision(w, r)
		if err != nil {
			return err
		}
		id := chi.URLParam(r, "id")
		if !reUUID.MatchString(id) {
			return notFound(nil, r)
		}
		if err := decide(s.Store, r.Context(), id, reason, by); err != nil {
			return err
		}
		http.Redirect(w, r, "/operate/results/"+id, http.StatusSeeOther)
		return nil
	}
}

// waitingPage lists the results that wait for a name, the modules that wait to be listed, and those that an operator
// had listed.
func (s *server) waitingPage(w http.ResponseWriter, r *http.Request, _ submission.Authority) error {
	query := parametersOf(r, "after")
	after := query.word("after", "", reSlug.MatchString, "The parameter after is the slug of a module.")
	if query.err != nil {
		return query.err
	}
	ctx, cancel := context.WithTimeout(r.Context(), readTimeout)
	defer cancel()
	modules, err := s.Store.UnlistedModules(ctx, after, shownQueue)
	if err != nil {
		return err
	}
	shown := page.Waiting{Later: after != "",
		After: more(modules, shownQueue, func(m submission.UnlistedModule) string { return m.Slug })}
	shown.Modules = slices.DeleteFunc(modules, func(m submission.UnlistedModule) bool {
		return m.KnownFrom == catalogue.KnownFromAmbiguous // nobody can list such a module
	})
	if !shown.Later {
		if shown.Ambiguous, err = s.Store.AmbiguousResults(ctx, shownList); err != nil {
			return err
		}
		if shown.Vouched, err = s.Store.VouchedModules(ctx, shownList); err != nil {
			return err
		}
	}
	p, err := page.WaitingPage(shown)
	return s.shown(w, r, p, err)
}

// moduleByForm decides about a module that was chosen on the page back.
func (s *server) moduleByForm(decide decideFunc, back string) byOperatorFunc {
	return func(w http.ResponseWriter, r *http.Request, by submission.Authority) error {
		form, reason, err := s.readDecision(w, r)
		if err != nil {
			return err
		}
		slug, err := moduleIn(form, "module")
		if err != nil {
			return err
		}
		if err := decide(s.Store, r.Context(), slug, reason, by); err != nil {
			return err
		}
		http.Redirect(w, r, back, http.StatusSeeOther)
		return nil
	}
}

// moduleIn returns the slug of a module in a form.
func moduleIn(form url.Values, name string) (slug string, err error) {
	if slug = oneLine(form, name); !reSlug.MatchString(slug) {
		return "", problem.New(problem.BadRequest, "Choose a module first. Nothing was changed.")
	}
	return slug, nil
}
