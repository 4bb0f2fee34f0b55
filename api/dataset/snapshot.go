package dataset

import (
	"strings"
	"time"
)

// Snapshot describes one set of files, all as of one moment.
type Snapshot struct {
	Date       string    `json:"date"` // YYYY-MM-DD, UTC: also the name of its folder, unless it is the latest
	AsOf       time.Time `json:"as_of"`
	Generation int64     `json:"generation"`
	Version    string    `json:"version"` // of the program that wrote it
	Runs       int64     `json:"runs"`
	// Calibration is the version that figures were computed with; 0: the assumptions.
	Calibration int                 `json:"calibration,omitempty"`
	Files       []File              `json:"files,omitempty"`
	Months      []Month             `json:"months,omitempty"` // that have files of samples and documents
	MonthsForm  int                 `json:"months_form,omitempty"`
	Columns     map[string][]string `json:"columns,omitempty"`   // by table
	Withdrawn   string              `json:"withdrawn,omitempty"` // the day; empty: it isn't withdrawn
	Seconds     float64             `json:"seconds"`             // how long it took to write
}

// Month counts the runs that were received in one month, UTC. Their samples and documents have files of their own.
type Month struct {
	Month   string `json:"month"` // YYYY-MM
	Runs    int64  `json:"runs"`
	Modules int64  `json:"modules"`    // modules measured for the first time in it
	IDs     string `json:"ids_sha256"` // hash of their ids as bytes, in order: the files' contents follow from these
}

// File is one file of a snapshot.
type File struct {
	Name        string `json:"file"`
	Table       string `json:"table,omitempty"`
	Month       string `json:"month,omitempty"` // empty: the file covers all months
	Rows        int64  `json:"rows,omitempty"`
	Bytes       int64  `json:"bytes"`
	SHA256      string `json:"sha256"`
	Description string `json:"description"`
}

// Index lists the snapshots.
type Index struct {
	Latest *Snapshot  `json:"latest"` // nil: none was written yet
	Dated  []Snapshot `json:"dated"`  // newest first
}

// Served is the archive's folder that is served as /data/. It holds the index, and a folder for each snapshot.
const Served = "current"

// Names returns the names of the folders of all snapshots that have files: "latest" and days.
func (i Index) Names() (names []string) {
	if i.Latest != nil {
		names = append(names, "latest")
	}
	for _, s := range i.Dated {
		if s.Withdrawn == "" {
			names = append(names, s.Date)
		}
	}
	return names
}

// AsOf returns the time of the latest snapshot, or the zero time before the first.
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

// Rows returns the number of rows of a table.
func (s *Snapshot) Rows(table string) (rows int64) {
	for _, f := range s.Files {
		if f.Table == table && strings.HasSuffix(f.Name, ".parquet") {
			rows += f.Rows
		}
	}
	return rows
}
