package dataset

import (
	"encoding/json"
	"io"
	"strings"
)

// ndjsonWriter writes a JSON object on each line. What is not known is not in it.
type ndjsonWriter struct {
	to     io.Writer
	fields []Field
	buffer []byte
}

// NewNDJSON returns a writer of a table as one JSON object for each row.
func NewNDJSON(to io.Writer, t *Table) Writer {
	return &ndjsonWriter{to: to, fields: t.Fields, buffer: make([]byte, 0, flushAt+flushAt/4)}
}

func (w *ndjsonWriter) Write(cells []Value) error {
	b := w.buffer
	for len(cells) > 0 {
		before := byte('{')
		for i, f := range w.fields {
			v := &cells[i]
			if !v.known {
				continue
			}
			b = append(append(append(b, before, '"'), f.Name...), '"', ':')
			before = ','
			switch f.Type {
			case Text, Key:
				b = appendString(b, v.text)
			case Date:
				b = append(appendCell(append(b, '"'), Date, *v), '"')
			default:
				b = appendCell(b, f.Type, *v)
			}
		}
		b = append(b, '}', '\n')
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

func appendString(b []byte, s string) []byte {
	if strings.ContainsFunc(s, func(c rune) bool { return c < ' ' || c > '~' || c == '"' || c == '\\' }) {
		text, _ := json.Marshal(s) // a string always can be
		return append(b, text...)
	}
	return append(append(append(b, '"'), s...), '"')
}

func (w *ndjsonWriter) Close() error {
	_, err := w.to.Write(w.buffer)
	w.buffer = w.buffer[:0]
	return err
}
