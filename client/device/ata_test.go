package device

import (
	"encoding/binary"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"flashdex/client/looptest"
	"flashdex/result"

	"github.com/google/go-cmp/cmp"
)

func identified(model string, words map[int]uint16) *[512]byte {
	var identity [512]byte
	for n, word := range words {
		binary.NativeEndian.PutUint16(identity[2*n:], word)
	}
	copy(identity[20:], "SECRET-SERIAL-NUMBER")
	copy(identity[46:], "HDX 7.08")
	copy(identity[54:], model)
	return &identity
}

func TestATAIsDescribed(t *testing.T) {
	t.Parallel()
	six, five := 6, 5
	words := map[int]uint16{0: 0x848a, 49: 0x200, 53: 4, 60: 0xb800, 61: 0x03b9, 88: 0x207f}
	want := &result.ATA{Model: "SanDisk [31m SDCFXP-032G?", Firmware: "HDX 7.08", CapacityBytes: 0x03b9b800 * 512,
		CFA: true, UDMAMax: &six, UDMASelected: &five}
	got := describeATA(identified("SanDisk  [31m SDCFXP-032G\x1b", words))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if text, err := json.Marshal(got); err != nil || strings.Contains(string(text), "SERIAL") {
		t.Errorf("%s, %v", text, err)
	}
	// More than a document takes.
	words = map[int]uint16{49: 0x200, 83: 0x4400, 102: 0x8000}
	if got := describeATA(identified("", words)); got == nil || got.CapacityBytes != 0 {
		t.Errorf("%+v", got)
	}
	if got := describeATA(new([512]byte)); got != nil {
		t.Errorf("of nothing: %+v", got)
	}
}

// A disk without an ATA identity, or one that the user may not read, gets none in the document.
func TestATAIsAskedForInVain(t *testing.T) {
	t.Parallel()
	loop := looptest.Attach(t, 1<<20)
	if got := Running.ata(Disk{Name: filepath.Base(loop)}); got != nil {
		t.Errorf("a loop device says %+v", got)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "sda"), make([]byte, 512), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, k := range []Kernel{{}, {Dev: dir}, {Dev: filepath.Join(dir, "none")}} {
		if got := k.ata(Disk{Name: "sda"}); got != nil {
			t.Errorf("%+v says %+v", k, got)
		}
	}
}
