package catalogue

import (
	"slices"
	"strings"
)

// index makes a module known by its slug, its names and its ids.
func (c *Catalogue) index(m Module) {
	c.modules[m.Slug] = m
	for _, spelling := range append([]string{m.Product}, m.Aliases...) {
		words := c.wordsOf(m.Vendor, spelling)
		key := nameKey{m.Vendor, joined(words)}
		c.names[key] = append(c.names[key], m)
		if class := applicationClass(words); class != "" {
			base := strings.TrimSuffix(joined(withoutRatings(words)), class)
			c.withClass[nameKey{m.Vendor, base}] = true
		}
	}
	for _, id := range c.idsOf(m) {
		c.ids[id] = append(c.ids[id], m)
	}
}

// wordsOf returns the words of a product's spelling without its vendor's name.
func (c *Catalogue) wordsOf(vendor, spelling string) []string {
	words, _ := tokens(spelling)
	if named, rest, ok := c.vendors.split(words); ok && named == vendor {
		return rest
	}
	return words
}

// idsOf returns the ids that only a module carries.
func (c *Catalogue) idsOf(m Module) (ids []string) {
	for _, id := range slices.Concat(m.CID, m.USB) {
		ids = append(ids, evidenceKey(id))
	}
	for _, model := range m.ATA {
		ids = append(ids, c.ataKey(model))
	}
	return ids
}

// evidenceKey normalizes an identifier. Case doesn't matter.
func evidenceKey(s string) string { return strings.ToLower(clean(s)) }

// one returns the module with this capacity and form if there is only one. A module that states the form comes first.
func one(modules []Module, capacityGB float64, form wantedForm) (Module, bool) {
	fits := slices.DeleteFunc(slices.Clone(modules), func(m Module) bool {
		return m.CapacityGB != capacityGB || !form.allows(m)
	})
	fits = slices.CompactFunc(fits, func(a, b Module) bool { return a.Slug == b.Slug }) // several spellings alike
	exact := slices.DeleteFunc(slices.Clone(fits), func(m Module) bool { return m.Form != form.stated || m.FormUnstated })
	for _, found := range [][]Module{exact, fits} {
		if len(found) == 1 {
			return found[0], true
		}
	}
	return Module{}, false
}
