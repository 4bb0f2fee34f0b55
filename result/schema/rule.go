package schema

import (
	"math/big"
	"reflect"
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// rule is a schema in the form that certain weighs values by.
type rule struct {
	*jsonschema.Schema
	understood bool // the schema says nothing but what is weighed

	number, integer, text, boolean, array, object bool // types that it allows

	ref, condition, then, items *rule
	allOf, prefixItems          []*rule
	properties                  map[string]*rule

	minimum, maximum, above, below *bound
}

// bound is a limit of a number.
type bound struct {
	value float64
	exact bool // value is the limit and not the float64 next to it
}

// weighed are the fields of a compiled schema that certain weighs, and those that say nothing of a value.
var weighed = []string{
	"DraftVersion", "Location", "ID", "Title", "Description", "Comment",
	"Ref", "Types", "Enum", "Const", "AllOf", "If", "Then",
	"Required", "Properties", "AdditionalProperties",
	"MinItems", "MaxItems", "UniqueItems", "PrefixItems", "Items2020",
	"MinLength", "MaxLength", "Pattern",
	"Minimum", "Maximum", "ExclusiveMinimum", "ExclusiveMaximum",
}

// rules makes the rule of a schema and, once each, of those that it refers to.
type rules map[*jsonschema.Schema]*rule

func (all rules) of(s *jsonschema.Schema) *rule {
	if s == nil {
		return nil
	}
	if r, made := all[s]; made {
		return r
	}
	r := &rule{Schema: s, understood: true, properties: map[string]*rule{}}
	all[s] = r
	fields := reflect.ValueOf(s).Elem()
	for i := range fields.NumField() {
		field := fields.Type().Field(i)
		if field.IsExported() && !slices.Contains(weighed, field.Name) && !fields.Field(i).IsZero() {
			r.understood = false
		}
	}
	allows := func(name string) bool {
		return s.Types == nil || s.Types.IsEmpty() || slices.Contains(s.Types.ToStrings(), name)
	}
	r.number, r.integer = allows("number"), allows("integer")
	r.text, r.boolean, r.array, r.object = allows("string"), allows("boolean"), allows("array"), allows("object")
	r.ref, r.condition, r.then, r.items = all.of(s.Ref), all.of(s.If), all.of(s.Then), all.of(s.Items2020)
	for _, each := range s.AllOf {
		r.allOf = append(r.allOf, all.of(each))
	}
	for _, each := range s.PrefixItems {
		r.prefixItems = append(r.prefixItems, all.of(each))
	}
	for name, property := range s.Properties {
		r.properties[name] = all.of(property)
	}
	r.minimum, r.maximum, r.above, r.below = boundOf(s.Minimum), boundOf(s.Maximum), boundOf(s.ExclusiveMinimum), boundOf(s.ExclusiveMaximum)
	return r
}

func boundOf(limit *big.Rat) *bound {
	if limit == nil {
		return nil
	}
	value, exact := limit.Float64()
	return &bound{value, exact}
}
