package result

import (
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"strings"
	"time"
	"unicode"
)

// maxMarks limits a character's combining marks. Vietnamese needs 2 and Hindi up to 4; more could cover other lines.
const maxMarks = 4

// Printable reduces s to at most limit characters that a document accepts in a name: letters, digits, punctuation,
// symbols and single spaces, each with at most maxMarks combining marks. s may hold any bytes.
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

// NewID returns a UUID of version 7. New ids sort after older ones, which keeps a database index small.
func NewID() string { return NewIDAt(time.Now()) }

// NewIDAt returns a UUID of version 7 (RFC 9562): a time in ms, and 74 random bits.
func NewIDAt(at time.Time) string {
	var b [16]byte
	binary.BigEndian.PutUint64(b[:], uint64(at.UnixMilli())<<16)
	rand.Read(b[6:])
	b[6] = b[6]&0x0f | 0x70
	b[8] = b[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
