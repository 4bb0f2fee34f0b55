// Package schema holds the JSON Schema of the result document, and reads and validates documents.
package schema

import (
	"bytes"
	"cmp"
	_ "embed" // the schema itself
	"encoding/json"
	"errors"
	"fmt"
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

// ErrNotJSON is wrapped by Read's error if the bytes are not one JSON value in UTF-8.
var ErrNotJSON = errors.New("not a JSON document in UTF-8")

// UnsupportedVersionError is returned by Read if this program doesn't know the document's version.
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

var compiled = sync.OnceValue(func() *jsonschema.Schema {
	schema := compile()
	useSamples(schema)
	return schema
})

func compile() *jsonschema.Schema {
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(V1))
	c := jsonschema.NewCompiler()
	if err := errors.Join(err, c.AddResource("result-v1.json", value)); err != nil {
		panic(err)
	}
	return c.MustCompile("result-v1.json")
}

// Read decodes a result document, validates it against the schema and checks that it doesn't contradict itself. Its
// error wraps ErrNotJSON, or is an *UnsupportedVersionError or an *InvalidError.
func Read(data []byte) (*result.Document, error) {
	if !utf8.Valid(data) {
		return nil, fmt.Errorf("%w: invalid UTF-8", ErrNotJSON)
	}
	value, err := decode(data)
	if err != nil {
		return nil, err
	}
	object, _ := value.(map[string]any)
	version, given := object["schema_version"]
	if given && version != json.Number(strconv.Itoa(result.SchemaVersion)) {
		text, _ := json.Marshal(version) // came from JSON
		return nil, &UnsupportedVersionError{Version: shorten(string(text))}
	}
	if err := compiled().Validate(value); err != nil {
		var faults *jsonschema.ValidationError
		if !errors.As(err, &faults) {
			return nil, err
		}
		return nil, &InvalidError{Problems: problems(faults)}
	}
	var doc result.Document
	if err := json.Unmarshal(data, &doc); err != nil {
		return nil, invalid("", err.Error())
	}
	if found := doc.Check(); len(found) > 0 {
		return nil, &InvalidError{Problems: found}
	}
	return &doc, nil
}

const maxProblems = 20

// problems lists the leaves of the validator's error tree. Leaves name a field; branches only name the rule above it.
func problems(e *jsonschema.ValidationError) []result.Problem {
	var found []result.Problem
	for _, cause := range e.Causes {
		found = append(found, problems(cause)...)
	}
	if len(e.Causes) == 0 {
		field := ""
		switch k := e.ErrorKind.(type) {
		case *kind.AdditionalProperties:
			slices.Sort(k.Properties) // they have the order of a map
			field = "/" + escapeToken(k.Properties[0])
		case *kind.Required:
			field = "/" + escapeToken(k.Missing[0])
		}
		unit := e.BasicOutput()
		found = append(found, result.Problem{
			Pointer: shorten(unit.InstanceLocation + field), Detail: shorten(unit.Error.String()),
		})
	}
	slices.SortFunc(found, func(a, b result.Problem) int {
		return cmp.Or(strings.Compare(a.Pointer, b.Pointer), strings.Compare(a.Detail, b.Detail))
	})
	return found[:min(len(found), maxProblems)]
}

// escapeToken writes one token of a JSON pointer (RFC 6901).
func escapeToken(token string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(token)
}

// shorten keeps an answer readable if it quotes the sender.
func shorten(s string) string {
	const limit = 200
	if len(s) <= limit {
		return s
	}
	return strings.ToValidUTF8(s[:limit], "") + "…"
}
