package catalogue

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

// Values of Module.KnownFrom other than the key of a source.
const (
	KnownFromPublished = "published" // somebody published measurements
	KnownFromTyped     = "typed"     // a contributor named it, and the catalogue does not list it
	KnownFromKernel    = "kernel"    // nobody named it: the name shows the kernel's data
)

// Forms lists the forms of modules, and FormStack.
var Forms = []string{"sd", "microsd", "cf", "usb", "emmc", "other", FormStack}

// Module is a product that a buyer can choose: from one vendor, in one capacity and form.
type Module struct {
	Slug         string   `json:"slug"`    // [a-z0-9-], at most 80 characters, stable
	Vendor       string   `json:"-"`       // empty: brand not stated
	Product      string   `json:"product"` // as a buyer would read it
	CapacityGB   float64  `json:"capacity_gb"`
	Form         string   `json:"form"`          // one of Forms
	FormUnstated bool     `json:"form_unstated"` // form is sd, but the sources only say "SD card": it may be a microSD
	Classes      []string `json:"classes"`

	// Speeds that the vendor prints, in MB/s of 10^6 bytes; 0: not known. A vendor may change them over the years.
	RatedReadMBPerS  int `json:"rated_read_mb_per_s"`
	RatedWriteMBPerS int `json:"rated_write_mb_per_s"`

	Rated []Rated `json:"rated"` // by data sheets

	Aliases []string `json:"aliases"` // other spellings of the product
	// CID names that only this module carries: "0x03/SD SA16G", or with the hardware revision "0x03/SD SA16G 0x8".
	CID         []string `json:"cid"`
	USB         []string `json:"usb"`         // USB ids of this product: "0781:5583"
	ATA         []string `json:"ata"`         // ATA models of this product
	KnownFrom   string   `json:"known_from"`  // KnownFrom..., or the key of a source
	Provisional bool     `json:"provisional"` // its retail name is not known
	Formerly    []string `json:"formerly"`    // slugs of provisional modules whose results belong to this one
	Note        string   `json:"note"`

	at      string // file and line, for errors
	ratings ratings
}

// Name returns the name for readers: "Samsung EVO Plus 32 GB microSD".
func (m Module) Name() string {
	capacity := CapacityLabel(m.CapacityGB)
	if m.KnownFrom == KnownFromKernel {
		name := strings.TrimSpace(m.Vendor + " " + m.Product)
		if capacity != "" {
			name += ", " + capacity
		}
		return name
	}
	parts := []string{m.Vendor, m.Product, capacity}
	label := FormLabel(m.Form)
	if m.FormUnstated {
		label = "(micro)SD"
	}
	if !strings.Contains(strings.ToLower(m.Product), strings.ToLower(label)) {
		parts = append(parts, label)
	}
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), " ")
}

// vendorFile is one file in modules/.
type vendorFile struct {
	Vendor  string            `json:"vendor"`
	Aliases []string          `json:"vendor_aliases"`
	SDIDs   []string          `json:"sd_ids"` // manufacturer and OEM ids that only this vendor uses, as "0x03/SD"
	Modules []json.RawMessage `json:"modules"`
}

func (c *Catalogue) loadModules(fsys fs.FS) error {
	files, err := fs.Glob(fsys, "modules/*.json")
	if err != nil || len(files) == 0 {
		return fmt.Errorf("modules: no vendor files (%v)", err)
	}
	for _, name := range files {
		var v vendorFile
		text, err := readJSON(fsys, name, &v)
		if err != nil {
			return err
		}
		if err := c.vendors.add(v); err != nil {
			return fmt.Errorf("%s:%d: %w", name, lineOf(text, `"vendor"`), err)
		}
		offset := 0
		for _, raw := range v.Modules {
			offset += bytes.Index(text[offset:], raw)
			m := Module{Vendor: v.Vendor, at: fmt.Sprintf("%s:%d", name, lineAt(text, offset))}
			if err := decodeStrict(name, text, offset, raw, &m); err != nil {
				return err
			}
			m.ratings = ratingsOfModule(m)
			if err := c.check(m); err != nil {
				return fmt.Errorf("%s: %w", m.at, err)
			}
			c.Modules = append(c.Modules, m)
			offset += len(raw)
		}
	}
	slices.SortFunc(c.Modules, func(a, b Module) int { return strings.Compare(a.Slug, b.Slug) })
	return c.indexModules()
}

// check verifies what a vendor's file says about a module by itself.
func (c *Catalogue) check(m Module) error {
	_, isSource := c.Source(m.KnownFrom)
	switch {
	case !safeSlug(m.Slug):
		return fmt.Errorf("slug %q must be 1 to %d characters of a-z, 0-9 and single hyphens", m.Slug, maxSlug)
	case m.KnownFrom != KnownFromPublished && !isSource:
		return fmt.Errorf("%s is known from %q, which sources.csv does not list", m.Slug, m.KnownFrom)
	case m.Product == "":
		return fmt.Errorf("%s has no product", m.Slug)
	case m.CapacityGB != marketedGB(m.CapacityGB):
		return fmt.Errorf("%s: capacity_gb %v is no marketed size; 0 means not stated", m.Slug, m.CapacityGB)
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
	return c.checkRated(m)
}
