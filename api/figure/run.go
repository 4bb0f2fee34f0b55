package figure

import (
	"strings"
	"time"

	"flashdex/api/submission/plausible"
	"flashdex/result"
)

// FactsVersion rises whenever FactsOf or result.Test.Figures returns something else for the same document. Then all
// facts and figures are derived again from the stored documents.
const FactsVersion = 2

// Facts holds what statistics need of a document. It is stored with the document.
type Facts struct {
	Values    []float64 // in the order of FigureKeys; NaN: not measured
	HostClass string    // key of one of HostClasses
	BusMBPerS float64   // the rate of the bus in the mode that the host showed; 0: it showed none
	Variant   Variant
	Evidence  []string // Evidence…
	Price     Price
}

// Evidence that a unit showed.
const (
	EvidenceCRCWrong       = "crc-wrong"
	EvidenceSerialNearZero = "serial-near-zero"
	EvidenceCapacity       = "capacity" // less was found than is claimed
)

// Price is what a contributor paid for a unit. Prices are never converted.
type Price struct {
	Amount   float64
	Currency string // ISO 4217; empty: not told
	On       string // YYYY-MM or YYYY-MM-DD
}

// FactsOf derives the facts of a valid document and the figures of its tests.
func FactsOf(d *result.Document, tests []result.Figures) Facts {
	f := Facts{
		Values: OfRun(tests).Values(), HostClass: hostClassOf(d), BusMBPerS: plausible.BusMBPerS(d), Variant: variantOf(d),
		Evidence: []string{},
	}
	for _, card := range []*result.Register{d.Identity.SD, d.Identity.MMC} {
		if card != nil && card.CRCWrong {
			f.Evidence = append(f.Evidence, EvidenceCRCWrong)
		}
		if card != nil && card.SerialNearZero {
			f.Evidence = append(f.Evidence, EvidenceSerialNearZero)
		}
	}
	if v := d.Identity.Verified; v != nil && v.FoundBytes < v.ClaimedBytes {
		f.Evidence = append(f.Evidence, EvidenceCapacity)
	}
	if p := d.Module.Price; p != nil {
		f.Price = Price(*p)
	}
	return f
}

// Variant identifies the silicon in a unit, as far as the unit tells. Units of one module may be of different variants,
// and these may differ in speed. The zero Variant is unknown, as behind most USB readers.
type Variant struct {
	Bus      string `json:"bus"`              // sd, mmc, usb, ata
	Manfid   string `json:"manfid,omitempty"` // of a CID as the kernel prints it; of USB the vendor's id
	OEMID    string `json:"oemid,omitempty"`  // of USB the product's id
	Name     string `json:"name"`
	Revision string `json:"revision"`
}

// variantOf reads the variant of a unit. A USB reader identifies itself, not the card in it.
func variantOf(d *result.Document) Variant {
	bus, card := "sd", d.Identity.SD
	if card == nil {
		bus, card = "mmc", d.Identity.MMC
	}
	if card != nil && card.Manfid != "" {
		return Variant{bus, card.Manfid, card.OEMID, card.Name, strings.TrimSpace(card.HWRev + " " + card.FWRev)}
	}
	if ata := d.Identity.ATA; ata != nil {
		return Variant{Bus: "ata", Name: ata.Model, Revision: ata.Firmware}
	}
	if usb := d.Identity.USB; usb != nil && !usb.Reader && d.Module.Form == "usb" {
		return Variant{"usb", usb.VendorID, usb.ProductID, usb.Product, usb.DeviceVersion}
	}
	return Variant{}
}

const variantSeparator = "\x1f" // stands in none of its parts: they are printable

// Key returns the variant as it is stored and linked to. It is empty for the zero Variant.
func (v Variant) Key() string {
	if v == (Variant{}) {
		return ""
	}
	return strings.Join([]string{v.Bus, v.Manfid, v.OEMID, v.Name, v.Revision}, variantSeparator)
}

// VariantOf returns the variant of a key.
func VariantOf(key string) Variant {
	parts := append(strings.Split(key, variantSeparator), "", "", "", "", "")
	return Variant{parts[0], parts[1], parts[2], parts[3], parts[4]}
}

// Run is one accepted submission, as UnitsOf needs it.
type Run struct {
	Facts
	ID         string
	ReceivedAt time.Time
	Method     string
	Tag        string // of the unit; empty: it shows no serial number
	Board      string
	Ranked     bool // its figures count
}
