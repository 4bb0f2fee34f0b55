package main

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"flashdex/client/device"
	"flashdex/client/spool"
	"flashdex/client/verify"
	"flashdex/result"

	"github.com/google/go-cmp/cmp"
)

// stick makes the /sys of a kernel that has a stick with that serial number, and returns the stick.
func stick(t *testing.T, serial string) (device.Kernel, device.Disk) {
	t.Helper()
	root := t.TempDir()
	const port = "sys/devices/usb2/2-1/"
	for name, content := range map[string]string{
		port + "idVendor": "0781\n", port + "idProduct": "5583\n", port + "serial": serial, port +
			"2-1:1.0/block/sda/size": "2\n", "sys/dev/block/none": "",
	} {
		if err := os.MkdirAll(filepath.Join(root, filepath.Dir(name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(root, port, "2-1:1.0/block/sda"),
		filepath.Join(root, "sys/dev/block/8:0")); err != nil {
		t.Fatal(err)
	}
	kernel := device.Kernel{Sys: filepath.Join(root, "sys")}
	disk, err := kernel.Disk(8, 0)
	if err != nil {
		t.Fatal(err)
	}
	return kernel, disk
}

// A finding that tells nothing of the capacity ends what an earlier one said of it.
func TestWhatVerifyFindsIsKept(t *testing.T) {
	t.Setenv("FLASHDEX_DIR", t.TempDir())
	kept, err := spool.Open()
	if err != nil {
		t.Fatal(err)
	}
	key, err := kept.TagKey()
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 11, 21, 23, 30, 0, 0, time.FixedZone("", -3600)) // in UTC it is tomorrow
	kernel, disk := stick(t, "1234\n")
	genuine := verify.Capacity{Kind: verify.Genuine, ClaimedBytes: 1024, RealBytes: 1024}
	whole := &result.Verified{ClaimedBytes: 1024, FoundBytes: 1024, On: "2026-11-22"}
	for _, c := range []struct {
		name  string
		found verify.Capacity
		want  *result.Verified
	}{
		{"single bad blocks", verify.Capacity{Kind: verify.Failing, ClaimedBytes: 1024, RealBytes: 500}, nil},
		{"genuine", genuine, whole},
		{"single bad blocks, then", verify.Capacity{Kind: verify.Failing, ClaimedBytes: 1024, RealBytes: 500}, nil},
		{"genuine again", genuine, whole},
		{"refused writes", verify.Capacity{Kind: verify.Refused, ClaimedBytes: 1024, RealBytes: 500}, nil},
		{"genuine once more", genuine, whole},
		{"slow failures", verify.Capacity{Kind: verify.Stopped, ClaimedBytes: 1024, RealBytes: 500}, nil},
		{"a fake", verify.Capacity{Kind: verify.Limited, ClaimedBytes: 1024, RealBytes: 256},
			&result.Verified{ClaimedBytes: 1024, FoundBytes: 256, On: "2026-11-22"}},
	} {
		if err := keepFound(kernel, disk, c.found, now); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if diff := cmp.Diff(c.want, kept.Verified(kernel.UnitTag(disk, key), 1024)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
	before, _ := filepath.Glob(filepath.Join(kept.Dir, "*"))
	kernel, disk = stick(t, "") // nothing to know it by
	if err := keepFound(kernel, disk, genuine, now); err != nil {
		t.Error(err)
	}
	if after, _ := filepath.Glob(filepath.Join(kept.Dir, "*")); len(after) != len(before) {
		t.Errorf("kept %v, before %v", after, before)
	}
}

// A card in a USB reader isn't taken for the unit that was there before, neither by verify's finding nor by watch.
func TestACardInAReaderIsNoUnit(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		bus, form string
		usb       *result.USB
		want      bool
		one       bool // what verify found goes into its results
	}{
		"a stick":                          {"usb", "usb", &result.USB{}, false, true},
		"a stick or a nameless reader":     {"usb", "", &result.USB{}, false, false},
		"a card in a nameless reader":      {"usb", "microsd", &result.USB{}, true, false},
		"a card in a reader":               {"usb", "", &result.USB{Reader: true}, true, false},
		"a card whose reader passes it on": {"sd", "sd", &result.USB{Reader: true}, false, true},
		"a card in a slot":                 {"sd", "microsd", nil, false, true},
	} {
		doc := result.Document{UnitTag: "tag", Identity: result.Identity{Bus: c.bus, USB: c.usb}}
		doc.Module.Form = c.form
		if got := inReader(&doc); got != c.want || (recognizable(&doc) != nil) != c.want {
			t.Errorf("%s: %v, %v", name, got, recognizable(&doc))
		}
		if got := isOneUnit(&doc); got != c.one {
			t.Errorf("%s: one unit: %v", name, got)
		}
	}
}
