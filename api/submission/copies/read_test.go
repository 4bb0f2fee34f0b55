package copies_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"testing"

	"flashdex/api/submission/copies"
	"flashdex/result/schema"
)

// escaped writes the small letters in a document's strings as escapes. It has no other escapes.
func escaped(document []byte) []byte {
	var b bytes.Buffer
	inString := false
	for _, c := range document {
		if c == '"' {
			inString = !inString
		}
		if inString && 'a' <= c && c <= 'z' {
			b.WriteString(`\u00` + string("0123456789abcdef"[c>>4]) + string("0123456789abcdef"[c&15]))
			continue
		}
		b.WriteByte(c)
	}
	return b.Bytes()
}

var firstBucket = regexp.MustCompile(`"latency": \[\s*\[\s*\d+,`)

func examples(t testing.TB) (all [][]byte) {
	t.Helper()
	files, _ := filepath.Glob("../../../result/testdata/valid/*.json")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, text)
	}
	if len(all) == 0 {
		t.Fatal("there are no examples")
	}
	return all
}

// FuzzRead ensures that Read finds the same samples in a valid document as encoding/json does.
func FuzzRead(f *testing.F) {
	for _, text := range examples(f) {
		var compact bytes.Buffer
		if err := json.Compact(&compact, text); err != nil {
			f.Fatal(err)
		}
		f.Add(text)
		f.Add(compact.Bytes())
		f.Add(escaped(text))
		f.Add(bytes.Replace(text, []byte(`"product": "`), []byte(`"product": "]}, \"{: `), 1))
		f.Add(firstBucket.ReplaceAll(text, []byte(`"latency": [[-0,`)))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		doc, err := schema.Read(text)
		if err != nil {
			return
		}
		if got, err := copies.Read(text); err != nil || !reflect.DeepEqual(got, copies.SamplesOf(doc)) {
			t.Errorf("%v in %s", err, text)
		}
	})
}

// A fold must not wait for ever, nor take a part of the samples for all of them.
func TestADamagedDocumentIsAnError(t *testing.T) {
	t.Parallel()
	damaged := [][]byte{nil, []byte("null"), []byte(`{"tests":[}`), []byte(`{"tests":[{"ops":"1"}]}`)}
	for _, text := range examples(t) {
		text = bytes.TrimSpace(text)
		for n := range 100 {
			damaged = append(damaged, text[:len(text)-1-n*len(text)/101])
		}
	}
	for _, text := range damaged {
		if _, err := copies.Read(text); err == nil {
			t.Errorf("no error in the first %d bytes: %.60s", len(text), text)
		}
	}
}
