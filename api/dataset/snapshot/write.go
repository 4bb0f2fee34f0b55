package snapshot

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"flashdex/api/catalogue"
	"flashdex/api/dataset"
	"flashdex/api/figure"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// sqliteName names the file that holds all tables but samples.
const sqliteName = "flashdex.sqlite"

// writing is a snapshot while its files are written into a folder.
type writing struct {
	dataset.Snapshot
	dir    string
	sqlite *dataset.SQLite
	opened []*os.File
	err    error // the first error; nothing more is written after it
}

// try calls step unless another failed before.
func (w *writing) try(step func() error) {
	if w.err == nil {
		w.err = step()
	}
}

// scratch is a folder that exists only while the files are written.
func (w *writing) scratch() string { return w.dir + ".scratch" }

// discard closes all files, so that removing them frees the space of an incomplete snapshot.
func (w *writing) discard() {
	if w.sqlite != nil {
		w.sqlite.Discard()
	}
	for _, file := range w.opened {
		_ = file.Close() // most are closed already
	}
}

// inSQLite lists the tables of the database file. Samples would be nine tenths of it.
var inSQLite = slices.DeleteFunc(slices.Clone(dataset.Tables), func(t *dataset.Table) bool {
	return t == &dataset.Samples.Table
})

// writeFiles writes all files of a snapshot, and the list of its runs. It reuses unchanged months of the edition
// before.
func (a *Archive) writeFiles(
	ctx context.Context, name string, s *figure.Overview, r figure.Records, before edition, start time.Time,
) (dataset.Snapshot, error) {
	begin := time.Now() // not a.Now, because somebody may set that clock meanwhile
	dir := a.files(name)
	w := &writing{dir: dir, Snapshot: dataset.Snapshot{
		Date: start.Format(time.DateOnly), AsOf: start.Truncate(time.Second), Generation: s.Generation, Version: a.Version,
		MonthsForm: dataset.MonthsForm, Columns: map[string][]string{},
	}}
	if s.Calibrations != nil {
		w.Calibration = s.Calibrations.Version
	}
	w.try(func() error { return errors.Join(os.Mkdir(dir, 0o755), os.Mkdir(w.scratch(), 0o755)) })
	w.try(func() (err error) {
		w.sqlite, err = dataset.NewSQLite(filepath.Join(dir, sqliteName), inSQLite)
		return err
	})
	writeTable(w, dataset.Modules, ofOverview(dataset.EachModule, s, a.Catalogue))
	writeTable(w, dataset.Units, ofRecords(ctx, r.Specimens))
	writeTable(w, dataset.Hosts, ofRecords(ctx, r.Hosts))
	writeTable(w, dataset.Results, func(do func(*figure.Test) error) error { return r.Tests(ctx, figure.Filter{}, do) })
	writeTable(w, dataset.Figures, ofOverview(dataset.EachFigure, s, a.Catalogue))
	writeTable(w, dataset.Published, ofOverview(dataset.EachPublished, s, a.Catalogue))
	writeTable(w, dataset.Rated, ofOverview(dataset.EachRated, s, a.Catalogue))
	writeTable(w, dataset.Devices, ofOverview(dataset.EachDeviceFact, s, a.Catalogue))
	writeTable(w, dataset.Endured, ofOverview(dataset.EachEndured, s, a.Catalogue))
	writeTable(w, dataset.Prices, ofOverview(dataset.EachPrice, s, a.Catalogue))
	writeTable(w, dataset.Checks, ofOverview(dataset.EachCheck, s, a.Catalogue))
	writeTable(w, dataset.Calibrations, ofOverview(dataset.EachCalibration, s, a.Catalogue))
	writeTable(w, dataset.Columns, dataset.EachColumn)
	w.try(func() error { return w.findMonths(ctx, r, a.ids(name)) })
	w.try(func() error { return w.writeMonths(ctx, r, before.index.Latest, a.files(before.folders[latestName])) })
	w.try(func() error { return w.sqlite.Close(inSQLite) })
	w.try(func() error {
		return w.add(sqliteName, "All tables but samples in one database, with keys, references and indexes.")
	})
	for _, t := range dataset.Tables {
		for _, f := range t.Fields {
			w.Columns[t.Name] = append(w.Columns[t.Name], f.Name)
		}
	}
	for _, month := range w.Months {
		w.Runs += month.Runs
	}
	w.try(func() error { return a.describe(w, name, before) })
	if w.err != nil {
		w.discard()
		return w.Snapshot, fmt.Errorf("archive: %w", w.err)
	}
	w.Seconds = time.Since(begin).Seconds()
	return w.Snapshot, nil
}

// rows calls do for each row of a table.
type rows[R any] func(do func(*R) error) error

func ofOverview[R any](
	each func(*figure.Overview, *catalogue.Catalogue, func(*R) error) error, s *figure.Overview, c *catalogue.Catalogue,
) rows[R] {
	return func(do func(*R) error) error { return each(s, c, do) }
}

func ofRecords[R any](ctx context.Context, each func(context.Context, func(*R) error) error) rows[R] {
	return func(do func(*R) error) error { return each(ctx, do) }
}

// writeTable writes a table in every format.
func writeTable[R any](w *writing, t *dataset.Of[R], each rows[R]) {
	w.try(func() error {
		files, err := writeRows(w, t, t.Name, each)
		w.Files = append(w.Files, files...)
		return err
	})
}

// writeRows writes rows of a table in every format. While it writes some rows, it reads the next ones.
func writeRows[R any](w *writing, t *dataset.Of[R], name string, each rows[R]) (files []dataset.File, err error) {
	outputs, writers, err := w.sinks(&t.Table, name)
	if err != nil {
		return nil, err
	}
	n, err := dataset.Stream(t, each, writers...)
	if err != nil {
		return nil, err
	}
	for _, o := range outputs {
		file, err := o.close(t.Description)
		if err != nil {
			return nil, err
		}
		file.Table, file.Rows = t.Name, n
		files = append(files, file)
	}
	return files, nil
}

// sinks creates the files of a table, or of a part of its rows, and their writers.
func (w *writing) sinks(t *dataset.Table, name string) (files []*output, writers []dataset.Writer, err error) {
	add := func(ending string) io.Writer {
		file, errCreate := w.create(filepath.Join(w.dir, name+ending))
		files, err = append(files, file), errors.Join(err, errCreate)
		return file
	}
	inDatabase := slices.Contains(inSQLite, t)
	var text []io.Writer
	if inDatabase { // otherwise a plain CSV would be too large, too
		text = append(text, add(".csv"))
	}
	text = append(text, add(".csv.gz"))
	parquet := add(".parquet")
	if err != nil {
		return nil, nil, err
	}
	writers = []dataset.Writer{dataset.NewCSV(io.MultiWriter(text...), t), dataset.NewParquetFile(parquet, t, w.scratch())}
	if inDatabase {
		table, err := w.sqlite.Table(t)
		return files, append(writers, table), err
	}
	return files, writers, nil
}

// add describes a file that is already written.
func (w *writing) add(name, description string) error {
	file, err := os.Open(filepath.Join(w.dir, name))
	if err != nil {
		return err
	}
	defer file.Close()
	hash := sha256.New()
	n, err := io.Copy(hash, file)
	w.Files = append(w.Files, dataset.File{Name: name, Bytes: n, SHA256: hex.EncodeToString(hash.Sum(nil)),
		Description: description})
	return err
}

// output is a file that is hashed, and packed if its name ends in .gz or .zst, while it is written.
type output struct {
	io.Writer
	file   *os.File
	buffer *bufio.Writer
	packer io.WriteCloser // nil: it isn't packed
	hash   hash.Hash
}

func (w *writing) create(path string) (*output, error) {
	// A file that is already there may share its bytes with a dated snapshot.
	if err := os.Remove(path); err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	file, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	w.opened = append(w.opened, file)
	o := &output{file: file, buffer: bufio.NewWriterSize(file, 256<<10), hash: sha256.New()}
	o.Writer = io.MultiWriter(o.buffer, o.hash)
	switch filepath.Ext(path) {
	case ".gz":
		// Level 2 is as quick as level 1 for samples, which are nearly all bytes, and packs better.
		o.packer, err = gzip.NewWriterLevel(o.Writer, 2)
	case ".zst":
		// With two workers, it packs one block while the next one is being written.
		o.packer, err = zstd.NewWriter(o.Writer, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(2),
			zstd.WithWindowSize(64<<10))
	}
	if o.packer != nil {
		o.Writer = o.packer
	}
	return o, err
}

// close closes the file and describes it.
func (o *output) close(description string) (dataset.File, error) {
	var err error
	if o.packer != nil {
		err = o.packer.Close()
	}
	err = errors.Join(err, o.buffer.Flush())
	info, errStat := o.file.Stat()
	if err = errors.Join(err, errStat, o.file.Close()); err != nil {
		return dataset.File{}, err
	}
	return dataset.File{
		Name: info.Name(), Bytes: info.Size(), SHA256: hex.EncodeToString(o.hash.Sum(nil)), Description: description,
	}, nil
}
