package schema

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
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

// The validator takes ten times as long, so what clients write must be certain without it.
func TestWhatClientsWriteIsCertain(t *testing.T) {
	t.Parallel()
	for _, text := range examples(t) {
		parsed, fault := parse(text)
		if fault != nil || !compiled().certain(parsed, 0) {
			t.Errorf("not certain: %.100s…", text)
		}
	}
}

// agree holds the quick ways to the libraries': parse reads what they read, what is certain is valid, and fill does the
// same as json.Unmarshal.
func agree(t *testing.T, text []byte) {
	t.Helper()
	want, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if (err == nil) != json.Valid(text) {
		t.Fatalf("one JSON reader takes it, the other doesn't (%v): %s", err, text)
	}
	if err != nil {
		return
	}
	got, fault := parse(text)
	if fault != nil {
		return
	}
	if diff := cmp.Diff(want, plain(got, 0)); diff != "" {
		t.Fatalf("parsed (-library +ours):\n%s\n%s", diff, text)
	}
	if compiled().certain(got, 0) {
		if err := compiled().Validate(want); err != nil {
			t.Fatalf("certain, but %v:\n%s", err, text)
		}
		var want, filled result.Document
		if err := json.Unmarshal(text, &want); err != nil {
			t.Fatalf("certain, but %v:\n%s", err, text)
		}
		fill(reflect.ValueOf(&filled).Elem(), got, 0)
		if diff := cmp.Diff(want, filled); diff != "" {
			t.Fatalf("filled in (-json.Unmarshal +ours):\n%s\n%s", diff, text)
		}
	}
}

// plain is a value in the form that the library takes.
func plain(t tree, i int) any {
	switch t[i].kind {
	case '{':
		m := map[string]any{}
		for member := range t.children(i) {
			m[t[member].name] = plain(t, member)
		}
		return m
	case '[':
		list := []any{}
		for element := range t.children(i) {
			list = append(list, plain(t, element))
		}
		return list
	case '"':
		return t[i].text
	case '0':
		return json.Number(t[i].text)
	case 'n':
		return nil
	}
	return t[i].kind == 't'
}

// Values at and around the schema's limits, of every type, take the place of parts of valid documents.
func TestCertainIsValid(t *testing.T) {
	t.Parallel()
	others := strings.Fields(`null true "" "x" "\u00e9\u0301" "rand-write" "seq-read" "dd" "flashdex" "busy-cpu" {} [] ["swap","swap"]
		0 1 -0 1.0 1e0 0.5 -1 2 1000000 1000000.0000000000000001 1000000000 1000000001 1e99 1e-99
		1000000000000000 1000000000000001 9007199254740993 18446744073709551617`)
	random := rand.New(rand.NewPCG(1, 2))
	for _, text := range examples(t) {
		for range 60 {
			parsed, _ := parse(text)
			value := plain(parsed, 0)
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

// replaceOne puts another value somewhere into v, drops a member or element, adds one, or repeats one.
func replaceOne(random *rand.Rand, v any, others []string) any {
	parsed, _ := parse([]byte(others[random.IntN(len(others))]))
	other := plain(parsed, 0)
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

func FuzzCertainIsValid(f *testing.F) {
	for _, text := range examples(f) {
		f.Add(text)
	}
	f.Add([]byte(" [ {\"a\\u0041\" : -1.5e3 , \"\\\"\":[ ] }, null,true , false ]\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		if utf8.Valid(text) { // which Read asks first
			agree(t, text)
		}
	})
}
