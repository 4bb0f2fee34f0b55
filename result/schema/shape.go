package schema

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"

	"flashdex/result"
)

// What a document may hold in any place, whatever the schema says there: the validator looks at all of a document and notes all
// that is wrong with it, at about 2 kB and 5 µs a fault, so it must never see one that is built of faults.
const (
	maxDepth    = 8 // a document has 5
	maxElements = 4000
	maxMembers  = 64
	maxValues   = 50_000 // in all; the standard profile's documents have about 2,000
)

// reNumber leaves out numbers like 1e1000000, which take the validator's exact arithmetic 60 ms each.
var reNumber = regexp.MustCompile(`^-?[0-9]{1,20}(\.[0-9]{1,20})?([eE][+-]?[0-9]{1,2})?$`)

// level is an object or array that is being read.
type level struct {
	keys    map[string]bool // of an object; nil for an array
	key     string          // the member that is being read
	index   int             // values that have ended
	wantKey bool
}

// misshapen finds the first place in data where nothing by the schema could stand, at the cost of reading it once. It
// looks for repeated keys too: the validator sees the last of the two and the decoder mixes both, so the first could hold
// anything, like a serial number that the schema would refuse. Data that is no JSON is left to the decoder.
func misshapen(data []byte) *result.Problem {
	var open []*level
	at := func(format string, args ...any) *result.Problem {
		var p string
		for _, l := range open {
			if l.keys == nil {
				p += fmt.Sprintf("/%d", l.index)
			} else if !l.wantKey {
				p += "/" + escapeToken(l.key)
			}
		}
		return &result.Problem{Pointer: shorten(p), Detail: fmt.Sprintf(format, args...)}
	}
	tokens := json.NewDecoder(bytes.NewReader(data))
	tokens.UseNumber()
	for values := 0; ; {
		token, err := tokens.Token()
		if err != nil {
			return nil // the end
		}
		var top *level
		if len(open) > 0 {
			top = open[len(open)-1]
		}
		switch token := token.(type) {
		case json.Delim:
			if token == '{' || token == '[' {
				if open = append(open, &level{}); token == '{' {
					open[len(open)-1] = &level{keys: map[string]bool{}, wantKey: true}
				}
				if len(open) > maxDepth {
					return at("nested deeper than %d levels", maxDepth)
				}
				continue
			}
			if open = open[:len(open)-1]; len(open) == 0 {
				return nil
			}
			top = open[len(open)-1]
		case string:
			if top == nil || !top.wantKey {
				break
			}
			top.key, top.wantKey = token, false
			switch {
			case top.keys[token]:
				return at("the key is there twice")
			case len(top.keys) == maxMembers:
				return at("more than %d members", maxMembers)
			}
			top.keys[token] = true
			continue
		case json.Number:
			if !reNumber.MatchString(token.String()) {
				return at("not a number that could be measured: at most 20 digits before and after the point")
			}
		}
		if values++; values > maxValues {
			return at("more than %d values in one document", maxValues)
		}
		if top != nil { // a value has ended
			if top.index++; top.keys == nil && top.index > maxElements {
				return at("more than %d elements", maxElements)
			}
			top.wantKey = top.keys != nil
		}
	}
}
