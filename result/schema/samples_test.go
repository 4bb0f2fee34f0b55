package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"flashdex/result"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

func examples(t testing.TB) (all [][]byte) {
	t.Helper()
	files, _ := filepath.Glob("../testdata/valid/*.json")
	for _, file := range append(files, "../../e2e/ingest/testdata/standard.json") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, text)
	}
	return all
}

// plain returns the schema that the validator applies alone.
var plain = sync.OnceValue(compile)

// surelyValid ignores all other keywords.
func TestSchemasOfSamplesUseKeywordsThatSurelyValidUnderstands(t *testing.T) {
	t.Parallel()
	type integer struct {
		Ref, Type        string
		Minimum, Maximum int64
	}
	type sample struct {
		Type                 string
		Required             []string
		Properties           map[string]integer
		AdditionalProperties *bool
		PrefixItems          []integer
		Items                *bool
		MinItems             int
	}
	var document struct {
		Defs map[string]json.RawMessage `json:"$defs"`
	}
	var test struct {
		Properties map[string]struct{ Items json.RawMessage }
	}
	if err := errors.Join(json.Unmarshal(V1, &document), json.Unmarshal(document.Defs["test"], &test)); err != nil {
		t.Fatal(err)
	}
	strict := func(text []byte, to any) {
		t.Helper()
		d := json.NewDecoder(bytes.NewReader(bytes.ReplaceAll(text, []byte(`"$ref"`), []byte(`"ref"`))))
		d.DisallowUnknownFields()
		if err := d.Decode(to); err != nil {
			t.Fatalf("%v in %s", err, text)
		}
	}
	for _, list := range sampleLists {
		var s sample
		strict(test.Properties[list].Items, &s)
		numbers := slices.Concat(s.PrefixItems, slices.Collect(maps.Values(s.Properties)))
		closedObject := s.Type == "object" && s.AdditionalProperties != nil && len(s.Required) > 0 && s.PrefixItems == nil
		closedArray := s.Type == "array" && s.Items != nil && s.MinItems == len(s.PrefixItems) && s.Properties == nil
		if closedObject == closedArray || len(numbers) < 2 {
			t.Errorf("%s: %+v", list, s)
		}
		for _, n := range numbers {
			if name, isRef := strings.CutPrefix(n.Ref, "#/$defs/"); isRef {
				strict(document.Defs[name], &n)
			}
			if n.Type != "integer" || n.Maximum == 0 {
				t.Errorf("%s holds something else than integers with limits: %+v", list, n)
			}
		}
	}
}

// The validator takes ten times as long, so samples that clients write must not need it.
func TestSamplesThatClientsWriteAreSurelyValid(t *testing.T) {
	t.Parallel()
	schemaOfTest := plain().Properties["tests"].Items2020.Ref
	for _, text := range examples(t) {
		value, err := decode(text)
		if err != nil {
			t.Fatal(err)
		}
		for _, test := range value.(map[string]any)["tests"].([]any) {
			for _, name := range sampleLists {
				list, _ := test.(map[string]any)[name].([]any)
				for _, sample := range list {
					if !surelyValid(schemaOfTest.Properties[name].Items2020, sample) {
						t.Errorf("%v in %s", sample, name)
					}
				}
			}
		}
	}
}

// agree compares the problems that the schema finds with and without samples.
func agree(t *testing.T, text []byte) {
	t.Helper()
	value, err := decode(text)
	if err != nil {
		return
	}
	find := func(schema *jsonschema.Schema) []result.Problem {
		var faults *jsonschema.ValidationError
		if errors.As(schema.Validate(value), &faults) {
			return problems(faults)
		}
		return nil
	}
	if diff := cmp.Diff(find(plain()), find(compiled())); diff != "" {
		t.Fatalf("problems (-validator alone +with samples):\n%s\n%s", diff, text)
	}
}

// Values of every type, at and near the schema's limits, replace parts of valid documents.
func TestSamplesAreJudgedAsTheValidatorDoes(t *testing.T) {
	t.Parallel()
	others := strings.Fields(`null true "" "x" "\u00e9\u0301" "rand-write" "seq-read" "dd" "flashdex" "busy-cpu"
		{} [] ["swap","swap"]
		0 1 -0 1.0 1e0 0.5 -1 2 1000000 1000000.0000000000000001 1000000000 1000000001 1e99 1e-99
		1000000000000000 1000000000000001 9007199254740993 18446744073709551617`)
	random := rand.New(rand.NewPCG(1, 2))
	for _, text := range examples(t) {
		for range 60 {
			value, err := decode(text)
			if err != nil {
				t.Fatal(err)
			}
			for range 1 + random.IntN(2) {
				value = replaceOne(random, value, others)
			}
			damaged, err := json.Marshal(value)
			if err != nil {
				t.Fatal(err)
			}
			agree(t, damaged)
		}
	}
}

// replaceOne replaces, drops, adds or repeats one value in v.
func replaceOne(random *rand.Rand, v any, others []string) any {
	other, _ := decode([]byte(others[random.IntN(len(others))]))
	if random.IntN(6) == 0 {
		return other
	}
	switch v := v.(type) {
	case map[string]any:
		names := make([]string, 0, len(v))
		for name := range v {
			names = append(names, name)
		}
		switch {
		case len(names) == 0 || random.IntN(12) == 0:
			v["max_ns"] = other
		case random.IntN(12) == 0:
			delete(v, names[random.IntN(len(names))])
		default:
			name := names[random.IntN(len(names))]
			v[name] = replaceOne(random, v[name], others)
		}
		return v
	case []any:
		switch i := random.IntN(len(v) + 1); {
		case i == len(v):
			return append(v, other)
		case random.IntN(12) == 0:
			return append(v, v[i])
		case random.IntN(12) == 0:
			return append(v[:i:i], v[i+1:]...)
		default:
			v[i] = replaceOne(random, v[i], others)
			return v
		}
	}
	return other
}

func FuzzSamplesAreJudgedAsTheValidatorDoes(f *testing.F) {
	for _, text := range examples(f) {
		f.Add(text)
	}
	f.Add([]byte(" [ {\"a\\u0041\" : -1.5e3 , \"\\\"\":[ ] }, null,true , false ]\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		if utf8.Valid(text) { // Read checks this first
			agree(t, text)
		}
	})
}
