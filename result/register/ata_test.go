package register_test

import (
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"flashdex/result/register"

	"github.com/google/go-cmp/cmp"
)

const ataSerial = "SECRET20110407AB1234" // 20 characters, which nobody may see

// identity is what the ioctl gives of a card with these words and texts.
func identity(model, firmware string, words map[int]uint16) []byte {
	b := make([]byte, 512)
	for n, word := range words {
		binary.NativeEndian.PutUint16(b[2*n:], word)
	}
	copy(b[20:40], ataSerial)
	copy(b[46:54], fmt.Sprintf("%-8s", firmware))
	copy(b[54:94], fmt.Sprintf("%-40s", model))
	return b
}

func mode(n int) *int { return &n }

// The meaning of the words comes from the makers' tables (Transcend, 133X CompactFlash Card, Identify Device; SanDisk,
// CompactFlash Card OEM Product Manual, table 5-8), Linux (include/linux/ata.h) and data/ata_cfa_identify.csv; the
// sizes are made up.
func TestParseATA(t *testing.T) {
	t.Parallel()
	const lba, lba48, cfa = 0x200, 0x4400, 0x4004
	for _, c := range []struct {
		name     string
		identity []byte
		want     register.ATA
	}{
		{"a card with the signature", identity("TS16GCF133", "20110407",
			map[int]uint16{0: 0x848a, 7: 0x01de, 8: 0x4fa0, 49: lba | 0x100, 53: 7, 60: 0x4fa0, 61: 0x01de, 83: cfa,
				88: 0x203f}),
			register.ATA{Model: "TS16GCF133", Firmware: "20110407", CapacityBytes: 0x01de4fa0 * 512, CFA: true, UDMAMax: mode(5),
				UDMASelected: mode(5)}},
		{"one that reports itself as a fixed disk", identity("SanDisk SDCFXP-032G", "HDX 7.08",
			map[int]uint16{0: 0x044a, 49: lba, 53: 7, 60: 0xb800, 61: 0x03b9, 83: cfa, 88: 0x007f}),
			register.ATA{Model: "SanDisk SDCFXP-032G", Firmware: "HDX 7.08", CapacityBytes: 0x03b9b800 * 512, CFA: true,
				UDMAMax: mode(6)}},
		{"Ultra DMA 7, selected", identity("", "", map[int]uint16{0: 0x844a, 53: 4, 88: 0x80ff}),
			register.ATA{CFA: true, UDMAMax: mode(7), UDMASelected: mode(7)}},
		{"Ultra DMA 0 only", identity("", "", map[int]uint16{53: 4, 88: 0x0101}),
			register.ATA{UDMAMax: mode(0), UDMASelected: mode(0)}},
		{"an old card without DMA, by cylinders", identity("HITACHI\x00CV 5.1.1", "Rev 3.00",
			map[int]uint16{0: 0x848a, 1: 0x03d4, 3: 4, 6: 32, 88: 0x3f}),
			register.ATA{Model: "HITACHI CV 5.1.1", Firmware: "Rev 3.00", CapacityBytes: 0x03d4 * 4 * 32 * 512, CFA: true}},
		{"by the current cylinders", identity("", "", map[int]uint16{1: 1, 3: 1, 6: 1, 53: 1, 57: 0xe800, 58: 1}),
			register.ATA{CapacityBytes: 0x1e800 * 512}},
		{"a disk of 48 bits", identity(
			"QEMU HARDDISK", "2.5+", map[int]uint16{0: 0x0040, 49: lba, 60: 0xffff, 61: 0x0fff, 83: 0x7400, 100: 0, 101: 0,
				102: 2}),
			register.ATA{Model: "QEMU HARDDISK", Firmware: "2.5+", CapacityBytes: 2 << 32 * 512}},
		{"sectors of 4096 bytes", identity("", "", map[int]uint16{49: lba, 60: 1000, 106: 0x5000, 117: 2048}),
			register.ATA{CapacityBytes: 4096000}},
		{"sectors of an impossible size", identity("", "", map[int]uint16{49: lba, 60: 1000, 106: 0x5000, 118: 1}),
			register.ATA{}},
		{"more sectors than 48 bits count", identity("", "", map[int]uint16{49: lba, 83: lba48, 103: 1}), register.ATA{}},
		{"word 83 that means nothing", identity("", "", map[int]uint16{83: 0xc004}), register.ATA{}},
		{"nothing", make([]byte, 512), register.ATA{}},
	} {
		got, err := register.ParseATA(c.identity)
		if diff := cmp.Diff(c.want, got); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", c.name, err, diff)
		}
	}
	for _, length := range []int{0, 511, 513} {
		if _, err := register.ParseATA(make([]byte, length)); err == nil {
			t.Errorf("took %d bytes", length)
		}
	}
}

// The signatures of a CompactFlash card are those that data/ata_cfa_identify.csv lists.
func TestEverySignatureOfCompactFlashIsKnown(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../data/ata_cfa_identify.csv")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for line := range strings.Lines(string(text)) {
		var signature uint16
		words := map[int]uint16{}
		if _, err := fmt.Sscanf(line, "0 == 0x%x", &signature); err == nil {
			words[0] = signature
		} else if _, err := fmt.Sscanf(line, "83 & 0xC004 == 0x%x", &signature); err == nil {
			words[83] = signature
		} else {
			continue
		}
		found++
		if a, err := register.ParseATA(identity("", "", words)); err != nil || !a.CFA {
			t.Errorf("%s: %+v, %v", strings.TrimSpace(line), a, err)
		}
	}
	if found != 3 {
		t.Errorf("%d signatures are listed, want 3", found)
	}
}

// No character of the serial number changes the parsed values.
func FuzzATA(f *testing.F) {
	fuzz(f, 1024, func(text string) (any, error) {
		b, err := hex.DecodeString(text)
		if err != nil {
			return nil, err
		}
		a, err := register.ParseATA(b)
		if err != nil {
			return nil, err
		}
		if a.CapacityBytes < 0 || len(a.Model) > 40 || len(a.Firmware) > 8 {
			return nil, fmt.Errorf("read %+v", a)
		}
		other := slices.Clone(b)
		for i := 20; i < 40; i++ {
			other[i] ^= 0x55
		}
		again, err := register.ParseATA(other)
		if x, _ := json.Marshal(a); err == nil {
			if y, _ := json.Marshal(again); string(x) != string(y) {
				err = fmt.Errorf("the serial number makes %s of %s", y, x)
			}
		}
		return a, err
	}, hex.EncodeToString(identity(
		"TS16GCF133", "20110407", map[int]uint16{0: 0x848a, 49: 0x200, 53: 7, 60: 0x4fa0, 61: 0x01de, 83: 0x4004,
			88: 0x203f})))
}
