package catalogue

import (
	"fmt"
	"slices"
	"strings"

	"flashdex/result"
	"flashdex/result/register"
)

// Sign is one piece of evidence that a module may not be what its label says. It is never a verdict: each has innocent
// causes, which Caveat names.
type Sign struct {
	Key         string // stable, for columns and links: crc-wrong, ...
	Name        string // in a few words, as a heading
	What        string // what was seen
	Explanation string // why that speaks for a counterfeit
	Caveat      string // what else it may be
}

// Observed is what a unit showed. What is not known is zero or empty, and gives no sign.
type Observed struct {
	CID                      register.Signs // as the client saw them
	Bus                      string         // sd, mmc
	SDManfid, SDOEMID        string         // as the kernel prints them
	ClaimedBytes, FoundBytes int64          // what the module says it holds, and what writing and reading back found; FoundBytes 0: not tried
	Performance              []Performance
}

// Performance is one promise of a class beside what was measured under comparable conditions. An A2 without command queue,
// say, is not comparable and must be left out.
type Performance struct {
	Class    string // "A1"
	Measure  string // "4K random write"
	Unit     string // "IOPS"
	Promised float64
	Measured float64 // the upper end of its interval
}

// FarBelow is the share of what a class promises below which a measurement is a sign. Genuine cards miss their class by
// some; hosts, readers and wear explain that.
const FarBelow = 0.5

// Signs returns the evidence that a unit sold as a module of this vendor may be counterfeit, in a fixed order, empty if
// there is none. It reads nothing but its arguments and the catalogue.
func (c *Catalogue) Signs(vendor string, o Observed) []Sign {
	var signs []Sign
	if o.CID.CRCWrong {
		signs = append(signs, Sign{"crc-wrong", "Checksum wrong", "The checksum of the card's identification register is wrong.",
			"A maker's tool writes the register with its checksum (CRC7). Who edits name or serial number afterwards may leave the old one.",
			"Some host controllers and drivers change the last byte. Look at the card in another host before you conclude anything."})
	}
	if o.CID.SerialNearZero {
		signs = append(signs, Sign{"serial-near-zero", "Serial number near zero", fmt.Sprintf("The serial number is below %d.", register.NearZeroSerial),
			"Makers give every card a number of 32 bits; of numbers spread evenly, one in 65,536 is so small. Cards programmed with a factory's test tool often keep 0 or count up from it.",
			"Small makers and white-label brands count up from zero on genuine cards too, and some genuine Gigastone cards do."})
	}
	if s, ok := c.otherMaker(vendor, o); ok {
		signs = append(signs, s)
	}
	if s, ok := c.suspected(o); ok {
		signs = append(signs, s)
	}
	if o.FoundBytes > 0 && o.FoundBytes < o.ClaimedBytes {
		signs = append(signs, Sign{"capacity", "Less capacity than claimed", fmt.Sprintf("It claims %d bytes; %d could be written and read back.", o.ClaimedBytes, o.FoundBytes),
			"A controller can be set to claim any capacity. What is written beyond the real flash is lost.",
			"A worn or defective card, or a reader that fails at high addresses, loses data too. A second run in another reader that stops at the same place leaves little doubt."})
	}
	for _, p := range o.Performance {
		if p.Promised > 0 && p.Measured >= 0 && p.Measured < FarBelow*p.Promised {
			signs = append(signs, Sign{"far-below-class", "Far below its class", fmt.Sprintf("%s: %s %s measured where %s promises %s.",
				p.Measure, result.NumberBeside(p.Measured, p.Promised), p.Unit, p.Class, result.Number(p.Promised)),
				"A relabelled card keeps the speed of the flash that is in it.",
				"Slow hosts and readers, a worn or nearly full card and heat do the same. The class is promised for a fresh card under the conditions of its specification."})
		}
	}
	return signs
}

// otherMaker is the sign that the ids belong to somebody else. It needs a vendor that is known to have ids of its own, for
// most brands only have theirs printed on cards of a maker.
func (c *Catalogue) otherMaker(vendor string, o Observed) (Sign, bool) {
	vendor, known := c.vendors.named(vendor)
	own := slices.ContainsFunc(c.makers, func(m makerClaim) bool {
		return m.bus == o.Bus && !m.anyMaker && m.claim.Kind == ClaimMaker && m.claim.Name == vendor
	})
	if !known || !own {
		return Sign{}, false
	}
	var makers []Claim
	for _, claim := range c.Claims(o.Bus, o.SDManfid, o.SDOEMID) {
		if c.about(claim, vendor) {
			return Sign{}, false
		}
		if claim.Kind == ClaimMaker {
			makers = append(makers, claim)
		}
	}
	if len(makers) == 0 {
		return Sign{}, false
	}
	return Sign{"other-maker", "Ids of another maker", fmt.Sprintf("It is sold as %s, but its ids are another's: %s.", vendor, ClaimsText(o.SDManfid, makers)),
		"A maker with ids of its own writes them into its cards. A relabelled card keeps the ids of whoever made it.",
		"No official list of ids is public; these are claims, and they contradict each other in places. Vendors also buy some lines from other makers."}, true
}

// about reports whether a claim names the vendor, alone or among others, or is about a card of it.
func (c *Catalogue) about(claim Claim, vendor string) bool {
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

// suspected is the sign that a list takes the ids themselves for those of counterfeits.
func (c *Catalogue) suspected(o Observed) (Sign, bool) {
	claims := c.Claims(o.Bus, o.SDManfid, o.SDOEMID)
	i := slices.IndexFunc(claims, func(claim Claim) bool { return claim.Kind == ClaimSuspect })
	if i < 0 {
		return Sign{}, false
	}
	return Sign{"suspected-ids", "Ids that counterfeits often carry", fmt.Sprintf("Its manufacturer and OEM ids (%s, %s) are ones that counterfeits often carry, says %s.", o.SDManfid, o.SDOEMID, strings.Join(claims[i].Sources, ", ")),
		"They are no known maker's, or test values such as 0x12, 0x34, 0x56 in a row.",
		"Genuine white-label cards carry them as well: a Gigastone Camera Plus has 0x12/0x3456, a Gigastone High Endurance 0x00/0x3432."}, true
}
