package schema

import (
	"encoding/json"
	"fmt"
	"iter"
	"regexp"
	"strconv"
	"sync"

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

// tree is a JSON value: itself, then all values in it, in the order of the text. A document has about 2,000 of them; in a
// list, and in one that is used again, they cost a tenth of what maps and slices of interfaces do.
type tree []node

type node struct {
	kind  byte   // the first character of such a value: { [ " 0 t f n
	whole bool   // a number of digits alone that an int64 holds, which is count
	end   int32  // index of the next value that is not in this one
	name  string // of an object's member
	text  string // of a string or number
	count int64
}

// children yields the indexes of the members or elements of the value at i.
func (t tree) children(i int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for child := i + 1; child < int(t[i].end) && yield(child); child = int(t[child].end) {
		}
	}
}

// member is the index of an object's member, or 0 if there is none of that name.
func (t tree) member(i int, name string) int {
	for child := i + 1; child < int(t[i].end); child = int(t[child].end) {
		if t[child].name == name {
			return child
		}
	}
	return 0
}

// trees are there to be used again.
var trees = sync.Pool{New: func() any { return new(tree) }}

// free gives a tree back. One that few documents need isn't kept.
func (t tree) free() {
	const most = 10_000
	if cap(t) <= most {
		clear(t)
		t = t[:0]
		trees.Put(&t)
	}
}

// parse reads data, which is valid JSON. It stops at the first place where nothing by the schema could stand, and at a
// key that is there twice: the validator would see the last of the two and the decoder mix both, so the first could hold
// anything, like a serial number that the schema would refuse.
func parse(data []byte) (tree, *result.Problem) {
	p := parser{data: string(data), tree: *trees.Get().(*tree)} // texts and numbers are parts of this one copy
	if !p.value("", 0) {
		p.tree.free()
		return nil, &result.Problem{Pointer: shorten(p.pointer), Detail: p.fault}
	}
	return p.tree, nil
}

type parser struct {
	data string
	at   int // next byte to read
	tree tree

	fault, pointer string // what is wrong and where, once a method has returned false
}

func (p *parser) fail(format string, args ...any) bool {
	p.fault = fmt.Sprintf(format, args...)
	return false
}

// next skips white space and returns the byte after it, without taking it.
func (p *parser) next() byte {
	for p.data[p.at] == ' ' || p.data[p.at] == '\n' || p.data[p.at] == '\t' || p.data[p.at] == '\r' {
		p.at++
	}
	return p.data[p.at]
}

func (p *parser) value(name string, depth int) (ok bool) {
	if len(p.tree) == maxValues {
		return p.fail("more than %d values in one document", maxValues)
	}
	i := len(p.tree)
	p.tree = append(p.tree, node{kind: p.next(), name: name})
	ok = true
	switch p.tree[i].kind {
	case '{', '[':
		switch {
		case depth == maxDepth:
			return p.fail("nested deeper than %d levels", maxDepth)
		case p.tree[i].kind == '{':
			ok = p.object(i, depth+1)
		default:
			ok = p.array(depth + 1)
		}
	case '"':
		p.tree[i].text = p.text()
	case 't', 'n':
		p.at += len("true")
	case 'f':
		p.at += len("false")
	default:
		ok = p.number(&p.tree[i])
	}
	p.tree[i].end = int32(len(p.tree)) // at most maxValues
	return ok
}

func (p *parser) object(i, depth int) bool {
	members := 0
	for p.at++; p.next() != '}'; members++ {
		key := p.text()
		p.next()
		p.at++ // the colon
		ok := false
		p.tree[i].end = int32(len(p.tree)) // so far
		if p.tree.member(i, key) > 0 {
			ok = p.fail("the key is there twice")
		} else if members == maxMembers {
			ok = p.fail("more than %d members", maxMembers)
		} else {
			ok = p.value(key, depth)
		}
		if !ok {
			p.pointer = "/" + escapeToken(key) + p.pointer
			return false
		}
		if p.next() == ',' {
			p.at++
			p.next()
		}
	}
	p.at++
	return true
}

func (p *parser) array(depth int) bool {
	elements := 0
	for p.at++; p.next() != ']'; elements++ {
		ok := false
		if elements == maxElements {
			ok = p.fail("more than %d elements", maxElements)
		} else {
			ok = p.value("", depth)
		}
		if !ok {
			p.pointer = "/" + strconv.Itoa(elements) + p.pointer
			return false
		}
		if p.next() == ',' {
			p.at++
		}
	}
	p.at++
	return true
}

// number reads a number. Most are a few digits, which need no regular expression.
func (p *parser) number(n *node) bool {
	const sure = 18 // digits that an int64 holds whichever they are
	start, plain := p.at, true
	for ; p.at < len(p.data); p.at++ {
		c := p.data[p.at]
		if '0' <= c && c <= '9' {
			n.count = n.count*10 + int64(c-'0')
			continue
		}
		if c != '+' && c != '-' && c != '.' && c|0x20 != 'e' {
			break
		}
		plain = false
	}
	n.kind, n.text = '0', p.data[start:p.at]
	n.whole = plain && len(n.text) <= sure
	if (!plain || len(n.text) > 20) && !reNumber.MatchString(n.text) {
		return p.fail("not a number that could be measured: at most 20 digits before and after the point")
	}
	return true
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
