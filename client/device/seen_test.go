package device_test

import (
	"maps"
	"path/filepath"
	"testing"

	"flashdex/client/device"

	"github.com/google/go-cmp/cmp"
)

// The list leaves out what can't be a module: an optical drive, an eMMC's boot partition, an empty slot, an internal
// disk.
func TestModulesOfAMachine(t *testing.T) {
	t.Parallel()
	const inside, optical, empty = "sys/devices/ata1/host0/block/sdb/", "sys/devices/ata2/host1/block/sr0/",
		"sys/devices/pci0000:00/usb2/2-1/2-1:1.0/host4/target4:0:0/4:0:0:1/block/sdc/"
	files := maps.Clone(machine)
	maps.Copy(files, map[string]string{
		"sys/block/mmcblk0":             "->" + mmcDisk,
		"sys/block/sda":                 "->" + usbDisk,
		"sys/block/sdb":                 "->" + inside,
		"sys/block/sr0":                 "->" + optical,
		"sys/block/sdc":                 "->" + empty,
		"sys/block/mmcblk0boot0":        "->" + mmc + "block/mmcblk0boot0/",
		inside + "size":                 "4000000\n",
		inside + "removable":            "0\n",
		optical + "size":                "4000000\n",
		optical + "removable":           "1\n",
		empty + "size":                  "0\n",
		empty + "removable":             "1\n",
		mmcDisk + "mmcblk0p2/dev":       "179:2\n",
		usbDisk + "sda1/dev":            "8:1\n",
		mmc + "block/mmcblk0boot0/size": "8192\n",
		"proc/self/mountinfo": "30 1 179:2 / / rw - ext4 /dev/mmcblk0p2 rw\n" +
			"31 1 179:2 /var /srv rw - ext4 /dev/mmcblk0p2 rw\n32 1 8:1 / /mnt/my\\040stick rw - vfat /dev/sda1 rw\n",
	})
	k := plant(t, files)
	type seen struct {
		Disk, Name string
		System     bool
		Points     []string
	}
	var found []seen
	for _, m := range k.Modules() {
		found = append(found, seen{m.Disk.Name, m.Identity.Label(), m.System, m.Points})
	}
	want := []seen{
		{"mmcblk0", "SD card 0x000003 0x5344 SC32G", true, []string{"/"}},
		{"sda", "USB 0781:5583 SanDisk Ultra[31m Fit", false, []string{"/mnt/my stick"}},
	}
	if diff := cmp.Diff(want, found); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if none := (device.Kernel{Sys: filepath.Join(t.TempDir(), "sys")}).Modules(); none != nil {
		t.Errorf("a machine without disks has %v", none)
	}
}
