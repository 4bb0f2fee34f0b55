package schema

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"sync"

	"flashdex/result"
)

// fill puts a value that is certain into a document or a part of it, as json.Unmarshal would, which reads all of the text
// two more times.
func fill(to reflect.Value, from any) {
	switch from := from.(type) {
	case object:
		if to.Kind() == reflect.Pointer {
			to.Set(reflect.New(to.Type().Elem()))
			to = to.Elem()
		}
		fields := fieldsOf(to.Type())
		for _, m := range from {
			fill(to.Field(fields[m.name]), m.value)
		}
	case []any:
		if bucket, ok := to.Addr().Interface().(*result.Bucket); ok {
			bucket.LatencyNS, bucket.Count = integer(from[0]), integer(from[1])
			return
		}
		to.Set(reflect.MakeSlice(to.Type(), len(from), len(from)))
		for i, v := range from {
			fill(to.Index(i), v)
		}
	case string:
		to.SetString(from)
	case bool:
		to.SetBool(from)
	case json.Number:
		if to.Kind() == reflect.Float64 {
			value, _ := from.Float64() // certain
			to.SetFloat(value)
		} else {
			to.SetInt(integer(from))
		}
	default:
		panic(fmt.Sprintf("schema: a document holds no %T", from))
	}
}

func integer(v any) int64 {
	value, _ := strconv.ParseInt(string(v.(json.Number)), 10, 64) // certain
	return value
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
