package snapshot

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"flashdex/api/dataset"
	"flashdex/api/figure"

	"github.com/klauspost/compress/gzip"
)

// Names of files that are no table's.
const (
	sqliteName = "flashdex.sqlite"
	idsName    = ".ids" // sixteen bytes for each run, in order; is moved away before anybody sees the folder
)

// writing is the files of a snapshot while they are written.
type writing struct {
	dir    string
	sqlite *dataset.SQLite
	files  []dataset.File
}

// inSQLite are the tables of the database file. Samples would be nine tenths of it.
var inSQLite = slices.DeleteFunc(slices.Clone(dataset.Tables), func(t *dataset.Table) bool { return t == &dataset.Samples.Table })

// writeFiles writes all files of a snapshot into a folder.
func (a *Archive) writeFiles(ctx context.Context, dir string, s *figure.Overview, m figure.Records, before dataset.Index, start time.Time) (dataset.Snapshot, error) {
	snapshot := dataset.Snapshot{Date: start.Format(time.DateOnly), AsOf: start.Truncate(time.Second), Generation: s.Generation, Version: a.Version, MonthsForm: dataset.MonthsForm, Columns: map[string][]string{}}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return snapshot, err
	}
	db, err := dataset.NewSQLite(filepath.Join(dir, sqliteName), inSQLite)
	if err != nil {
		return snapshot, err
	}
	w := &writing{dir: dir, sqlite: db}
	err = errorsOf(
		func() error {
			return writeTable(w, dataset.Modules, func(do func(*dataset.Module) error) error { return dataset.EachModule(s, a.Catalogue, do) })
		},
		func() error {
			return writeTable(w, dataset.Units, func(do func(*figure.Specimen) error) error { return m.Specimens(ctx, do) })
		},
		func() error {
			return writeTable(w, dataset.Hosts, func(do func(*figure.Host) error) error { return m.Hosts(ctx, do) })
		},
		func() error {
			return writeTable(w, dataset.Results, func(do func(*figure.Test) error) error { return m.Tests(ctx, figure.Filter{}, do) })
		},
		func() error {
			return writeTable(w, dataset.Figures, func(do func(*dataset.Figure) error) error { return dataset.EachFigure(s, a.Catalogue, do) })
		},
		func() error {
			return writeTable(w, dataset.Published, func(do func(*dataset.PublishedFigure) error) error {
				return dataset.EachPublished(s, a.Catalogue, do)
			})
		},
		func() error {
			return writeTable(w, dataset.Rated, func(do func(*dataset.RatedFigure) error) error { return dataset.EachRated(s, a.Catalogue, do) })
		},
		func() error { return writeTable(w, dataset.Columns, dataset.EachColumn) },
		func() (err error) { snapshot.Months, err = w.findMonths(ctx, m); return err },
		func() error {
			return w.writeMonths(ctx, m, snapshot.Months, reusable(before), filepath.Join(Files(a.Dir), "latest"))
		},
		func() error { return db.Close(inSQLite) },
		func() error {
			return w.add(sqliteName, "", 0, "All tables but samples in one database, with keys, references and indexes.")
		},
	)
	if err != nil {
		return snapshot, err
	}
	for _, t := range dataset.Tables {
		for _, f := range t.Fields {
			snapshot.Columns[t.Name] = append(snapshot.Columns[t.Name], f.Name)
		}
	}
	for _, month := range snapshot.Months {
		snapshot.Runs += month.Runs
	}
	snapshot.Files = w.files
	if err := a.describe(dir, &snapshot, before); err != nil {
		return snapshot, err
	}
	snapshot.Seconds = a.Now().Sub(start).Seconds()
	return snapshot, nil
}

func errorsOf(steps ...func() error) error {
	for _, step := range steps {
		if err := step(); err != nil {
			return wrap(err)
		}
	}
	return nil
}

// output is a file that knows its hash and size.
type output struct {
	file   *os.File
	buffer *bufio.Writer
	hash   hash.Hash
	bytes  int64
}

func create(path string) (*output, error) {
	// What is there may share its bytes with a dated snapshot.
	if err := os.Remove(path); err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	file, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	return &output{file: file, buffer: bufio.NewWriterSize(file, 256<<10), hash: sha256.New()}, nil
}

func (o *output) Write(p []byte) (int, error) {
	o.hash.Write(p) // never fails
	o.bytes += int64(len(p))
	return o.buffer.Write(p)
}

func (o *output) Close() error {
	if err := o.buffer.Flush(); err != nil {
		_ = o.file.Close()
		return err
	}
	return o.file.Close()
}

func (o *output) describe(table string, rows int64, description string) dataset.File {
	return dataset.File{Name: filepath.Base(o.file.Name()), Table: table, Rows: rows, Bytes: o.bytes, SHA256: hex.EncodeToString(o.hash.Sum(nil)), Description: description}
}

// packed is a gzip file.
type packed struct {
	*output
	gzip *gzip.Writer
}

func createPacked(path string) (packed, error) {
	to, err := create(path)
	if err != nil {
		return packed{}, err
	}
	z, err := gzip.NewWriterLevel(to, 2) // for samples, which are nearly all, as quick as 1, and smaller
	return packed{to, z}, err
}

func (p packed) Write(b []byte) (int, error) { return p.gzip.Write(b) }

func (p packed) Close() error {
	if err := p.gzip.Close(); err != nil {
		return err
	}
	return p.output.Close()
}

// add describes a file that was written by somebody else.
func (w *writing) add(name, table string, rows int64, description string) error {
	path := filepath.Join(w.dir, name)
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	hash := sha256.New()
	n, err := io.Copy(hash, file)
	if err != nil {
		return err
	}
	w.files = append(w.files, dataset.File{Name: name, Table: table, Rows: rows, Bytes: n, SHA256: hex.EncodeToString(hash.Sum(nil)), Description: description})
	return nil
}

// sinks are the files that one table is written to.
type sinks struct {
	writers []dataset.Writer
	plain   *output // nil: packed only
	packed  packed
	parquet *output
}

// sinks makes the files of a table, or of some of its rows.
func (w *writing) sinks(t *dataset.Table, name string) (s sinks, err error) {
	if s.packed, err = createPacked(filepath.Join(w.dir, name+".csv.gz")); err != nil {
		return s, err
	}
	if s.parquet, err = create(filepath.Join(w.dir, name+".parquet")); err != nil {
		return s, err
	}
	text := io.Writer(s.packed)
	if slices.Contains(inSQLite, t) {
		if s.plain, err = create(filepath.Join(w.dir, name+".csv")); err != nil {
			return s, err
		}
		text = io.MultiWriter(s.plain, s.packed)
		table, err := w.sqlite.Table(t)
		if err != nil {
			return s, err
		}
		s.writers = append(s.writers, table)
	}
	s.writers = append(s.writers, dataset.NewCSV(text, t), dataset.NewParquetFile(s.parquet, t, w.dir))
	return s, nil
}

// close ends the files and describes them.
func (s sinks) close(t *dataset.Table, rows int64) (files []dataset.File, err error) {
	if s.plain != nil {
		if err := s.plain.Close(); err != nil {
			return nil, err
		}
		files = append(files, s.plain.describe(t.Name, rows, t.Description))
	}
	if err := s.packed.Close(); err != nil {
		return nil, err
	}
	if err := s.parquet.Close(); err != nil {
		return nil, err
	}
	return append(files, s.packed.describe(t.Name, rows, t.Description), s.parquet.describe(t.Name, rows, t.Description)), nil
}

// writeTable writes a table in every format. While the formats take some rows, the next are read.
func writeTable[R any](w *writing, t *dataset.Of[R], each func(do func(*R) error) error) error {
	s, err := w.sinks(&t.Table, t.Name)
	if err != nil {
		return err
	}
	rows, err := dataset.Stream(t, each, s.writers...)
	if err != nil {
		return err
	}
	files, err := s.close(&t.Table, rows)
	w.files = append(w.files, files...)
	return err
}
