package rest

import (
	"io"
	"net/http"
	"path"
	"regexp"
	"strings"

	"flashdex/api/publish/static"
)

// reDated matches the snapshot of a day. It never changes, but can be withdrawn.
var reDated = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}/`)

// withdrawnName is the notice in the folder of a withdrawn snapshot.
const withdrawnName = "WITHDRAWN.txt"

// data serves the data set's snapshots, and the site's page of them.
func (s *server) data(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(path.Clean("/"+r.URL.Path), "/data/")
	hidden := strings.HasPrefix(path.Base(name), ".")
	if s.DataDir == "" || hidden || strings.HasSuffix(r.URL.Path, "/") {
		s.page(w, r)
		return
	}
	if reDated.MatchString(name) {
		// At most a day, so that a withdrawn snapshot doesn't stay in caches.
		w.Header().Set("Cache-Control", "public, max-age=86400, immutable")
	}
	if serveFile(w, r, s.DataDir, name) == nil {
		return
	}
	w.Header().Del("Cache-Control")
	notice, _, err := open(s.DataDir, path.Join(path.Dir(name), withdrawnName))
	if err != nil {
		s.page(w, r)
		return
	}
	defer notice.Close()
	w.Header().Set("Content-Type", static.ContentType(".txt"))
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(http.StatusGone)
	_, _ = io.Copy(w, notice)
}
