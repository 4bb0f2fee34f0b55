package schema

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"sync"

	"flashdex/result"
)

// fill puts the value at i, which is certain, into a document or a part of it, as json.Unmarshal would, which reads all of
// the text two more times.
func fill(to reflect.Value, t tree, i int) {
	if to.Kind() == reflect.Pointer {
		to.Set(reflect.New(to.Type().Elem()))
		to = to.Elem()
	}
	switch t[i].kind {
	case '{':
		fields := fieldsOf(to.Type())
		for member := range t.children(i) {
			fill(to.Field(fields[t[member].name]), t, member)
		}
	case '[':
		if bucket, ok := to.Addr().Interface().(*result.Bucket); ok {
			bucket.LatencyNS, _ = t[i+1].integer() // certain
			bucket.Count, _ = t[i+2].integer()
			return
		}
		n := 0
		for range t.children(i) {
			n++
		}
		to.Set(reflect.MakeSlice(to.Type(), n, n))
		n = 0
		for element := range t.children(i) {
			fill(to.Index(n), t, element)
			n++
		}
	case '"':
		to.SetString(t[i].text)
	case 't', 'f':
		to.SetBool(t[i].kind == 't')
	case '0':
		if to.Kind() == reflect.Float64 {
			value, _ := strconv.ParseFloat(t[i].text, 64) // certain
			to.SetFloat(value)
		} else {
			value, _ := t[i].integer() // certain
			to.SetInt(value)
		}
	default:
		panic(fmt.Sprintf("schema: a document holds no value that begins with %q", t[i].kind))
	}
}

// integer is the value of a number that is written as an integer and that an int64 holds.
func (n node) integer() (value int64, ok bool) {
	if n.whole {
		return n.count, true
	}
	value, err := strconv.ParseInt(n.text, 10, 64)
	return value, err == nil
}

var fieldNames sync.Map // reflect.Type to map[string]int

// fieldsOf lists a struct's fields by their names in JSON.
func fieldsOf(t reflect.Type) map[string]int {
	if known, ok := fieldNames.Load(t); ok {
		return known.(map[string]int)
	}
	fields := map[string]int{}
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		fields[name] = i
	}
	fieldNames.Store(t, fields)
	return fields
}
