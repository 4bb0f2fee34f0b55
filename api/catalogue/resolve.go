package catalogue

import (
	"cmp"
	"slices"
	"strings"

	"flashdex/result"
	"flashdex/result/register"
)

// Evidence is the data that identify a module. Any field may be empty, and none is trusted.
type Evidence struct {
	result.Module            // as a contributor typed it
	result.Identity          // as the kernel shows it
	Classes         []string // stated by a source; only A1 and A2 count

	// Agreed is the slug of a listed module. Several independent contributors agree that units with the same registers
	// are this module. Empty: they don't agree, or nobody asked.
	Agreed string
}

// Of returns the module, or the stack of modules, that a document is about. agreed is Evidence.Agreed. It is ignored
// for a stack.
func (c *Catalogue) Of(doc *result.Document, agreed string) Module {
	if doc.Stack == nil {
		return c.Resolve(Evidence{Module: doc.Module, Identity: doc.Identity, Agreed: agreed})
	}
	var members []Module
	for _, device := range doc.Devices() {
		members = append(members, c.Resolve(Evidence{Module: doc.Module, Identity: *device}))
	}
	return StackOf(doc.Stack.Kind, doc.Stack.ChunkBytes, members)
}

// RegistersOf returns the register values that units of one product share, with the capacity: "sd 0x03/SD SL16G 16gb".
// It returns "" for a stack, and for a unit that hides its registers or has no name in them.
func RegistersOf(doc *result.Document) string {
	e := Evidence{Identity: doc.Identity}
	cid := cidText(e.card())
	if doc.Stack != nil || cid == "" {
		return ""
	}
	return strings.TrimSpace(e.cardBus() + " " + cid + " " + capacitySlug(marketedGB(float64(e.SizeBytes)/1e9)))
}

// card returns the registers of an SD card or eMMC, or empty ones.
func (e Evidence) card() result.Register {
	switch {
	case e.MMC != nil:
		return *e.MMC
	case e.SD != nil:
		return *e.SD
	}
	return result.Register{}
}

// usb returns the USB ids of the device, or empty ones: a reader's ids say nothing about the card in it.
func (e Evidence) usb() result.USB {
	if e.USB == nil || e.USB.Reader {
		return result.USB{}
	}
	return *e.USB
}

func (e Evidence) ataModel() string {
	if e.Bus != "ata" || e.SCSI == nil {
		return ""
	}
	return e.SCSI.Model
}

// Resolve returns the module that the evidence identifies, or a provisional or ambiguous one made from the evidence. It
// always returns a safe slug and printable names, and always the same module for the same evidence.
func (c *Catalogue) Resolve(e Evidence) Module {
	e.readClasses()
	r := c.read(e)
	m := c.weigh(r, e)
	m.Inside = c.inside(m, r.brand(), e)
	if !m.Ambiguous() && !c.taken(m.Slug) {
		if offered, ok := c.Module(c.offer(r, e)); ok && !c.rulesOut(offered, e) { // the contributor may choose it
			m.Offered = offered.Slug
		}
	}
	m.Confirmed = c.confirms(m, r.brand(), e)
	return m
}

func (e *Evidence) readClasses() {
	if classes, err := register.Classes(e.card().SSR); err == nil { // an eMMC, and some hosts, show none
		e.Classes = append(slices.Clone(e.Classes), classes...)
	}
}

// weigh decides between what the registers, several contributors and one contributor say, in this order.
func (c *Catalogue) weigh(r reading, e Evidence) Module {
	typed, named := c.byTyping(r, e)
	registers, unique := c.byRegisters(e, r.capacityGB, r.form)
	registers.NamedBy = NamedByRegisters
	switch contradicted := c.contradicts(r, typed, e); {
	case contradicted && len(c.brandsOf(e)) == 1: // only one brand has these ids
		if unique {
			return registers
		}
		return c.provisionalKernel("", e, r.capacityGB, r.form)
	case contradicted && unique && r.brand() == registers.Vendor: // two brands were typed, one of them correctly
		return registers
	case contradicted: // another maker's card with this brand's print, or a lie: it belongs to neither's modules
		return c.provisionalKernel(r.brand(), e, r.capacityGB, r.form)
	case unique && (r.brand() == "" || r.brand() == registers.Vendor) && c.overrules(registers, typed, named, r, e):
		return registers
	}
	if m, ok := c.byContributors(typed, named, r, e); ok {
		return m
	}
	if named {
		return typed
	}
	if m, ok := c.bySystem(e, r.capacityGB, r.form); ok && (!r.known || m.Vendor == r.vendor) {
		return m
	}
	if r.brand() == "" || cidText(e.card()) != "" {
		return c.provisionalKernel(r.brand(), e, r.capacityGB, r.form)
	}
	return c.byBrand(r, e)
}

// overrules reports whether registers that only one module has outweigh what was typed. A listed module whose retail
// name is unknown may be several products of its brand, and the typed one may be among them. A chip's name is its
// product.
func (c *Catalogue) overrules(registers, typed Module, named bool, r reading, e Evidence) bool {
	switch {
	case e.Bus == "mmc":
		return true
	case registers.Provisional:
		return !named && r.brand() == "" || typed.Slug == registers.Slug
	}
	return true
}

// contradicts reports whether the registers rule out the typed brand, or a module that the typed name may mean. These
// may be two brands: one typed as the vendor, another typed before the product.
func (c *Catalogue) contradicts(r reading, typed Module, e Evidence) bool {
	return r.known && (c.othersMade(r.vendor, e) || c.othersChip(r, e)) ||
		slices.ContainsFunc(append(slices.Clone(typed.Candidates), typed.Slug), func(slug string) bool {
			m, ok := c.Module(slug)
			return ok && c.rulesOut(m, e)
		})
}

// othersMade reports whether the vendor has ids of its own, but the registers belong to another maker.
func (c *Catalogue) othersMade(vendor string, e Evidence) bool {
	card := e.card()
	return card.Manfid != "" && len(c.otherMakers(vendor, e.cardBus(), card)) > 0
}

// othersChip reports whether only another brand has a chip with these registers, although the typed brand has ids of
// its own, which may be the same.
func (c *Catalogue) othersChip(r reading, e Evidence) bool {
	if e.Bus != "mmc" || !c.hasIDs(r.vendor, e.Bus) {
		return false
	}
	owner, unique := c.byRegisters(e, r.capacityGB, wantedForm{})
	return unique && owner.Vendor != r.vendor
}

// rulesOut reports whether a listed module can't have these registers. They may be another maker's, belong only to a
// module of another brand, or be an eMMC's with another chip name.
func (c *Catalogue) rulesOut(m Module, e Evidence) bool {
	cid := evidenceKey(cidText(e.card()))
	otherChip := e.cardBus() == "mmc" && cid != "" && m.Form == "emmc" && len(m.CID) > 0 &&
		!slices.ContainsFunc(m.CID, func(id string) bool { return evidenceKey(id) == cid })
	owner, unique := c.byRegisters(e, m.CapacityGB, wantedForm{})
	return otherChip || unique && !owner.Provisional && owner.Vendor != m.Vendor || c.othersMade(m.Vendor, e)
}

// byContributors lets the contributors' agreement decide what the typed name leaves open. If the typed name means
// another listed module, nobody knows which is right.
func (c *Catalogue) byContributors(typed Module, named bool, r reading, e Evidence) (Module, bool) {
	agreed, ok := c.Module(e.Agreed)
	if !ok || agreed.CapacityGB != r.capacityGB || cidText(e.card()) == "" ||
		r.brand() != "" && r.brand() != agreed.Vendor {
		return Module{}, false
	}
	switch {
	case !named || slices.Contains(typed.Candidates, agreed.Slug):
		agreed.NamedBy, agreed.Candidates = NamedByContributors, typed.Candidates
		return agreed, true
	case c.taken(typed.Slug) && typed.Slug != agreed.Slug:
		return c.undecided([]Module{typed, agreed}, NamedByTyping, r, e), true
	}
	return Module{}, false
}

// inside returns the maker by the ids, if it isn't the brand that is printed on the module.
func (c *Catalogue) inside(m Module, brand string, e Evidence) string {
	printed := cmp.Or(m.Vendor, brand) // the registers may have left the brand out
	if printed == "" && m.KnownFrom == KnownFromKernel {
		return "" // the ids are its name
	}
	card := e.card()
	claims := c.Claims(e.cardBus(), card.Manfid, card.OEMID)
	isMaker := func(claim Claim) bool { return claim.Kind == ClaimMaker }
	for _, claim := range claims {
		if isMaker(claim) && c.isAbout(claim, printed) {
			return ""
		}
	}
	claim, _ := first(claims, isMaker)
	return claim.Name
}

func lower(list []string) []string { return strings.Fields(strings.ToLower(strings.Join(list, " "))) }
