package dataset

import (
	"encoding/json"
	"io"
	"strings"
)

// NewNDJSON returns a writer of a table as one JSON object on each line. Cells that are not known are left out.
func NewNDJSON(to io.Writer, t *Table) Writer {
	return &textWriter{to: to, fields: t.Fields, append: appendObject, buffer: make([]byte, 0, flushAt+flushAt/4)}
}

func appendObject(b []byte, fields []Field, cells []Value) []byte {
	before := byte('{')
	for i, f := range fields {
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
	return append(b, '}', '\n')
}

func appendString(b []byte, s string) []byte {
	if strings.ContainsFunc(s, func(c rune) bool { return c < ' ' || c > '~' || c == '"' || c == '\\' }) {
		text, _ := json.Marshal(s) // never fails for a string
		return append(b, text...)
	}
	return append(append(append(b, '"'), s...), '"')
}
