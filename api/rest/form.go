package rest

import (
	"mime"
	"net/http"
	"net/url"
	"strings"

	"flashdex/api/problem"
)

// forPeople wraps the handlers of forms on the server's own pages. Caches must not keep the answers, nor search engines
// list them. It refuses a form that another site's page sends: browsers say whose page it was.
func (s *server) forPeople(next http.Handler) http.Handler {
	protection := http.NewCrossOriginProtection()
	if s.PublicURL != "" {
		_ = protection.AddTrustedOrigin(s.PublicURL) // it is ValidPublicURL
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("X-Robots-Tag", "noindex")
		w.Header().Set("Referrer-Policy", "same-origin") // else browsers don't say whose page sent a form
		if err := protection.Check(r); err != nil {
			s.message(w, r, problem.Wrap(problem.CrossSite, err, "This form was sent by a page of another site. Nothing was "+
				"changed. Open the form here and send it from there."))
			return
		}
		next.ServeHTTP(w, r)
	})
}

// readForm reads a form of at most limit bytes.
func (s *server) readForm(w http.ResponseWriter, r *http.Request, limit int64) (url.Values, error) {
	mediaType, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if mediaType != "application/x-www-form-urlencoded" {
		return nil, problem.New(problem.WrongType, "This address takes a form of a page. Nothing was changed.")
	}
	text, err := s.receive(w, r, limit)
	if err != nil {
		return nil, err
	}
	form, err := url.ParseQuery(string(text))
	if err != nil {
		return nil, problem.Wrap(problem.Malformed, err, "The form can't be read. Nothing was changed.")
	}
	return form, nil
}

// oneLine is a field of a form with a space wherever there is any white space.
func oneLine(form url.Values, name string) string {
	return strings.Join(strings.Fields(form.Get(name)), " ")
}
