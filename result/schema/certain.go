package schema

import (
	"encoding/json"
	"slices"
	"strconv"
	"unicode/utf8"
)

// certain reports whether v, as parse returns it, satisfies the rule for sure. The validator reckons every number of a
// document as a fraction of big integers, which takes more time than all else in an upload. This reckons in machine
// words, and leaves to the validator whatever it isn't sure of, and every refusal with its reasons.
func (r *rule) certain(v any) bool {
	if !r.understood || r.ref != nil && !r.ref.certain(v) || r.Const != nil && !same(*r.Const, v) ||
		r.Enum != nil && !slices.ContainsFunc(r.Enum.Values, func(allowed any) bool { return same(allowed, v) }) {
		return false
	}
	for _, each := range r.allOf {
		if !each.certain(v) {
			return false
		}
	}
	// What follows from a condition is asked unless the condition surely doesn't hold.
	if r.then != nil && !r.condition.certainlyNot(v) && !r.then.certain(v) {
		return false
	}
	switch v := v.(type) {
	case object:
		return r.object && r.certainObject(v)
	case []any:
		return r.array && r.certainArray(v)
	case string:
		return r.text && r.certainText(v)
	case json.Number:
		return r.certainNumber(string(v))
	case bool:
		return r.boolean
	}
	return false
}

func (r *rule) certainObject(o object) bool {
	for _, name := range r.Required {
		if !o.has(name) {
			return false
		}
	}
	for _, m := range o {
		if property, known := r.properties[m.name]; known {
			if !property.certain(m.value) {
				return false
			}
		} else if r.AdditionalProperties != nil {
			return false
		}
	}
	return true
}

func (r *rule) certainArray(array []any) bool {
	if r.MinItems != nil && len(array) < *r.MinItems || r.MaxItems != nil && len(array) > *r.MaxItems {
		return false
	}
	for i, v := range array {
		item := r.items
		if i < len(r.prefixItems) {
			item = r.prefixItems[i]
		}
		if item != nil && !item.certain(v) {
			return false
		}
		if r.UniqueItems {
			_, isText := v.(string)
			if !isText || slices.Contains(array[:i], v) {
				return false
			}
		}
	}
	return true
}

func (r *rule) certainText(text string) bool {
	return (r.MinLength == nil || utf8.RuneCountInString(text) >= *r.MinLength) &&
		(r.MaxLength == nil || utf8.RuneCountInString(text) <= *r.MaxLength) &&
		(r.Pattern == nil || r.Pattern.MatchString(text))
}

// certainNumber compares as float64. What is greater when rounded is greater exactly, for rounding keeps the order; what
// is equal may not be, but for integers that a float64 holds exactly.
func (r *rule) certainNumber(number string) bool {
	const exact = 1 << 53
	var value float64
	integer, err := strconv.ParseInt(number, 10, 64)
	isExact := err == nil && -exact < integer && integer < exact
	if isExact {
		value = float64(integer)
	} else if value, err = strconv.ParseFloat(number, 64); err != nil {
		return false
	}
	if !r.number && !(r.integer && isExact) {
		return false
	}
	equals := func(b *bound) bool { return value == b.value && isExact && b.exact }
	return (r.minimum == nil || value > r.minimum.value || equals(r.minimum)) && (r.above == nil || value > r.above.value) &&
		(r.maximum == nil || value < r.maximum.value || equals(r.maximum)) && (r.below == nil || value < r.below.value)
}

// certainlyNot reports whether v breaks a condition for sure: one of its properties is a text, and none that it may be.
func (r *rule) certainlyNot(v any) bool {
	o, _ := v.(object)
	for name, property := range r.properties {
		text, isText := o.get(name).(string)
		if isText && (property.Const != nil && !same(*property.Const, text) ||
			property.Enum != nil && !slices.ContainsFunc(property.Enum.Values, func(allowed any) bool { return same(allowed, text) })) {
			return true
		}
	}
	return false
}

// same reports whether v is that text, boolean or number, and the number written in the same way.
func same(allowed, v any) bool {
	switch v.(type) {
	case string, bool, json.Number:
		return allowed == v
	}
	return false
}
