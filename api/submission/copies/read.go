package copies

import (
	"bytes"
	"encoding/json"
	"errors"

	"flashdex/result"
)

// Read returns the samples of a document that was valid when it was stored. So it only looks for the samples and checks
// little else. Parsing the document with encoding/json took most of a fold's time.
func Read(document []byte) (*Samples, error) {
	r := reader{document: document}
	var s Samples
	r.each(func(key []byte) {
		if string(key) != "tests" {
			r.skip()
			return
		}
		r.each(func([]byte) { r.test(&s) })
	})
	if r.failed {
		return nil, errors.New("the document is no result")
	}
	return &s, nil
}

// reader reads JSON. After something that it didn't expect, it is at the end, where whatever it reads fails, too.
type reader struct {
	document []byte
	at       int
	failed   bool
}

// test reads a test and adds its samples.
func (r *reader) test(s *Samples) {
	var name string
	var ops int64
	var intervals, batches []result.Batch
	var latency []result.Bucket
	r.each(func(key []byte) {
		switch string(key) {
		case "name":
			name = string(r.text())
		case "ops":
			ops = r.number()
		case "intervals":
			r.each(func([]byte) { intervals = append(intervals, r.sum()) })
		case "batches":
			r.each(func([]byte) { batches = append(batches, r.sum()) })
		case "latency":
			r.each(func([]byte) { latency = append(latency, r.bucket()) })
		default:
			r.skip()
		}
	})
	if !r.failed {
		s.add(name, ops, intervals, batches, latency)
	}
}

// sum reads an interval or a batch.
func (r *reader) sum() (sum result.Batch) {
	r.each(func(key []byte) {
		switch string(key) {
		case "ops":
			sum.Ops = r.number()
		case "ns":
			sum.NS = r.number()
		default:
			r.skip()
		}
	})
	return sum
}

func (r *reader) bucket() (b result.Bucket) {
	r.take('[')
	b[0] = r.number()
	r.take(',')
	b[1] = r.number()
	r.take(']')
	return b
}

// each calls do for each element of an array, or for each value of an object and its key. do must read it.
func (r *reader) each(do func(key []byte)) {
	open := r.next()
	if open != '[' {
		open = '{'
	}
	r.take(open)
	end := open + 2 // in ASCII
	for !r.failed && r.next() != end {
		var key []byte
		if open == '{' {
			key = r.text()
			r.take(':')
		}
		do(key)
		if r.next() != end {
			r.take(',')
		}
	}
	r.take(end)
}

func (r *reader) fail() { r.at, r.failed = len(r.document), true }

// next passes white space. It returns the byte behind it, 0 at the end.
func (r *reader) next() byte {
	for ; r.at < len(r.document); r.at++ {
		if c := r.document[r.at]; c > ' ' {
			return c
		}
	}
	return 0
}

func (r *reader) take(c byte) {
	if r.next() != c {
		r.fail()
		return
	}
	r.at++
}

// number reads an integer. In a valid document, no number here is negative, but 0 may have a sign.
func (r *reader) number() (n int64) {
	if r.next() == '-' {
		r.at++
	}
	first := r.at
	for ; r.at < len(r.document) && '0' <= r.document[r.at] && r.document[r.at] <= '9'; r.at++ {
		n = 10*n + int64(r.document[r.at]-'0')
	}
	if r.at == first {
		r.fail()
	}
	return n
}

// text reads a string.
func (r *reader) text() []byte {
	quoted := r.quoted()
	if bytes.IndexByte(quoted, '\\') < 0 {
		return bytes.Trim(quoted, `"`)
	}
	var text string
	if json.Unmarshal(quoted, &text) != nil {
		r.fail()
	}
	return []byte(text)
}

func (r *reader) quoted() []byte {
	r.take('"')
	for first := r.at - 1; r.at < len(r.document); r.at++ {
		switch r.document[r.at] {
		case '\\':
			r.at++
		case '"':
			r.at++
			return r.document[first:r.at]
		}
	}
	r.fail()
	return nil
}

// skip passes a value, up to what ends it.
func (r *reader) skip() {
	for depth := 0; r.at < len(r.document); {
		switch c := r.document[r.at]; {
		case c == '"':
			r.quoted()
			continue
		case c == '[' || c == '{':
			depth++
		case depth == 0 && (c == ',' || c == ']' || c == '}'):
			return
		case c == ']' || c == '}':
			depth--
		}
		r.at++
	}
	r.fail()
}
