package catalogue

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

// Kinds of claims about a manufacturer id.
const (
	ClaimMaker   = "maker"   // a list says whose it is
	ClaimCard    = "card"    // somebody had a card of this label that showed it
	ClaimSuspect = "suspect" // a list takes it for a sign of counterfeits
)

// Claim is what sources say about a manufacturer id, or one together with an OEM id. The SD Association and JEDEC assign
// them and publish no list, so every claim is somebody's reading, and they contradict each other.
type Claim struct {
	Kind    string   // Claim...
	Name    string   // of a maker or several ("Corsair/ADATA"), or the label of a card; empty for ClaimSuspect
	Sources []string // who says so, in the order of the file
	Notes   []string // what they add
}

// makerClaim is one row of manufacturer_ids.csv.
type makerClaim struct {
	bus         string // sd, mmc
	maker, oem  uint64
	anyMaker    bool // the claim is about the OEM id alone
	anyOEM      bool // the claim is about the manufacturer id alone
	claim       Claim
	source, key string
}

func (c *Catalogue) loadMakers(fsys fs.FS) error {
	return eachRow(fsys, "manufacturer_ids.csv", func(r row) error {
		m := makerClaim{bus: r.get("bus"), source: r.get("source"), claim: Claim{Kind: r.get("kind"), Name: r.get("name")}}
		var makerOK, oemOK bool
		m.maker, makerOK = hexNumber(r.get("manfid"))
		m.oem, oemOK = hexNumber(r.get("oemid"))
		m.anyMaker, m.anyOEM = r.get("manfid") == "", r.get("oemid") == ""
		switch {
		case m.bus != "sd" && m.bus != "mmc":
			return r.errorf("bus %q is not sd or mmc", m.bus)
		case !makerOK && !m.anyMaker || !oemOK && !m.anyOEM || m.anyMaker && m.anyOEM:
			return r.errorf("manfid %q and oemid %q must be 0x and hex digits, one of them may be empty", r.get("manfid"), r.get("oemid"))
		case !slices.Contains([]string{ClaimMaker, ClaimCard, ClaimSuspect}, m.claim.Kind):
			return r.errorf("kind %q is not maker, card or suspect", m.claim.Kind)
		case (m.claim.Name == "") != (m.claim.Kind == ClaimSuspect) || m.source == "":
			return r.errorf("a claim needs a source, and a name unless its kind is suspect")
		}
		if m.claim.Kind == ClaimMaker {
			m.claim.Name, _ = c.vendors.named(m.claim.Name) // "AData" and "ADATA" are one claim
		}
		m.key = m.claim.Kind + " " + m.claim.Name
		if note := r.get("note"); note != "" {
			m.claim.Notes = []string{note}
		}
		c.makers = append(c.makers, m)
		return nil
	})
}

// Claims returns every claim about the manufacturer and OEM id of a CID, given as the kernel prints them ("0x000003",
// "0x5344"), on the bus sd or mmc: those about both, about the manufacturer id alone and about the OEM id alone. Makers
// come first, the one that most sources name in front, then cards, then suspicions. It picks none, since none is sure;
// it is empty where no source knows the ids.
func (c *Catalogue) Claims(bus, manfid, oemid string) []Claim {
	maker, makerOK := hexNumber(manfid)
	oem, oemOK := hexNumber(oemid)
	var claims []Claim
	at := map[string]int{}
	for _, m := range c.makers {
		if m.bus != bus || !makerOK || !m.anyMaker && m.maker != maker || !m.anyOEM && (!oemOK || m.oem != oem) {
			continue
		}
		i, ok := at[m.key]
		if !ok {
			i = len(claims)
			at[m.key] = i
			claims = append(claims, Claim{Kind: m.claim.Kind, Name: m.claim.Name})
		}
		if !slices.Contains(claims[i].Sources, m.source) {
			claims[i].Sources = append(claims[i].Sources, m.source)
		}
		claims[i].Notes = append(claims[i].Notes, m.claim.Notes...)
	}
	kinds := []string{ClaimMaker, ClaimCard, ClaimSuspect}
	slices.SortStableFunc(claims, func(a, b Claim) int {
		if a.Kind != b.Kind {
			return slices.Index(kinds, a.Kind) - slices.Index(kinds, b.Kind)
		}
		return len(b.Sources) - len(a.Sources)
	})
	return claims
}

// ClaimedID is a manufacturer id, or one with an OEM id, that sources claim to be a maker's.
type ClaimedID struct {
	Bus     string // sd, mmc
	Text    string // "0x03", "0x03 with OEM id 0x5344"
	Sources []string
}

// IDsOf returns the ids that sources claim to be of this maker, or of several that it is one of, in the order of the file.
func (c *Catalogue) IDsOf(vendor string) []ClaimedID {
	var ids []ClaimedID
	for _, m := range c.makers {
		if m.claim.Kind != ClaimMaker || m.anyMaker || !slices.Contains(strings.Split(m.claim.Name, "/"), vendor) {
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
		if !slices.Contains(ids[i].Sources, m.source) {
			ids[i].Sources = append(ids[i].Sources, m.source)
		}
	}
	return ids
}

// ClaimsText is the claims about makers as one reads them: "0x03: claimed to be SanDisk by A, B; Western Digital by C".
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
		return fmt.Sprintf("0x%02x: no source says whose it is", maker)
	}
	return fmt.Sprintf("0x%02x: claimed to be %s", maker, strings.Join(parts, "; "))
}
