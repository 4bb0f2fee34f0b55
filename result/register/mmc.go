package register

import "fmt"

// MMCCID is the identification of an eMMC, JESD84-B51 7.2, without its serial number.
type MMCCID struct {
	Manufacturer int      `json:"manufacturer"` // MID 127:120, assigned by JEDEC
	Device       string   `json:"device"`       // CBX 113:112: card, BGA, POP; "reserved"
	OEM          OEM      `json:"oem"`          // bits 119:104 as the kernel prints them: bank index, CBX and, in the last byte, OID
	Name         string   `json:"name"`         // PNM 103:56, six characters, without padding
	Revision     string   `json:"revision"`     // PRV 55:48, "n.m"
	Month        int      `json:"month"`        // MDT 15:12
	YearCode     int      `json:"year_code"`    // MDT 11:8; which year it means depends on the EXT_CSD: see Year
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

// Year is the year of manufacture of an eMMC with this EXT_CSD revision, JESD84-B51 7.2, table of MDT: codes 0 to 15 are
// 1997 to 2012 up to revision 4; from revision 5 on, 0 to 12 are 2013 to 2025, while 13 to 15 stay 2010 to 2012.
func (c MMCCID) Year(extCSDRevision int) int {
	if extCSDRevision > 4 && c.YearCode < 13 {
		return 2013 + c.YearCode
	}
	return 1997 + c.YearCode
}

// MMCCSD is the device specific data of an eMMC, JESD84-B51 7.3.
type MMCCSD struct {
	Structure     int      `json:"structure"`      // CSD_STRUCTURE 127:126; 3: it is in the EXT_CSD
	SpecVersion   string   `json:"spec_version"`   // SPEC_VERS 125:122: "4.1 to 5.1" for all since 2005; the EXT_CSD tells them apart
	CapacityBytes int64    `json:"capacity_bytes"` // 0 for more than 2 GiB: then it is in the EXT_CSD
	TransferHz    int64    `json:"transfer_hz"`    // TRAN_SPEED 103:96, before the bus is switched to a faster mode
	EraseBytes    int64    `json:"erase_bytes"`    // ERASE_GRP_SIZE 46:42 and ERASE_GRP_MULT 41:37, of write blocks
	Checksum      Checksum `json:"checksum"`
}

// ParseMMCCSD reads the CSD of an eMMC from 32 hex digits. The error is a *LengthError.
func ParseMMCCSD(text string) (MMCCSD, error) {
	b, err := parse("CSD", text, 16)
	if err != nil {
		return MMCCSD{}, err
	}
	c := MMCCSD{
		Structure: int(b.field(127, 126)), SpecVersion: "reserved", TransferHz: b.mmcTransferHz(),
		EraseBytes: int64((b.field(46, 42)+1)*(b.field(41, 37)+1)) << b.field(25, 22), Checksum: b.checksum(),
	}
	if v := b.field(125, 122); v < 5 {
		c.SpecVersion = [5]string{"1.0 to 1.2", "1.4", "2.0 to 2.2", "3.1 to 3.31", "4.1 to 5.1"}[v]
	}
	if size := b.field(73, 62); size != 0xfff {
		c.CapacityBytes = int64(size+1) << (b.field(49, 47) + 2 + b.field(83, 80))
	}
	return c, nil
}

// mmcTransferHz reads TRAN_SPEED of an eMMC, JESD84-B51 7.3: as of a card, with 2.6 and 5.2 in place of 2.5 and 5.0.
func (b bits) mmcTransferHz() int64 {
	unit := [8]int64{100e3, 1e6, 10e6, 100e6}[b.field(98, 96)]
	tenths := [16]int64{0, 10, 12, 13, 15, 20, 26, 30, 35, 40, 45, 52, 55, 60, 70, 80}[b.field(102, 99)]
	return unit / 10 * tenths
}
