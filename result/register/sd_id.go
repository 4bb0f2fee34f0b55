package register

import "fmt"

// CID is the identification register of an SD card, SD 5.2, without its serial number.
type CID struct {
	Manufacturer int      `json:"manufacturer"` // MID 127:120, assigned by the SD Association, which publishes no list
	OEM          OEM      `json:"oem"`          // OID 119:104
	Name         string   `json:"name"`         // PNM 103:64, five characters, without padding
	Revision     string   `json:"revision"`     // PRV 63:56, "n.m": hardware and firmware
	Year         int      `json:"year"`         // MDT 19:12, counted from 2000
	Month        int      `json:"month"`        // MDT 11:8, 1 to 12; cards that break the rules claim other values
	Checksum     Checksum `json:"checksum"`     // CRC 7:1
}

// ParseCID reads the CID of an SD card from 32 hex digits. The error is a *LengthError. The checksum of a CID whose
// serial number was set to zero is missing or wrong.
func ParseCID(text string) (CID, error) {
	b, err := parse("CID", text, 16)
	if err != nil {
		return CID{}, err
	}
	return CID{
		Manufacturer: int(b.field(127, 120)),
		OEM:          b.oem(119, 104),
		Name:         b.text(103, 64),
		Revision:     fmt.Sprintf("%x.%x", b.field(63, 60), b.field(59, 56)),
		Year:         2000 + int(b.field(19, 12)),
		Month:        int(b.field(11, 8)),
		Checksum:     b.checksum(),
	}, nil
}
