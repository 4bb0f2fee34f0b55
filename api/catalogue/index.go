package catalogue

import (
	"fmt"
	"strings"
)

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
				base := strings.TrimSuffix(joined(withoutRatings(words)), class)
				c.withClass[nameKey{m.Vendor, base}] = true
			}
			for _, j := range c.names[key] {
				if o := c.Modules[j]; j != i && o.CapacityGB == m.CapacityGB && formsMeet(o, m) {
					return fmt.Errorf("%s: %q of %s already means %s (%s)", m.at, spelling, m.Slug, o.Slug, o.at)
				}
			}
			c.names[key] = appendNew(c.names[key], i)
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

// checkFormer verifies that each former slug belongs to one module.
func (c *Catalogue) checkFormer() error {
	means := map[string]string{}
	for _, m := range c.Modules {
		for _, former := range m.Formerly {
			if _, listed := c.modules[former]; listed {
				return fmt.Errorf("%s: %q is a listed module, so %s can't have been called that", m.at, former, m.Slug)
			}
			if other, taken := means[former]; taken {
				return fmt.Errorf("%s: %s and %s can't both have been %q", m.at, other, m.Slug, former)
			}
			means[former] = m.Slug
		}
	}
	return nil
}

// evidenceKey normalizes an identifier. Case doesn't matter.
func evidenceKey(s string) string { return strings.ToLower(clean(s)) }

// formsMeet reports whether the same evidence about the form fits both modules.
func formsMeet(a, b Module) bool {
	inSD := func(m Module) bool { return m.Form == "sd" || m.Form == "microsd" }
	return a.Form == b.Form || inSD(a) && inSD(b) && (a.FormUnstated || b.FormUnstated)
}

// one returns the module with this capacity and form if there is only one among the indices.
func (c *Catalogue) one(indices []int, capacityGB float64, form wantedForm) (Module, bool) {
	var fits, exact []Module
	for _, i := range indices {
		if m := c.Modules[i]; m.CapacityGB == capacityGB && form.allows(m) {
			fits = append(fits, m)
			if m.Form == form.stated && !m.FormUnstated {
				exact = append(exact, m)
			}
		}
	}
	for _, found := range [][]Module{exact, fits} {
		if len(found) == 1 {
			return found[0], true
		}
	}
	return Module{}, false
}
