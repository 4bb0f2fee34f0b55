package catalogue

import (
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"flashdex/result"
)

// Values of Module.KnownFrom other than the key of a source.
const (
	KnownFromPublished = "published" // somebody published measurements
	KnownFromTyped     = "typed"     // a contributor named it, and the catalogue does not list it
	KnownFromKernel    = "kernel"    // nobody named it: the name shows the kernel's data
)

// Forms lists the forms of modules, and FormStack.
var Forms = append(slices.Clone(result.Forms), FormStack)

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

	Confirmed bool `json:"-"` // as resolved: the unit's registers agree with the name
	Unlisted  bool `json:"-"` // as stored: it has no page until somebody confirms it

	// As resolved, what led to the module.
	NamedBy    string   `json:"-"` // NamedBy..., the evidence that named it; empty: none
	Candidates []string `json:"-"` // slugs of the modules that it may be, or could be without Evidence.Agreed
	Offered    string   `json:"-"` // slug of a listed module that the typed name may mean: see offer
	Inside     string   `json:"-"` // maker by the ids in its registers, if the printed brand is another

	owner         string // of the vendor; empty: none is known
	ratings       ratings
	contradictory bool // as resolved: the typed fields contradict each other
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

// FromContributors reports whether only contributors know of the module.
func (m Module) FromContributors() bool {
	return slices.Contains([]string{KnownFromTyped, KnownFromKernel, KnownFromAmbiguous}, m.KnownFrom)
}

// vendorFile is one file in modules/.
type vendorFile struct {
	Vendor  string   `json:"vendor"`
	Aliases []string `json:"vendor_aliases"`
	Owner   string   `json:"owner"` // another vendor, whose name people type as well; empty: none
	Modules []Module `json:"modules"`
}

func (c *Catalogue) loadModules(fsys fs.FS) error {
	files, err := fs.Glob(fsys, "modules/*.json")
	if err != nil {
		return err
	}
	for _, name := range files {
		var v vendorFile
		if err := readJSON(fsys, name, &v); err != nil {
			return err
		}
		c.vendors.add(v)
		for _, m := range v.Modules {
			m.Vendor, m.owner, m.ratings = v.Vendor, v.Owner, ratingsOf(m)
			c.Modules = append(c.Modules, m)
		}
	}
	slices.SortFunc(c.Modules, func(a, b Module) int { return strings.Compare(a.Slug, b.Slug) })
	for _, m := range c.Modules {
		c.index(m)
	}
	c.lineRatings()
	c.spelledVendors = slices.Sorted(maps.Keys(c.vendors))
	return nil
}

// FormStack is the form of several modules that were measured together. The catalogue lists stacks separately, under
// slugs that no module can have.
const FormStack = "stack"

// IsStack reports whether a slug belongs to a stack.
func IsStack(slug string) bool { return strings.HasPrefix(slug, "stack-") }

// StackOf returns the entry for a stack of modules. The same kind of stack with the same modules in any order has the
// same entry. The size of the stack doesn't matter, because its owner can choose it. A stack with an ambiguous member
// is ambiguous.
func StackOf(kind string, chunkBytes int64, members []Module) Module {
	count := map[string]int{}
	var kinds []Module
	confirmed := true
	for _, m := range members {
		if count[m.Slug]++; count[m.Slug] == 1 {
			kinds = append(kinds, m)
		}
		confirmed = confirmed && m.Confirmed
	}
	slices.SortFunc(kinds, func(a, b Module) int { return strings.Compare(a.Slug, b.Slug) })
	name, words := result.StackLabel(kind), []string{"stack", kind}
	if chunkBytes > 0 {
		chunk := fmt.Sprintf("%d KiB", chunkBytes>>10)
		name, words = name+" in chunks of "+chunk, append(words, strings.ReplaceAll(chunk, " ", ""))
	}
	var parts []string
	for _, m := range kinds {
		parts = append(parts, fmt.Sprintf("%d × %s", count[m.Slug], m.Name()))
		words = append(words, fmt.Sprint(count[m.Slug]), m.Slug)
	}
	knownFrom := KnownFromKernel
	if slices.ContainsFunc(kinds, Module.Ambiguous) {
		knownFrom = KnownFromAmbiguous
	}
	return Module{
		Slug: SlugOf(words, func(string) bool { return false }), Product: name + " of " + strings.Join(parts, " and "),
		Form: FormStack, KnownFrom: knownFrom, Provisional: true, Confirmed: confirmed,
	}
}
