package register

// Checksum says whether the CRC7 in a register's last byte is right.
type Checksum string

// What a checksum can be. Many host controllers drop it: the kernel then shows 00 or 01 in its place. Some drop only the
// last bit, which is always 1.
const (
	ChecksumRight   Checksum = "right"
	ChecksumWrong   Checksum = "wrong"
	ChecksumMissing Checksum = "missing"
)

// crc7 is the checksum of SD 4.5 and JESD84-B51 8.2: generator x^7 + x^3 + 1, starting from 0.
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

// NearZeroSerial is the bound below which a serial number counts as near zero. A maker who numbers all cards of 32 bits
// evenly has one in 65,536 below it; the 448 cards of data/near_zero_serials.csv, gathered as suspicious, all are.
const NearZeroSerial = 1 << 16

// Signs is what the whole CID shows and may be told without telling the serial number.
type Signs struct {
	CRCWrong       bool `json:"crc_wrong"`        // false also where the host shows no checksum
	SerialNearZero bool `json:"serial_near_zero"` // below NearZeroSerial
}

// Evidence reads from the whole CID of an SD card, as only the client sees it, what may be told of the serial number (bits
// 55:24) and the checksum, SD 5.2. A CID whose serial number was zeroed shows it as near zero: don't ask about those.
func Evidence(cid string) (Signs, error) { return evidence(cid, 55, 24) }

// EvidenceMMC is Evidence for an eMMC, whose serial number is in bits 47:16, JESD84-B51 7.2.
func EvidenceMMC(cid string) (Signs, error) { return evidence(cid, 47, 16) }

func evidence(cid string, high, low int) (Signs, error) {
	b, err := parse("CID", cid, 16)
	if err != nil {
		return Signs{}, err
	}
	return Signs{b.checksum() == ChecksumWrong, b.field(high, low) < NearZeroSerial}, nil
}
