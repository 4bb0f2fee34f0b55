package schema

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"

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

// object is a JSON object. Most have three members, which a list holds in a tenth of a map's memory.
type object []member

type member struct {
	name  string
	value any
}

// get returns the member called name, or nil.
func (o object) get(name string) any {
	for i := range o {
		if o[i].name == name {
			return o[i].value
		}
	}
	return nil
}

func (o object) has(name string) bool {
	return slices.ContainsFunc(o, func(m member) bool { return m.name == name })
}

// parse reads data, which is valid JSON, as objects, []any, strings, json.Numbers, bools and nil. It stops at the first
// place where nothing by the schema could stand, and at a key that is there twice: the validator would see the last of
// the two and the decoder mix both, so the first could hold anything, like a serial number that the schema would refuse.
func parse(data []byte) (any, *result.Problem) {
	p := parser{data: string(data)} // texts and numbers are parts of this one copy
	value, ok := p.value(0)
	if !ok {
		return nil, &result.Problem{Pointer: shorten(p.pointer), Detail: p.fault}
	}
	return value, nil
}

type parser struct {
	data   string
	at     int // next byte to read
	values int // that have begun

	fault, pointer string // what is wrong and where, once a method has returned false
}

func (p *parser) fail(format string, args ...any) (any, bool) {
	p.fault = fmt.Sprintf(format, args...)
	return nil, false
}

// next skips white space and returns the byte after it, without taking it.
func (p *parser) next() byte {
	for p.data[p.at] == ' ' || p.data[p.at] == '\n' || p.data[p.at] == '\t' || p.data[p.at] == '\r' {
		p.at++
	}
	return p.data[p.at]
}

func (p *parser) value(depth int) (v any, ok bool) {
	if p.values++; p.values > maxValues {
		return p.fail("more than %d values in one document", maxValues)
	}
	switch p.next() {
	case '{', '[':
		if depth == maxDepth {
			return p.fail("nested deeper than %d levels", maxDepth)
		}
		if p.data[p.at] == '{' {
			return p.object(depth + 1)
		}
		return p.array(depth + 1)
	case '"':
		return p.text(), true
	case 't':
		p.at += len("true")
		return true, true
	case 'f':
		p.at += len("false")
		return false, true
	case 'n':
		p.at += len("null")
		return nil, true
	}
	return p.number()
}

func (p *parser) object(depth int) (any, bool) {
	o := make(object, 0, 4)
	for p.at++; p.next() != '}'; {
		key := p.text()
		p.next()
		p.at++ // the colon
		v, ok := any(nil), false
		if o.has(key) {
			_, _ = p.fail("the key is there twice")
		} else if len(o) == maxMembers {
			_, _ = p.fail("more than %d members", maxMembers)
		} else {
			v, ok = p.value(depth)
		}
		if !ok {
			p.pointer = "/" + escapeToken(key) + p.pointer
			return nil, false
		}
		o = append(o, member{key, v})
		if p.next() == ',' {
			p.at++
			p.next()
		}
	}
	p.at++
	return o, true
}

func (p *parser) array(depth int) (any, bool) {
	array := make([]any, 0, 4)
	for p.at++; p.next() != ']'; {
		v, ok := any(nil), false
		if len(array) == maxElements {
			_, _ = p.fail("more than %d elements", maxElements)
		} else {
			v, ok = p.value(depth)
		}
		if !ok {
			p.pointer = "/" + strconv.Itoa(len(array)) + p.pointer
			return nil, false
		}
		array = append(array, v)
		if p.next() == ',' {
			p.at++
		}
	}
	p.at++
	return array, true
}

// number reads a number. Most are a few digits, which need no regular expression.
func (p *parser) number() (any, bool) {
	start, plain := p.at, true
	for ; p.at < len(p.data); p.at++ {
		c := p.data[p.at]
		if '0' <= c && c <= '9' {
			continue
		}
		if c != '+' && c != '-' && c != '.' && c|0x20 != 'e' {
			break
		}
		plain = false
	}
	number := p.data[start:p.at]
	if (!plain || len(number) > 20) && !reNumber.MatchString(number) {
		return p.fail("not a number that could be measured: at most 20 digits before and after the point")
	}
	return json.Number(number), true
}

func (p *parser) text() string {
	start, plain := p.at, true
	for p.at++; p.data[p.at] != '"'; p.at++ {
		if p.data[p.at] == '\\' {
			plain = false
			p.at++
		}
	}
	p.at++
	if plain {
		return p.data[start+1 : p.at-1]
	}
	var text string
	_ = json.Unmarshal([]byte(p.data[start:p.at]), &text) // valid, as all of it
	return text
}
