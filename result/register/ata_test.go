package register_test

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"flashdex/result"
	"flashdex/result/register"

	"github.com/google/go-cmp/cmp"
)

const ataSerial = "SECRET20110407AB1234" // 20 characters that nobody may see

// identity is the answer of the ioctl for a card with these words and texts.
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
		want     result.ATA
	}{
		{"a card with the signature", identity("TS16GCF133", "20110407",
			map[int]uint16{0: 0x848a, 7: 0x01de, 8: 0x4fa0, 49: lba | 0x100, 53: 7, 60: 0x4fa0, 61: 0x01de, 83: cfa,
				88: 0x203f}),
			result.ATA{Model: "TS16GCF133", Firmware: "20110407", CapacityBytes: 0x01de4fa0 * 512, CFA: true, UDMAMax: mode(5),
				UDMASelected: mode(5)}},
		{"one that reports itself as a fixed disk", identity("SanDisk SDCFXP-032G", "HDX 7.08",
			map[int]uint16{0: 0x044a, 49: lba, 53: 7, 60: 0xb800, 61: 0x03b9, 83: cfa, 88: 0x007f}),
			result.ATA{Model: "SanDisk SDCFXP-032G", Firmware: "HDX 7.08", CapacityBytes: 0x03b9b800 * 512, CFA: true,
				UDMAMax: mode(6)}},
		{"Ultra DMA 7, selected", identity("", "", map[int]uint16{0: 0x844a, 53: 4, 88: 0x80ff}),
			result.ATA{CFA: true, UDMAMax: mode(7), UDMASelected: mode(7)}},
		{"Ultra DMA 0 only", identity("", "", map[int]uint16{53: 4, 88: 0x0101}),
			result.ATA{UDMAMax: mode(0), UDMASelected: mode(0)}},
		{"an old card without DMA, by cylinders", identity("HITACHI\x00CV 5.1.1", "Rev 3.00",
			map[int]uint16{0: 0x848a, 1: 0x03d4, 3: 4, 6: 32, 88: 0x3f}),
			result.ATA{Model: "HITACHI CV 5.1.1", Firmware: "Rev 3.00", CapacityBytes: 0x03d4 * 4 * 32 * 512, CFA: true}},
		{"by the current cylinders", identity("", "", map[int]uint16{1: 1, 3: 1, 6: 1, 53: 1, 57: 0xe800, 58: 1}),
			result.ATA{CapacityBytes: 0x1e800 * 512}},
		{"a disk of 48 bits", identity(
			"QEMU HARDDISK", "2.5+", map[int]uint16{0: 0x0040, 49: lba, 60: 0xffff, 61: 0x0fff, 83: 0x7400, 100: 0, 101: 0,
				102: 2}),
			result.ATA{Model: "QEMU HARDDISK", Firmware: "2.5+", CapacityBytes: 2 << 32 * 512}},
		{"sectors of 4096 bytes", identity("", "", map[int]uint16{49: lba, 60: 1000, 106: 0x5000, 117: 2048}),
			result.ATA{CapacityBytes: 4096000}},
		{"sectors of an impossible size", identity("", "", map[int]uint16{49: lba, 60: 1000, 106: 0x5000, 118: 1}),
			result.ATA{}},
		{"more sectors than 48 bits count", identity("", "", map[int]uint16{49: lba, 83: lba48, 103: 1}), result.ATA{}},
		{"word 83 that means nothing", identity("", "", map[int]uint16{83: 0xc004}), result.ATA{}},
		{"nothing", make([]byte, 512), result.ATA{}},
	} {
		if diff := cmp.Diff(c.want, register.ParseATA((*[512]byte)(c.identity))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// The known signatures of CompactFlash cards are the ones that data/ata_cfa_identify.csv lists.
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
		if a := register.ParseATA((*[512]byte)(identity("", "", words))); !a.CFA {
			t.Errorf("%s: %+v", strings.TrimSpace(line), a)
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
		if err != nil || len(b) != 512 {
			return nil, errors.New("no identity")
		}
		a := register.ParseATA((*[512]byte)(b))
		if a.CapacityBytes < 0 || len(a.Model) > 40 || len(a.Firmware) > 8 {
			return nil, fmt.Errorf("read %+v", a)
		}
		other := slices.Clone(b)
		for i := 20; i < 40; i++ {
			other[i] ^= 0x55
		}
		if diff := cmp.Diff(a, register.ParseATA((*[512]byte)(other))); diff != "" {
			return a, fmt.Errorf("the serial number makes a difference: %s", diff)
		}
		return a, nil
	}, hex.EncodeToString(identity(
		"TS16GCF133", "20110407", map[int]uint16{0: 0x848a, 49: 0x200, 53: 7, 60: 0x4fa0, 61: 0x01de, 83: 0x4004,
			88: 0x203f})))
}
