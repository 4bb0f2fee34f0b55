// Package catalogue knows the modules, the published figures, and the sources of both. It decides which module a result
// belongs to. It reads only the folder data/.
//
// docs/identity.md describes step by step how Resolve finds a module. The typed name wins if it names a product.
// Otherwise the kernel's data decide if only one product has them. Otherwise the answer is a provisional module made of
// the known facts. If two modules are possible, Resolve chooses neither.
package catalogue

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

// Catalogue holds the checked contents of data/. It is read-only and safe for concurrent use.
type Catalogue struct {
	Modules          []Module    // by slug
	Published        []Published // by source key and line
	Sources          []Source    // in file order
	Methods          []Method    // in file order
	ReferenceDevices []ReferenceDevice
	SpeedClasses     []SpeedClass // in file order

	modules   map[string]int    // slug to index in Modules
	devices   map[Naming]string // a source's name of a reference device to its slug
	names     map[nameKey][]int // vendor and joined product words to indices in Modules
	ratings   map[string]ratings
	withClass map[nameKey]bool // names that also exist with an application class: "Ultra", because of "Ultra A1"
	cids      map[string][]int
	usbIDs    map[string][]int
	ata       map[string][]int
	vendors   vendors
	makers    []makerClaim // in file order
}

type nameKey struct{ vendor, product string }

// Load reads and checks data/, given as a file system rooted there. An error names the file and the line.
func Load(fsys fs.FS) (*Catalogue, error) {
	c := &Catalogue{
		modules: map[string]int{}, devices: map[Naming]string{}, names: map[nameKey][]int{}, ratings: map[string]ratings{},
		withClass: map[nameKey]bool{}, cids: map[string][]int{}, usbIDs: map[string][]int{}, ata: map[string][]int{},
		vendors: vendors{names: map[string]string{}, sdIDs: map[string]string{}},
	}
	for _, load := range []func(fs.FS) error{
		c.loadSources, c.loadMethods, c.loadModules, c.loadReferenceDevices, c.loadSpeedClasses, c.loadPublished,
		c.loadMakers, c.checkRegisters, c.checkKnownFrom, c.checkRated,
	} {
		if err := load(fsys); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// Module returns the listed module with this slug. It doesn't know the provisional modules that Resolve makes.
func (c *Catalogue) Module(slug string) (Module, bool) {
	i, ok := c.modules[slug]
	if !ok {
		return Module{}, false
	}
	return c.Modules[i], true
}

// Source returns the source with this key.
func (c *Catalogue) Source(key string) (Source, bool) {
	return first(c.Sources, func(s Source) bool { return s.Key == key })
}

// Method returns the method with this id.
func (c *Catalogue) Method(id string) (Method, bool) {
	return first(c.Methods, func(m Method) bool { return m.ID == id })
}

func first[T any](list []T, matches func(T) bool) (found T, ok bool) {
	if i := slices.IndexFunc(list, matches); i >= 0 {
		return list[i], true
	}
	return found, false
}

// checkKnownFrom verifies that modules known from published measurements have published rows, and that all others name
// a source.
func (c *Catalogue) checkKnownFrom(fs.FS) error {
	published := map[string]bool{}
	for _, p := range c.Published {
		published[p.ModuleSlug] = true
	}
	for _, m := range c.Modules {
		_, isSource := c.Source(m.KnownFrom)
		switch {
		case m.KnownFrom == KnownFromPublished && !published[m.Slug]:
			return fmt.Errorf("%s: %s is known from published measurements, but no row in published/ names it",
				m.at, m.Slug)
		case m.KnownFrom != KnownFromPublished && !isSource:
			return fmt.Errorf("%s: %s is known from %q, which sources.csv does not list", m.at, m.Slug, m.KnownFrom)
		case m.KnownFrom != KnownFromPublished && published[m.Slug]:
			return fmt.Errorf("%s: %s has published rows, so known_from must be %q", m.at, m.Slug, KnownFromPublished)
		}
	}
	return nil
}

// checkRegisters verifies that card_registers.csv names listed modules and holds no serial numbers.
func (c *Catalogue) checkRegisters(fsys fs.FS) error {
	return eachRow(fsys, "card_registers.csv", func(r row) error {
		if _, ok := c.modules[r.get("module")]; !ok {
			return r.errorf("unknown module %q", r.get("module"))
		}
		cid := r.get("cid")
		if len(cid) != 32 || cid[18:26] != strings.Repeat("0", 8) || cid[30:] != "00" {
			return r.errorf("cid %q must be 32 hex digits with serial number and checksum zero", cid)
		}
		return nil
	})
}
