package schema

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"

	"flashdex/result"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Limits that hold anywhere in a document, whatever the schema says. The validator visits every value and records every
// error, at about 2 kB and 5 µs each. So it must never see a document that consists of errors.
const (
	maxDepth    = 8 // a document has 5
	maxElements = 4000
	maxMembers  = 64
	maxValues   = 50_000 // in total; documents of the standard profile have about 2,000
)

// reNumber excludes numbers like 1e1000000, which cost the validator's exact arithmetic 60 ms each.
var reNumber = regexp.MustCompile(`^-?[0-9]{1,20}(\.[0-9]{1,20})?([eE][+-]?[0-9]{1,2})?$`)

// decode parses data, which is UTF-8, and enforces the limits. It refuses an object that repeats a key. The validator
// would see only the last value, and the first could hide anything, such as a serial number.
func decode(data []byte) (any, error) {
	values, members := count(data)
	if values > maxValues && json.Valid(data) {
		return nil, invalid("", fmt.Sprintf("more than %d values in one document", maxValues))
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("%w: %v", ErrNotJSON, err)
	}
	if pointer, detail := exceeded(value, 0, &members); detail != "" {
		return nil, invalid(pointer, detail)
	}
	if members > 0 {
		pointer, _ := repeatedKey(json.NewDecoder(bytes.NewReader(data)))
		return nil, invalid(pointer, "the key is there twice")
	}
	return value, nil
}

// count returns how many members the objects in data have. It also returns a number of values that is never less than
// data's.
func count(data []byte) (values, members int) {
	inString := false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case c == '"':
			inString = !inString
		case inString:
			if c == '\\' {
				i++
			}
		case c == ':':
			members++
		case c == ',' || c == '[' || c == '{':
			values++
		}
	}
	return values + 1, members
}

// exceeded returns where value exceeds a limit, as a JSON pointer, and which limit. detail is "" if no limit is
// exceeded. It subtracts value's number of members from members.
func exceeded(value any, depth int, members *int) (pointer, detail string) {
	switch value := value.(type) {
	case map[string]any:
		*members -= len(value)
		if depth == maxDepth {
			return "", fmt.Sprintf("nested deeper than %d levels", maxDepth)
		}
		if len(value) > maxMembers {
			return "", fmt.Sprintf("more than %d members", maxMembers)
		}
		for key, member := range value {
			if pointer, detail = exceeded(member, depth+1, members); detail != "" {
				return "/" + escapeToken(key) + pointer, detail
			}
		}
	case []any:
		if depth == maxDepth {
			return "", fmt.Sprintf("nested deeper than %d levels", maxDepth)
		}
		if len(value) > maxElements {
			return "", fmt.Sprintf("more than %d elements", maxElements)
		}
		for i, element := range value {
			if pointer, detail = exceeded(element, depth+1, members); detail != "" {
				return "/" + strconv.Itoa(i) + pointer, detail
			}
		}
	case json.Number:
		// Most numbers are a few digits, which need no regular expression.
		if _, err := strconv.ParseInt(string(value), 10, 64); err != nil && !reNumber.MatchString(string(value)) {
			return "", "not a number that could be measured: at most 20 digits before and after the point"
		}
	}
	return "", ""
}

// repeatedKey returns the JSON pointer of the first key that an object in valid JSON repeats, and whether there is one.
func repeatedKey(d *json.Decoder) (pointer string, found bool) {
	open, _ := d.Token()
	if _, ok := open.(json.Delim); !ok {
		return "", false
	}
	seen := map[string]bool{}
	for i := 0; d.More(); i++ {
		key := strconv.Itoa(i)
		if open == json.Delim('{') {
			token, _ := d.Token()
			key, _ = token.(string)
		}
		if seen[key] {
			return "/" + escapeToken(key), true
		}
		seen[key] = true
		if pointer, found = repeatedKey(d); found {
			return "/" + escapeToken(key) + pointer, true
		}
	}
	_, _ = d.Token() // the end of the object or array
	return "", false
}

func invalid(pointer, detail string) *InvalidError {
	return &InvalidError{Problems: []result.Problem{{Pointer: shorten(pointer), Detail: detail}}}
}
