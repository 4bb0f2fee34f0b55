package register_test

import (
	"fmt"
	"testing"

	"flashdex/result/register"
)

// cidWithSerial sets the serial number of a CID and the checksum that belongs to it, by long division of the message
// bit by bit: another way to the same number than the package's.
func cidWithSerial(cid string, at int, serial uint32) string {
	cid = cid[:at] + fmt.Sprintf("%08x", serial) + cid[at+8:30]
	remainder := 0
	for i := range 120 + 7 {
		bit := 0
		if i < 120 {
			var digit int
			fmt.Sscanf(cid[i/4:i/4+1], "%x", &digit)
			bit = digit >> (3 - i%4) & 1
		}
		if remainder = remainder<<1 | bit; remainder&0x80 != 0 {
			remainder ^= 0b10001001
		}
	}
	return cid + fmt.Sprintf("%02x", remainder<<1|1)
}

func TestChecksumOfTheCID(t *testing.T) {
	t.Parallel()
	for _, row := range dumps(t, "sd.csv") {
		for _, serial := range []uint32{0, 1, 0x80000000, 0xffffffff, 20261121} {
			cid := cidWithSerial(row["cid"], 18, serial)
			want := register.ChecksumRight
			if cid[30:] == "01" {
				want = register.ChecksumMissing // can't be told from a host that drops it
			}
			for last, want := range map[string]register.Checksum{cid[30:]: want, "00": register.ChecksumMissing} {
				if got, err := register.ParseCID(cid[:30] + last); err != nil || got.Checksum != want {
					t.Errorf("%s%s: %s, %v, want %s", cid[:30], last, got.Checksum, err, want)
				}
			}
			digit := byte('0')
			if cid[3] == digit {
				digit = '1'
			}
			spoiled := cid[:3] + string(digit) + cid[4:]
			if got, err := register.ParseCID(spoiled); err != nil || got.Checksum == register.ChecksumRight {
				t.Errorf("%s: %s, %v, want wrong", spoiled, got.Checksum, err)
			}
		}
	}
}

func TestEvidence(t *testing.T) {
	t.Parallel()
	sd, mmc := dumps(t, "sd.csv")[0]["cid"], dumps(t, "mmc.csv")[0]["cid"]
	for _, tc := range []struct {
		serial uint32
		want   bool
	}{{0, true}, {1, true}, {0xffff, true}, {0x10000, false}, {0xffffffff, false}, {0x01000000, false}} {
		for _, wrong := range []bool{false, true} {
			a, b := cidWithSerial(sd, 18, tc.serial), cidWithSerial(mmc, 20, tc.serial)
			if wrong {
				a, b = spoil(a), spoil(b)
			}
			want := register.Signs{CRCWrong: wrong, SerialNearZero: tc.want}
			if got, err := register.Evidence(a); err != nil || got != want {
				t.Errorf("SD card with serial number %#x: %+v, %v, want %+v", tc.serial, got, err, want)
			}
			if got, err := register.EvidenceMMC(b); err != nil || got != want {
				t.Errorf("eMMC with serial number %#x: %+v, %v, want %+v", tc.serial, got, err, want)
			}
		}
	}
	if got, err := register.Evidence(sd); err != nil || got.CRCWrong {
		t.Errorf("a host that drops the checksum: %+v, %v", got, err)
	}
	if _, err := register.Evidence("03"); err == nil {
		t.Error("two digits are no CID")
	}
}

// spoil changes the checksum, but not to what hosts show in its place.
func spoil(cid string) string {
	if cid[30] == 'a' {
		return cid[:30] + "b" + cid[31:]
	}
	return cid[:30] + "a" + cid[31:]
}
