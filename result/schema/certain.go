package schema

import (
	"encoding/json"
	"slices"
	"strconv"
	"unicode/utf8"
)

// certain reports whether the value at i in t satisfies the rule for sure. The validator reckons every number of a
// document as a fraction of big integers, which takes more time than all else in an upload. This reckons in machine
// words, and leaves to the validator whatever it isn't sure of, and every refusal with its reasons.
func (r *rule) certain(t tree, i int) bool {
	if !r.understood || r.ref != nil && !r.ref.certain(t, i) || r.Const != nil && !t[i].is(*r.Const) ||
		r.Enum != nil && !slices.ContainsFunc(r.Enum.Values, t[i].is) {
		return false
	}
	for _, each := range r.allOf {
		if !each.certain(t, i) {
			return false
		}
	}
	// What follows from a condition is asked unless the condition surely doesn't hold.
	if r.then != nil && !r.condition.certainlyNot(t, i) && !r.then.certain(t, i) {
		return false
	}
	switch t[i].kind {
	case '{':
		return r.object && r.certainObject(t, i)
	case '[':
		return r.array && r.certainArray(t, i)
	case '"':
		return r.text && r.certainText(t[i].text)
	case '0':
		return r.certainNumber(t[i])
	case 't', 'f':
		return r.boolean
	}
	return false
}

func (r *rule) certainObject(t tree, i int) bool {
	for _, name := range r.Required {
		if t.member(i, name) == 0 {
			return false
		}
	}
	for member := range t.children(i) {
		if property, known := r.properties[t[member].name]; known {
			if !property.certain(t, member) {
				return false
			}
		} else if r.AdditionalProperties != nil {
			return false
		}
	}
	return true
}

func (r *rule) certainArray(t tree, i int) bool {
	var texts []string
	n := 0
	for element := range t.children(i) {
		item := r.items
		if n < len(r.prefixItems) {
			item = r.prefixItems[n]
		}
		if item != nil && !item.certain(t, element) {
			return false
		}
		if r.UniqueItems {
			if t[element].kind != '"' || slices.Contains(texts, t[element].text) {
				return false
			}
			texts = append(texts, t[element].text)
		}
		n++
	}
	return (r.MinItems == nil || n >= *r.MinItems) && (r.MaxItems == nil || n <= *r.MaxItems)
}

func (r *rule) certainText(text string) bool {
	return (r.MinLength == nil || utf8.RuneCountInString(text) >= *r.MinLength) &&
		(r.MaxLength == nil || utf8.RuneCountInString(text) <= *r.MaxLength) &&
		(r.Pattern == nil || r.Pattern.MatchString(text))
}

// certainNumber compares as float64. What is greater when rounded is greater exactly, for rounding keeps the order; what
// is equal may not be, but for integers that a float64 holds exactly.
func (r *rule) certainNumber(n node) bool {
	const exact = 1 << 53
	var value float64
	integer, isInteger := n.integer()
	isExact := isInteger && -exact < integer && integer < exact
	if isExact {
		value = float64(integer)
	} else {
		var err error
		if value, err = strconv.ParseFloat(n.text, 64); err != nil {
			return false
		}
	}
	if !r.number && !(r.integer && isExact) {
		return false
	}
	equals := func(b *bound) bool { return value == b.value && isExact && b.exact }
	return (r.minimum == nil || value > r.minimum.value || equals(r.minimum)) && (r.above == nil || value > r.above.value) &&
		(r.maximum == nil || value < r.maximum.value || equals(r.maximum)) && (r.below == nil || value < r.below.value)
}

// certainlyNot reports whether a value breaks a condition for sure: one of its properties is a text, and none that it may
// be.
func (r *rule) certainlyNot(t tree, i int) bool {
	if t[i].kind != '{' {
		return false
	}
	for name, property := range r.properties {
		member := t.member(i, name)
		if member > 0 && t[member].kind == '"' &&
			(property.Const != nil && !t[member].is(*property.Const) || property.Enum != nil && !slices.ContainsFunc(property.Enum.Values, t[member].is)) {
			return true
		}
	}
	return false
}

// is reports whether a value is that text or boolean, or that number written in the same way.
func (n node) is(allowed any) bool {
	switch allowed := allowed.(type) {
	case string:
		return n.kind == '"' && n.text == allowed
	case json.Number:
		return n.kind == '0' && n.text == string(allowed)
	case bool:
		return n.kind == 't' && allowed || n.kind == 'f' && !allowed
	}
	return false
}
