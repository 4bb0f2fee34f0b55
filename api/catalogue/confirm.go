package catalogue

import (
	"cmp"
	"slices"

	"flashdex/result/register"
)

// confirms reports whether the registers of a unit agree with the name of its module about who made it and how much it
// holds. All of these must be true:
//
//   - the CID is whole, and its ids are ones that a source or a listed module knows of the vendor (of any vendor, if
//     nobody typed one);
//   - the capacity in the CSD of an SD card is the size of the device, and the size is the capacity in the name;
//   - nothing about the unit is a sign of a counterfeit, or contradicts the brand that was typed.
//
// No register holds the name that is printed on a card, so a typed product is believed. Whoever knows the standards can
// write registers that agree.
func (c *Catalogue) confirms(m Module, brand string, e Evidence) bool {
	bus, card, serial := "sd", e.SD, register.SDSerial
	if e.Bus == "mmc" {
		bus, card, serial = "mmc", e.MMC, register.MMCSerial
	}
	if m.Ambiguous() || e.Bus != bus || card == nil || card.Name == "" ||
		len(c.Signs(cmp.Or(brand, m.Vendor), e.Identity)) > 0 {
		return false
	}
	if _, _, err := register.Mask(card.CID, serial); err != nil {
		return false
	}
	if held, err := register.CapacityBytes(card.CSD); bus == "sd" && (err != nil || held != e.SizeBytes) {
		return false // an eMMC states its capacity elsewhere
	}
	vendor, _ := c.vendors.named(m.Vendor)
	known := func(claim Claim) bool {
		return vendor == "" && claim.Kind == ClaimMaker || vendor != "" && c.isAbout(claim, vendor)
	}
	listed := vendor != "" && c.lists(vendor, *card)
	return marketedGB(float64(e.SizeBytes)/1e9) == m.CapacityGB &&
		(listed || slices.ContainsFunc(c.Claims(bus, card.Manfid, card.OEMID), known))
}
