package rest

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"flashdex/api/page"
	"flashdex/api/problem"
	"flashdex/api/publish/static"
)

// message shows a problem to a person.
func (s *server) message(w http.ResponseWriter, r *http.Request, p *problem.Problem) {
	status, title := fail(w, r, p)
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
		s.handle(func(http.ResponseWriter, *http.Request) error { return err })(w, r)
		return
	}
	w.Header().Set("Content-Type", static.ContentType(".html"))
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(text)
}

// fromTablePage answers with a page made from the newest table.
func (s *server) fromTablePage(of func(*http.Request, *table) (page.Page, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var text []byte
		t, err := s.tables.get(r.Context())
		if err == nil {
			var p page.Page
			if p, err = of(r, t); err == nil {
				text, err = s.frame(p.Frame).Fill(p)
			}
		}
		if err != nil {
			s.message(w, r, problem.Of(err))
			return
		}
		header := w.Header()
		sum := sha256.Sum256(text)
		header.Set("ETag", fmt.Sprintf(`"%x"`, sum[:12]))
		header.Set("Cache-Control", "public, max-age=10")
		header.Set("Content-Type", static.ContentType(".html"))
		if r.URL.RawQuery != "" {
			header.Set("X-Robots-Tag", "noindex") // there is no end of what one may ask
		}
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(text))
	}
}

// frames keeps the frames of the published site, which are parsed when their files change.
type frames struct {
	mutex sync.Mutex
	kept  map[string]keptFrame // by name
}

type keptFrame struct {
	folder   string
	modified time.Time
	frame    *page.Frame
}

// frame returns a frame by its name, or the plain frame where the published site has none.
func (s *server) frame(name string) *page.Frame {
	folder := s.SiteDir()
	file, info, err := open(folder, name)
	if err != nil || info.IsDir() {
		return page.Plain
	}
	defer file.Close()
	f := &s.frames
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if kept := f.kept[name]; kept.frame != nil && kept.folder == folder && kept.modified.Equal(info.ModTime()) {
		return kept.frame
	}
	text, err := io.ReadAll(file)
	if err != nil {
		return page.Plain
	}
	frame, err := page.ParseFrame(string(text))
	if err != nil {
		s.Log.Error("a page of the published site can't be filled; a plain one takes its place", "file", name, "error", err)
		frame = page.Plain
	}
	if f.kept == nil {
		f.kept = map[string]keptFrame{}
	}
	f.kept[name] = keptFrame{folder, info.ModTime(), frame}
	return frame
}
