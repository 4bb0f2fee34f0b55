// Package idna takes the place of golang.org/x/net/idna in the clients that client/build.sh makes. Tables of all
// letters would be a thirtieth of a client, and a site is reached by the ASCII form of its name, too.
package idna

import "errors"

// Profile has the methods that Go's own packages call.
type Profile struct{}

// Lookup is for names that are about to be looked up.
var Lookup = &Profile{}

var errOtherLetters = errors.New("the host's name has other letters than ASCII's: write it as xn--…")

// ToASCII returns the name, or an error if it isn't ASCII.
func (*Profile) ToASCII(name string) (string, error) { return ToASCII(name) }

// ToASCII returns the name, or an error if it isn't ASCII.
func ToASCII(name string) (string, error) {
	for i := range len(name) {
		if name[i] > '\x7f' {
			return "", errOtherLetters
		}
	}
	return name, nil
}
