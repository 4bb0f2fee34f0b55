package catalogue

import (
	"fmt"
	"slices"
	"strings"

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

// signs holds the texts of the signs. What is a format for fmt.Sprintf.
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

// Observed holds the observations on a unit. Unknown values are zero or empty and give no sign.
type Observed struct {
	CID                      register.Signs // from the client
	Bus                      string         // sd, mmc
	SDManfid, SDOEMID        string         // as the kernel prints them
	ClaimedBytes, FoundBytes int64          // claimed by the module, and proven by writing and reading back; 0: not tried
	Performance              []Performance
}

// Performance compares a promise of a class with a measurement under comparable conditions. An A2 card without command
// queue, for example, is not comparable and must not be listed.
type Performance struct {
	Class    string // "A1"
	Measure  string // "4K random write"
	Unit     string // "IOPS"
	Promised float64
	Measured float64 // the upper end of its interval
}

// FarBelow is the share of a class's promise below which a measurement is a sign. Genuine cards may miss their class by
// less, because of hosts, readers and wear.
const FarBelow = 0.5

// Signs returns the evidence that a unit sold as a module of this vendor may be counterfeit, in a fixed order. It reads
// only its arguments and the catalogue.
func (c *Catalogue) Signs(vendor string, o Observed) (found []Sign) {
	add := func(key string, args ...any) {
		s := signs[key]
		s.Key = key
		if len(args) > 0 {
			s.What = fmt.Sprintf(s.What, args...)
		}
		found = append(found, s)
	}
	if o.CID.CRCWrong {
		add("crc-wrong")
	}
	if o.CID.SerialNearZero {
		add("serial-near-zero", register.NearZeroSerial)
	}
	claims := c.Claims(o.Bus, o.SDManfid, o.SDOEMID)
	vendor, known := c.vendors.named(vendor)
	if others := c.otherMakers(vendor, o.Bus, claims); known && len(others) > 0 {
		add("other-maker", vendor, ClaimsText(o.SDManfid, others))
	}
	if claim, ok := first(claims, func(claim Claim) bool { return claim.Kind == ClaimSuspect }); ok {
		add("suspected-ids", o.SDManfid, o.SDOEMID, strings.Join(claim.Sources, ", "))
	}
	if o.FoundBytes > 0 && o.FoundBytes < o.ClaimedBytes {
		add("capacity", o.ClaimedBytes, o.FoundBytes)
	}
	for _, p := range o.Performance {
		if p.Promised > 0 && p.Measured >= 0 && p.Measured < FarBelow*p.Promised {
			add("far-below-class", p.Measure, p.Measured, p.Unit, p.Class, p.Promised)
		}
	}
	return found
}

// otherMakers returns the claims that the ids of a card belong to other makers than its vendor. It returns nil if a
// claim names the vendor. It also returns nil if the vendor has no ids of its own, because most brands only print their
// name on another maker's cards.
func (c *Catalogue) otherMakers(vendor, bus string, claims []Claim) (others []Claim) {
	hasIDs := slices.ContainsFunc(c.makers, func(m makerClaim) bool {
		return m.bus == bus && !m.anyMaker && m.kind == ClaimMaker && m.name == vendor
	})
	for _, claim := range claims {
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
