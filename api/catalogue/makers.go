package catalogue

import (
	"cmp"
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

// Kinds of claims about a manufacturer id.
const (
	ClaimMaker   = "maker"   // a list names its owner
	ClaimCard    = "card"    // somebody had a card with this label and this id
	ClaimSuspect = "suspect" // a list calls it a sign of counterfeits
)

var claimKinds = []string{ClaimMaker, ClaimCard, ClaimSuspect}

// Claim is a statement of sources about a manufacturer id, alone or together with an OEM id. The SD Association and
// JEDEC assign the ids but publish no list, so every claim is somebody's opinion, and claims contradict each other.
type Claim struct {
	Kind    string   // Claim...
	Name    string   // one or several makers ("Corsair/ADATA"), or the label of a card; empty for ClaimSuspect
	Sources []string // in the order of the file
	Notes   []string // of the sources
}

// makerClaim is one row of manufacturer_ids.csv.
type makerClaim struct {
	bus, kind, name, source, note string
	maker, oem                    uint64
	anyMaker                      bool // the claim is only about the OEM id
	anyOEM                        bool // the claim is only about the manufacturer id
}

func (c *Catalogue) loadMakers(fsys fs.FS) error {
	return eachRow(fsys, "manufacturer_ids.csv", func(r *row) error {
		manfid, oemid := r.get("manfid"), r.get("oemid")
		m := makerClaim{
			bus: r.get("bus"), kind: r.get("kind"), name: r.get("name"), source: r.get("source"), note: r.get("note"),
			anyMaker: manfid == "", anyOEM: oemid == "",
		}
		m.maker, _ = hexNumber(manfid)
		m.oem, _ = hexNumber(oemid)
		if m.kind == ClaimMaker {
			m.name, _ = c.vendors.named(m.name) // "AData" and "ADATA" make one claim
		}
		c.makers = append(c.makers, m)
		return nil
	})
}

func (c *Catalogue) loadUSBNames(fsys fs.FS) error {
	return eachRow(fsys, "usb_ids.csv", func(r *row) error {
		c.usbNames[r.get("vid")+":"+r.get("pid")] = r.get("vendor") + " " + r.get("product")
		return nil
	})
}

// USBName returns maker and product of a USB storage device by its id, such as "05e3:0749", or "" if it isn't known.
func (c *Catalogue) USBName(id string) string { return c.usbNames[id] }

// Claims returns every claim about the manufacturer and OEM id of a CID, in the kernel's form ("0x000003", "0x5344"),
// on the bus sd or mmc: claims about both ids, about the manufacturer id alone, and about the OEM id alone. Makers come
// first, starting with the one that most sources name, then cards, then suspicions.
func (c *Catalogue) Claims(bus, manfid, oemid string) (claims []Claim) {
	maker, makerOK := hexNumber(manfid)
	oem, oemOK := hexNumber(oemid)
	if !makerOK {
		return nil
	}
	for _, m := range c.makers {
		if m.bus != bus || !m.anyMaker && m.maker != maker || !m.anyOEM && (!oemOK || m.oem != oem) {
			continue
		}
		i := slices.IndexFunc(claims, func(o Claim) bool { return o.Kind == m.kind && o.Name == m.name })
		if i < 0 {
			i = len(claims)
			claims = append(claims, Claim{Kind: m.kind, Name: m.name})
		}
		claims[i].Sources = appendNew(claims[i].Sources, m.source)
		if m.note != "" {
			claims[i].Notes = append(claims[i].Notes, m.note)
		}
	}
	slices.SortStableFunc(claims, func(a, b Claim) int {
		return cmp.Or(slices.Index(claimKinds, a.Kind)-slices.Index(claimKinds, b.Kind), len(b.Sources)-len(a.Sources))
	})
	return claims
}

// appendNew appends v unless list contains it.
func appendNew[T comparable](list []T, v T) []T {
	if slices.Contains(list, v) {
		return list
	}
	return append(list, v)
}

// ClaimedID is a manufacturer id, alone or with an OEM id, that sources assign to a maker.
type ClaimedID struct {
	Bus     string   `json:"bus"` // sd, mmc
	Text    string   `json:"id"`  // "0x03", "0x03 with OEM id 0x5344"
	Sources []string `json:"sources"`
}

// IDsOf returns the ids that sources assign to this maker, alone or with others, in the order of the file.
func (c *Catalogue) IDsOf(vendor string) (ids []ClaimedID) {
	for _, m := range c.makers {
		if m.kind != ClaimMaker || m.anyMaker || !slices.Contains(strings.Split(m.name, "/"), vendor) {
			continue
		}
		text := fmt.Sprintf("0x%02x", m.maker)
		if !m.anyOEM {
			text += fmt.Sprintf(" with OEM id 0x%04x", m.oem)
		}
		i := slices.IndexFunc(ids, func(id ClaimedID) bool { return id.Bus == m.bus && id.Text == text })
		if i < 0 {
			i = len(ids)
			ids = append(ids, ClaimedID{Bus: m.bus, Text: text})
		}
		ids[i].Sources = appendNew(ids[i].Sources, m.source)
	}
	return ids
}

// ClaimsText summarizes the claims about makers: "0x03: claimed to be SanDisk by A, B; Western Digital by C".
func ClaimsText(manfid string, claims []Claim) string {
	maker, ok := hexNumber(manfid)
	if !ok {
		return ""
	}
	var parts []string
	for _, c := range claims {
		if c.Kind == ClaimMaker {
			parts = append(parts, c.Name+" by "+strings.Join(c.Sources, ", "))
		}
	}
	if len(parts) == 0 {
		return fmt.Sprintf("0x%02x: no source names the maker", maker)
	}
	return fmt.Sprintf("0x%02x: claimed to be %s", maker, strings.Join(parts, "; "))
}
