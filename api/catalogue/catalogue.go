// Package catalogue knows which modules there are, what has been published about them, and which module a piece of
// evidence means. It reads the folder data/ and nothing else.
//
// How a module is found (Resolve) is described in docs/identity.md, step by step. What a person typed wins, if it names a
// product; else what the kernel shows decides, if only one product carries it; else the answer is a provisional module
// made of what is known. Where two modules are possible, neither is taken.
package catalogue

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

// Catalogue is everything in data/, checked. It is read-only and safe for concurrent use.
type Catalogue struct {
	Modules          []Module    // by slug
	Published        []Published // by source key and line
	Sources          []Source    // in file order
	Methods          []Method    // in file order
	ReferenceDevices []ReferenceDevice
	SpeedClasses     []SpeedClass // in file order

	modules   map[string]int    // slug to index in Modules
	devices   map[Naming]string // slug of the reference device that a source names so
	names     index
	ratings   map[string]ratings // by slug
	withClass map[nameKey]bool   // names that the catalogue also lists with an application class: "Ultra", since there is "Ultra A1"
	cids      map[string][]int
	usbIDs    map[string][]int
	ata       map[string][]int
	vendors   vendors
	makers    []makerClaim // in file order
}

// Load reads and checks data/, given as a file system rooted there. An error names the file and the line.
func Load(fsys fs.FS) (*Catalogue, error) {
	c := &Catalogue{
		modules: map[string]int{}, devices: map[Naming]string{}, names: index{}, ratings: map[string]ratings{}, withClass: map[nameKey]bool{},
		cids: map[string][]int{}, usbIDs: map[string][]int{}, ata: map[string][]int{},
	}
	var tools []toolMethod
	for _, step := range []func() error{
		func() (err error) { c.Sources, err = loadSources(fsys); return },
		func() (err error) { c.Methods, err = loadMethods(fsys); return },
		func() (err error) { tools, err = loadToolMethods(fsys, c); return },
		func() error { return c.loadModules(fsys) },
		func() error { return c.loadReferenceDevices(fsys) },
		func() error { return c.loadSpeedClasses(fsys) },
		func() error { return c.loadPublished(fsys, tools) },
		func() error { return c.loadMakers(fsys) },
		func() error { return c.checkRegisters(fsys) },
		func() error { return c.checkKnownFrom() },
		func() error { return c.checkRated() },
	} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// Module returns the module with this slug. It knows no provisional modules but those that the catalogue lists.
func (c *Catalogue) Module(slug string) (Module, bool) {
	i, ok := c.modules[slug]
	if !ok {
		return Module{}, false
	}
	return c.Modules[i], true
}

// Source returns the source with this key.
func (c *Catalogue) Source(key string) (Source, bool) {
	i := slices.IndexFunc(c.Sources, func(s Source) bool { return s.Key == key })
	if i < 0 {
		return Source{}, false
	}
	return c.Sources[i], true
}

// Method returns the method with this id.
func (c *Catalogue) Method(id string) (Method, bool) {
	i := slices.IndexFunc(c.Methods, func(m Method) bool { return m.ID == id })
	if i < 0 {
		return Method{}, false
	}
	return c.Methods[i], true
}

// checkKnownFrom holds every module to its word: "published" needs a published row, anything else is a source.
func (c *Catalogue) checkKnownFrom() error {
	published := map[string]bool{}
	for _, p := range c.Published {
		published[p.ModuleSlug] = true
	}
	for _, m := range c.Modules {
		_, isSource := c.Source(m.KnownFrom)
		switch {
		case m.KnownFrom == KnownFromPublished && !published[m.Slug]:
			return fmt.Errorf("%s: %s is known from published measurements, but no row in published/ names it", m.at, m.Slug)
		case m.KnownFrom != KnownFromPublished && !isSource:
			return fmt.Errorf("%s: %s is known from %q, which sources.csv does not list", m.at, m.Slug, m.KnownFrom)
		case m.KnownFrom != KnownFromPublished && published[m.Slug]:
			return fmt.Errorf("%s: %s has published rows, so known_from must be %q", m.at, m.Slug, KnownFromPublished)
		}
	}
	return nil
}

// checkRegisters holds card_registers.csv to the catalogue, and to the rule that no serial number enters this folder.
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
