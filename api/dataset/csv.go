package dataset

import (
	"io"
	"strings"
)

// Writer takes the rows of one table.
type Writer interface {
	// Write takes the cells of some rows, one row after the other. The next call overwrites them.
	Write(cells []Value) error
	// Close writes all that is left. It does not close the underlying writer.
	Close() error
}

// textWriter writes rows as text. Standard encoders take a row as strings or as an object, which would be one
// allocation for each cell.
type textWriter struct {
	to     io.Writer
	fields []Field
	append func(b []byte, fields []Field, cells []Value) []byte // appends one row
	buffer []byte
}

// flushAt is how many bytes are written at once.
const flushAt = 64 << 10

func (w *textWriter) Write(cells []Value) error {
	for ; len(cells) > 0; cells = cells[len(w.fields):] {
		w.buffer = w.append(w.buffer, w.fields, cells)
		if len(w.buffer) >= flushAt {
			if err := w.Close(); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *textWriter) Close() error {
	_, err := w.to.Write(w.buffer)
	w.buffer = w.buffer[:0]
	return err
}

// NewCSV returns a writer of a table as CSV by RFC 4180. It writes the head with the first rows, or at the end.
func NewCSV(to io.Writer, t *Table) Writer {
	w := &textWriter{to: to, fields: t.Fields, append: appendCSV, buffer: make([]byte, 0, flushAt+flushAt/4)}
	for i, f := range t.Fields {
		if i > 0 {
			w.buffer = append(w.buffer, ',')
		}
		w.buffer = append(w.buffer, f.Name...)
	}
	w.buffer = append(w.buffer, "\r\n"...)
	return w
}

func appendCSV(b []byte, fields []Field, cells []Value) []byte {
	for i := range fields {
		if i > 0 {
			b = append(b, ',')
		}
		switch v := &cells[i]; fields[i].Type {
		case Text, JSON, Key:
			b = appendText(b, v.text, fields[i].Type == Text)
		default:
			b = appendCell(b, fields[i].Type, *v)
		}
	}
	return append(b, "\r\n"...)
}

// appendText appends text, in quotes where it needs them, and with an apostrophe before what looks like a formula.
func appendText(b []byte, s string, unchecked bool) []byte {
	quotes := strings.ContainsAny(s, "\",\r\n") || strings.HasPrefix(s, " ")
	if quotes {
		b = append(b, '"')
		s = strings.ReplaceAll(s, `"`, `""`)
	}
	if unchecked && looksLikeFormula(s) {
		b = append(b, '\'')
	}
	b = append(b, s...)
	if quotes {
		b = append(b, '"')
	}
	return b
}
