package device_test

import (
	"maps"
	"strings"
	"testing"

	"flashdex/client/device"
	"flashdex/result"

	"github.com/google/go-cmp/cmp"
)

const (
	otherUSB   = "sys/devices/pci0000:00/usb3/3-1/"
	otherStick = otherUSB + "3-1:1.0/host5/target5:0:0/5:0:0:0/block/sdb/"
)

// twoSticks is a quiet machine with a second stick. The sticks' first partitions make a RAID 0, and their second ones a
// striped volume of LVM.
func twoSticks() map[string]string {
	files := quietMachine()
	maps.Copy(files, map[string]string{
		otherUSB + "idVendor": "090c\n", otherUSB + "idProduct": "1000\n", otherUSB + "product": "Another stick\n", otherUSB +
			"serial": "0bad5e01-5ec7\n", otherUSB + "speed": "480\n",
		otherStick + "size": "31250432\n", otherStick + "stat": "9 0 4000 0 9 0 8000 0 0 0 0\n", otherStick +
			"queue/minimum_io_size": "512\n",
		otherStick + "sdb1/partition": "1\n", otherStick + "sdb1/stat": "9 0 1000 0 9 0 2000 0 0 0 0\n",
		otherStick + "sdb2/partition": "2\n", otherStick + "sdb2/stat": "9 0 1000 0 9 0 2000 0 0 0 0\n",
		usbDisk + "stat": "9 0 500 0 9 0 500 0 0 0 0\n", usbDisk + "sda1/partition": "1\n", usbDisk +
			"sda1/stat": "9 0 500 0 9 0 400 0 0 0 0\n",

		"sys/dev/block/9:0": "->" + virtual + "md0", virtual + "md0/size": "60000000\n", virtual +
			"md0/stat": "9 0 1400 0 9 0 2400 0 0 0 0\n",
		virtual + "md0/md/level": "raid0\n", virtual + "md0/md/chunk_size": "524288\n", virtual + "md0/md/degraded": "0\n",
		virtual + "md0/md/sync_action": "idle\n",
		virtual + "md0/slaves/sdb1":    "->" + otherStick + "sdb1", virtual + "md0/slaves/sda1": "->" + usbDisk + "sda1",

		"sys/dev/block/253:3": "->" + virtual + "dm-3", virtual + "dm-3/dm/uuid": "LVM-" + strings.Repeat("x", 64) + "\n",
		virtual + "dm-3/stat":        "9 0 10 0 9 0 20 0 0 0 0\n",
		virtual + "dm-3/slaves/sda1": "->" + usbDisk + "sda1", virtual + "dm-3/slaves/sdb2": "->" + otherStick + "sdb2",
		virtual + "dm-3/queue/minimum_io_size": "65536\n", virtual + "dm-3/queue/optimal_io_size": "131072\n",
	})
	return files
}

func TestSeveralModulesAreAStack(t *testing.T) {
	t.Parallel()
	k := plant(t, twoSticks())
	raid := disk(t, k, 9, 0)
	if raid.Name != "md0" || raid.Stack == nil || raid.Stack.Kind != "raid0" || raid.Stack.ChunkBytes != 512<<10 ||
		raid.SizeBytes != 60000000*512 {
		t.Fatalf("%+v", raid)
	}
	want := []result.Identity{k.Identity(disk(t, k, 8, 1)), {Bus: "usb", SizeBytes: 31250432 * 512,
		USB: &result.USB{VendorID: "090c", ProductID: "1000", Product: "Another stick", SpeedMbitPerS: 480}}}
	shown := k.StackOf(raid)
	if diff := cmp.Diff(&result.Stack{Kind: "raid0", ChunkBytes: 512 << 10, Members: want}, shown); diff != "" {
		t.Error(diff)
	}
	if id := k.Identity(raid); (id != result.Identity{Bus: "stack", SizeBytes: 60000000 * 512}) {
		t.Errorf("%+v", id)
	}
	// The sticks moved this outside of the stack: one 100 sectors, the other 9,000.
	if c, err := raid.Counters(); err != nil || c != (device.Counters{ReadBytes: 1400 * 512, WrittenBytes: 2400 * 512,
		ElsewhereBytes: 9100 * 512}) {
		t.Errorf("%+v, %v", c, err)
	}
	striped := disk(t, k, 253, 3)
	if striped.Stack == nil || striped.Stack.Kind != "striped" || striped.Stack.ChunkBytes != 64<<10 {
		t.Errorf("%+v", striped.Stack)
	}
	secret := []byte("secret")
	tag := k.UnitTag(raid, secret)
	if len(tag) != 32 || tag == k.UnitTag(disk(t, k, 8, 1), secret) || tag != k.UnitTag(striped, secret) {
		t.Errorf("the tag %q is not that of both sticks together", tag)
	}
	// If a module shows no serial number, nobody can say whether it is the same.
	files := twoSticks()
	delete(files, otherUSB+"serial")
	if k := plant(t, files); k.UnitTag(disk(t, k, 9, 0), secret) != "" {
		t.Error("a stack has a tag though one member shows no serial number")
	}
}

func TestLinearVolumesAreNoStripes(t *testing.T) {
	t.Parallel()
	files := twoSticks()
	files[virtual+"dm-3/queue/minimum_io_size"], files[virtual+"dm-3/queue/optimal_io_size"] = "512\n", "0\n"
	k := plant(t, files)
	if d := disk(t, k, 253, 3); d.Stack == nil || d.Stack.Kind != "linear" || d.Stack.ChunkBytes != 0 {
		t.Errorf("%+v", d.Stack)
	}
}

// Devices that are no stack of modules are refused with the reason, and so are stacks that don't work as they should.
func TestStacksThatAreNotMeasured(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		files  map[string]string
		reason string
	}{
		"degraded": {map[string]string{virtual + "md0/md/degraded": "1\n"}, "md0 (sda1, sdb1) lacks a member"},
		"building": {map[string]string{virtual + "md0/md/sync_action": "resync\n"}, "busy with work of its own (resync)"},
		"another level": {map[string]string{virtual + "md0/md/level": "multipath\n"},
			"of an unknown kind (multipath)"},
		"no level": {map[string]string{virtual + "md0/md/level": "\n"}, "of an unknown kind ()"},
		"parts of one": {map[string]string{virtual + "md0/slaves/sdb1": "->" + usbDisk + "sda2", usbDisk +
			"sda2/partition": "2\n"}, "lies on several parts of sda"},
		"encrypted": {map[string]string{virtual + "md0/slaves/sdb1": "->" + virtual + "dm-9", virtual +
			"dm-9/dm/uuid": "CRYPT-LUKS2-x\n",
			virtual + "dm-9/slaves/sdb1": "->" + otherStick + "sdb1"}, "made of parts of LVM or encryption"},
		"of memory": {map[string]string{virtual + "md0/slaves/sdb1": "->" + virtual + "zram0"}, "zram0 is memory"},
		"of a stack": {map[string]string{virtual + "md0/slaves/sdb1": "->" + virtual + "md1", virtual +
			"md1/md/level": "raid1\n", virtual + "md1/slaves/sdb1": "->" + otherStick + "sdb1", virtual +
			"md1/slaves/sdc": "->sys/devices/ata2/block/sdc", "sys/devices/ata2/block/sdc/size": "100\n"},
			"is on another stack, md1"},
		"of one": {map[string]string{virtual + "md0/slaves/sdb1": ""}, "md0 (sda1) is a RAID of one device"},
		"RAID of LVM": {map[string]string{virtual + "dm-3/slaves/sdb2": "->" + virtual + "dm-8", virtual +
			"dm-8/dm/uuid": "LVM-" + strings.Repeat("x", 64) + "\n"}, "dm-3 (sda1, dm-8) is made of parts of LVM"},
	} {
		files := twoSticks()
		for path, content := range c.files {
			if files[path] = content; content == "" {
				delete(files, path)
			}
		}
		major, minor := uint32(9), uint32(0)
		if strings.HasPrefix(c.reason, "dm-3") {
			major, minor = 253, 3
		}
		if _, err := plant(t, files).Disk(major, minor); err == nil || !strings.Contains(err.Error(), c.reason) {
			t.Errorf("%s: %v, want %q", name, err, c.reason)
		}
	}
}

// What spoils a member's figures spoils the stack's.
func TestWatchOfAStack(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ file, content, code string }{
		"errors of a member": {sdaErrs, "0x20\n", result.KernelErrors},
		"a member's link":    {otherUSB + "speed", "12\n", result.BusChanged},
		"swap on a member":   {"proc/swaps", swaps + "/dev/sda1 partition 1000 0 -2\n", result.Swap},
		"log of a member":    {kmsg, "3,2,2,-;sdb: I/O error, dev sdb, sector 5\n", result.KernelErrors},
		"log of the stack":   {kmsg, "3,2,2,-;md0: I/O error\n", result.KernelErrors},
	} {
		k := plant(t, twoSticks())
		if c.file == kmsg {
			c.content = twoSticks()[kmsg] + c.content
		}
		w := k.Watch(disk(t, k, 9, 0))
		write(t, k, c.file, c.content)
		if codes := w.End(); len(codes) != 1 || codes[0] != c.code {
			t.Errorf("%s: %q, want %s", name, codes, c.code)
		}
	}
}
