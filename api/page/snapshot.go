package page

import "flashdex/api/dataset"

// SnapshotPage lists the files of a snapshot of the data set, or says that it was withdrawn. folder is its name in
// addresses.
func SnapshotPage(s *dataset.Snapshot, folder string) (Page, error) {
	return render("snapshot.html", resultFrame, "Data set, snapshot of "+s.Date, struct {
		*dataset.Snapshot
		Folder string
	}{s, folder})
}
