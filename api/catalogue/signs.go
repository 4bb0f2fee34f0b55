package catalogue

import (
	"cmp"
	"slices"
	"strings"

	"flashdex/result"
	"flashdex/result/sign"
)

// Signs returns the evidence that a unit sold as a module of this vendor may be counterfeit, in a fixed order. Unknown
// values give no sign.
func (c *Catalogue) Signs(vendor string, device result.Identity) (found []sign.Sign) {
	bus, card := "sd", device.SD
	if card == nil {
		bus, card = "mmc", cmp.Or(device.MMC, &result.Register{})
	}
	found = sign.OfRegisters(device)
	claims := c.Claims(bus, card.Manfid, card.OEMID)
	vendor, known := c.vendors.named(vendor)
	if others := c.otherMakers(vendor, bus, *card); known && len(others) > 0 {
		found = append(found, sign.Of(sign.OtherMaker, vendor, ClaimsText(card.Manfid, others)))
	}
	if claim, ok := first(claims, func(claim Claim) bool { return claim.Kind == ClaimSuspect }); ok {
		found = append(found, sign.Of(sign.SuspectedIDs, card.Manfid, card.OEMID, strings.Join(claim.Sources, ", ")))
	}
	return append(found, sign.OfCapacity(device.Verified)...)
}

// SignsOf returns the signs of a unit by all evidence about it. It takes Signs of the typed brand or of the typed
// product's brand, and adds a sign if the registers belong to another product than the typed one.
func (c *Catalogue) SignsOf(e Evidence) []sign.Sign {
	e.readClasses()
	r := c.read(e)
	found := c.Signs(r.brand(), e.Identity)
	typed, named := c.byTyping(r, e)
	// The typed vendor may differ from the typed product's.
	for _, slug := range append(slices.Clone(typed.Candidates), typed.Slug) {
		m, _ := c.Module(slug)
		if product := c.Signs(m.Vendor, e.Identity); len(product) > len(found) {
			found = product
		}
	}
	m := c.weigh(r, e)
	contradicted := m.NamedBy == NamedByRegisters && !m.Provisional
	if !slices.ContainsFunc(found, func(s sign.Sign) bool { return s.Key == sign.OtherMaker }) {
		contradicted = contradicted || c.contradicts(r, typed, e)
	}
	if owner, ok := c.byRegisters(e, r.capacityGB, wantedForm{}); ok && m.Provisional {
		m = owner // the result keeps its brand, but isn't of this module
	}
	ofCard := func(w string) bool { return w == strings.ToLower(e.card().Name) } // people type it beside the product
	same := typed.Slug == m.Slug || slices.Contains(typed.Candidates, m.Slug) || m.isNamed(without(r.words, ofCard))
	if contradicted && named && !same {
		found = append(found, sign.Of(sign.OtherProduct, typed.Name(), m.Name()))
	}
	return found
}

// hasIDs reports whether the vendor has ids that no other vendor has.
func (c *Catalogue) hasIDs(vendor, bus string) bool {
	return slices.ContainsFunc(c.makers, func(m makerClaim) bool {
		return m.bus == bus && !m.anyMaker && m.kind == ClaimMaker && m.name == vendor
	})
}

// otherMakers returns the claims that the ids of a card belong to other makers than its vendor. It returns nil if a
// claim names the vendor, or the catalogue lists a module of the vendor with these ids. It also returns nil if the
// vendor has no ids of its own, because most brands only print their name on another maker's cards.
func (c *Catalogue) otherMakers(vendor, bus string, card result.Register) (others []Claim) {
	if c.lists(vendor, card) {
		return nil
	}
	hasIDs := c.hasIDs(vendor, bus)
	for _, claim := range c.Claims(bus, card.Manfid, card.OEMID) {
		if !hasIDs || c.isAbout(claim, vendor) {
			return nil
		}
		if claim.Kind == ClaimMaker {
			others = append(others, claim)
		}
	}
	return others
}

// isAbout reports whether a claim names the vendor, alone or with others, or is about one of its cards.
func (c *Catalogue) isAbout(claim Claim, vendor string) bool {
	switch claim.Kind {
	case ClaimMaker:
		return slices.ContainsFunc(strings.Split(claim.Name, "/"), func(one string) bool {
			name, _ := c.vendors.named(one)
			return name == vendor
		})
	case ClaimCard:
		words, _ := tokens(claim.Name)
		name, _, ok := c.vendors.split(words)
		return ok && name == vendor
	}
	return false
}
