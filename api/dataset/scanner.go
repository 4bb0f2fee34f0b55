package dataset

import (
	"strconv"
	"strings"
)

// scanner goes through JSON that is known to be valid, and fails where it has spaces outside of strings, or escapes in strings that it
// is asked for. What it gives is part of the text.
type scanner struct {
	text   string
	at     int
	failed bool
}

func (s *scanner) must(ok bool) { s.failed = s.failed || !ok }

func (s *scanner) take(c byte) bool {
	if s.at < len(s.text) && s.text[s.at] == c {
		s.at++
		return true
	}
	return false
}

// members has do read the value of each member of an object, and tells it where the member's name begins.
func (s *scanner) members(do func(name string, at int)) {
	s.each('{', '}', func() {
		at := s.at
		name := s.plain()
		s.must(s.take(':'))
		do(name, at)
	})
}

// elements has do read each value of an array.
func (s *scanner) elements(do func()) { s.each('[', ']', do) }

func (s *scanner) each(first, last byte, do func()) {
	s.must(s.take(first))
	if s.take(last) {
		return
	}
	for !s.failed {
		do()
		if !s.take(',') {
			s.must(s.take(last))
			return
		}
	}
}

// plain reads a string without escapes.
func (s *scanner) plain() string {
	text := s.skip()
	if len(text) < 2 || text[0] != '"' || strings.IndexByte(text, '\\') >= 0 {
		s.failed = true
		return ""
	}
	return text[1 : len(text)-1]
}

func (s *scanner) whole() int64 {
	n, err := strconv.ParseInt(s.skip(), 10, 64)
	s.must(err == nil)
	return n
}

// stops are the bytes at which skip has to look.
var stops = func() (is [256]bool) {
	for c := range byte(' ' + 1) {
		is[c] = true
	}
	for _, c := range []byte(`"[]{},`) {
		is[c] = true
	}
	return is
}()

// skip reads any value.
func (s *scanner) skip() string {
	if value := s.pairs(); value != "" {
		s.at += len(value)
		return value
	}
	from, depth := s.at, 0
	for s.at < len(s.text) {
		c := s.text[s.at]
		if !stops[c] {
			s.at++
			continue
		}
		switch c {
		case '"':
			s.skipString()
			if depth == 0 {
				return s.text[from:s.at]
			}
			continue
		case '[', '{':
			depth++
		case ']', '}':
			if depth--; depth < 0 { // the end of what the value is in
				return s.text[from:s.at]
			}
			if depth == 0 {
				s.at++
				return s.text[from:s.at]
			}
		case ',':
			if depth == 0 {
				return s.text[from:s.at]
			}
		default:
			s.failed = true
			return ""
		}
		s.at++
	}
	s.failed = true
	return ""
}

// pairs is the value at hand if it is an array of arrays of numbers, else empty. A histogram is two thirds of a document: its end is looked for as a
// whole, not byte by byte.
func (s *scanner) pairs() string {
	rest := s.text[s.at:]
	if !strings.HasPrefix(rest, "[[") {
		return ""
	}
	end := strings.Index(rest, "]]") + len("]]")
	value := rest[:end]
	for _, other := range []byte("\"{ \t\r\n") {
		if strings.IndexByte(value, other) >= 0 {
			return ""
		}
	}
	if strings.Count(value, "[") != strings.Count(value, "]") { // there are arrays in its arrays
		return ""
	}
	return value
}

func (s *scanner) skipString() {
	for s.at++; s.at < len(s.text); s.at++ {
		switch s.text[s.at] {
		case '\\':
			s.at++
		case '"':
			s.at++
			return
		}
	}
	s.failed = true
}
