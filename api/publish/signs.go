package publish

import (
	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/figure/speedclass"
	"flashdex/result/register"
)

// sign is a sign of a counterfeit that units of a module showed. It is evidence, never a verdict.
type sign struct {
	Key, Name, What     string
	Seen                int    // units that showed it; 0: the module's figures do
	Of                  int    // units that could have
	Registers           bool   // those are the units whose registers were read
	Variant             string // in words, where the module has several
	Explanation, Caveat string
}

// signs are those of each variant, of the units whose variant isn't known, and of the module's figures.
func (s *site) signs(vendor string, whole *figure.Summary, variants []*figure.Summary, verdicts []speedclass.Verdict) []sign {
	signs := []sign{}
	rest := *whole
	rest.Shown = map[string]int{}
	for key, n := range whole.Shown {
		rest.Shown[key] = n
	}
	for _, sum := range variants {
		signs = append(signs, s.signsOf(vendor, figure.VariantOf(sum.Variant), sum, figure.VariantOf(sum.Variant).Label())...)
		rest.AllUnits -= sum.AllUnits
		rest.Identified -= sum.Identified
		for key, n := range sum.Shown {
			rest.Shown[key] -= n
		}
	}
	signs = append(signs, s.signsOf(vendor, figure.VariantOf(whole.OnlyVariant), &rest, "")...)
	for _, of := range s.catalogue.Signs("", catalogue.Observed{Performance: speedclass.Performance(verdicts)}) {
		signs = append(signs, sign{Key: of.Key, Name: of.Name, What: of.What, Explanation: of.Explanation, Caveat: of.Caveat})
	}
	return signs
}

// signsOf are those that units of one variant showed.
func (s *site) signsOf(vendor string, v figure.Variant, sum *figure.Summary, label string) []sign {
	o := catalogue.Observed{
		CID: register.Signs{CRCWrong: sum.Shown[figure.EvidenceCRCWrong] > 0, SerialNearZero: sum.Shown[figure.EvidenceSerialNearZero] > 0},
		Bus: v.Bus, SDManfid: v.Manfid, SDOEMID: v.OEMID,
	}
	if sum.Shown[figure.EvidenceCapacity] > 0 {
		o.ClaimedBytes, o.FoundBytes = 2, 1 // how much is another matter in each unit
	}
	var signs []sign
	for _, of := range s.catalogue.Signs(vendor, o) {
		shown := sign{Key: of.Key, Name: of.Name, What: of.What, Seen: sum.Shown[of.Key], Variant: label, Explanation: of.Explanation, Caveat: of.Caveat}
		switch of.Key {
		case figure.EvidenceCapacity:
			shown.What, shown.Of = "Less could be written and read back than is claimed.", sum.AllUnits
		case figure.EvidenceCRCWrong, figure.EvidenceSerialNearZero:
			shown.Of, shown.Registers = max(sum.Identified, shown.Seen), true
		default: // what the ids say is true of every unit that carries them
			shown.Seen, shown.Of = sum.Identified, sum.Identified
		}
		signs = append(signs, shown)
	}
	return signs
}
