package figure

import (
	"slices"
	"time"

	"flashdex/api/submission/plausible"
	"flashdex/result"
	"flashdex/result/sign"
)

// FactsVersion rises whenever FactsOf, result.Test.Figures, copies.Exact or copies.Samples.Keys returns something else
// for the same document. Then all facts, figures, hashes and keys are derived again from the stored documents.
const FactsVersion = 10

// Facts holds what statistics need from a document. It is stored with the document.
type Facts struct {
	Values    []float64    // in the order of FigureKeys; NaN: not measured
	Errors    []float64    // relative standard errors of Values; NaN: not known
	HostClass string       // key of one of HostClasses
	HostKind  string       // the finest class of hosts that the run shows, see kindQueue
	BusMBPerS float64      // the rate of the bus in the mode that the host showed; 0: it showed none
	Variant   string       // key of a Variant
	Evidence  []string     // Evidence…
	Price     result.Price // never converted; without a currency: not told
}

// Evidence that a unit showed: the keys of its signs, their weight (sign.Weights), that its capacity was checked, and
// what begins with EvidenceQueue.
const (
	EvidenceCRCWrong        = sign.CRCWrong
	EvidenceSerialNearZero  = sign.SerialNearZero
	EvidenceCapacity        = sign.Capacity      // less capacity was found than is claimed
	EvidenceCapacityChecked = "capacity-checked" // of enough of it (result.Document.CapacityChecked)
	EvidenceWearTold        = "wear-told"        // it was asked for its wear, and told it
	EvidenceWearNotTold     = "wear-not-told"    // it was asked for its wear, and didn't tell it
	EvidenceWrittenKnown    = "written-known"    // somebody knows how much was written to it
	EvidenceIdentified      = "identified"       // it said what it is; only of a Unit
)

// evidenceOfCapacity is what a check of the capacity shows. Nothing else makes a unit almost certainly another one.
var evidenceOfCapacity = []string{EvidenceCapacityChecked, EvidenceCapacity, string(sign.AlmostCertain)}

// FactsOf derives the facts of a valid document and the figures of its tests.
func FactsOf(d *result.Document, tests []result.Figures) Facts {
	figures := OfRun(tests)
	f := Facts{
		Values: figures.Values(), Errors: figures.Errors(), HostClass: hostClassOf(d), HostKind: hostKindOf(d),
		BusMBPerS: plausible.BusMBPerS(d),
		Variant:   variantOf(d).Key(), Evidence: []string{},
	}
	if d.CapacityChecked() {
		f.Evidence = append(f.Evidence, EvidenceCapacityChecked)
	}
	signs, looked := sign.OfDocument(d)
	for _, s := range signs {
		if !slices.Contains(f.Evidence, s.Key) {
			f.Evidence = append(f.Evidence, s.Key)
		}
	}
	if weight := sign.Weigh(signs, looked); weight != sign.Unknown {
		f.Evidence = append(f.Evidence, string(weight))
	}
	if w := d.Identity.Wear; w != nil {
		switch w.ToldBy {
		case "":
		case result.WearNotTold:
			f.Evidence = append(f.Evidence, EvidenceWearNotTold)
		default:
			f.Evidence = append(f.Evidence, EvidenceWearTold)
		}
		if w.WrittenGB > 0 {
			f.Evidence = append(f.Evidence, EvidenceWrittenKnown)
		}
	}
	if of := evidenceOfQueue(d); of != "" {
		f.Evidence = append(f.Evidence, of)
	}
	if p := d.Module.Price; p != nil {
		f.Price = *p
	}
	return f
}

// Run is one accepted submission, as UnitsOf needs it.
type Run struct {
	Facts
	ID         string
	ReceivedAt time.Time
	Network    string // see Arrival
	Method     string
	Tag        string // of the unit; empty: it shows no serial number
	Board      string
	Ranked     bool // its figures count
	Heard      bool // its evidence counts, even where the figures don't
	Wear       result.Wear
}
