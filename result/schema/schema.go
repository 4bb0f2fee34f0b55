// Package schema holds the JSON Schema of the result document and reads documents by it.
package schema

import (
	"bytes"
	_ "embed" // the schema itself
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"flashdex/result"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// V1 is the JSON Schema (2020-12) of schema version 1.
//
//go:embed result-v1.json
var V1 []byte

// ErrNotJSON is wrapped by the error of Read when the bytes are not one JSON value in UTF-8.
var ErrNotJSON = errors.New("not a JSON document in UTF-8")

// UnsupportedVersionError is returned by Read for a document of a version that this program doesn't know.
type UnsupportedVersionError struct{ Version string }

func (e *UnsupportedVersionError) Error() string {
	return fmt.Sprintf("schema_version is %s; this server reads version %d", e.Version, result.SchemaVersion)
}

// InvalidError lists everything that is wrong with a document.
type InvalidError struct{ Problems []result.Problem }

func (e *InvalidError) Error() string {
	var b strings.Builder
	b.WriteString("the result document is not valid:")
	for _, p := range e.Problems {
		fmt.Fprintf(&b, " %s: %s;", p.Pointer, p.Detail)
	}
	return strings.TrimSuffix(b.String(), ";")
}

var compiled = sync.OnceValue(func() *rule {
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(V1))
	if err != nil {
		panic(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("result-v1.json", value); err != nil {
		panic(err)
	}
	return rules{}.of(c.MustCompile("result-v1.json"))
})

// Read decodes a result document, validates it by the schema and checks that it doesn't contradict itself. Its error is
// ErrNotJSON, *UnsupportedVersionError or *InvalidError.
func Read(data []byte) (*result.Document, error) {
	if !utf8.Valid(data) {
		return nil, fmt.Errorf("%w: invalid UTF-8", ErrNotJSON)
	}
	if !json.Valid(data) {
		return nil, fmt.Errorf("%w: %v", ErrNotJSON, json.Unmarshal(data, new(any)))
	}
	t, fault := parse(data)
	if fault != nil {
		return nil, &InvalidError{Problems: []result.Problem{*fault}}
	}
	defer t.free()
	if version := t.member(0, "schema_version"); t[0].kind == '{' && version > 0 && !t[version].is(json.Number(strconv.Itoa(result.SchemaVersion))) {
		var head struct {
			SchemaVersion json.RawMessage `json:"schema_version"`
		}
		_ = json.Unmarshal(data, &head) // any value will do
		return nil, &UnsupportedVersionError{Version: shorten(string(head.SchemaVersion))}
	}
	var doc result.Document
	if compiled().certain(t, 0) {
		fill(reflect.ValueOf(&doc).Elem(), t, 0)
	} else if err := validate(data, &doc); err != nil {
		return nil, err
	}
	if found := doc.Check(); len(found) > 0 {
		return nil, &InvalidError{Problems: found}
	}
	return &doc, nil
}

// validate has the validator decide on data, and puts it into doc.
func validate(data []byte, doc *result.Document) error {
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		return fmt.Errorf("%w: %v", ErrNotJSON, err)
	}
	if err := compiled().Validate(value); err != nil {
		var invalid *jsonschema.ValidationError
		if !errors.As(err, &invalid) {
			return err
		}
		return &InvalidError{Problems: problems(invalid)}
	}
	if err := json.Unmarshal(data, doc); err != nil {
		return &InvalidError{Problems: []result.Problem{{Pointer: "", Detail: err.Error()}}}
	}
	return nil
}

const maxProblems = 20

// problems lists the leaves of the validator's tree: they name a field, the branches only the rule above it.
func problems(e *jsonschema.ValidationError) []result.Problem {
	var found []result.Problem
	for _, cause := range e.Causes {
		found = append(found, problems(cause)...)
	}
	if len(e.Causes) == 0 {
		unit := e.BasicOutput()
		pointer := unit.InstanceLocation
		switch k := e.ErrorKind.(type) {
		case *kind.AdditionalProperties:
			pointer += "/" + escapeToken(k.Properties[0])
		case *kind.Required:
			pointer += "/" + escapeToken(k.Missing[0])
		}
		found = append(found, result.Problem{Pointer: shorten(pointer), Detail: shorten(unit.Error.String())})
	}
	slices.SortStableFunc(found, func(a, b result.Problem) int { return strings.Compare(a.Pointer, b.Pointer) })
	return found[:min(len(found), maxProblems)]
}

// escapeToken writes one token of a JSON pointer (RFC 6901).
func escapeToken(token string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(token)
}

// shorten keeps an answer readable that quotes what was sent.
func shorten(s string) string {
	const limit = 200
	if len(s) <= limit {
		return s
	}
	return strings.ToValidUTF8(s[:limit], "") + "…"
}
