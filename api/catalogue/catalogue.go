// Package catalogue knows the modules, the published figures, and the sources of both. It decides which module a result
// belongs to. It reads only the folder data/.
//
// docs/identity.md describes step by step how Resolve finds a module. The typed name wins if it names a product.
// Otherwise the kernel's data decide if only one product has them. Otherwise the answer is a provisional module made of
// the known facts. If two modules are possible, Resolve chooses neither.
package catalogue

import (
	"io/fs"
	"slices"
)

// Catalogue holds the contents of data/. It is read-only and safe for concurrent use.
type Catalogue struct {
	Modules          []Module    // by slug
	Published        []Published // by source key and line
	Sources          []Source    // in file order
	Methods          []Method    // in file order
	ReferenceDevices []ReferenceDevice
	SpeedClasses     []SpeedClass // in file order

	modules   map[string]Module    // by slug
	devices   map[Naming]string    // a source's name of a reference device to its slug
	names     map[nameKey][]Module // by vendor and joined product words
	withClass map[nameKey]bool     // names that also exist with an application class: "Ultra", because of "Ultra A1"
	ids       map[string][]Module  // by CID, USB id and ATA model, which never look alike
	vendors   vendors
	makers    []makerClaim      // in file order
	usbNames  map[string]string // of devices, by USB id
}

type nameKey struct{ vendor, product string }

// Load reads data/, given as a file system rooted there. An error names the file and the line. The data are part of the
// program, so only tests check what Load trusts.
func Load(fsys fs.FS) (*Catalogue, error) {
	c := &Catalogue{
		modules: map[string]Module{}, devices: map[Naming]string{}, names: map[nameKey][]Module{},
		withClass: map[nameKey]bool{}, ids: map[string][]Module{}, usbNames: map[string]string{},
		vendors: vendors{names: map[string]string{}, sdIDs: map[string]string{}},
	}
	for _, load := range []func(fs.FS) error{
		c.loadSources, c.loadMethods, c.loadModules, c.loadReferenceDevices, c.loadSpeedClasses, c.loadPublished,
		c.loadMakers, c.loadUSBNames,
	} {
		if err := load(fsys); err != nil {
			return c, err
		}
	}
	return c, nil
}

// Module returns the listed module with this slug. It doesn't know the provisional modules that Resolve makes.
func (c *Catalogue) Module(slug string) (Module, bool) {
	m, ok := c.modules[slug]
	return m, ok
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
