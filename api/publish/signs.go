package publish

import (
	"maps"

	"flashdex/api/figure"
	"flashdex/api/figure/speedclass"
	"flashdex/api/page"
	"flashdex/result"
)

// signs returns the signs of each variant, then of units whose variant isn't known, then of the module's figures.
func (s *site) signs(
	vendor string, whole *figure.Summary, variants []*figure.Summary, verdicts []speedclass.Verdict,
) []page.Sign {
	signs := []page.Sign{}
	rest := *whole
	rest.Shown = map[string]int{}
	maps.Copy(rest.Shown, whole.Shown)
	for _, sum := range variants {
		v := figure.VariantOf(sum.Variant)
		signs = append(signs, s.signsOf(vendor, v, sum, v.Label())...)
		rest.AllUnits -= sum.AllUnits
		rest.Identified -= sum.Identified
		for key, n := range sum.Shown {
			rest.Shown[key] -= n
		}
	}
	signs = append(signs, s.signsOf(vendor, figure.VariantOf(whole.OnlyVariant), &rest, "")...)
	for _, of := range speedclass.Signs(verdicts) {
		signs = append(signs, page.Sign{Sign: of})
	}
	return signs
}

// signsOf returns the signs that units of one variant showed.
func (s *site) signsOf(vendor string, v figure.Variant, sum *figure.Summary, label string) []page.Sign {
	card := &result.Register{
		CRCWrong: sum.Shown[figure.EvidenceCRCWrong] > 0, SerialNearZero: sum.Shown[figure.EvidenceSerialNearZero] > 0,
		Manfid: v.Manfid, OEMID: v.OEMID,
	}
	device := result.Identity{SD: card}
	if v.Bus == "mmc" {
		device = result.Identity{MMC: card}
	}
	if sum.Shown[figure.EvidenceCapacity] > 0 {
		device.Verified = &result.Verified{ClaimedBytes: 2, FoundBytes: 1} // how much is another matter in each unit
	}
	var signs []page.Sign
	for _, of := range s.catalogue.Signs(vendor, device) {
		what, seen, units, whose := of.What, sum.Shown[of.Key], 0, ""
		switch of.Key {
		case figure.EvidenceCapacity:
			what, units = "Less could be written and read back than is claimed.", sum.AllUnits
		case figure.EvidenceCRCWrong, figure.EvidenceSerialNearZero:
			units, whose = max(sum.Identified, seen), " whose registers were read"
		default: // what the ids say is true of every unit that carries them
			seen, units = sum.Identified, sum.Identified
		}
		shown := page.Sign{Sign: of, Variant: label}
		shown.What = what
		if units > 0 {
			shown.Seen = result.Count(seen) + " of " + page.Counted(units, "unit") + whose
		}
		signs = append(signs, shown)
	}
	return signs
}
