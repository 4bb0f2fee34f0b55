package rest

import (
	"encoding/json"
	"io"
	"net/http"
	"slices"

	"github.com/go-chi/chi/v5"

	"flashdex/api/dataset"
	"flashdex/api/page"
)

// snapshotsName lists the snapshots that there are.
const snapshotsName = "snapshots.json"

// dataPage lists the files of one snapshot of the data set, or tells that it was withdrawn.
func (s *server) dataPage(w http.ResponseWriter, r *http.Request) {
	name := chi.URLParam(r, "snapshot")
	snapshot, err := s.snapshot(name)
	if err != nil || snapshot == nil {
		s.page(w, r)
		return
	}
	status := http.StatusOK
	if snapshot.Withdrawn != "" {
		status = http.StatusGone
	}
	shown, err := page.SnapshotPage(snapshot, name)
	s.show(w, r, status, shown, err)
}

// snapshot finds a snapshot by the name of its folder; nil: there is none.
func (s *server) snapshot(folder string) (*dataset.Snapshot, error) {
	file, _, err := open(s.DataDir, snapshotsName)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(file)
	if err != nil {
		return nil, err
	}
	var list dataset.Index
	if err := json.Unmarshal(text, &list); err != nil {
		return nil, err
	}
	if folder == "latest" {
		return list.Latest, nil
	}
	if i := slices.IndexFunc(list.Dated, func(of dataset.Snapshot) bool { return of.Date == folder }); i >= 0 {
		return &list.Dated[i], nil
	}
	return nil, nil
}
