package register

import "fmt"

// CID is the card identification of an SD card, SD 5.2, without its serial number.
type CID struct {
	Manufacturer int      `json:"manufacturer"` // MID 127:120, assigned by the SD Association, which publishes no list
	OEM          OEM      `json:"oem"`          // OID 119:104
	Name         string   `json:"name"`         // PNM 103:64, five characters, without padding
	Revision     string   `json:"revision"`     // PRV 63:56, "n.m": hardware and firmware
	Year         int      `json:"year"`         // MDT 19:12, counted from 2000
	Month        int      `json:"month"`        // MDT 11:8, 1 to 12; other values are claimed by cards that are not made to the rules
	Checksum     Checksum `json:"checksum"`     // CRC 7:1
}

// ParseCID reads the CID of an SD card from 32 hex digits. Of a CID whose serial number is zeroed the checksum is missing
// or wrong. The error is a *LengthError.
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

// CSD is the card specific data of an SD card, SD 5.3.
type CSD struct {
	Version       int      `json:"version"`        // CSD_STRUCTURE 127:126 and one: 1 SDSC, 2 SDHC and SDXC, 3 SDUC
	Family        string   `json:"family"`         // SDSC, SDHC, SDXC, SDUC; by the claimed capacity
	CapacityBytes int64    `json:"capacity_bytes"` // of the user area, as claimed; only writing and reading back shows what is there
	TransferHz    int64    `json:"transfer_hz"`    // TRAN_SPEED 103:96, before the bus is switched to a faster mode
	Classes       []int    `json:"classes"`        // CCC 95:84, command classes
	EraseOneBlock bool     `json:"erase_one_block"`
	EraseBytes    int64    `json:"erase_bytes"` // smallest erase: a block of 512 bytes, or SECTOR_SIZE 45:39 write blocks
	Copy          bool     `json:"copy"`        // COPY 14: the contents were copied
	Protected     bool     `json:"protected"`   // PERM_WRITE_PROTECT 13 or TMP_WRITE_PROTECT 12
	Checksum      Checksum `json:"checksum"`
}

// ParseCSD reads the CSD of an SD card, versions 1 to 3, from 32 hex digits. The error is a *LengthError, or says that the
// version is one that no specification defines.
func ParseCSD(text string) (CSD, error) {
	b, err := parse("CSD", text, 16)
	if err != nil {
		return CSD{}, err
	}
	c := CSD{
		Version: int(b.field(127, 126)) + 1, TransferHz: b.transferHz(), EraseOneBlock: b.flag(46), EraseBytes: 512,
		Copy: b.flag(14), Protected: b.flag(13) || b.flag(12), Checksum: b.checksum(),
	}
	for class := range 12 {
		if b.flag(84 + class) {
			c.Classes = append(c.Classes, class)
		}
	}
	switch c.Version {
	case 1: // SD 5.3.2: memory capacity = (C_SIZE + 1) * 2^(C_SIZE_MULT + 2) * 2^READ_BL_LEN
		c.CapacityBytes = int64(b.field(73, 62)+1) << (b.field(49, 47) + 2 + b.field(83, 80))
		if !c.EraseOneBlock {
			c.EraseBytes = int64(b.field(45, 39)+1) << b.field(25, 22)
		}
	case 2: // SD 5.3.3: (C_SIZE + 1) * 512 KiB
		c.CapacityBytes = int64(b.field(69, 48)+1) << 19
	case 3: // SD 5.3.4: the same with a longer C_SIZE
		c.CapacityBytes = int64(b.field(75, 48)+1) << 19
	default:
		return CSD{}, fmt.Errorf("the CSD register has version %d, which no SD specification defines", c.Version)
	}
	c.Family = family(c.Version, c.CapacityBytes)
	return c, nil
}

// family is the name by capacity, SD 3.10: SDSC to 2 GiB, SDHC to 32 GiB, SDXC to 2 TiB, SDUC to 128 TiB.
func family(version int, capacityBytes int64) string {
	switch {
	case version == 1:
		return "SDSC"
	case version == 3:
		return "SDUC"
	case capacityBytes > 32<<30:
		return "SDXC"
	}
	return "SDHC"
}

// transferHz reads TRAN_SPEED, SD 5.3.2 and JESD84-B51 7.3: a unit in bits 98:96 times a value in bits 102:99.
func (b bits) transferHz() int64 {
	unit := [8]int64{100e3, 1e6, 10e6, 100e6}[b.field(98, 96)]
	tenths := [16]int64{0, 10, 12, 13, 15, 20, 25, 30, 35, 40, 45, 50, 55, 60, 70, 80}[b.field(102, 99)]
	return unit / 10 * tenths
}
