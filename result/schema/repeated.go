package schema

import (
	"bytes"
	"encoding/json"
	"fmt"

	"flashdex/result"
)

// repeatedKey finds the first object in data, which is valid JSON, that names a key twice. The validator sees the last of
// the two and the decoder mixes both, so the first could hold anything: a serial number that the schema would refuse.
func repeatedKey(data []byte) *result.Problem {
	type level struct {
		keys    map[string]bool // of an object; nil for an array
		key     string          // the member that is being read
		index   int             // the element that is being read
		wantKey bool
	}
	var open []*level
	pointer := func() (p string) {
		for _, l := range open {
			if l.keys == nil {
				p += fmt.Sprintf("/%d", l.index)
			} else {
				p += "/" + escapeToken(l.key)
			}
		}
		return shorten(p)
	}
	for tokens := json.NewDecoder(bytes.NewReader(data)); ; {
		token, err := tokens.Token()
		if err != nil {
			return nil // the end
		}
		var top *level
		if len(open) > 0 {
			top = open[len(open)-1]
		}
		switch token {
		case json.Delim('{'):
			open = append(open, &level{keys: map[string]bool{}, wantKey: true})
			continue
		case json.Delim('['):
			open = append(open, &level{})
			continue
		case json.Delim('}'), json.Delim(']'):
			open = open[:len(open)-1]
			if len(open) == 0 {
				return nil
			}
			top = open[len(open)-1]
		default:
			if top != nil && top.wantKey {
				top.key, top.wantKey = token.(string), false
				if top.keys[top.key] {
					return &result.Problem{Pointer: pointer(), Detail: "the key is there twice"}
				}
				top.keys[top.key] = true
				continue
			}
		}
		if top != nil { // a value has ended
			top.index++
			top.wantKey = top.keys != nil
		}
	}
}
