package catalogue

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"flashdex/result"
)

// byRegisters finds the module by a CID that only one module has. The capacity is the kernel's, if it shows one.
func (c *Catalogue) byRegisters(e Evidence, typedGB float64, form wantedForm) (Module, bool) {
	card := e.card()
	capacity := cmp.Or(marketedGB(float64(e.SizeBytes)/1e9), typedGB)
	if key := cidText(card); key != "" {
		if m, ok := one(c.ids[evidenceKey(key+" "+card.HWRev)], capacity, form); ok {
			return m, true
		}
		if m, ok := one(c.ids[evidenceKey(key)], capacity, form); ok {
			return m, true
		}
	}
	if e.Bus != "mmc" || card.Manfid != "" && card.OEMID != "" {
		return Module{}, false
	}
	// A table of chips may leave out an id. The name of a chip is made from its part number, and no two share it.
	chips := slices.DeleteFunc(slices.Clone(c.chips[evidenceKey(card.Name)]), func(m Module) bool {
		maker, ok := hexNumber(card.Manfid)
		return ok && !slices.ContainsFunc(m.CID, func(id string) bool {
			return strings.HasPrefix(id, fmt.Sprintf("0x%02x/", maker))
		})
	})
	return one(chips, capacity, form)
}

// bySystem finds the module by what the kernel shows of a stick or an ATA disk, if only one module has it.
func (c *Catalogue) bySystem(e Evidence, capacityGB float64, form wantedForm) (Module, bool) {
	if form.stated == "" || form.stated == "usb" { // otherwise the ids are a reader's
		if m, ok := c.byUSB(e.usb(), capacityGB); ok {
			m.NamedBy = NamedByUSB
			return m, true
		}
	}
	if model := e.ataModel(); model != "" {
		m, ok := one(c.ids[c.ataKey(model)], capacityGB, form)
		m.NamedBy = NamedByATA
		return m, ok
	}
	return Module{}, false
}

// byUSB finds a stick by its ids, by its own strings, or by the strings that usb_ids.csv has for its ids.
func (c *Catalogue) byUSB(usb result.USB, capacityGB float64) (Module, bool) {
	stick, id := wantedForm{stated: "usb"}, usb.VendorID+":"+usb.ProductID
	if m, ok := one(c.ids[evidenceKey(id)], capacityGB, stick); ok {
		return m, true
	}
	named := func(vendor string, words []string) (Module, bool) {
		f := c.find(name{vendor, words}, nil, capacityGB, stick)
		return f.module, f.ok && len(c.siblings(f, ratingsIn(words), stick, Evidence{})) == 0
	}
	words, _ := tokens(usb.Product)
	if vendor, known := c.vendors.named(usb.Manufacturer); known {
		if m, ok := named(vendor, words); ok {
			return m, true
		}
	}
	words, _ = tokens(c.usbNames[evidenceKey(id)])
	if vendor, rest, ok := c.vendors.split(words); ok {
		return named(vendor, without(rest, func(w string) bool { return slices.Contains(corporate, w) }))
	}
	return Module{}, false
}

// ataKey returns an ATA model for comparison. It removes the vendor's name, which only some cards print.
func (c *Catalogue) ataKey(model string) string {
	words, _ := tokens(model)
	if _, rest, ok := c.vendors.split(words); ok {
		words = rest
	}
	return joined(words)
}

// cardBus returns the bus under which sources list the card's ids.
func (e Evidence) cardBus() string {
	if e.MMC != nil && e.Bus == "mmc" {
		return "mmc"
	}
	return "sd"
}

// makersInside returns the makers that sources name for the card's ids, and the vendors that the catalogue lists with
// these ids. The maker that most sources name comes first.
func (c *Catalogue) makersInside(e Evidence) (makers []string) {
	card := e.card()
	for _, claim := range c.Claims(e.cardBus(), card.Manfid, card.OEMID) {
		if claim.Kind != ClaimMaker {
			continue
		}
		for _, one := range strings.Split(claim.Name, "/") {
			maker, _ := c.vendors.named(one)
			makers = appendNew(makers, maker)
		}
	}
	for _, m := range c.Modules {
		if m.Vendor != "" && m.carries(sdID(card)) {
			makers = appendNew(makers, m.Vendor)
		}
	}
	return makers
}

// brandsOf returns all brands that our tables know for the ids of the card: makers, and labels of cards that somebody
// had.
func (c *Catalogue) brandsOf(e Evidence) []string {
	brands, card := c.makersInside(e), e.card()
	for _, claim := range c.Claims(e.cardBus(), card.Manfid, card.OEMID) {
		words, _ := tokens(claim.Name)
		if vendor, _, ok := c.vendors.split(words); ok && claim.Kind == ClaimCard {
			brands = appendNew(brands, vendor)
		}
	}
	return brands
}

// lists reports whether the catalogue has a module of the vendor with the ids of this card.
func (c *Catalogue) lists(vendor string, card result.Register) bool {
	ids := sdID(card)
	return slices.ContainsFunc(c.byVendor[vendor], func(m Module) bool { return m.carries(ids) })
}

// carries reports whether a CID of the module has these manufacturer and OEM ids: "0x03/SD".
func (m Module) carries(ids string) bool {
	return ids != "" && slices.ContainsFunc(m.CID, func(id string) bool { return strings.HasPrefix(id, ids+" ") })
}

// sdID returns the manufacturer and OEM ids of a CID as "0x03/SD". An OEM id that is no text stays a number.
func sdID(card result.Register) string {
	manfid, ok := hexNumber(card.Manfid)
	if !ok {
		return ""
	}
	oem := clean(card.OEMID)
	if n, ok := hexNumber(card.OEMID); ok {
		hi, lo := byte(n>>8), byte(n)
		if oem = fmt.Sprintf("0x%04x", n&0xffff); hi > ' ' && hi < 0x7f && lo > ' ' && lo < 0x7f {
			oem = string([]byte{hi, lo})
		}
	}
	return fmt.Sprintf("0x%02x/%s", manfid, oem)
}

// cidText returns the product in a CID: "0x03/SD SL16G". It is empty without a product name.
func cidText(card result.Register) string {
	id, product := sdID(card), clean(card.Name)
	if id == "" || product == "" {
		return ""
	}
	return id + " " + product
}

// removableMMC reports whether a CID is one of a MultiMediaCard: its field CBX says "card". JESD84-B51, 7.2.3.
func removableMMC(card result.Register) bool {
	if oem, ok := hexNumber(card.OEMID); ok {
		return oem>>8&3 == 0
	}
	return false
}

func hexNumber(s string) (uint64, bool) {
	s, prefixed := strings.CutPrefix(strings.ToLower(strings.TrimSpace(s)), "0x")
	n, err := strconv.ParseUint(s, 16, 32)
	return n, prefixed && err == nil
}
