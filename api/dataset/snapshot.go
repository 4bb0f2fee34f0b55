package dataset

import "time"

// Snapshot describes one set of files, all as of one moment.
type Snapshot struct {
	Date       string              `json:"date"` // YYYY-MM-DD, UTC: also the name of its folder, unless it is the latest
	AsOf       time.Time           `json:"as_of"`
	Generation int64               `json:"generation"`
	Version    string              `json:"version"` // of the program that wrote it
	Runs       int64               `json:"runs"`
	Files      []File              `json:"files,omitempty"`
	Columns    map[string][]string `json:"columns,omitempty"`   // by table
	Withdrawn  string              `json:"withdrawn,omitempty"` // the day; empty: it is there
	Seconds    float64             `json:"seconds"`             // that writing it took
}

// File is one file of a snapshot.
type File struct {
	Name        string `json:"file"`
	Table       string `json:"table,omitempty"`
	Rows        int64  `json:"rows,omitempty"`
	Bytes       int64  `json:"bytes"`
	SHA256      string `json:"sha256"`
	Description string `json:"description"`
}

// Index is which snapshots there are.
type Index struct {
	Latest *Snapshot  `json:"latest"` // nil: none was written yet
	Dated  []Snapshot `json:"dated"`  // newest first
}

// AsOf is the moment of the latest snapshot; the zero time before the first.
func (i Index) AsOf() time.Time {
	if i.Latest == nil {
		return time.Time{}
	}
	return i.Latest.AsOf
}

// File finds a file by its name.
func (s *Snapshot) File(name string) (File, bool) {
	for _, f := range s.Files {
		if f.Name == name {
			return f, true
		}
	}
	return File{}, false
}
