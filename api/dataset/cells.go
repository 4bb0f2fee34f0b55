package dataset

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Apostrophes describes how the CSV files change columns of type text, and how to undo it.
const Apostrophes = "In CSV, text that begins with =, +, -, @ (also in full width) or an apostrophe has one more " +
	"apostrophe before it, so that a spreadsheet does not take it for a formula: of the columns whose type is text, and " +
	"of no others. Take one apostrophe off where text begins with one, and it is as it was. The other formats " +
	"hold it as it was."

// looksLikeFormula reports whether s needs an apostrophe in CSV: because a spreadsheet may take it for a formula, or
// because it begins with an apostrophe, which readers would take off. site/assets/js/take.js has the same rule.
func looksLikeFormula(s string) bool {
	first, _ := utf8.DecodeRuneInString(s)
	switch first {
	case '=', '+', '-', '@', '\'', '＝', '＋', '－', '＠', '\t', '\r':
		return true
	}
	return false
}

// printable removes characters that control a terminal, a table or the direction of text.
func printable(s string) string {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return strings.Map(func(r rune) rune {
				if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
					return -1
				}
				return r
			}, strings.ToValidUTF8(s, "\uFFFD"))
		}
	}
	return s
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
