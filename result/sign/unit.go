package sign

import (
	"strconv"
	"strings"

	"flashdex/result"
	"flashdex/result/register"
)

// OfRegisters returns the signs that a unit's registers show by themselves, whatever its label says. Unknown values
// give no sign.
func OfRegisters(unit result.Identity) (found []Sign) {
	card := unit.SD
	if card == nil {
		card = unit.MMC
	}
	if card == nil {
		return nil
	}
	if card.CRCWrong {
		found = append(found, Of(CRCWrong))
	}
	if why := impossible(card.Date, unit); why != "" {
		found = append(found, Of(DateImpossible, card.Date, why))
	}
	if card.SerialNearZero {
		found = append(found, Of(SerialNearZero, register.NearZeroSerial))
	}
	return found
}

// firstToCome is the first year after all units that this version of Flashdex can meet. Clocks of hosts may be years
// off, so the day of a test tells nothing.
const firstToCome = 2029

// impossible says why a date of manufacture (MM/YYYY) can't be. It returns "" if it can, or isn't known.
//
// Cards of more than 2 GB follow SD 2.00 of May 2006. Cards of more than 32 GB follow SD 3.00, announced in January
// 2009 (SD Association, "SD Standard Overview", capacity).
func impossible(date string, unit result.Identity) string {
	before, after, _ := strings.Cut(date, "/") // package fmt's scanning would make the client larger
	month, notMonth := strconv.Atoi(before)
	year, notYear := strconv.Atoi(after)
	if notMonth != nil || notYear != nil {
		return ""
	}
	const maxSDBytes, maxSDHCBytes = 2 << 30, 32 << 30
	switch {
	case month < 1 || month > 12:
		return "which is no month"
	case year >= firstToCome:
		return "which is to come"
	case unit.SD != nil && unit.SizeBytes > maxSDHCBytes && year < 2009:
		return "before there were cards of more than 32 GB"
	case unit.SD != nil && unit.SizeBytes > maxSDBytes && year < 2006:
		return "before there were cards of more than 2 GB"
	}
	return ""
}

// OfCapacity returns the sign that an earlier check of the capacity gave; nil: it gave none, or there was none.
func OfCapacity(v *result.Verified) []Sign {
	if v == nil || v.FoundBytes >= v.ClaimedBytes {
		return nil
	}
	claimed, found := float64(v.ClaimedBytes)/1e9, float64(v.FoundBytes)/1e9
	s := Of(Capacity, result.NumberBeside(claimed, found), result.NumberBeside(found, claimed))
	s.Strong = result.Checked{Bytes: v.ClaimedBytes, OKBytes: v.FoundBytes}.LacksSurely()
	return []Sign{s}
}

// OfChecked returns the sign that filling the module and reading it back gave; nil as above.
func OfChecked(doc *result.Document) []Sign {
	c, by := doc.Checked(), "flashdex verify"
	if c == nil || !c.Lacks() {
		return nil
	}
	if doc.Imported != nil {
		by = doc.Imported.Tool
	}
	s := Of(Capacity)
	s.What = "What " + by + " found: " + doc.Found() + "."
	s.Strong = c.LacksSurely()
	return []Sign{s}
}

// OfDocument returns all signs that a document shows without a catalogue, and whether anything could have shown one.
func OfDocument(doc *result.Document) (found []Sign, looked bool) {
	found = append(OfRegisters(doc.Identity), OfCapacity(doc.Identity.Verified)...)
	found = append(found, OfChecked(doc)...)
	return found, Looked(doc)
}

// Looked reports whether a document holds anything that could show a sign without a catalogue: registers, or a check of
// the capacity.
func Looked(doc *result.Document) bool {
	for _, card := range []*result.Register{doc.Identity.SD, doc.Identity.MMC} {
		if card != nil && card.Manfid != "" {
			return true
		}
	}
	return doc.Identity.Verified != nil || doc.Checked() != nil
}
