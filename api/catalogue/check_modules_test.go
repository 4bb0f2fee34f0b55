package catalogue

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
)

func (c *checker) checkVendors(fsys fs.FS) error {
	files, err := fs.Glob(fsys, "modules/*.json")
	if err != nil || len(files) == 0 {
		return fmt.Errorf("modules: no vendor files (%v)", err)
	}
	names, owners := map[string]string{}, map[string]string{}
	for _, name := range files {
		var v struct {
			Vendor  string            `json:"vendor"`
			Aliases []string          `json:"vendor_aliases"`
			Owner   string            `json:"owner"`
			Modules []json.RawMessage `json:"modules"`
		}
		text, err := readStrict(fsys, name, &v)
		if err != nil {
			return err
		}
		offset := 0
		for _, raw := range v.Modules {
			offset += bytes.Index(text[offset:], raw)
			m := Module{Vendor: v.Vendor}
			if err := decodeStrict(name, text, offset, raw, &m); err != nil {
				return err
			}
			c.modules = append(c.modules, placed{m, fmt.Sprintf("%s:%d", name, lineAt(text, offset))})
			offset += len(raw)
		}
		line := lineOf(text, `"vendor"`)
		for _, spelling := range append([]string{v.Vendor}, v.Aliases...) {
			key := vendorKey(spelling)
			if other, ok := names[key]; ok && other != v.Vendor {
				return fmt.Errorf("%s:%d: vendor %q is already a spelling of %q; a spelling means one vendor", name, line,
					spelling, other)
			}
			names[key] = v.Vendor
		}
		if v.Owner != "" {
			owners[v.Owner] = fmt.Sprintf("%s:%d", name, lineOf(text, `"owner"`))
		}
	}
	for owner, at := range owners {
		if names[vendorKey(owner)] != owner {
			return fmt.Errorf("%s: the owner %q is no vendor in modules/", at, owner)
		}
	}
	return nil
}

func (c *checker) checkModules(fs.FS) error {
	seen, former := map[string]placed{}, map[string]string{}
	for _, m := range c.modules {
		if err := cmp.Or(c.checkModule(m.Module), c.checkRated(m.Module)); err != nil {
			return fmt.Errorf("%s: %w", m.at, err)
		}
		if o, ok := seen[m.Slug]; ok {
			return fmt.Errorf("%s: slug %q is already taken at %s; give the new module another", m.at, m.Slug, o.at)
		}
		seen[m.Slug] = m
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

func (c *checker) checkModule(m Module) error {
	_, isSource := c.Source(m.KnownFrom)
	switch {
	case !safeSlug(m.Slug):
		return fmt.Errorf("slug %q of %q must be 1 to %d characters of a-z, 0-9 and single hyphens", m.Slug, m.Product,
			maxSlug)
	case m.KnownFrom != KnownFromPublished && !isSource:
		return fmt.Errorf("%s is known from %q, which sources.csv does not list: add the source there first", m.Slug,
			m.KnownFrom)
	case m.Product == "":
		return fmt.Errorf("%s has no product", m.Slug)
	case m.CapacityGB != marketedGB(m.CapacityGB):
		return fmt.Errorf("%s: capacity_gb %v is no marketed size; write the size on its label, or 0 if none is stated",
			m.Slug, m.CapacityGB)
	case !slices.Contains(Forms, m.Form) || m.Form == FormStack || IsStack(m.Slug):
		return fmt.Errorf("%s: form %q is not one of %s, or the slug belongs to a stack",
			m.Slug, m.Form, strings.Join(Forms[:len(Forms)-1], ", "))
	case m.FormUnstated && m.Form != "sd":
		return fmt.Errorf("%s: form_unstated requires the form sd", m.Slug)
	case slices.ContainsFunc(m.Formerly, func(slug string) bool { return !safeSlug(slug) || IsStack(slug) }):
		return fmt.Errorf("%s: formerly must hold slugs of modules, as in the addresses of their pages", m.Slug)
	case m.RatedReadMBPerS < 0 || m.RatedWriteMBPerS < 0:
		return fmt.Errorf("%s: rated speeds must not be negative; 0 means not known", m.Slug)
	case m.Vendor != clean(m.Vendor) || m.Product != clean(m.Product):
		return fmt.Errorf("%s: vendor or product has unprintable characters, or more than %d characters", m.Slug, maxField)
	}
	return nil
}

// checkRated verifies that every data sheet is a source, and that its figures are among RatedKeys or RatedTransfer.
func (c *checker) checkRated(m Module) error {
	for _, r := range m.Rated {
		if _, known := c.Source(r.Source); !known {
			return fmt.Errorf("%s is rated by %q, which sources.csv does not list", m.Slug, r.Source)
		}
		for _, key := range slices.Sorted(maps.Keys(r.Figures)) {
			known := key == RatedTransfer || slices.Contains(RatedKeys, key)
			if value := r.Figures[key]; !known || !(value > 0) || value > 1e7 {
				return fmt.Errorf("%s is rated with %s %v; a rating is a number above 0 for one of %q, or for %s",
					m.Slug, key, value, RatedKeys, RatedTransfer)
			}
		}
		if len(r.Figures) == 0 {
			return fmt.Errorf("%s is rated by %s with no figure", m.Slug, r.Source)
		}
	}
	return nil
}

// checkNames verifies that no name and no id means two modules of the same capacity that the form can't tell apart.
func (c *checker) checkNames(fs.FS) error {
	names, ids := map[nameKey][]placed{}, map[nameKey][]placed{}
	enter := func(in map[nameKey][]placed, key nameKey, m placed, spelling string) error {
		for _, o := range in[key] {
			if o.Slug != m.Slug && o.CapacityGB == m.CapacityGB && (key.vendor == "an id" || formsMeet(o.Module, m.Module)) {
				return fmt.Errorf("%s: %q of %s already means %s (%s): take it out of one of them", m.at, spelling, m.Slug, o.Slug,
					o.at)
			}
		}
		in[key] = append(in[key], m)
		return nil
	}
	for _, m := range c.modules {
		for _, spelling := range append([]string{m.Product}, m.Aliases...) {
			key := nameKey{m.Vendor, joined(c.wordsOf(m.Vendor, spelling))}
			if key.product == "" {
				return fmt.Errorf("%s: the spelling %q holds no letter or digit", m.at, spelling)
			}
			if err := enter(names, key, m, spelling); err != nil {
				return err
			}
		}
		for _, id := range c.idsOf(m.Module) {
			if err := enter(ids, nameKey{"an id", id}, m, id); err != nil {
				return err
			}
		}
	}
	return nil
}

// formsMeet reports whether the same evidence about the form fits both modules.
func formsMeet(a, b Module) bool {
	inSD := func(m Module) bool { return m.Form == "sd" || m.Form == "microsd" }
	return a.Form == b.Form || inSD(a) && inSD(b) && (a.FormUnstated || b.FormUnstated)
}

// checkPartNumbers verifies that each row of part_numbers.csv has everything that names a product, and finds its own
// example.
func (c *checker) checkPartNumbers(fsys fs.FS) error {
	seen := map[string]int{}
	return eachRow(fsys, "part_numbers.csv", func(r *row) error {
		prefix, vendor, product, example := r.get("prefix"), r.get("vendor"), r.get("product"), r.get("example")
		listed, _ := c.vendors.named(vendor)
		words, capacity := tokens(product)
		found, ok := c.part(strings.ToLower(example))
		switch revision := r.get("revision"); {
		case strings.Count(prefix, "*") != 1:
			return r.errorf("the prefix %q needs one *, where the capacity in GB stands: SDCS2/*GB", prefix)
		case seen[separated(strings.ToLower(prefix))] > 0:
			return r.errorf("the prefix %q is already in line %d; keep one of the rows", prefix,
				seen[separated(strings.ToLower(prefix))])
		case vendor == "" || vendor != listed:
			return r.errorf("the vendor %q is spelled %q in modules/", vendor, listed)
		case len(words) == 0 || capacity != 0:
			return r.errorf("the product %q must be a name, without a capacity", product)
		case revision != "" && !reYear.MatchString(revision):
			return r.errorf("the revision %q is no year, such as 2021", revision)
		case !slices.Contains(Forms, r.get("form")) || r.get("form") == FormStack:
			return r.errorf("the form %q is not one of %s", r.get("form"), strings.Join(Forms[:len(Forms)-1], ", "))
		case r.get("source") == "":
			return r.errorf("who says that %s is %s %s? Name the source", prefix, vendor, product)
		case !ok || found.prefix != prefix:
			return r.errorf("the example %q is not read by its own prefix %q, but by %q", example, prefix, found.prefix)
		}
		seen[separated(strings.ToLower(prefix))] = r.line
		return nil
	})
}

// checkOneForm verifies that each row of one_form_lines.csv is a listed line, with its form and a source.
func (c *checker) checkOneForm(fsys fs.FS) error {
	return eachRow(fsys, "one_form_lines.csv", func(r *row) error {
		vendor, line := r.get("vendor"), r.get("line")
		listed := c.names[nameKey{vendor, joined(c.wordsOf(vendor, line))}]
		switch {
		case len(listed) == 0:
			return r.errorf("no module of the line %s %s is listed in modules/", vendor, line)
		case slices.ContainsFunc(listed, func(m Module) bool { return m.Form != r.get("form") }):
			return r.errorf("the line %s %s is listed in another form than %q", vendor, line, r.get("form"))
		case r.get("source") == "":
			return r.errorf("who says that %s %s is sold as %s alone? Name the source", vendor, line, r.get("form"))
		}
		return nil
	})
}

// checkPrintedRates verifies that each row of printed_rates.csv names its module and its source.
func (c *checker) checkPrintedRates(fsys fs.FS) error {
	return eachRow(fsys, "printed_rates.csv", func(r *row) error {
		switch _, known := c.Module(r.get("slug")); {
		case !known:
			return r.errorf("no module %q is listed in modules/", r.get("slug"))
		case !(r.number("read_mb_per_s") >= 1):
			return r.errorf("read_mb_per_s %q is no rate", r.get("read_mb_per_s"))
		case r.get("source") == "":
			return r.errorf("who says that %s was sold with %s MB/s? Name the source", r.get("slug"), r.get("read_mb_per_s"))
		}
		return nil
	})
}
