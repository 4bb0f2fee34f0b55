package result

import (
	"strings"
	"unicode"
)

// maxMarks is how many combining marks one character of a name may carry: Vietnamese needs 2, Hindi up to 4, and ten thousand
// paint over the lines above.
const maxMarks = 4

// Printable cuts s to what a document takes as a name: at most limit characters, which are letters, digits, punctuation,
// symbols and single spaces, with at most 4 combining marks on each. What a kernel shows of a module may hold anything.
func Printable(s string, limit int) string {
	var kept []rune
	marks := maxMarks // none before the first character
	for _, r := range s {
		switch {
		case unicode.IsSpace(r):
			if len(kept) == 0 || kept[len(kept)-1] == ' ' {
				continue
			}
			r, marks = ' ', 0
		case unicode.In(r, unicode.L, unicode.N, unicode.P, unicode.S) && r != unicode.ReplacementChar:
			marks = 0
		case unicode.Is(unicode.M, r) && marks < maxMarks:
			marks++
		default:
			continue
		}
		if kept = append(kept, r); len(kept) == limit {
			break
		}
	}
	return strings.TrimSpace(string(kept))
}
