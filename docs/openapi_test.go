package docs_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"flashdex/docs"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

func decode(t *testing.T, text []byte) any {
	t.Helper()
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return value
}

func TestDocumentIsOpenAPI31(t *testing.T) {
	t.Parallel()
	rules, err := os.ReadFile("testdata/openapi-3.1-schema.json")
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("openapi-3.1-schema.json", decode(t, rules)); err != nil {
		t.Fatal(err)
	}
	if err := c.MustCompile("openapi-3.1-schema.json").Validate(decode(t, docs.OpenAPI)); err != nil {
		t.Errorf("%#v", err)
	}
}

// Everything that is described is used, and everything that is referred to is described.
func TestReferencesAndComponentsMatch(t *testing.T) {
	t.Parallel()
	var document struct {
		Components map[string]map[string]any
	}
	if err := json.Unmarshal(docs.OpenAPI, &document); err != nil {
		t.Fatal(err)
	}
	described := map[string]bool{}
	for kind, components := range document.Components {
		for name := range components {
			described["#/components/"+kind+"/"+name] = kind == "securitySchemes"
		}
	}
	for _, match := range regexp.MustCompile(`"\$ref": "(#[^"]*)"`).FindAllStringSubmatch(string(docs.OpenAPI), -1) {
		if _, ok := described[match[1]]; !ok {
			t.Errorf("%s is not described", match[1])
		}
		described[match[1]] = true
	}
	for _, name := range slices.Sorted(maps.Keys(described)) {
		if !described[name] {
			t.Errorf("%s is not used", name)
		}
	}
	if strings.Contains(string(docs.OpenAPI), "\t") {
		t.Error("indented by tabs")
	}
}
