// Package sign holds the signs that a module isn't what it claims to be, and weighs them. Client and server share it. A
// sign is about one unit. It accuses nobody: neither a brand nor a seller.
package sign

import "fmt"

// Sign is one piece of evidence that a module may not be what its label says. It is never proof: Caveat names the
// innocent causes.
type Sign struct {
	Key         string `json:"-"`           // stable, for columns and links: crc-wrong, ...
	Name        string `json:"name"`        // a heading of a few words
	What        string `json:"what"`        // the observation
	Explanation string `json:"explanation"` // why it suggests a counterfeit
	Caveat      string `json:"caveat"`      // other possible causes
	Strong      bool   `json:"-"`           // hardly anything else explains it
}

// The keys of the signs.
const (
	CRCWrong       = "crc-wrong"
	DateImpossible = "date-impossible"
	SerialNearZero = "serial-near-zero"
	OtherMaker     = "other-maker"
	OtherProduct   = "other-product"
	SuspectedIDs   = "suspected-ids"
	Capacity       = "capacity"
	FarBelowClass  = "far-below-class"
)

var signs = map[string]Sign{
	CRCWrong: {Name: "Checksum wrong",
		What: "The checksum of the card's identification register is wrong.",
		Explanation: "A maker's tool writes the register with its checksum (CRC7). " +
			"Somebody who edits the name or the serial number later may leave the old checksum.",
		Caveat: "Some host controllers and drivers change the last byte. " +
			"Look at the card in another host before you conclude anything."},
	DateImpossible: {Name: "Impossible date of manufacture",
		What: "Its registers give %s as the date of manufacture, %s.",
		Explanation: "A maker's tool writes the month in which the card is made. " +
			"Somebody who makes up registers may not know from when on such cards exist.",
		Caveat: "A maker may set up a line with a wrong date."},
	SerialNearZero: {Name: "Serial number near zero",
		What: "The serial number is below %d.",
		Explanation: "Makers give every card a number of 32 bits; of numbers spread evenly, one in 65,536 is so small. " +
			"Cards programmed with a factory's test tool often keep 0 or count up from it.",
		Caveat: "Small makers and white-label brands count up from zero on genuine cards too, " +
			"and some genuine Gigastone cards do."},
	OtherMaker: {Name: "Ids of another maker",
		What: "It is sold as %s, but its ids belong to another maker: %s.",
		Explanation: "A maker with ids of its own writes them into its cards. " +
			"A relabelled card keeps the ids of its real maker.",
		Caveat: "No official list of ids is public; these are claims, and they contradict each other in places. " +
			"Vendors also buy some lines from other makers."},
	OtherProduct: {Name: "Registers of another product",
		What: "It was typed as %s, but its registers are those of %s.",
		Explanation: "A maker gives this name in the registers to one product only, as far as we know. " +
			"A relabelled card keeps the registers of the product that is in it.",
		Caveat: "Whoever typed the name may have mixed up two cards. " +
			"A maker may also give the name to a product that nobody has reported yet."},
	SuspectedIDs: {Name: "Ids that counterfeits often carry",
		What:        "Its manufacturer and OEM ids (%s, %s) are ones that counterfeits often carry, says %s.",
		Explanation: "They are no known maker's, or test values such as 0x12, 0x34, 0x56 in a row.",
		Caveat: "Genuine white-label cards carry them as well: a Gigastone Camera Plus has 0x12/0x3456, " +
			"a Gigastone High Endurance 0x00/0x3432."},
	Capacity: {Name: "Less capacity than claimed",
		What: "It claims %s GB, of which only the first %s are sure.",
		Explanation: "A controller can be set to claim any capacity. " +
			"Data written beyond the real flash are lost.",
		Caveat: "A worn or defective card, or a reader that fails at high addresses, loses data too. " +
			"A second run in another reader that stops at the same place leaves little doubt."},
	FarBelowClass: {Name: "Far below its class",
		What:        "%s: %.4g %s measured where %s promises %.4g.",
		Explanation: "A relabelled card keeps the speed of the flash that is in it.",
		Caveat: "Slow hosts and readers, a worn or nearly full card and heat do the same. " +
			"The class is promised for a fresh card under the conditions of its specification."},
}

// Of returns the sign with this key. args fill in its observation.
func Of(key string, args ...any) Sign {
	s := signs[key]
	s.Key = key
	if len(args) > 0 {
		s.What = fmt.Sprintf(s.What, args...)
	}
	return s
}
