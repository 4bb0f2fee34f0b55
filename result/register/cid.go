package register

import "fmt"

// CID holds the fields of a card's identification register that the kernel shows as well, without the serial number.
type CID struct {
	Manufacturer int    // MID, assigned by the SD Association or by JEDEC, which publish no list
	OEM          string // OID as the kernel prints it: 0x5344; for an eMMC with the bank index and CBX before it
	Name         string // PNM, without padding
	Year         int    // MDT; of an eMMC a code: 0 is 1997, or 2013 from revision 5 of the EXT_CSD on
	Month        int    // MDT, 1 to 12; cards that break the rules claim other values
}

// ParseCID reads the CID of an SD card, SD 5.2, from 32 hex digits.
func ParseCID(text string) (CID, error) {
	b, err := parse("CID", text, 16)
	if err != nil {
		return CID{}, err
	}
	return b.cid(64, 2000+int(b.field(19, 12)), int(b.field(11, 8))), nil
}

// ParseMMCCID reads the CID of an eMMC of version 2.0 or later, JESD84-B51 7.2, from 32 hex digits.
func ParseMMCCID(text string) (CID, error) {
	b, err := parse("CID", text, 16)
	if err != nil {
		return CID{}, err
	}
	return b.cid(56, int(b.field(11, 8)), int(b.field(15, 12))), nil
}

// cid reads the fields that have the same place in both, besides the name, which ends at bit nameEnd.
func (b bits) cid(nameEnd, year, month int) CID {
	return CID{
		Manufacturer: int(b.field(127, 120)), OEM: fmt.Sprintf("0x%x", b.bytes(119, 104)), Name: ascii(b.bytes(103, nameEnd)),
		Year: year, Month: month,
	}
}

// NearZeroSerial is the bound below which a serial number counts as near zero: one in 65,536 of evenly spread numbers,
// and all 448 suspicious cards of data/near_zero_serials.csv.
const NearZeroSerial = 1 << 16

// Signs are facts about the checksum and the serial number that don't disclose the serial number.
type Signs struct {
	CRCWrong       bool // also false if the host shows no checksum
	SerialNearZero bool // below NearZeroSerial
}

// The first hex digit of the serial number in a CID; it has eight.
const (
	SDSerial  = 18 // bits 55:24, SD 5.2
	MMCSerial = 20 // bits 47:16, JESD84-B51 7.2
)

// Mask zeroes two parts of a CID: the serial number, which begins at hex digit serial, and the checksum in the last
// byte, which differs between hosts. It returns the signs that it found in them. Don't pass a CID whose serial number
// was set to zero before: it would be near zero.
func Mask(cid string, serial int) (masked string, signs Signs, err error) {
	b, err := parse("CID", cid, 16)
	if err != nil {
		return "", Signs{}, err
	}
	high := 127 - 4*serial
	// Many host controllers drop the checksum, which is then 00 or 01. Some drop only its last bit, which is always 1.
	stored := b[15]
	signs = Signs{stored > 1 && stored|1 != crc7(b[:15])<<1|1, b.field(high, high-31) < NearZeroSerial}
	return cid[:serial] + "00000000" + cid[serial+8:30] + "00", signs, nil
}

// crc7 computes the checksum of SD 4.5 and JESD84-B51 8.2: generator x^7 + x^3 + 1, starting from 0.
func crc7(data []byte) byte {
	var crc byte
	for _, b := range data {
		crc ^= b
		for range 8 {
			if crc&0x80 != 0 {
				crc ^= 0x89
			}
			crc <<= 1
		}
	}
	return crc >> 1
}
