package rest

import (
	"context"
	"net/http"

	"flashdex/api/page"
	"flashdex/api/problem"
	"flashdex/api/submission"

	"github.com/go-chi/chi/v5"
)

// maxObjectionForm is enough for the longest objection. A character has up to four bytes, and a form writes each byte
// as "%F0".
const maxObjectionForm = 16 << 10

// objecting adds the form with which anybody can object.
func (s *server) objecting(r chi.Router) {
	r.Use(s.forPeople)
	r.Get("/object/", s.person(s.getObject))
	r.Post("/object/", s.person(s.postObject))
}

// person handles a person's request, and shows errors as pages.
func (s *server) person(do func(http.ResponseWriter, *http.Request) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if err := do(w, r); err != nil {
			s.message(w, r, problem.Of(err))
		}
	}
}

func (s *server) getObject(w http.ResponseWriter, r *http.Request) error {
	query := parametersOf(r, "result", "module")
	if query.err != nil {
		return query.err
	}
	about := submission.Objection{Result: query.Get("result"), Module: query.Get("module")}
	shown, err := s.objectionTo(r.Context(), about)
	if err != nil {
		return err
	}
	form, err := page.ObjectPage(shown)
	s.show(w, r, http.StatusOK, form, err)
	return nil
}

func (s *server) postObject(w http.ResponseWriter, r *http.Request) error {
	form, err := s.readForm(w, r, maxObjectionForm)
	if err != nil {
		return err
	}
	shown, err := s.objectionTo(r.Context(), submission.Objection{
		Result: form.Get("result"), Module: form.Get("module"), Kind: form.Get("kind"),
		ShouldBe: oneLine(form, "should_be"), Words: oneLine(form, "words"),
	})
	if err != nil {
		return err
	}
	if err := shown.Objection.Check(); err != nil {
		shown.Wrong = err.Error() + "."
		again, err := page.ObjectPage(shown)
		s.show(w, r, http.StatusUnprocessableEntity, again, err)
		return nil
	}
	if form.Get("website") == "" { // a field that people don't see, and programs fill in
		if err := s.guard.object(r, shown.Objection.Result+shown.Objection.Module); err != nil {
			return err
		}
		if err := s.Store.Object(r.Context(), shown.Objection); err != nil {
			return err
		}
	}
	thanks, err := page.ObjectedPage(shown)
	s.show(w, r, http.StatusOK, thanks, err)
	return nil
}

// objectionTo finds what an objection is about: a result or a module, under the module's current name.
func (s *server) objectionTo(ctx context.Context, o submission.Objection) (page.Object, error) {
	ctx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	switch {
	case o.Module == "" && reUUID.MatchString(o.Result):
		_, module, _, err := s.Store.Submission(ctx, o.Result)
		return page.Object{Objection: o, Name: module.Name(), Path: "/r/" + o.Result}, err
	case o.Result == "" && reSlug.MatchString(o.Module):
		t, err := s.tables.get(ctx)
		if err != nil {
			return page.Object{}, err
		}
		if into, merged := t.aliases[o.Module]; merged {
			o.Module = into
		}
		if module, found := t.module(o.Module); found {
			return page.Object{Objection: o, Name: module.Name(), Path: "/modules/" + o.Module + "/"}, nil
		}
	}
	return page.Object{}, problem.New(problem.NotFound, "There is no such result or module here to object to. "+
		"The page of each leads to this form.")
}
