package rest

import (
	"cmp"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"

	"flashdex/api/catalogue"
	"flashdex/api/page"
	"flashdex/api/problem"
	"flashdex/api/publish/static"
)

// plainAddress returns an address as links on the site write it: lower case, without ".html" and without a slash at the
// end. It starts with one slash, so it can't lead to another host.
func plainAddress(address string) string {
	plain := strings.TrimSuffix(strings.ToLower(path.Clean("/"+address)), ".html")
	if plain = strings.TrimSuffix(plain, "/index"); plain == "" {
		return "/"
	}
	return plain
}

// leadOn redirects to the address that the requested one means.
func leadOn(w http.ResponseWriter, r *http.Request, address string) {
	http.Redirect(w, r, (&url.URL{Path: address}).String(), http.StatusMovedPermanently)
}

// ofRun reports whether an address leads to a result's page.
func ofRun(address string) bool {
	id, is := strings.CutPrefix(address, "/r/")
	return is && reUUID.MatchString(id)
}

// run redirects other spellings of a result's id to the result's page.
func (s *server) run(w http.ResponseWriter, r *http.Request) {
	if plain := plainAddress(r.URL.Path); plain != r.URL.Path && ofRun(plain) {
		leadOn(w, r, plain)
		return
	}
	s.runPage(w, r)
}

// missing redirects to the page that an unknown address means. If there is none, it answers with the site's page for
// unknown addresses, or names the module with the nearest address.
func (s *server) missing(w http.ResponseWriter, r *http.Request, dir string) {
	plain := plainAddress(r.URL.Path)
	if ofRun(plain) { // it has a slash at its end
		leadOn(w, r, plain)
		return
	}
	if _, _, err := open(dir, path.Join(strings.TrimPrefix(plain, "/"), "index.html")); err == nil {
		leadOn(w, r, strings.TrimSuffix(plain, "/")+"/")
		return
	}
	p := problem.New(problem.NotFound, "The address may be mistyped, or the module goes by another name now.")
	if slug, of := strings.CutPrefix(plain, "/modules/"); of {
		if t, err := s.tables.get(r.Context()); err == nil {
			if m, found := t.nearest(slug); found {
				status, title := failed(w, r, p)
				shown, err := page.Message(title, p.Detail, m)
				s.show(w, r, status, shown, err)
				return
			}
		}
	}
	text, err := read(dir, "404.html")
	if err != nil {
		s.message(w, r, p)
		return
	}
	status, _ := failed(w, r, p)
	send(w, status, static.ContentType(".html"), text)
}

// nearest returns the module that a slug has become, or else the module whose slug shares the most words with it, at
// least two.
func (t *table) nearest(slug string) (m catalogue.Module, found bool) {
	slug = cmp.Or(t.aliases[slug], slug)
	words, most := strings.Split(slug, "-"), 1
	for _, other := range t.modules {
		has := strings.Split(other.Slug, "-")
		same := 0
		for _, word := range words {
			if slices.Contains(has, word) {
				same++
			}
		}
		if same > most {
			m, most, found = other, same, true
		}
	}
	return m, found
}
