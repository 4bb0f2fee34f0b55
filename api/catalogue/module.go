package catalogue

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"math"
	"path"
	"slices"
	"strings"
)

// Where a module is known from, other than the key of a source.
const (
	KnownFromPublished = "published" // somebody published measurements of it
	KnownFromTyped     = "typed"     // a contributor named it, the catalogue does not list it
	KnownFromKernel    = "kernel"    // nobody named it: this is what the kernel shows
)

// Forms that a module can have, and that of a stack of modules.
var Forms = []string{"sd", "microsd", "cf", "usb", "emmc", "other", FormStack}

// Module is what a buyer can buy: one product of one vendor in one capacity and form.
type Module struct {
	Slug         string   `json:"slug"`    // [a-z0-9-], at most 80 characters, stable
	Vendor       string   `json:"-"`       // empty: brand not stated
	Product      string   `json:"product"` // as a buyer would read it
	CapacityGB   float64  `json:"capacity_gb"`
	Form         string   `json:"form"`          // one of Forms
	FormUnstated bool     `json:"form_unstated"` // form is sd, but the sources only say "SD card": it may be a microSD
	Classes      []string `json:"classes"`

	// Speeds that the vendor prints, in MB/s of 10^6 bytes; 0: not known. A line is sold with several over the years.
	RatedReadMBPerS  int `json:"rated_read_mb_per_s"`
	RatedWriteMBPerS int `json:"rated_write_mb_per_s"`

	Rated []Rated `json:"rated"` // by data sheets

	Aliases     []string `json:"aliases"`     // other spellings of the product
	CID         []string `json:"cid"`         // CID names that only this module carries, as "0x03/SD SA16G", or "0x03/SD SA16G 0x8" with the hardware revision
	USB         []string `json:"usb"`         // USB ids that mean this product, as "0781:5583"
	ATA         []string `json:"ata"`         // ATA models that mean this product
	KnownFrom   string   `json:"known_from"`  // KnownFrom..., or the key of a source
	Provisional bool     `json:"provisional"` // its retail name is not known
	Formerly    []string `json:"formerly"`    // slugs of provisional modules that turned out to be this one: their results are its own
	Note        string   `json:"note"`

	at string // file and line, for errors
}

// Name is the module as one reads it: "Samsung EVO Plus 32 GB microSD".
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

// FormLabel is the form as one reads it; empty for "other".
func FormLabel(form string) string {
	return map[string]string{"sd": "SD", "microsd": "microSD", "cf": "CF", "usb": "USB", "emmc": "eMMC", FormStack: "Stack"}[form]
}

// CapacityLabel is a capacity in GB as printed on a module: "512 MB", "32 GB", "1 TB"; empty for zero.
func CapacityLabel(gb float64) string {
	switch {
	case gb <= 0:
		return ""
	case gb < 1 && gb*1024 == math.Trunc(gb*1024): // cards below 1 GB come in binary fractions of it
		return fmt.Sprintf("%g MB", gb*1024)
	case gb < 1:
		return fmt.Sprintf("%.3g MB", gb*1000)
	case gb >= 1000:
		return fmt.Sprintf("%.3g TB", gb/1000)
	}
	return fmt.Sprintf("%.3g GB", gb)
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
		text, err := fs.ReadFile(fsys, name)
		if err != nil {
			return err
		}
		var v vendorFile
		if err := decodeStrict(name, text, 0, text, &v); err != nil {
			return err
		}
		if err := c.vendors.add(v); err != nil {
			return fmt.Errorf("%s:%d: %w", name, lineOf(text, `"vendor"`), err)
		}
		offset := 0
		for _, raw := range v.Modules {
			offset += bytes.Index(text[offset:], raw)
			m := Module{Vendor: v.Vendor, at: fmt.Sprintf("%s:%d", name, 1+bytes.Count(text[:offset], []byte("\n")))}
			if err := decodeStrict(name, text, offset, raw, &m); err != nil {
				return err
			}
			if err := m.check(); err != nil {
				return fmt.Errorf("%s: %w", m.at, err)
			}
			c.Modules = append(c.Modules, m)
			offset += len(raw)
		}
	}
	slices.SortFunc(c.Modules, func(a, b Module) int { return strings.Compare(a.Slug, b.Slug) })
	return c.indexModules()
}

func (m *Module) check() error {
	switch {
	case !safeSlug(m.Slug):
		return fmt.Errorf("slug %q must be 1 to %d characters of a-z, 0-9 and single hyphens", m.Slug, maxSlug)
	case m.Product == "":
		return fmt.Errorf("%s has no product", m.Slug)
	case m.CapacityGB != marketedGB(m.CapacityGB):
		return fmt.Errorf("%s: capacity_gb %v is no marketed size; 0 means not stated", m.Slug, m.CapacityGB)
	case !slices.Contains(Forms, m.Form) || m.Form == FormStack || IsStack(m.Slug):
		return fmt.Errorf("%s: form %q is not one of %s, or the slug is that of a stack", m.Slug, m.Form, strings.Join(Forms[:len(Forms)-1], ", "))
	case m.FormUnstated && m.Form != "sd":
		return fmt.Errorf("%s: form_unstated is for the form sd", m.Slug)
	case slices.ContainsFunc(m.Formerly, func(slug string) bool { return !safeSlug(slug) || IsStack(slug) }):
		return fmt.Errorf("%s: formerly holds slugs, as in the addresses of modules' pages, and none of a stack", m.Slug)
	case m.RatedReadMBPerS < 0 || m.RatedWriteMBPerS < 0:
		return fmt.Errorf("%s: rated speeds are in MB/s, 0 for not known", m.Slug)
	case m.Vendor != clean(m.Vendor) || m.Product != clean(m.Product):
		return fmt.Errorf("%s: vendor or product holds characters that do not print, or more than %d", m.Slug, maxField)
	}
	return nil
}

// decodeStrict decodes part, which starts at offset in the text of the file name, and refuses unknown fields.
func decodeStrict(name string, text []byte, offset int, part []byte, to any) error {
	d := json.NewDecoder(bytes.NewReader(part))
	d.DisallowUnknownFields()
	if err := d.Decode(to); err != nil {
		at := min(offset+int(d.InputOffset()), len(text))
		return fmt.Errorf("%s:%d: %w", path.Clean(name), 1+bytes.Count(text[:at], []byte("\n")), err)
	}
	return nil
}

// lineOf is the line on which s first stands in text.
func lineOf(text []byte, s string) int {
	return 1 + bytes.Count(text[:max(0, bytes.Index(text, []byte(s)))], []byte("\n"))
}
