package transcript

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// text is a transcript that is read line by line.
type text struct {
	lines []string
	at    int  // the current line
	json  bool // there may be JSON that can be read

	strange int  // JSON documents so far that can't be read
	filled  bool // F3's own output came before

	piFio map[string]float64 // by test, the IOPS in PiBenchmarks' own line before
}

// textOf splits a text into lines. It undoes UTF-16, which Windows programs write, the colours of a terminal, the quote
// marks of Markdown and mail, non-breaking spaces, and progress lines that a later one overwrote.
func textOf(content string) *text {
	content = withoutEscapes(strings.TrimPrefix(fromUTF16(content), "\ufeff"))
	lines := strings.Split(strings.ReplaceAll(content, "\u00a0", " "), "\n")
	for i, line := range lines {
		line = strings.TrimRight(line, "\r")
		line = line[strings.LastIndexByte(line, '\r')+1:]
		for {
			rest, quoted := strings.CutPrefix(strings.TrimLeft(line, " "), ">")
			if !quoted || rest != "" && rest[0] != ' ' && rest[0] != '>' {
				break
			}
			line = strings.TrimPrefix(rest, " ")
		}
		lines[i] = line
	}
	return &text{lines: lines, json: holdsKnownJSON(content)}
}

// withoutEscapes removes a terminal's control sequences (ECMA-48), such as colours and a window's title.
func withoutEscapes(content string) string {
	var kept strings.Builder
	for {
		before, rest, found := strings.Cut(content, "\x1b")
		kept.WriteString(before)
		if !found {
			return kept.String()
		}
		switch {
		case strings.HasPrefix(rest, "["):
			rest = strings.TrimLeft(rest[1:], digits+";:?<=>"+intermediate)
			content = rest[min(1, len(rest)):]
		case strings.HasPrefix(rest, "]"):
			end := strings.IndexAny(rest, "\a\x1b\n")
			if end < 0 || rest[end] == '\n' { // a title doesn't end like this
				end = 0
			}
			content = strings.TrimPrefix(rest[end:], "\a")
		default:
			rest = strings.TrimLeft(rest, intermediate)
			content = rest[min(1, len(rest)):]
		}
	}
}

// intermediate are the bytes that may come before the last byte of a control sequence.
const intermediate = " !\"#$%&'()*+,-./"

func fromUTF16(content string) string {
	low := strings.Index("\xff\xfe\xff", content[:min(2, len(content))]) // where the low byte of a unit stands
	if low < 0 || len(content) < 2 {
		return content
	}
	units := make([]uint16, 0, len(content)/2)
	for at := 2; at+1 < len(content); at += 2 {
		units = append(units, uint16(content[at+low])|uint16(content[at+1-low])<<8)
	}
	return string(utf16.Decode(units))
}

// line returns the current line, or "" after the last.
func (t *text) line() string { return t.ahead(0) }

// ahead returns the line n lines further on, or "".
func (t *text) ahead(n int) string {
	if t.at+n >= len(t.lines) {
		return ""
	}
	return t.lines[t.at+n]
}

// shorten cuts a line for a message.
func shorten(line string) string {
	line = strings.Join(strings.Fields(line), " ")
	if runes := []rune(line); len(runes) > 60 {
		line = string(runes[:59]) + "…"
	}
	if !utf8.ValidString(line) {
		line = strings.ToValidUTF8(line, "?")
	}
	return line
}

// hasRate reports whether a line shows a rate of transfer or of operations: a unit, and a figure before or after it.
func hasRate(line string) bool {
	line = strings.ToLower(line)
	names := func(unit string) bool { return strings.Contains(line, unit) }
	return strings.ContainsAny(line, digits) && slices.ContainsFunc(rateUnits, names)
}

// rateUnits are parts of the names that programs give to rates. sysbench prints "reads/s:".
var rateUnits = []string{"b/s", "byte/s", "bytes/s", "iops", "bps", "ops/s", "/s:"}

// decimal reads a number with a point or a comma before its fraction. It refuses a comma before exactly three digits,
// since that may separate thousands.
func decimal(word string) (float64, bool) {
	whole, fraction, comma := strings.Cut(word, ",")
	switch {
	case comma && len(fraction) == 3 && whole != "0":
		return 0, false
	case comma:
		word = whole + "." + fraction
	}
	if word == "" || len(word) > 20 || strings.Trim(word, digits+".") != "" || !strings.ContainsAny(word, digits) {
		return 0, false
	}
	n, err := strconv.ParseFloat(word, 64)
	return n, err == nil
}

// scaled reads a number and a unit of bytes such as "MB/s", "kB" or "MByte/s". Its prefixes are powers of 1,024, as in
// all the tools that it serves. "Mbit/s" is no unit of bytes.
func scaled(word, unit string) (bytes float64, ok bool) {
	n, ok := decimal(word)
	for _, prefix := range []string{"", "k", "M", "G", "T"} {
		rest, found := strings.CutPrefix(strings.Replace(unit, "K", "k", 1), prefix)
		if found && strings.HasPrefix(strings.TrimPrefix(rest, "i"), "B") {
			return n, ok
		}
		n *= 1024
	}
	return 0, false
}

// between returns the text between two others in a line, without blanks at its ends.
func between(line, before, after string) (string, bool) {
	_, rest, found := strings.Cut(line, before)
	if found && after != "" {
		rest, _, found = strings.Cut(rest, after)
	}
	return strings.TrimSpace(rest), found
}

// Size reads a number of bytes as these tools do: digits and a suffix for a power of 1,024.
func Size(text string) (bytes int64, ok bool) {
	text = strings.ToLower(text)
	number := strings.TrimRight(text, lower)
	unit := strings.TrimSuffix(text[len(number):], "b")
	if rest := strings.TrimSuffix(unit, "i"); rest != "" {
		unit = rest
	}
	power := strings.Index("ckmg", unit) // c: dd's word for a byte
	n, whole := count(number)
	if len(unit) > 1 || power < 0 || !whole || n > maxBytes>>(10*power) {
		return 0, false
	}
	return n << (10 * power), true
}

// count reads a number of at most 15 digits.
func count(text string) (n int64, ok bool) {
	if text == "" || len(text) > 15 || strings.Trim(text, digits) != "" {
		return 0, false
	}
	n, err := strconv.ParseInt(text, 10, 64)
	return n, err == nil
}

// nsOf is the time that bytes take at a rate.
func nsOf(bytes int64, bytesPerS float64) int64 {
	ns := float64(bytes)/bytesPerS*1e9 + 0.5
	if !(ns < maxNS) {
		return 0
	}
	return int64(ns)
}
