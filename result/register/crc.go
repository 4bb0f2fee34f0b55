package register

// Checksum says whether the CRC7 in a register's last byte is right.
type Checksum string

// The states of a checksum. Many host controllers drop it, and the kernel then shows 00 or 01 in its place. Some drop
// only the last bit, which is always 1.
const (
	ChecksumRight   Checksum = "right"
	ChecksumWrong   Checksum = "wrong"
	ChecksumMissing Checksum = "missing"
)

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

func (b bits) checksum() Checksum {
	last := len(b) - 1
	switch stored := b[last]; {
	case stored > 1 && stored|1 == crc7(b[:last])<<1|1:
		return ChecksumRight
	case stored <= 1:
		return ChecksumMissing
	}
	return ChecksumWrong
}

// NearZeroSerial is the bound below which a serial number counts as near zero. If a maker spreads serial numbers evenly
// over 32 bits, one card in 65,536 is below it. All 448 cards of data/near_zero_serials.csv, which were collected as
// suspicious, are.
const NearZeroSerial = 1 << 16

// Signs are facts about the checksum and the serial number that don't disclose the serial number.
type Signs struct {
	CRCWrong       bool `json:"crc_wrong"`        // also false if the host shows no checksum
	SerialNearZero bool `json:"serial_near_zero"` // below NearZeroSerial
}

// Evidence reads the signs from the complete CID of an SD card, which only the client sees. The serial number is in
// bits 55:24, SD 5.2. Don't pass a CID whose serial number was set to zero: it would be near zero.
func Evidence(cid string) (Signs, error) { return evidence(cid, 55, 24) }

// EvidenceMMC reads the signs of an eMMC, whose serial number is in bits 47:16, JESD84-B51 7.2.
func EvidenceMMC(cid string) (Signs, error) { return evidence(cid, 47, 16) }

func evidence(cid string, high, low int) (Signs, error) {
	b, err := parse("CID", cid, 16)
	if err != nil {
		return Signs{}, err
	}
	return Signs{b.checksum() == ChecksumWrong, b.field(high, low) < NearZeroSerial}, nil
}
