package catalogue

import (
	"encoding/csv"
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
	absent *string // the first column that was asked for and isn't there
}

// eachRow calls do for every record of a CSV file. All records must be as wide as the header.
func eachRow(fsys fs.FS, name string, do func(row) error) error {
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
	absent := ""
	for {
		fields, err := r.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err) // the csv package names the line
		}
		line, _ := r.FieldPos(0)
		if err := do(row{name, line, header, fields, &absent}); err != nil {
			return err
		}
		if absent != "" {
			return fmt.Errorf("%s:1: no column %q", name, absent)
		}
	}
}

func (r row) get(column string) string {
	i := slices.Index(r.header, column)
	if i < 0 {
		*r.absent = column
		return ""
	}
	return r.fields[i]
}

// number reads a column as a finite number that is not negative; an empty field is 0.
func (r row) number(column string) (float64, error) {
	text := r.get(column)
	if text == "" {
		return 0, nil
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsInf(v, 0) || math.IsNaN(v) || v < 0 {
		return 0, r.errorf("%s %q is not a number from 0 up", column, text)
	}
	return v, nil
}

func (r row) errorf(format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s", r.file, r.line, fmt.Sprintf(format, args...))
}
