package register

import "fmt"

// MMCCID is the identification register of an eMMC, JESD84-B51 7.2, without its serial number.
type MMCCID struct {
	Manufacturer int      `json:"manufacturer"` // MID 127:120, assigned by JEDEC
	Device       string   `json:"device"`       // CBX 113:112: card, BGA, POP or reserved
	OEM          OEM      `json:"oem"`          // bits 119:104 as the kernel prints them: bank index, CBX and OID
	Name         string   `json:"name"`         // PNM 103:56, six characters, without padding
	Revision     string   `json:"revision"`     // PRV 55:48, "n.m"
	Month        int      `json:"month"`        // MDT 15:12
	YearCode     int      `json:"year_code"`    // MDT 11:8; from revision 5 of the EXT_CSD on, 0 to 12 mean 2013 to 2025
	Checksum     Checksum `json:"checksum"`
}

// ParseMMCCID reads the CID of an eMMC of version 2.0 or later from 32 hex digits. The error is a *LengthError.
func ParseMMCCID(text string) (MMCCID, error) {
	b, err := parse("CID", text, 16)
	if err != nil {
		return MMCCID{}, err
	}
	return MMCCID{
		Manufacturer: int(b.field(127, 120)),
		Device:       [4]string{"card", "BGA", "POP", "reserved"}[b.field(113, 112)],
		OEM:          b.oem(119, 104),
		Name:         b.text(103, 56),
		Revision:     fmt.Sprintf("%x.%x", b.field(55, 52), b.field(51, 48)),
		Month:        int(b.field(15, 12)),
		YearCode:     int(b.field(11, 8)),
		Checksum:     b.checksum(),
	}, nil
}
