package submission

import (
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"
)

const maxReason = 1000 // characters

// CheckReason checks the reason of an operator's decision, which everybody can read. The error tells the operator what
// to change.
func CheckReason(reason string) error {
	switch {
	case strings.TrimSpace(reason) == "":
		return errors.New("a decision needs its reason, in words that the contributor can act on")
	case !utf8.ValidString(reason) || utf8.RuneCountInString(reason) > maxReason:
		return errors.New("a reason has at most 1000 characters, in UTF-8")
	case strings.ContainsFunc(reason, func(r rune) bool { return !unicode.IsPrint(r) }):
		return errors.New("a reason holds only characters that print, on one line")
	}
	return nil
}
