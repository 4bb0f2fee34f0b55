package catalogue

import (
	"fmt"
	"slices"
	"strings"
)

func (c *Catalogue) indexModules() error {
	for _, m := range c.Modules {
		if err := c.index(m); err != nil {
			return fmt.Errorf("%s: %w", m.at, err)
		}
	}
	former := map[string]string{}
	for _, m := range c.Modules {
		for _, slug := range m.Formerly {
			if c.taken(slug) {
				return fmt.Errorf("%s: %q is a listed module, so %s can't have been called that", m.at, slug, m.Slug)
			}
			if other, taken := former[slug]; taken {
				return fmt.Errorf("%s: %s and %s can't both have been %q", m.at, other, m.Slug, slug)
			}
			former[slug] = m.Slug
		}
	}
	return nil
}

// index makes a module known by its slug, its names and its ids.
func (c *Catalogue) index(m Module) error {
	if o, ok := c.modules[m.Slug]; ok {
		return fmt.Errorf("slug %q is already taken at %s", m.Slug, o.at)
	}
	c.modules[m.Slug] = m
	for _, spelling := range append([]string{m.Product}, m.Aliases...) {
		words, _ := tokens(spelling)
		if vendor, rest, ok := c.vendors.split(words); ok && vendor == m.Vendor {
			words = rest
		}
		key := nameKey{m.Vendor, joined(words)}
		if key.product == "" {
			return fmt.Errorf("the spelling %q holds no letter or digit", spelling)
		}
		if class := applicationClass(words); class != "" {
			base := strings.TrimSuffix(joined(withoutRatings(words)), class)
			c.withClass[nameKey{m.Vendor, base}] = true
		}
		if err := enter(c.names, key, m, spelling, formsMeet); err != nil {
			return err
		}
	}
	for i, id := range slices.Concat(m.CID, m.USB, m.ATA) {
		key := evidenceKey(id)
		if i >= len(m.CID)+len(m.USB) {
			key = c.ataKey(id)
		}
		if err := enter(c.ids, key, m, id, func(Module, Module) bool { return true }); err != nil {
			return err
		}
	}
	return nil
}

// enter lists a module under a key, unless a module of the same capacity that clashes with it is there already.
func enter[K comparable](in map[K][]Module, key K, m Module, spelling string, clash func(a, b Module) bool) error {
	for _, o := range in[key] {
		if o.Slug == m.Slug {
			return nil
		}
		if o.CapacityGB == m.CapacityGB && clash(o, m) {
			return fmt.Errorf("%q of %s already means %s (%s)", spelling, m.Slug, o.Slug, o.at)
		}
	}
	in[key] = append(in[key], m)
	return nil
}

// evidenceKey normalizes an identifier. Case doesn't matter.
func evidenceKey(s string) string { return strings.ToLower(clean(s)) }

// formsMeet reports whether the same evidence about the form fits both modules.
func formsMeet(a, b Module) bool {
	inSD := func(m Module) bool { return m.Form == "sd" || m.Form == "microsd" }
	return a.Form == b.Form || inSD(a) && inSD(b) && (a.FormUnstated || b.FormUnstated)
}

// one returns the module with this capacity and form if there is only one. A module that states the form comes first.
func one(modules []Module, capacityGB float64, form wantedForm) (Module, bool) {
	fits := slices.DeleteFunc(slices.Clone(modules), func(m Module) bool {
		return m.CapacityGB != capacityGB || !form.allows(m)
	})
	exact := slices.DeleteFunc(slices.Clone(fits), func(m Module) bool { return m.Form != form.stated || m.FormUnstated })
	for _, found := range [][]Module{exact, fits} {
		if len(found) == 1 {
			return found[0], true
		}
	}
	return Module{}, false
}
