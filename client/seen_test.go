package main

import (
	"strings"
	"testing"

	"flashdex/client/device"
	"flashdex/result"

	"github.com/google/go-cmp/cmp"
)

// Each of the machine's modules is listed with the command that measures it, as one would type it.
func TestModulesAreListedWithWhatToType(t *testing.T) {
	t.Setenv("HOME", "/home/pi")
	card := result.Identity{Bus: "sd", SizeBytes: 31_914_983_424, SD: &result.Register{Manfid: "0x000003", OEMID: "0x5344",
		Name: "SC32G"}}
	stick := result.Identity{Bus: "usb", SizeBytes: 15_376_318_464, USB: &result.USB{VendorID: "0781", ProductID: "5583",
		Manufacturer: "SanDisk", Product: "Ultra Fit"}}
	modules := []device.Seen{
		{Disk: device.Disk{Name: "mmcblk0"}, Identity: card, System: true, Points: []string{"/", "/boot"}},
		{Disk: device.Disk{Name: "sda"}, Identity: stick, Points: []string{"/mnt/my \x1b[31mstick"}},
		{Disk: device.Disk{Name: "sdb"}, Identity: stick},
	}
	rate := func(d device.Disk) string {
		if d.Name == "sda" {
			return "; 4K random write 161 IOPS on 2026-11-20"
		}
		return ""
	}
	for site, lines := range map[string][]string{
		"": {
			"mmcblk0, SD card 0x000003 0x5344 SC32G, 31.9 GB; the system runs from it",
			"    flashdex /home/pi",
			"sda, USB 0781:5583 SanDisk Ultra Fit, 15.4 GB; 4K random write 161 IOPS on 2026-11-20; mounted on " +
				"/mnt/my [31mstick",
			"    flashdex '/mnt/my [31mstick'",
			"sdb, USB 0781:5583 SanDisk Ultra Fit, 15.4 GB; not mounted. Mount it, and name its directory; or, if you need " +
				"nothing on it:",
			"    flashdex --device /dev/sdb --erase",
			"If a card is in a reader, say which: --vendor NAME --product NAME --capacity 32GB --form microsd",
			"A run takes two to three minutes and asks before it uploads; flashdex help explains.",
		},
		"https://flashdex.example": {
			"mmcblk0, SD card 0x000003 0x5344 SC32G, 31.9 GB; the system runs from it",
			"    curl -fsSL https://flashdex.example/run.sh | sh -s -- /home/pi",
			"A run takes two to three minutes and asks before it uploads; flashdex help explains.",
		},
	} {
		var said strings.Builder
		listed := modules
		if site != "" {
			listed = modules[:1]
		}
		printModules(&said, options{site: site}, listed, rate)
		if diff := cmp.Diff(strings.Join(lines, "\n")+"\n", said.String()); diff != "" {
			t.Errorf("from %q (-want +got)\n%s", site, diff)
		}
	}
}
