package catalogue

import (
	"fmt"
	"slices"
	"strings"
)

// index finds modules by vendor and joined product words.
type index map[nameKey][]int

type nameKey struct{ vendor, product string }

func (c *Catalogue) indexModules() error {
	for i, m := range c.Modules {
		if j, ok := c.modules[m.Slug]; ok {
			return fmt.Errorf("%s: slug %q is already taken at %s", m.at, m.Slug, c.Modules[j].at)
		}
		c.modules[m.Slug] = i
		c.ratings[m.Slug] = ratingsOfModule(m)
		for _, spelling := range append([]string{m.Product}, m.Aliases...) {
			words, _ := tokens(spelling)
			if vendor, rest, ok := c.vendors.split(words); ok && vendor == m.Vendor {
				words = rest
			}
			key := nameKey{m.Vendor, joined(words)}
			if key.product == "" {
				return fmt.Errorf("%s: the spelling %q holds no letter or digit", m.at, spelling)
			}
			if class := applicationClass(words); class != "" {
				c.withClass[nameKey{m.Vendor, strings.TrimSuffix(joined(withoutRatings(words)), class)}] = true
			}
			for _, j := range c.names[key] {
				if o := c.Modules[j]; j != i && o.CapacityGB == m.CapacityGB && formsMeet(o, m) {
					return fmt.Errorf("%s: %q of %s already means %s (%s)", m.at, spelling, m.Slug, o.Slug, o.at)
				}
			}
			if !slices.Contains(c.names[key], i) {
				c.names[key] = append(c.names[key], i)
			}
		}
		for _, e := range []struct {
			in   map[string][]int
			keys []string
			key  func(string) string
		}{{c.cids, m.CID, evidenceKey}, {c.usbIDs, m.USB, evidenceKey}, {c.ata, m.ATA, c.ataKey}} {
			for _, spelling := range e.keys {
				key := e.key(spelling)
				for _, j := range e.in[key] {
					if o := c.Modules[j]; o.CapacityGB == m.CapacityGB {
						return fmt.Errorf("%s: %q of %s already means %s (%s)", m.at, spelling, m.Slug, o.Slug, o.at)
					}
				}
				e.in[key] = append(e.in[key], i)
			}
		}
	}
	return c.checkFormer()
}

// checkFormer holds former names to meaning one module.
func (c *Catalogue) checkFormer() error {
	means := map[string]string{}
	for _, m := range c.Modules {
		for _, former := range m.Formerly {
			if _, listed := c.modules[former]; listed {
				return fmt.Errorf("%s: %q is a module of its own, so %s can't have been called that", m.at, former, m.Slug)
			}
			if other, taken := means[former]; taken {
				return fmt.Errorf("%s: %s and %s can't both have been %q", m.at, other, m.Slug, former)
			}
			means[former] = m.Slug
		}
	}
	return nil
}

// evidenceKey is what two spellings of an identifier have in common. Case counts in none of them.
func evidenceKey(s string) string { return strings.ToLower(clean(s)) }

// formsMeet reports whether one evidence could mean either module by its form.
func formsMeet(a, b Module) bool {
	inSD := func(m Module) bool { return m.Form == "sd" || m.Form == "microsd" }
	return a.Form == b.Form || inSD(a) && inSD(b) && (a.FormUnstated || b.FormUnstated)
}

// one returns the only module among the indices that has the capacity and may have the form.
func (c *Catalogue) one(indices []int, capacityGB float64, form wantedForm) (Module, bool) {
	var fits, exact []Module
	for _, i := range indices {
		m := c.Modules[i]
		if m.CapacityGB != capacityGB || !form.allows(m) {
			continue
		}
		fits = append(fits, m)
		if m.Form == form.stated && !m.FormUnstated {
			exact = append(exact, m)
		}
	}
	if len(exact) == 1 {
		return exact[0], true
	}
	if len(fits) == 1 {
		return fits[0], true
	}
	return Module{}, false
}
