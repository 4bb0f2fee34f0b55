package schema

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// sampleLists are the members of a test that hold nearly all of a document's numbers.
var sampleLists = [...]string{"intervals", "batches", "latency"}

// samples replaces the keyword items for a list of samples. The validator compares every number as a fraction of big
// integers, and that takes most of an upload's time. So samples compares in machine words. It passes on to the
// validator only the samples that it can't call valid. See docs/decisions/0004-samples-in-machine-words.md.
type samples struct{ item *jsonschema.Schema }

// useSamples attaches samples to the sample lists of a compiled schema.
func useSamples(document *jsonschema.Schema) {
	test := document.Properties["tests"].Items2020.Ref
	for _, name := range sampleLists {
		list := test.Properties[name]
		list.Extensions = append(list.Extensions, samples{list.Items2020})
		list.Items2020 = nil
	}
}

func (s samples) Validate(ctx *jsonschema.ValidatorContext, value any) {
	list, _ := value.([]any)
	for i, sample := range list {
		if !surelyValid(s.item, sample) {
			ctx.AddErr(ctx.Validate(s.item, sample, []string{strconv.Itoa(i)}))
		}
	}
}

// surelyValid reports whether value is a whole number between the limits of s, or an object or array of such numbers.
// A test ensures that the schemas of samples use no other keywords.
func surelyValid(s *jsonschema.Schema, value any) bool {
	if s.Ref != nil {
		s = s.Ref
	}
	switch value := value.(type) {
	case json.Number:
		n, err := strconv.ParseInt(string(value), 10, 64)
		return err == nil && s.Minimum != nil && n >= s.Minimum.Num().Int64() && n <= s.Maximum.Num().Int64()
	case []any:
		for i := range min(len(value), len(s.PrefixItems)) {
			if !surelyValid(s.PrefixItems[i], value[i]) {
				return false
			}
		}
		return len(s.PrefixItems) > 0 && len(value) == len(s.PrefixItems)
	case map[string]any:
		for name, member := range value {
			if property := s.Properties[name]; property == nil || !surelyValid(property, member) {
				return false
			}
		}
		missing := func(name string) bool { return value[name] == nil }
		return len(s.Required) > 0 && !slices.ContainsFunc(s.Required, missing)
	}
	return false
}
