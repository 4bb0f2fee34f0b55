package catalogue

import (
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// index makes a module known by its slug, its names and its ids.
func (c *Catalogue) index(m Module) {
	c.modules[m.Slug] = m
	c.byVendor[m.Vendor] = append(c.byVendor[m.Vendor], m)
	for _, spelling := range m.spellings() {
		words := c.wordsOf(m.Vendor, spelling)
		key := nameKey{m.Vendor, joined(words)}
		c.names[key] = append(c.names[key], m)
		short := withoutGeneric(words) // people leave out "card", or write another word for it
		for _, product := range appendNew([]string{joined(short)}, joined(ratingsLast(short))) {
			if shorter := (nameKey{m.Vendor, product}); shorter != key && product != "" {
				c.names[shorter] = append(c.names[shorter], m)
			}
		}
		c.addWords(words)
		c.addForm(key, m.Form) // one left open may be an SD card, too
		c.addUSBVersions(m.Vendor, words)
		c.spelled[m.Vendor] = append(c.spelled[m.Vendor], spelled{withoutRatings(words), m})
		if class := applicationClass(words); class != "" {
			base := strings.TrimSuffix(joined(withoutRatings(words)), class)
			c.withClass[nameKey{m.Vendor, base}] = true
		}
		if base := (nameKey{m.Vendor, productLine(words)}); base.product != "" && base != key {
			c.generations[base] = append(c.generations[base], m)
		}
	}
	for _, id := range c.idsOf(m) {
		c.ids[id] = append(c.ids[id], m)
	}
	for _, id := range m.CID {
		if _, name, ok := strings.Cut(evidenceKey(id), " "); ok && m.Form == "emmc" {
			c.chips[name] = append(c.chips[name], m)
		}
	}
}

// spelled is a module under one of its spellings, in words without ratings.
type spelled struct {
	words  []string
	module Module
}

// spellings are the product's name and its other spellings.
func (m Module) spellings() []string { return append([]string{m.Product}, m.Aliases...) }

// lineRatings makes modules of one name and form share the classes that only some of their capacities state. If a
// line's 32 GB card is U1, its 16 GB card isn't U3.
func (c *Catalogue) lineRatings() {
	for _, line := range c.names {
		all := map[string]ratings{} // by form
		for _, m := range line {
			if all[m.Form] == nil {
				all[m.Form] = ratings{}
			}
			for family, values := range ratingsOf(m) {
				all[m.Form][family] = append(all[m.Form][family], values...)
			}
		}
		for _, m := range line {
			for _, family := range []string{"class", "u", "v"} {
				shared := ratings{family: all[m.Form][family]}
				if len(m.ratings[family]) == 0 && len(shared[family]) > 0 && !shared.clash(m.ratings) {
					m.ratings[family] = shared[family]
				}
			}
		}
	}
}

// loadOneForm reads the lines that are sold in only one form, and records them under all their spellings.
func (c *Catalogue) loadOneForm(fsys fs.FS) error {
	return eachRow(fsys, "one_form_lines.csv", func(r *row) error {
		for _, m := range c.names[nameKey{r.get("vendor"), joined(c.wordsOf(r.get("vendor"), r.get("line")))}] {
			for _, spelling := range m.spellings() {
				words := c.wordsOf(m.Vendor, spelling)
				c.oneForm[nameKey{m.Vendor, joined(words)}] = true
				c.oneForm[nameKey{m.Vendor, joined(withoutGeneric(words))}] = true
			}
		}
		return nil
	})
}

func (c *Catalogue) addForm(key nameKey, form string) { c.forms[key] = appendNew(c.forms[key], form) }

func (c *Catalogue) addWords(words []string) {
	for _, w := range withoutRatings(words) {
		c.productWords[w] = true
	}
}

// addUSBVersions records the USB versions in which a line of sticks is sold.
func (c *Catalogue) addUSBVersions(vendor string, words []string) {
	if versions := ratingsIn(words)["usb"]; len(versions) > 0 {
		line := nameKey{vendor, joined(withoutRatings(words))}
		c.usbVersions[line] = append(c.usbVersions[line], versions...)
	}
}

var reYear = regexp.MustCompile(`^20[012]\d$`)

// productLine returns the joined words of a name without the words that tell generations of a line apart: ratings,
// application class and year.
func productLine(words []string) string {
	return joined(without(withoutSales(words), func(w string) bool {
		return reRating.MatchString(w) || reYear.MatchString(w)
	}))
}

// wordsOf returns the words of a product's spelling without its vendor's name.
func (c *Catalogue) wordsOf(vendor, spelling string) []string {
	words, _ := tokens(spelling)
	if named, rest, ok := c.vendors.split(words); ok && named == vendor {
		return rest
	}
	return words
}

// idsOf returns the ids that only this module has.
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

// fitting returns the modules with this capacity and form. If modules state the form, they alone fit.
func fitting(modules []Module, capacityGB float64, form wantedForm) (fits []Module) {
	exact := false
	for _, m := range modules {
		if m.CapacityGB != capacityGB || !form.allows(m) {
			continue
		}
		if states := m.Form == form.stated && !m.FormUnstated; states && !exact {
			fits, exact = nil, true
		} else if !states && exact {
			continue
		}
		fits = append(fits, m)
	}
	return distinct(fits)
}

// one returns the module with this capacity and form if there is only one.
func one(modules []Module, capacityGB float64, form wantedForm) (Module, bool) {
	if fits := fitting(modules, capacityGB, form); len(fits) == 1 {
		return fits[0], true
	}
	return Module{}, false
}

// distinct returns the modules once each, by slug.
func distinct(modules []Module) []Module {
	if len(modules) < 2 {
		return modules
	}
	once := map[string]Module{}
	for _, m := range modules {
		once[m.Slug] = m
	}
	var list []Module
	for _, slug := range slices.Sorted(maps.Keys(once)) {
		list = append(list, once[slug])
	}
	return list
}
