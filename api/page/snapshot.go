package page

import (
	"flashdex/api/dataset"
	"flashdex/result"
)

// snapshotView is what snapshot.html shows.
type snapshotView struct {
	Date      string     `json:"date"`
	Folder    string     `json:"folder"`
	Withdrawn string     `json:"withdrawn"`
	Latest    bool       `json:"latest"`
	Runs      string     `json:"runs"`
	AsOf      string     `json:"as_of"`
	Files     []fileView `json:"files"`
}

type fileView struct {
	Name   string `json:"name"`
	Bytes  string `json:"bytes"`
	Rows   string `json:"rows"`
	SHA256 string `json:"sha256"`
}

// SnapshotPage lists the files of a snapshot of the data set, or says that it was withdrawn. folder is its name in
// addresses.
func SnapshotPage(s *dataset.Snapshot, folder string) (Page, error) {
	view := snapshotView{
		Date: s.Date, Folder: folder, Withdrawn: s.Withdrawn, Latest: folder == "latest",
		Runs: Counted(int(s.Runs), "uploaded run"), AsOf: s.AsOf.Format("2 Jan 2006, 15:04 UTC"),
	}
	for _, f := range s.Files {
		file := fileView{Name: f.Name, Bytes: result.Count(int(f.Bytes)), SHA256: f.SHA256}
		if f.Rows > 0 {
			file.Rows = result.Count(int(f.Rows))
		}
		view.Files = append(view.Files, file)
	}
	body, err := bodyOf("snapshot.html", view)
	return Page{Title: "Data set, snapshot of " + s.Date, Frame: resultFrame, Body: body}, err
}
