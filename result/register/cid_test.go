package register_test

import (
	"fmt"
	"testing"

	"flashdex/result/register"
)

// cidWithSerial sets the serial number of a CID and the matching checksum. It divides the message bit by bit, which is
// another way to the checksum than the package's.
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
			cid := cidWithSerial(row["cid"], register.SDSerial, serial)
			wrong := map[string]bool{cid: false, cid[:30] + "00": false, cid[:30] + "01": false}
			if cid[30:] != "01" { // "01" can't be told from a host that drops the checksum
				wrong[spoil(cid)] = true
			}
			if digit := byte('0'); cid[30:] > "01" {
				if cid[3] == digit {
					digit = '1'
				}
				wrong[cid[:3]+string(digit)+cid[4:]] = true
			}
			for cid, want := range wrong {
				if _, got, err := register.Mask(cid, register.SDSerial); err != nil || got.CRCWrong != want {
					t.Errorf("%s: %+v, %v, want wrong: %t", cid, got, err, want)
				}
			}
		}
	}
}

func TestSignsAndMask(t *testing.T) {
	t.Parallel()
	sd, mmc := dumps(t, "sd.csv")[0]["cid"], dumps(t, "mmc.csv")[0]["cid"]
	for _, tc := range []struct {
		serial uint32
		want   bool
	}{{0, true}, {1, true}, {0xffff, true}, {0x10000, false}, {0xffffffff, false}, {0x01000000, false}} {
		for _, wrong := range []bool{false, true} {
			for at, dump := range map[int]string{register.SDSerial: sd, register.MMCSerial: mmc} {
				cid := cidWithSerial(dump, at, tc.serial)
				if wrong {
					cid = spoil(cid)
				}
				want := register.Signs{CRCWrong: wrong, SerialNearZero: tc.want}
				masked, got, err := register.Mask(cid, at)
				if err != nil || got != want || masked != dump[:30]+"00" {
					t.Errorf("%s: %s, %+v, %v, want %+v", cid, masked, got, err, want)
				}
			}
		}
	}
	if _, got, err := register.Mask(sd, register.SDSerial); err != nil || got.CRCWrong {
		t.Errorf("a host that drops the checksum: %+v, %v", got, err)
	}
	if masked, _, err := register.Mask("03", register.SDSerial); err == nil || masked != "" {
		t.Error("two digits are no CID")
	}
}

// spoil changes the checksum, but not to a value that hosts show in its place.
func spoil(cid string) string {
	if cid[30] == 'a' {
		return cid[:30] + "b" + cid[31:]
	}
	return cid[:30] + "a" + cid[31:]
}
