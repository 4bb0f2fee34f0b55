package device_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"flashdex/client/device"
	"flashdex/client/looptest"

	"github.com/google/go-cmp/cmp"
)

const mib = 1 << 20

// partitioned is a loop disk of 64 MiB with a partition table and two partitions of 16 MiB.
func partitioned(t *testing.T) (disk, first, second string) {
	t.Helper()
	disk = looptest.Attach(t, 64*mib)
	sector := make([]byte, 512)
	copy(sector[510:], "\x55\xaa")
	for i, start := range []byte{1, 17} { // in MiB; the table counts sectors of 512 bytes
		copy(sector[446+16*i:], []byte{0, 0, 0, 0, 0x83, 0, 0, 0, 0, start << 3, 0, 0, 0, 0x80, 0, 0})
	}
	if err := os.WriteFile(disk, sector, 0o600); err != nil {
		t.Fatal(err)
	}
	return disk, looptest.Partition(t, disk, 1, mib, 16*mib), looptest.Partition(t, disk, 2, 17*mib, 16*mib)
}

func run(t *testing.T, name string, args ...string) {
	t.Helper()
	if said, err := exec.Command(name, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s %v: %v\n%s", name, args, err, said)
	}
}

func mustRefuse(t *testing.T, k device.Kernel, path, reason string) {
	t.Helper()
	target, err := k.Open(path, 16*mib)
	if err == nil {
		target.Device.Close()
	}
	if err == nil || !strings.Contains(err.Error(), reason) {
		t.Errorf("Open(%s): %v, want %q", path, err, reason)
	}
}

func TestOpenHoldsAWholeDisk(t *testing.T) {
	t.Parallel()
	disk, first, second := partitioned(t)
	run(t, "mkfs.ext4", "-q", first)
	run(t, "mkswap", second)
	target, err := device.Running.Open(disk, 16*mib)
	if err != nil {
		t.Fatal(err)
	}
	if "/dev/"+target.Disk.Name != disk || target.Disk.SizeBytes != 64*mib || target.RootDisk {
		t.Errorf("%+v", target)
	}
	name := filepath.Base(disk)
	want := []string{"the whole of it: MBR partition table, 67.1 MB",
		name + "p1: ext2, ext3 or ext4, 16.8 MB", name + "p2: swap, 16.8 MB"}
	if diff := cmp.Diff(want, target.Contents); diff != "" {
		t.Error(diff)
	}
	mustRefuse(t, device.Running, disk, "something holds it")
	if err := syscall.Mount(first, t.TempDir(), "ext4", 0, ""); !errors.Is(err, syscall.EBUSY) {
		t.Errorf("a partition of a disk that is held was mounted: %v", err)
	}
	target.Device.Close()
	target, err = device.Running.Open(disk, 16*mib)
	if err != nil {
		t.Fatalf("it wasn't given back: %v", err)
	}
	target.Device.Close()
}

func TestOpenRefusesWhatIsNoDisk(t *testing.T) {
	t.Parallel()
	disk, first, _ := partitioned(t)
	file := filepath.Join(t.TempDir(), "image")
	if err := os.WriteFile(file, make([]byte, mib), 0o600); err != nil {
		t.Fatal(err)
	}
	mustRefuse(t, device.Running, file, "is not a block device")
	mustRefuse(t, device.Running, "/dev/null", "is not a block device")
	mustRefuse(t, device.Running, t.TempDir(), "is a directory")
	mustRefuse(t, device.Running, "/dev/nothing", "doesn't exist")
	mustRefuse(t, device.Running, first, "is a partition of "+filepath.Base(disk))
	mustRefuse(t, device.Running, looptest.Attach(t, 64*mib, "--read-only"), "is read-only")
	mustRefuse(t, device.Running, looptest.Attach(t, 28*mib), "has 28 MiB, and the test needs 16 MiB in its upper half")
}

func TestOpenRefusesWhatIsUsed(t *testing.T) {
	t.Parallel()
	t.Run("mounted partition", func(t *testing.T) {
		t.Parallel()
		disk, first, _ := partitioned(t)
		run(t, "mkfs.ext4", "-q", first)
		dir := looptest.MountAt(t, first)
		mustRefuse(t, device.Running, disk, first+" is mounted on "+dir+"; unmount it")
	})
	t.Run("mounted whole", func(t *testing.T) {
		t.Parallel()
		disk := looptest.Mount(t, 64*mib, "")
		mustRefuse(t, device.Running, disk.Device, disk.Device+" is mounted on")
	})
	t.Run("swap", func(t *testing.T) {
		t.Parallel()
		disk, _, second := partitioned(t)
		run(t, "mkswap", second)
		run(t, "swapon", second)
		defer run(t, "swapoff", second)
		mustRefuse(t, device.Running, disk, second+" is swap space")
	})
	t.Run("held", func(t *testing.T) {
		t.Parallel()
		disk, first, _ := partitioned(t)
		for _, path := range []string{disk, first} {
			fd, err := syscall.Open(path, syscall.O_RDONLY|syscall.O_EXCL|syscall.O_CLOEXEC, 0)
			if err != nil {
				t.Fatal(err)
			}
			mustRefuse(t, device.Running, disk, "something holds it")
			if err := syscall.Close(fd); err != nil {
				t.Fatal(err)
			}
		}
	})
	t.Run("loop device above", func(t *testing.T) {
		t.Parallel()
		disk, first, _ := partitioned(t)
		above := looptest.Over(t, first)
		mustRefuse(t, device.Running, disk, filepath.Base(above)+", which lies on it, is a device of LVM")
		run(t, "mkfs.ext4", "-q", above)
		looptest.MountAt(t, above)
		mustRefuse(t, device.Running, disk, above+" is mounted on")
	})
}

// The disk that this very system runs from is never opened.
func TestOpenRefusesTheSystemDisk(t *testing.T) {
	t.Parallel()
	k := device.Running
	target, err := k.Find(t.TempDir(), 0)
	if err != nil || !target.RootDisk {
		t.Skipf("the temporary directory is not on the system's disk: %v", err)
	}
	mustRefuse(t, k, "/dev/"+target.Disk.Name, "is the disk that the system runs from")
}

// stacked is a kernel that shows disk, a real loop device, under stacks that this machine can't have.
func stacked(t *testing.T, disk string, files map[string]string) device.Kernel {
	t.Helper()
	number, err := os.ReadFile("/sys/class/block/" + filepath.Base(disk) + "/dev")
	if err != nil {
		t.Fatal(err)
	}
	const sda, sdb, virtual = "sys/devices/ata1/block/sda", "sys/devices/ata2/block/sdb", "sys/devices/virtual/block/"
	all := map[string]string{
		"sys/dev/block/" + strings.TrimSpace(string(number)): "->" + sda,
		sda + "/size": "131072\n", sda + "/dev": "8:0\n",
		sda + "/sda1/partition": "1\n", sda + "/sda1/dev": "8:1\n", "sys/class/block/sda1": "->" + sda + "/sda1",
		sdb + "/size": "131072\n", sdb + "/dev": "8:16\n", "sys/class/block/sdb": "->" + sdb, "sys/dev/block/8:16": "->" +
			sdb,
		virtual + "dm-0/dev": "253:0\n", "sys/dev/block/253:0": "->" + virtual + "dm-0",
		virtual + "md0/dev": "9:0\n", "sys/dev/block/9:0": "->" + virtual + "md0",
		"proc/self/mountinfo": "20 1 8:16 / / rw - ext4 /dev/sdb rw\n",
		"proc/swaps":          "Filename Type Size Used Priority\n",
	}
	for name, content := range files {
		all[name] = content
	}
	return plant(t, all)
}

func TestOpenRefusesStacks(t *testing.T) {
	t.Parallel()
	disk := looptest.Attach(t, 64*mib)
	const sda, sdb, virtual = "sys/devices/ata1/block/sda", "sys/devices/ata2/block/sdb", "sys/devices/virtual/block/"
	const root = "20 1 8:16 / / rw - ext4 /dev/sdb rw\n"
	for name, c := range map[string]struct {
		files  map[string]string
		reason string
	}{
		"held by LVM": {map[string]string{sda + "/sda1/holders/dm-0": "->" + virtual + "dm-0"}, "dm-0, which lies on it"},
		"mounted through LVM upon RAID": {map[string]string{
			sda + "/sda1/holders/md0": "->" + virtual + "md0", virtual + "md0/holders/dm-0": "->" + virtual + "dm-0",
			"proc/self/mountinfo": root + "21 20 253:0 / /srv rw - ext4 /dev/mapper/vg-srv rw\n",
		}, "/dev/mapper/vg-srv is mounted on /srv"},
		"mounted by btrfs": {map[string]string{"proc/self/mountinfo": root +
			"21 20 0:40 / /srv rw - btrfs /dev/sda1 rw\n"}, "/dev/sda1 is mounted on /srv"},
		"swap": {map[string]string{"proc/swaps": "Filename Type Size Used Priority\n/dev/sda1 partition 1 0 " +
			"-2\n"}, "/dev/sda1 is swap space"},
		"lies on others": {map[string]string{sda + "/slaves/sdb": "->" + sdb}, "lies on sdb"},
		"system, through LVM": {map[string]string{virtual + "dm-0/slaves/sda1": "->" + sda + "/sda1",
			"proc/self/mountinfo": "20 1 253:0 / / rw - ext4 /dev/mapper/vg-root rw\n"}, "the system runs from"},
		"system, through overlay": {map[string]string{"sys/dev/block/8:1": "->" + sda + "/sda1",
			"proc/self/mountinfo": "18 1 8:1 / /lower rw - ext4 /dev/sda1 rw\n20 1 0:30 / / rw - overlay overlay " +
				"rw,lowerdir=/lower/a:/lower/b,upperdir=/run/u\n"}, "the system runs from"},
		"start partition": {map[string]string{"sys/dev/block/8:1": "->" + sda + "/sda1", "proc/self/mountinfo": root +
			"21 20 8:1 / /boot rw - vfat /dev/sda1 rw\n"}, "the system runs from"},
		"system, through a loop device": {map[string]string{
			"sys/dev/block/8:1": "->" + sda + "/sda1", "sys/dev/block/7:200": "->" + virtual + "loop200", virtual +
				"loop200/loop/backing_file": "/cdrom/system.squashfs\n",
			"proc/self/mountinfo": "19 20 8:1 / /cdrom ro - iso9660 /dev/sda1 ro\n20 1 7:200 / / ro - squashfs /dev/loop200 " +
				"ro\n",
		}, "the system runs from"},
		"system, through a loop device on a hidden mount": {map[string]string{
			"sys/dev/block/7:200": "->" + virtual + "loop200", virtual + "loop200/loop/backing_file": "/cdrom/system.squashfs\n",
			"proc/self/mountinfo": "20 1 7:200 / / ro - squashfs /dev/loop200 ro\n",
		}, "doesn't show which disk the system runs from"},
		"system, through a container": {map[string]string{"sys/dev/block/8:1": "->" + sda + "/sda1",
			"proc/self/mountinfo": "20 1 0:40 / / rw - overlay overlay rw,lowerdir=/l,upperdir=/u\n" +
				"21 20 8:1 /containers/a/hosts /etc/hosts rw - ext4 /dev/sda1 rw\n"}, "the system runs from"},
		"system from btrfs": {map[string]string{"proc/self/mountinfo": "20 1 0:40 / / rw - btrfs /dev/sda1 rw\n"},
			"the system runs from"},
		"system unknown": {map[string]string{"proc/self/mountinfo": "20 1 0:40 / / rw - overlay overlay " +
			"rw,lowerdir=/l,upperdir=/u\n"}, "doesn't show which disk the system runs from"},
		"no mount table": {map[string]string{"proc/self/mountinfo": ""}, "doesn't show which disk the system runs from"},
		"read-only":      {map[string]string{sda + "/ro": "1\n"}, "is read-only"},
		"empty reader":   {map[string]string{sda + "/size": "0\n"}, "there is no card in"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			mustRefuse(t, stacked(t, disk, c.files), disk, c.reason)
		})
	}
	// A removable disk can be tested even if the kernel doesn't show where the system is, and also without any of these
	// files.
	for _, files := range []map[string]string{nil, {sda + "/removable": "1\n",
		"proc/self/mountinfo": "20 1 0:40 / / rw - overlay overlay rw\n"}} {
		target, err := stacked(t, disk, files).Open(disk, 16*mib)
		if err != nil {
			t.Fatal(err)
		}
		target.Device.Close()
	}
}
