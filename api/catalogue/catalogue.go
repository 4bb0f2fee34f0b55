// Package catalogue holds the modules, the published figures, and the sources of both. It decides which module a result
// belongs to. It reads only the folder data/.
//
// docs/identity.md describes step by step how Resolve finds a module. The registers outweigh what several contributors
// say, which outweighs what one contributor typed. If the evidence fits several modules, the module is ambiguous. If it
// fits none, Resolve makes a provisional module from the known facts.
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
	CapacityChecks   []CapacityCheck
	CardRegisters    []CardRegisters
	PublishedPrices  []PublishedPrice
	Endurance        []Endurance
	Endured          []Endured
	HealthAnswers    []HealthAnswer // in file order
	Corrections      []Correction
	Devices          []Device // in file order

	modules        map[string]Module       // by slug
	byVendor       map[string][]Module     // by vendor
	devices        map[Naming]string       // a source's name of a reference device to its slug
	names          map[nameKey][]Module    // by vendor and joined product words
	generations    map[nameKey][]Module    // by vendor and joined words, without the words that tell generations apart
	forms          map[nameKey][]string    // forms in which a line is sold, by vendor and joined words
	oneForm        map[nameKey]bool        // lines that are sold in only one form
	usbVersions    map[nameKey][]int       // USB versions of a line, 30 for USB 3.0, by vendor and joined words
	withClass      map[nameKey]bool        // names that also exist with a class: "Ultra", because of "Ultra A1"
	ids            map[string][]Module     // by CID, USB id or ATA model, which never look alike
	chips          map[string][]Module     // eMMC by the name in their CID
	parts          map[string][]partNumber // by the first two letters
	vendors        vendors
	spelledVendors []string
	spelled        map[string][]spelled // by vendor
	productWords   map[string]bool      // in all listed products and part numbers, without ratings
	makers         []makerClaim         // in file order
	usbNames       map[string]string    // of devices, by USB id
	version        string
}

type nameKey struct{ vendor, product string }

// Load reads data/, given as a file system rooted there. An error names the file and the line. The data are part of the
// program, so only tests check what Load trusts.
func Load(fsys fs.FS) (*Catalogue, error) {
	c := &Catalogue{
		modules: map[string]Module{}, byVendor: map[string][]Module{}, devices: map[Naming]string{},
		names: map[nameKey][]Module{}, generations: map[nameKey][]Module{}, forms: map[nameKey][]string{},
		oneForm: map[nameKey]bool{}, usbVersions: map[nameKey][]int{},
		withClass: map[nameKey]bool{}, ids: map[string][]Module{}, chips: map[string][]Module{},
		parts: map[string][]partNumber{}, vendors: vendors{}, usbNames: map[string]string{},
		spelled: map[string][]spelled{}, productWords: map[string]bool{},
	}
	for _, load := range []func(fs.FS) error{
		c.loadSources, c.loadMethods, c.loadModules, c.loadPrintedRates, c.loadPartNumbers, c.loadOneForm,
		c.loadReferenceDevices,
		c.loadSpeedClasses, c.loadPublished, c.loadTables, c.loadMakers, c.loadUSBNames,
		c.loadDevices,
	} {
		if err := load(fsys); err != nil {
			return c, err
		}
	}
	version, err := versionOf(fsys)
	c.version = version
	return c, err
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
