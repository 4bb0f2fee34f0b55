package rest

import (
	"slices"

	"flashdex/api/submission"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/figure/speedclass"
	"flashdex/result"
	"flashdex/result/register"
)

// judged is what the page of a result says beside its figures, all of it from the stored document.
type judged struct {
	Verdicts  []speedclass.Verdict // on the classes printed on the module, under the conditions of this run
	Signs     []catalogue.Sign     // that this unit showed
	Looked    bool                 // there was something that could show one
	HostClass string               // in words
	Variant   string               // in words; empty: not known
}

// judge looks at a result of module m.
func (s *server) judge(sub submission.Submission, m catalogue.Module, doc *result.Document) judged {
	facts := figure.FactsOf(doc, sub.Tests)
	verdicts := speedclass.Of(s.Catalogue.SpeedClasses, m.Classes, figure.OfRun(sub.Tests), speedclass.Conditions{
		Method: sub.Method, NotRanked: notCounted(sub), BusMBPerS: facts.BusMBPerS, Reader: doc.Identity.USB != nil && m.Form != "usb",
	})
	o := observed(doc)
	o.Performance = speedclass.Performance(verdicts)
	told := func(v speedclass.Verdict) bool { return v.State != speedclass.CantTell }
	return judged{
		Verdicts: verdicts, Signs: s.Catalogue.Signs(m.Vendor, o), HostClass: figure.HostClassLabel(facts.HostClass), Variant: facts.Variant.Label(),
		Looked: o.SDManfid != "" || o.FoundBytes > 0 || slices.ContainsFunc(verdicts, told),
	}
}

// notCounted says why a result is in no figure of its module, in words; empty: it is.
func notCounted(sub submission.Submission) []string {
	if sub.State != submission.Accepted {
		return []string{"it is " + states[sub.State]}
	}
	return sub.NotRanked
}

// observed is what the document says of its unit.
func observed(doc *result.Document) catalogue.Observed {
	o := catalogue.Observed{Bus: "sd"}
	card := doc.Identity.SD
	if card == nil {
		o.Bus, card = "mmc", doc.Identity.MMC
	}
	if card != nil {
		o.SDManfid, o.SDOEMID = card.Manfid, card.OEMID
		o.CID = register.Signs{CRCWrong: card.CRCWrong, SerialNearZero: card.SerialNearZero}
	}
	if v := doc.Identity.Verified; v != nil {
		o.ClaimedBytes, o.FoundBytes = v.ClaimedBytes, v.FoundBytes
	}
	return o
}
