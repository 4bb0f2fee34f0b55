package rest

import (
	"encoding/json"
	"net/http"
	"path"
	"regexp"
	"slices"
	"strings"

	"flashdex/api/dataset"
	"flashdex/api/page"
	"flashdex/api/publish/static"

	"github.com/go-chi/chi/v5"
)

// reDated matches the snapshot of a day. It never changes, but can be withdrawn.
var reDated = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}/`)

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
	notice, err := read(s.DataDir, path.Join(path.Dir(name), "WITHDRAWN.txt"))
	if err != nil {
		s.page(w, r)
		return
	}
	send(w, http.StatusGone, static.ContentType(".txt"), notice)
}

// dataPage lists the files of one snapshot of the data set, or tells that it was withdrawn.
func (s *server) dataPage(w http.ResponseWriter, r *http.Request) {
	var list dataset.Index
	text, err := read(s.DataDir, "snapshots.json")
	if err == nil {
		err = json.Unmarshal(text, &list)
	}
	folder := chi.URLParam(r, "snapshot")
	snapshot := list.Latest
	if folder != "latest" {
		snapshot = nil
		if i := slices.IndexFunc(list.Dated, func(of dataset.Snapshot) bool { return of.Date == folder }); i >= 0 {
			snapshot = &list.Dated[i]
		}
	}
	if err != nil || snapshot == nil {
		s.page(w, r)
		return
	}
	status := http.StatusOK
	if snapshot.Withdrawn != "" {
		status = http.StatusGone
	}
	shown, err := page.SnapshotPage(snapshot, folder)
	s.show(w, r, status, shown, err)
}
