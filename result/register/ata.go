package register

import (
	"encoding/binary"
	mathbits "math/bits"

	"flashdex/result"
)

// ParseATA reads what the ioctl HDIO_GET_IDENTITY returns (struct hd_driveid of linux/hdreg.h), the answer to IDENTIFY
// DEVICE, ATA8-ACS 7.16: words in the computer's byte order, texts in the order of their characters. It doesn't look at
// the serial number in words 10 to 19.
func ParseATA(identity *[512]byte) result.ATA {
	word := func(n int) int { return int(binary.NativeEndian.Uint16(identity[2*n:])) }
	a := result.ATA{
		Model:         ascii(identity[2*27 : 2*47]),
		Firmware:      ascii(identity[2*23 : 2*27]),
		CapacityBytes: ataSectors(word) * ataSectorBytes(word),
		// Linux' rule (ata_id_is_cfa): the signature of CompactFlash or Delkin, or the feature set, which some SSDs have too.
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
