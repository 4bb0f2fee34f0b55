package catalogue

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"slices"
	"strconv"
)

// row is one record of a CSV file in data/, read by column name.
type row struct {
	file   string
	line   int // of the record's first field
	header []string
	fields []string
	err    error // the first bad column; eachRow returns it
}

// eachRow calls do for every record of a CSV file. All records must be as wide as the header.
func eachRow(fsys fs.FS, name string, do func(*row) error) error {
	f, err := fsys.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	r := csv.NewReader(f)
	header, err := r.Read()
	if err != nil {
		return fmt.Errorf("%s: no header: %w", name, err)
	}
	for {
		fields, err := r.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil && !errors.Is(err, csv.ErrFieldCount) {
			return fmt.Errorf("%s: %w", name, err) // the csv package names the line
		}
		line, _ := r.FieldPos(0)
		if err != nil {
			return fmt.Errorf("%s:%d: this row has %d fields, and the head has %d: is a comma missing, or is a text with a "+
				"comma not in quotes?", name, line, len(fields), len(header))
		}
		r := &row{file: name, line: line, header: header, fields: fields}
		err = do(r)
		if err := cmp.Or(r.err, err); err != nil {
			return err
		}
	}
}

func (r *row) get(column string) string {
	i := slices.Index(r.header, column)
	if i < 0 {
		r.err = cmp.Or(r.err, fmt.Errorf("%s:1: no column %q", r.file, column))
		return ""
	}
	return r.fields[i]
}

// number reads a column as a finite number that is not negative. An empty field is 0.
func (r *row) number(column string) float64 {
	text := r.get(column)
	v, err := strconv.ParseFloat(cmp.Or(text, "0"), 64)
	if err != nil || math.IsInf(v, 0) || !(v >= 0) {
		r.err = cmp.Or(r.err, r.errorf("%s %q is not a number from 0 up", column, text))
	}
	return v
}

func (r *row) errorf(format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s", r.file, r.line, fmt.Sprintf(format, args...))
}

// readJSON decodes a file.
func readJSON(fsys fs.FS, name string, to any) error {
	text, err := fs.ReadFile(fsys, name)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, to); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}
