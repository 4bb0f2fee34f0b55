package dataset

import (
	"io"
	"strings"
)

// Writer takes the rows of one table. What it is given is overwritten by the next.
type Writer interface {
	// Write takes the cells of some rows, one row behind the other.
	Write(cells []Value) error
	// Close writes what is left, and not the end of what is behind it.
	Close() error
}

// csvWriter writes CSV by RFC 4180. encoding/csv takes strings, of which there would be one for each cell.
type csvWriter struct {
	to     io.Writer
	fields []Field
	buffer []byte
}

// flushAt is how many bytes are written at once.
const flushAt = 64 << 10

// NewCSV returns a writer of a table as CSV, whose head it writes with the first rows or at the end.
func NewCSV(to io.Writer, t *Table) Writer {
	w := &csvWriter{to: to, fields: t.Fields, buffer: make([]byte, 0, flushAt+flushAt/4)}
	for i, f := range t.Fields {
		if i > 0 {
			w.buffer = append(w.buffer, ',')
		}
		w.buffer = append(w.buffer, f.Name...)
	}
	w.buffer = append(w.buffer, "\r\n"...)
	return w
}

func (w *csvWriter) Write(cells []Value) error {
	b := w.buffer
	for len(cells) > 0 {
		for i := range w.fields {
			if i > 0 {
				b = append(b, ',')
			}
			switch v := &cells[i]; w.fields[i].Type {
			case Text, JSON, Key:
				b = appendText(b, v.text, w.fields[i].Type == Text)
			default:
				b = appendCell(b, w.fields[i].Type, *v)
			}
		}
		b = append(b, "\r\n"...)
		cells = cells[len(w.fields):]
		if len(b) >= flushAt {
			if _, err := w.to.Write(b); err != nil {
				return err
			}
			b = b[:0]
		}
	}
	w.buffer = b
	return nil
}

func appendText(b []byte, s string, untrusted bool) []byte {
	apostrophe := untrusted && looksLikeFormula(s)
	if !strings.ContainsAny(s, "\",\r\n") && (s == "" || s[0] != ' ') {
		if apostrophe {
			b = append(b, '\'')
		}
		return append(b, s...)
	}
	b = append(b, '"')
	if apostrophe {
		b = append(b, '\'')
	}
	for {
		before, after, quote := strings.Cut(s, `"`)
		b = append(b, before...)
		if !quote {
			return append(b, '"')
		}
		b = append(b, `""`...)
		s = after
	}
}

func (w *csvWriter) Close() error {
	_, err := w.to.Write(w.buffer)
	w.buffer = w.buffer[:0]
	return err
}
