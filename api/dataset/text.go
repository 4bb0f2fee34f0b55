package dataset

import (
	"bufio"
	"encoding/json"
	"io"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Writer takes the rows of one table.
type Writer interface {
	// Write takes the cells of some rows, one row after the other. The next call overwrites them.
	Write(cells []Value) error
	// Close writes everything that is left. It doesn't close the underlying writer.
	Close() error
}

// textWriter writes rows as text. Standard encoders take a row as strings or as an object, which would be one
// allocation for each cell.
type textWriter struct {
	to     *bufio.Writer
	fields []Field
	append func(b []byte, fields []Field, cells []Value) []byte // appends one row
}

func (w *textWriter) Write(cells []Value) error {
	for ; len(cells) > 0; cells = cells[len(w.fields):] {
		if _, err := w.to.Write(w.append(w.to.AvailableBuffer(), w.fields, cells)); err != nil {
			return err
		}
	}
	return nil
}

func (w *textWriter) Close() error { return w.to.Flush() }

// NewCSV returns a writer of a table as CSV by RFC 4180. It writes the head with the first rows, or at the end.
func NewCSV(to io.Writer, t *Table) Writer {
	w := &textWriter{bufio.NewWriterSize(to, 64<<10), t.Fields, appendCSV}
	var names []string
	for _, f := range t.Fields {
		names = append(names, f.Name)
	}
	_, _ = w.to.WriteString(strings.Join(names, ",") + "\r\n") // Write and Close return its error
	return w
}

// NewNDJSON returns a writer of a table as one JSON object per line. It leaves out unknown cells.
func NewNDJSON(to io.Writer, t *Table) Writer {
	return &textWriter{bufio.NewWriterSize(to, 64<<10), t.Fields, appendObject}
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

// appendText appends text, in quotes if needed, and with an apostrophe before text that looks like a formula.
func appendText(b []byte, s string, unchecked bool) []byte {
	quotes := strings.ContainsAny(s, "\",\r\n") || strings.HasPrefix(s, " ")
	if quotes {
		b = append(b, '"')
		s = strings.ReplaceAll(s, `"`, `""`)
	}
	if unchecked && LooksLikeFormula(s) {
		b = append(b, '\'')
	}
	b = append(b, s...)
	if quotes {
		b = append(b, '"')
	}
	return b
}

// Apostrophes describes how the CSV files change columns of type text, and how to undo it.
const Apostrophes = "In CSV, text that begins with =, +, -, @ (also in full width) or an apostrophe has one more " +
	"apostrophe before it, so that a spreadsheet does not take it for a formula: of the columns whose type is text, and " +
	"of no others. Take one apostrophe off where text begins with one, and it is as it was. The other formats " +
	"hold it as it was."

// LooksLikeFormula reports whether s needs an apostrophe in CSV. It does if a spreadsheet may take it for a formula, or
// if it begins with an apostrophe, which readers would remove. site/assets/js/take.js has the same rule.
func LooksLikeFormula(s string) bool {
	first, _ := utf8.DecodeRuneInString(s)
	return strings.ContainsRune("=+-@'＝＋－＠\t\r", first)
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

// appendCell appends a value as the text formats print it, without quotes. An unknown value is empty.
func appendCell(to []byte, of Type, v Value) []byte {
	if !v.known {
		return to
	}
	switch of {
	case Integer:
		return strconv.AppendInt(to, int64(v.bits), 10)
	case Number:
		return strconv.AppendFloat(to, v.float(), 'f', -1, 64)
	case Boolean:
		return strconv.AppendBool(to, v.bits == 1)
	case Date:
		return v.day().AppendFormat(to, "2006-01-02")
	}
	return append(to, v.text...)
}

// printable removes characters that control a terminal, a table or the direction of text.
func printable(s string) string {
	if !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r > '~' }) {
		return s
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
}
