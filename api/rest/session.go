package rest

import (
	"context"
	"encoding/hex"
	"net/http"
	"strings"
	"time"

	"flashdex/api/page"
	"flashdex/api/problem"
	"flashdex/api/submission"

	"github.com/go-chi/chi/v5"
)

// An operator's browser holds a session (Store.SignIn) instead of the token. The session is a cookie that scripts can't
// read. Browsers send it only to pages below /operate/, and never with a request that another site causes.
const (
	sessionCookie = "operator"
	sessionPath   = "/operate/"
)

// operating adds the pages of operators.
func (s *server) operating(r chi.Router) {
	r.Use(s.forPeople)
	r.Post("/operate/sign-in", s.person(s.signIn))
	r.Post("/operate/sign-out", s.person(s.signOut))
	r.Get("/operate/", s.signedIn(s.queuePage))
	r.Get("/operate/results/{id}", s.signedIn(s.reviewPage))
	r.Get("/operate/results/{id}/name", s.signedIn(s.namePage))
	r.Post("/operate/results/{id}/name", s.signedIn(s.nameByForm))
	r.Post("/operate/results/{id}/confirm-contributor", s.signedIn(s.contributorByForm(Store.ConfirmContributor)))
	r.Post("/operate/results/{id}/unconfirm-contributor", s.signedIn(s.contributorByForm(Store.UnconfirmContributor)))
	r.Get("/operate/waiting", s.signedIn(s.waitingPage))
	r.Post("/operate/modules/confirm", s.signedIn(s.moduleByForm(Store.ConfirmModule, "/operate/waiting")))
	r.Post("/operate/modules/unconfirm", s.signedIn(s.moduleByForm(Store.UnconfirmModule, "/operate/waiting")))
	r.Get("/operate/merges", s.signedIn(s.mergesPage))
	r.Post("/operate/merges", s.signedIn(s.mergeByForm))
	r.Post("/operate/merges/undo", s.signedIn(s.moduleByForm(Store.UndoMerge, "/operate/merges")))
	r.Post("/operate/decide", s.signedIn(s.decide))
	r.Get("/operate/decisions", s.signedIn(s.decisionsPage))
	r.Get("/operate/decisions/{id}", s.signedIn(s.decisionPage))
	r.Post("/operate/decisions/{id}/undo", s.signedIn(s.undoByForm))
	r.Get("/operate/groups", s.signedIn(s.groupsPage))
	r.Get("/operate/objections", s.signedIn(s.objectionsPage))
	r.Post("/operate/objections/{id}/close", s.signedIn(s.closeByForm))
}

// setSession sets the cookie. Without a value it removes it.
func (s *server) setSession(w http.ResponseWriter, r *http.Request, value string) {
	cookie := &http.Cookie{
		Name: sessionCookie, Value: value, Path: sessionPath, HttpOnly: true, SameSite: http.SameSiteStrictMode,
		Secure: strings.HasPrefix(s.baseURL(r), "https://"), MaxAge: int((2 * time.Hour).Seconds()),
	}
	if value == "" {
		cookie.MaxAge = -1
	}
	http.SetCookie(w, cookie)
}

// askToSignIn shows the form for an operator's token.
func (s *server) askToSignIn(w http.ResponseWriter, r *http.Request, status int, wrong string) {
	form, err := page.SignInPage(wrong)
	s.show(w, r, status, form, err)
}

// signedIn handles a request of a signed-in operator. It asks others to sign in.
func (s *server) signedIn(do byOperatorFunc) http.HandlerFunc {
	return s.person(func(w http.ResponseWriter, r *http.Request) error {
		cookie, err := r.Cookie(sessionCookie)
		if err != nil {
			status := http.StatusForbidden
			if r.URL.Path == sessionPath {
				status = http.StatusOK
			}
			s.askToSignIn(w, r, status, "")
			return nil
		}
		session, ok := readSecret(cookie.Value)
		if ok {
			ctx, cancel := context.WithTimeout(r.Context(), readTimeout)
			defer cancel()
			_, err = s.Store.Operator(ctx, session)
		}
		if err == nil && ok {
			err = do(w, r, submission.Authority{Token: session})
		}
		if !ok || err != nil && problem.Of(err).Kind == problem.NotOperator {
			s.setSession(w, r, "")
			s.askToSignIn(w, r, http.StatusForbidden, "You are not signed in any more. Nothing was changed.")
			return nil
		}
		return err
	})
}

func (s *server) signIn(w http.ResponseWriter, r *http.Request) error {
	form, err := s.readForm(w, r, maxAskedBytes)
	if err != nil {
		return err
	}
	from, now := s.guard.key.senders(networksOf(r)), time.Now()
	if wait, _ := s.guard.signIns.take(now, from[:]...); wait > 0 {
		return &problem.Problem{Kind: problem.TooMany, RetryAfter: wait,
			Detail: "Too many wrong tokens came from this network. Try again in some minutes."}
	}
	token, ok := readSecret(strings.TrimSpace(form.Get("token")))
	var session secret
	if ok {
		session, err = s.Store.SignIn(r.Context(), token)
	}
	if !ok || err != nil && problem.Of(err).Kind == problem.NotOperator {
		note(r, problem.Of(problem.New(problem.NotOperator, "The token is no operator's.")))
		s.askToSignIn(w, r, http.StatusForbidden, "This token belongs to no operator, or was revoked.")
		return nil
	}
	s.guard.signIns.takeSome(now, -1, from[:]...)
	if err != nil {
		return err
	}
	s.setSession(w, r, hex.EncodeToString(session[:]))
	http.Redirect(w, r, sessionPath, http.StatusSeeOther)
	return nil
}

func (s *server) signOut(w http.ResponseWriter, r *http.Request) error {
	if cookie, err := r.Cookie(sessionCookie); err == nil {
		if session, ok := readSecret(cookie.Value); ok {
			if err := s.Store.SignOut(r.Context(), session); err != nil {
				return err
			}
		}
	}
	s.setSession(w, r, "")
	http.Redirect(w, r, sessionPath, http.StatusSeeOther)
	return nil
}
