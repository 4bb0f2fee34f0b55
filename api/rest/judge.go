package rest

import (
	"slices"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/figure/speedclass"
	"flashdex/api/page"
	"flashdex/api/submission"
	"flashdex/result"
	"flashdex/result/register"
)

// judge compares a run with the classes printed on its module, and looks for signs of a counterfeit.
func (s *server) judge(run *page.Run) {
	sub, m, doc := run.Result, run.Module, run.Document
	facts := figure.FactsOf(doc, sub.Tests)
	run.Verdicts = speedclass.Of(s.Catalogue.SpeedClasses, m.Classes, figure.OfRun(sub.Tests), speedclass.Conditions{
		Method: sub.Method, NotRanked: notCounted(sub), BusMBPerS: facts.BusMBPerS,
		Reader: doc.Identity.USB != nil && m.Form != "usb",
	})
	o := observed(doc)
	o.Performance = speedclass.Performance(run.Verdicts)
	run.Signs = s.Catalogue.Signs(m.Vendor, o)
	told := func(v speedclass.Verdict) bool { return v.State != speedclass.CantTell }
	run.Looked = o.SDManfid != "" || o.FoundBytes > 0 || slices.ContainsFunc(run.Verdicts, told)
	run.HostClass, run.Variant = figure.HostClassLabel(facts.HostClass), facts.Variant.Label()
}

// notCounted says why a result doesn't count in the figures of its module. Empty: it counts.
func notCounted(sub submission.Submission) []string {
	if sub.State != submission.Accepted {
		return []string{"it is " + page.StateWords[sub.State]}
	}
	return sub.NotRanked
}

// observed collects the facts of a document that may show a counterfeit.
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
