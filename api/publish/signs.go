package publish

import (
	"flashdex/api/catalogue"
	"flashdex/api/index"
	"flashdex/api/verdict"
	"flashdex/result/register"
)

// signJSON is a sign of a counterfeit that units of a module showed. It is evidence, never a verdict.
type signJSON struct {
	Key         string `json:"key"`
	Name        string `json:"name"`
	What        string `json:"what"`
	Seen        int    `json:"seen,omitempty"`      // units that showed it; 0: the module's figures do
	Of          int    `json:"of,omitempty"`        // units that could have
	Registers   bool   `json:"registers,omitempty"` // those are the units whose registers were read
	Variant     string `json:"variant,omitempty"`   // in words, where the module has several
	Explanation string `json:"explanation"`
	Caveat      string `json:"caveat"`
}

// signs are those of each variant, of the units whose variant isn't known, and of the module's figures.
func (s *site) signs(vendor string, whole *index.Summary, variants []*index.Summary, verdicts []verdict.Verdict) []signJSON {
	signs := []signJSON{}
	rest := *whole
	rest.Shown = map[string]int{}
	for key, n := range whole.Shown {
		rest.Shown[key] = n
	}
	for _, sum := range variants {
		signs = append(signs, s.signsOf(vendor, index.VariantOf(sum.Variant), sum, index.VariantOf(sum.Variant).Label())...)
		rest.AllUnits -= sum.AllUnits
		rest.Identified -= sum.Identified
		for key, n := range sum.Shown {
			rest.Shown[key] -= n
		}
	}
	signs = append(signs, s.signsOf(vendor, index.VariantOf(whole.OnlyVariant), &rest, "")...)
	for _, sign := range s.catalogue.Signs("", catalogue.Observed{Performance: verdict.Performance(verdicts)}) {
		signs = append(signs, signJSON{Key: sign.Key, Name: sign.Name, What: sign.What, Explanation: sign.Explanation, Caveat: sign.Caveat})
	}
	return signs
}

// signsOf are those that units of one variant showed.
func (s *site) signsOf(vendor string, v index.Variant, sum *index.Summary, label string) []signJSON {
	o := catalogue.Observed{
		CID: register.Signs{CRCWrong: sum.Shown[index.EvidenceCRCWrong] > 0, SerialNearZero: sum.Shown[index.EvidenceSerialNearZero] > 0},
		Bus: v.Bus, SDManfid: v.Manfid, SDOEMID: v.OEMID,
	}
	if sum.Shown[index.EvidenceCapacity] > 0 {
		o.ClaimedBytes, o.FoundBytes = 2, 1 // how much is another matter in each unit
	}
	var signs []signJSON
	for _, sign := range s.catalogue.Signs(vendor, o) {
		shown := signJSON{Key: sign.Key, Name: sign.Name, What: sign.What, Seen: sum.Shown[sign.Key], Variant: label, Explanation: sign.Explanation, Caveat: sign.Caveat}
		switch sign.Key {
		case index.EvidenceCapacity:
			shown.What, shown.Of = "Less could be written and read back than is claimed.", sum.AllUnits
		case index.EvidenceCRCWrong, index.EvidenceSerialNearZero:
			shown.Of, shown.Registers = max(sum.Identified, shown.Seen), true
		default: // what the ids say is true of every unit that carries them
			shown.Seen, shown.Of = sum.Identified, sum.Identified
		}
		signs = append(signs, shown)
	}
	return signs
}
