package rest

import (
	"crypto/sha256"
	"fmt"
	"net/http"

	"flashdex/api/page"
	"flashdex/api/problem"
	"flashdex/api/publish/static"
)

// message shows a problem to a person.
func (s *server) message(w http.ResponseWriter, r *http.Request, p *problem.Problem) {
	status, title := failed(w, r, p)
	shown, err := page.Message(title, p.Detail)
	s.show(w, r, status, shown, err)
}

// show answers with a page that nobody is to keep.
func (s *server) show(w http.ResponseWriter, r *http.Request, status int, p page.Page, err error) {
	var text []byte
	if err == nil {
		text, err = s.frame(p.Frame).Fill(p)
	}
	if err != nil {
		s.fail(w, r, err)
		return
	}
	send(w, status, static.ContentType(".html"), text)
}

// fromTablePage answers with a page made from the newest table.
func (s *server) fromTablePage(of func(*http.Request, *table) (page.Page, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var p page.Page
		var text []byte
		t, err := s.tables.get(r.Context())
		if err == nil {
			p, err = of(r, t)
		}
		if err == nil {
			text, err = s.frame(p.Frame).Fill(p)
		}
		if err != nil {
			s.message(w, r, problem.Of(err))
			return
		}
		if r.URL.RawQuery != "" {
			w.Header().Set("X-Robots-Tag", "noindex") // there is no end of what one may ask
		}
		sum := sha256.Sum256(text)
		sendTagged(w, r, fmt.Sprintf(`"%x"`, sum[:12]), static.ContentType(".html"), text)
	}
}

// keptFrame is a parsed frame of the published site.
type keptFrame struct {
	text  string
	frame *page.Frame
}

// frame returns a frame by its name, or the plain frame where the published site has none.
func (s *server) frame(name string) *page.Frame {
	text, err := read(s.SiteDir(), name)
	if err != nil {
		return page.Plain
	}
	if kept, _ := s.frames.Load(name); kept != nil && kept.(keptFrame).text == string(text) {
		return kept.(keptFrame).frame
	}
	frame, err := page.ParseFrame(string(text))
	if err != nil {
		s.Log.Error("a page of the published site can't be filled; a plain one takes its place", "file", name, "error", err)
		frame = page.Plain
	}
	s.frames.Store(name, keptFrame{string(text), frame})
	return frame
}
