package catalogue

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"flashdex/result"
	"flashdex/result/register"
)

// Sign is one piece of evidence that a module may not be what its label says. It is never proof: Caveat names the
// innocent causes.
type Sign struct {
	Key         string `json:"-"`           // stable, for columns and links: crc-wrong, ...
	Name        string `json:"name"`        // a heading of a few words
	What        string `json:"what"`        // the observation
	Explanation string `json:"explanation"` // why it suggests a counterfeit
	Caveat      string `json:"caveat"`      // other possible causes
}

// signs holds the texts of the signs. Their field What is a format for fmt.Sprintf.
var signs = map[string]Sign{
	"crc-wrong": {Name: "Checksum wrong",
		What: "The checksum of the card's identification register is wrong.",
		Explanation: "A maker's tool writes the register with its checksum (CRC7). " +
			"Somebody who edits the name or the serial number later may leave the old checksum.",
		Caveat: "Some host controllers and drivers change the last byte. " +
			"Look at the card in another host before you conclude anything."},
	"serial-near-zero": {Name: "Serial number near zero",
		What: "The serial number is below %d.",
		Explanation: "Makers give every card a number of 32 bits; of numbers spread evenly, one in 65,536 is so small. " +
			"Cards programmed with a factory's test tool often keep 0 or count up from it.",
		Caveat: "Small makers and white-label brands count up from zero on genuine cards too, " +
			"and some genuine Gigastone cards do."},
	"other-maker": {Name: "Ids of another maker",
		What: "It is sold as %s, but its ids belong to another maker: %s.",
		Explanation: "A maker with ids of its own writes them into its cards. " +
			"A relabelled card keeps the ids of its real maker.",
		Caveat: "No official list of ids is public; these are claims, and they contradict each other in places. " +
			"Vendors also buy some lines from other makers."},
	"other-product": {Name: "Registers of another product",
		What: "It was typed as %s, but its registers are those of %s.",
		Explanation: "A maker gives this name in the registers to one product only, as far as we know. " +
			"A relabelled card keeps the registers of the product that is in it.",
		Caveat: "Whoever typed the name may have mixed up two cards. " +
			"A maker may also give the name to a product that nobody has reported yet."},
	"suspected-ids": {Name: "Ids that counterfeits often carry",
		What:        "Its manufacturer and OEM ids (%s, %s) are ones that counterfeits often carry, says %s.",
		Explanation: "They are no known maker's, or test values such as 0x12, 0x34, 0x56 in a row.",
		Caveat: "Genuine white-label cards carry them as well: a Gigastone Camera Plus has 0x12/0x3456, " +
			"a Gigastone High Endurance 0x00/0x3432."},
	"capacity": {Name: "Less capacity than claimed",
		What: "It claims %d bytes; %d could be written and read back.",
		Explanation: "A controller can be set to claim any capacity. " +
			"Data written beyond the real flash are lost.",
		Caveat: "A worn or defective card, or a reader that fails at high addresses, loses data too. " +
			"A second run in another reader that stops at the same place leaves little doubt."},
	"far-below-class": {Name: "Far below its class",
		What:        "%s: %.4g %s measured where %s promises %.4g.",
		Explanation: "A relabelled card keeps the speed of the flash that is in it.",
		Caveat: "Slow hosts and readers, a worn or nearly full card and heat do the same. " +
			"The class is promised for a fresh card under the conditions of its specification."},
}

// SignOf returns the sign with this key. args fill in its observation.
func SignOf(key string, args ...any) Sign {
	s := signs[key]
	s.Key = key
	if len(args) > 0 {
		s.What = fmt.Sprintf(s.What, args...)
	}
	return s
}

// Signs returns the evidence that a unit sold as a module of this vendor may be counterfeit, in a fixed order. Unknown
// values give no sign.
func (c *Catalogue) Signs(vendor string, device result.Identity) (found []Sign) {
	bus, card := "sd", device.SD
	if card == nil {
		bus, card = "mmc", cmp.Or(device.MMC, &result.Register{})
	}
	if card.CRCWrong {
		found = append(found, SignOf("crc-wrong"))
	}
	if card.SerialNearZero {
		found = append(found, SignOf("serial-near-zero", register.NearZeroSerial))
	}
	claims := c.Claims(bus, card.Manfid, card.OEMID)
	vendor, known := c.vendors.named(vendor)
	if others := c.otherMakers(vendor, bus, *card); known && len(others) > 0 {
		found = append(found, SignOf("other-maker", vendor, ClaimsText(card.Manfid, others)))
	}
	if claim, ok := first(claims, func(claim Claim) bool { return claim.Kind == ClaimSuspect }); ok {
		found = append(found, SignOf("suspected-ids", card.Manfid, card.OEMID, strings.Join(claim.Sources, ", ")))
	}
	if v := device.Verified; v != nil && v.FoundBytes > 0 && v.FoundBytes < v.ClaimedBytes {
		found = append(found, SignOf("capacity", v.ClaimedBytes, v.FoundBytes))
	}
	return found
}

// SignsOf returns the signs of a unit by all evidence about it: Signs of the brand that was typed, else of the brand of
// the typed product, and whether the registers belong to another product than the typed one.
func (c *Catalogue) SignsOf(e Evidence) []Sign {
	e.readClasses()
	r := c.read(e)
	found := c.Signs(r.brand(), e.Identity)
	typed, named := c.byTyping(r, e)
	// One vendor may be typed before another one's product.
	for _, slug := range append(slices.Clone(typed.Candidates), typed.Slug) {
		m, _ := c.Module(slug)
		if product := c.Signs(m.Vendor, e.Identity); len(product) > len(found) {
			found = product
		}
	}
	m := c.weigh(r, e)
	contradicted := m.NamedBy == NamedByRegisters && !m.Provisional
	if !slices.ContainsFunc(found, func(s Sign) bool { return s.Key == "other-maker" }) {
		contradicted = contradicted || c.contradicts(r, typed, e)
	}
	if owner, ok := c.byRegisters(e, r.capacityGB, wantedForm{}); ok && m.Provisional {
		m = owner // the result keeps its brand, and is not of this module
	}
	ofCard := func(w string) bool { return w == strings.ToLower(e.card().Name) } // people type it beside the product
	same := typed.Slug == m.Slug || slices.Contains(typed.Candidates, m.Slug) || m.isNamed(without(r.words, ofCard))
	if contradicted && named && !same {
		found = append(found, SignOf("other-product", typed.Name(), m.Name()))
	}
	return found
}

// hasIDs reports whether some ids are those of a vendor alone.
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
