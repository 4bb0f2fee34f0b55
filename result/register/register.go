// Package register decodes the registers in which a module describes itself: CID and SD Status (SSR) of an SD card, CID
// of an eMMC, and the answer of a disk or CompactFlash card to IDENTIFY DEVICE. Client and server share the package.
//
// The serial number never survives: no type here has a field for it or keeps the bytes of a register, and no error
// quotes its input. A claim is read as it is, however odd, since an odd claim is evidence, too. The only error is for a
// text that can't be a register.
//
// Sources: SD Specifications Part 1, Physical Layer Simplified Specification, version 9.00 ("SD" and a section in the
// comments), and JEDEC JESD84-B51, eMMC 5.1 ("JESD84-B51" and a section). Both number the last bit sent as bit 0.
package register

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	mathbits "math/bits"
	"slices"
	"strings"

	"flashdex/result"
)

// bits is a register, highest bit first.
type bits []byte

// parse reads a register of so many bytes from hex digits of either case.
func parse(register, text string, bytes int) (bits, error) {
	b, err := hex.DecodeString(text)
	if err != nil || len(b) != bytes {
		return nil, fmt.Errorf("the %s register must have %d hex digits and nothing else", register, 2*bytes)
	}
	return b, nil
}

// field returns the number in the bits from high down to low, at most 64 bits.
func (b bits) field(high, low int) (v uint64) {
	top := 8*len(b) - 1
	for i := top - high; i <= top-low; i++ {
		v = v<<1 | uint64(b[i/8]>>(7-i%8)&1)
	}
	return v
}

// bytes returns the bytes from bit high down to bit low.
func (b bits) bytes(high, low int) []byte { return b[len(b)-1-high/8 : len(b)-low/8] }

// ascii returns a text without its padding. "?" replaces unprintable characters.
func ascii(padded []byte) string {
	text := slices.Clone(padded)
	for i, c := range text {
		if c == 0 {
			text[i] = ' '
		} else if c < ' ' || c > '~' {
			text[i] = '?'
		}
	}
	return strings.TrimSpace(string(text))
}

// Classes returns the speed classes in the SD Status of a card (SSR, 128 hex digits; SD 4.10.2), spelt as on cards:
// "Class 10", "U3", "V30", "A2". The fields are SPEED_CLASS, UHS_SPEED_GRADE, VIDEO_SPEED_CLASS and APP_PERF_CLASS.
func Classes(ssr string) (classes []string, err error) {
	b, err := parse("SSR", ssr, 64)
	if err != nil {
		return nil, err
	}
	speedClass := map[uint64]uint64{1: 2, 2: 4, 3: 6, 4: 10}[b.field(447, 440)]
	for _, class := range []struct {
		prefix string
		n      uint64
	}{
		{"Class ", speedClass}, {"U", b.field(399, 396)}, {"V", b.field(391, 384)}, {"A", b.field(339, 336)},
	} {
		if class.n > 0 {
			classes = append(classes, fmt.Sprint(class.prefix, class.n))
		}
	}
	return classes, nil
}

// CapacityBytes returns the capacity in the CSD of an SD card (32 hex digits; SD 5.3): C_SIZE, in units that depend on
// the version of the structure.
func CapacityBytes(csd string) (int64, error) {
	b, err := parse("CSD", csd, 16)
	if err != nil {
		return 0, err
	}
	switch b.field(127, 126) {
	case 0: // with C_SIZE_MULT and READ_BL_LEN
		return int64(b.field(73, 62)+1) << (b.field(49, 47) + 2 + b.field(83, 80)), nil
	case 1: // SDHC and SDXC
		return int64(b.field(69, 48)+1) << 19, nil
	case 2: // SDUC
		return int64(b.field(75, 48)+1) << 19, nil
	}
	return 0, errors.New("the CSD register is of a version that no SD card has")
}

// CID holds the fields of a card's identification register that the kernel shows, too, without the serial number.
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

// cid reads the fields that have the same place in both registers, and the name, which ends at bit nameEnd.
func (b bits) cid(nameEnd, year, month int) CID {
	return CID{
		Manufacturer: int(b.field(127, 120)), OEM: fmt.Sprintf("0x%x", b.bytes(119, 104)), Name: ascii(b.bytes(103, nameEnd)),
		Year: year, Month: month,
	}
}

// NearZeroSerial is the bound below which a serial number counts as near zero. One in 65,536 evenly spread numbers is
// below it, and all 448 suspicious cards of data/near_zero_serials.csv are.
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

// Mask zeroes a CID's serial number, which begins at hex digit serial. It also zeroes the checksum, which differs
// between hosts. It returns the signs that it found in them. A serial number that was masked before would look near
// zero.
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

// ParseATA reads the answer to IDENTIFY DEVICE, ATA8-ACS 7.16, as the ioctl HDIO_GET_IDENTITY returns it (struct
// hd_driveid of linux/hdreg.h). Words are in the computer's byte order, and texts in the order of their characters.
// ParseATA doesn't look at the serial number in words 10 to 19.
func ParseATA(identity *[512]byte) result.ATA {
	word := func(n int) int { return int(binary.NativeEndian.Uint16(identity[2*n:])) }
	a := result.ATA{
		Model:         ascii(identity[2*27 : 2*47]),
		Firmware:      ascii(identity[2*23 : 2*27]),
		CapacityBytes: ataSectors(word) * ataSectorBytes(word),
		// Linux' rule (ata_id_is_cfa): the signature of CompactFlash or Delkin, or the feature set. Some SSDs have
		// that, too.
		CFA: word(0) == 0x848a || word(0) == 0x844a || word(83)&0xc004 == 0x4004,
	}
	if word(53)&4 != 0 { // word 88 is valid
		a.UDMAMax, a.UDMASelected = highestBit(word(88)&0xff), highestBit(word(88)>>8)
	}
	return a
}

// ataSectors returns the number of sectors by the rule of Linux (ata_id_n_sectors), or 0 if it is impossibly high.
func ataSectors(word func(int) int) int64 {
	long := func(n int) int64 { return int64(word(n)) | int64(word(n+1))<<16 }
	switch {
	case word(49)&0x200 == 0 && word(53)&1 != 0: // no LBA: current cylinders, heads and sectors
		return long(57)
	case word(49)&0x200 == 0:
		return int64(word(1)) * int64(word(3)) * int64(word(6))
	case word(83)&0xc400 != 0x4400: // no 48 bits
		return long(60)
	case word(103) != 0:
		return 0
	}
	return long(100) | int64(word(102))<<32
}

// ataSectorBytes returns the size of a logical sector (words 106, 117 and 118), or 0 if it is impossibly high.
func ataSectorBytes(word func(int) int) int64 {
	const most = 4096
	if word(106)&0xd000 != 0x5000 {
		return 512
	}
	if bytes := int64(word(117)) * 2; word(118) == 0 && bytes <= most {
		return bytes
	}
	return 0
}

func highestBit(mask int) *int {
	if mask == 0 {
		return nil
	}
	bit := mathbits.Len(uint(mask)) - 1
	return &bit
}
