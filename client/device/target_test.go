package device_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"flashdex/client/device"
	"flashdex/client/looptest"
	"flashdex/result"
)

func TestFindOnARealDisk(t *testing.T) {
	t.Parallel()
	loop := looptest.Mount(t, 16<<20, "")
	target, err := device.Running.Find(loop.Dir, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	if target.Filesystem != "ext4" || "/dev/"+target.Disk.Name != loop.Device || target.Disk.SizeBytes != 16<<20 ||
		target.RootDisk {
		t.Errorf("%+v", target)
	}
	if id := device.Running.Identity(target.Disk); id.Bus != "loop" || id.SCSI != nil || id.USB != nil {
		t.Errorf("identity of a loop device: %+v", id)
	}
	before, err := target.Disk.Counters()
	if err != nil {
		t.Fatal(err)
	}
	if err := exec.Command("dd", "if=/dev/zero", "of="+filepath.Join(loop.Dir, "file"), "bs=1M", "count=4",
		"oflag=direct").Run(); err != nil {
		t.Fatal(err)
	}
	after, err := target.Disk.Counters()
	if err != nil {
		t.Fatal(err)
	}
	if full := target.UsedPercent(); full < 25 || full > 60 || target.Discards() != result.DiscardsPossible {
		t.Errorf("with 4 of 16 MiB written, and metadata, the file system is %d %% full, and discards are %q", full,
			target.Discards())
	}
	discarded := target.Disk.DiscardedBytes()
	if err := exec.Command("fstrim", loop.Dir).Run(); err != nil {
		t.Fatal(err)
	}
	if more := target.Disk.DiscardedBytes() - discarded; more < 4<<20 || more > 12<<20 {
		t.Errorf("fstrim discarded %d bytes", more)
	}
	if written := after.Since(before).WrittenBytes; written < 4<<20 || written > 5<<20 {
		t.Errorf("4 MiB were written, and the counters say %d bytes", written)
	}
}

// A file system may discard what it frees, and a device may take no discards.
func TestDiscards(t *testing.T) {
	t.Parallel()
	loop := looptest.Mount(t, 16<<20, "discard")
	target, err := device.Running.Find(loop.Dir, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	if got := target.Discards(); got != result.DiscardsOn {
		t.Errorf("mounted with discard: %q", got)
	}
	for want, most := range map[string]string{"": "", result.DiscardsNone: "0\n", result.DiscardsPossible: "4194304\n"} {
		k := plant(t, map[string]string{"sys/dev/block/7:0": "->sys/x/loop0", "sys/x/loop0/size": "100\n",
			"sys/x/loop0/queue/discard_max_bytes": most, "sys/x/loop0/stat": "1 0 8 0 1 0 8 0 0 0 0 3 0 40 0"})
		d := disk(t, k, 7, 0)
		if got := (device.Target{Disk: d}).Discards(); got != want || d.DiscardedBytes() != 40*512 {
			t.Errorf("discard_max_bytes %q: %q, want %q; %d bytes discarded", most, got, want, d.DiscardedBytes())
		}
	}
	if whole := (device.Target{}).UsedPercent(); whole != 0 {
		t.Errorf("a whole device is %d %% full", whole)
	}
}

// Every refusal names its reason.
func TestFindRefuses(t *testing.T) {
	t.Parallel()
	loop := looptest.Mount(t, 16<<20, "")
	file := filepath.Join(loop.Dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	readOnly := looptest.Mount(t, 16<<20, "ro")
	cases := []struct{ dir, reason string }{
		{file, "not a directory"},
		{loop.Device, "is a device; mount it"},
		{filepath.Join(loop.Dir, "nothing"), "doesn't exist"},
		{"/dev/shm", "memory"},
		{"/proc", "not on a block device"},
		{readOnly.Dir, "read-only"},
	}
	for _, c := range cases {
		if _, err := device.Running.Find(c.dir, 1<<20); err == nil || !strings.Contains(err.Error(), c.reason) {
			t.Errorf("Find(%s): %v, want %q", c.dir, err, c.reason)
		}
	}
	if _, err := device.Running.Find(loop.Dir, 1<<30); err == nil ||
		!strings.Contains(err.Error(), "MiB free, and the test needs 1024 MiB") {
		t.Errorf("Find with too little room: %v", err)
	}
}

// A planted mount table holds what a machine could have mounted.
func TestFindRefusesFileSystems(t *testing.T) {
	t.Parallel()
	cases := []struct{ mount, reason string }{
		{"0:50 /@ %s rw - btrfs /dev/sda rw", "never writes a block in place"},
		{"0:50 / %s rw - zfs tank rw", "never writes a block in place"},
		{"0:50 / %s rw - bcachefs /dev/sda rw", "never writes a block in place"},
		{"8:1 / %s rw - fuseblk /dev/sda1 rw", "mount it with the kernel's own driver"},
		{"0:51 / %s rw - fuse.sshfs me@there:/x rw", "a program between"},
		{"0:51 / %s rw - overlay overlay rw,lowerdir=/a:/b,upperdir=/overlay/upper,workdir=/w",
			"it writes to /overlay/upper: name a directory"},
		{"0:51 / %s ro - overlay overlay ro,lowerdir=/a:/b", "name a directory on the mount of one of its layers"},
		{"0:52 / %s rw - nfs4 server:/x rw", "another computer"},
		{"0:52 / %s rw - cifs //server/x rw", "another computer"},
		{"0:52 / %s rw - 9p share rw", "the host of this virtual machine"},
		{"0:52 / %s rw - virtiofs share rw", "the host of this virtual machine"},
		{"0:53 / %s rw - tmpfs tmpfs rw", "memory"},
		{"0:54 / %s rw - ubifs ubi0:rootfs rw", "which compresses"},
		{"0:55 / %s rw - ecryptfs /home/.x rw", "encrypts"},
		{"8:1 / %s rw,relatime - f2fs /dev/sda1 rw,compress_algorithm=lz4,compress_extension=*",
			"mounted to compress (compress_algorithm=lz4)"},
		{"8:1 / %s rw - ntfs3 /dev/sda1 rw,compress", "mounted to compress"},
		{"8:1 / %s rw - other /dev/sda1 rw,compress=zstd:3", "mounted to compress (compress=zstd:3)"},
	}
	for _, c := range cases {
		dir := filepath.Join(t.TempDir(), "a card")
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		line := "40 1 " + strings.Replace(c.mount, "%s", strings.ReplaceAll(dir, " ", `\040`), 1)
		k := plant(t, map[string]string{"proc/self/mountinfo": "1 0 8:2 / / rw - ext4 /dev/root rw\n" + line + "\n"})
		if _, err := k.Find(dir, 0); err == nil || !strings.Contains(err.Error(), c.reason) {
			t.Errorf("%s: %v, want %q", c.mount, err, c.reason)
		}
	}
}

func TestStacksAreClimbedDownToOneDisk(t *testing.T) {
	t.Parallel()
	k := plant(t, map[string]string{
		"sys/dev/block/253:0":                       "->" + virtual + "dm-0",
		virtual + "dm-0/slaves/sda2":                "->sys/devices/ata1/block/sda/sda2",
		virtual + "dm-0/dm/uuid":                    "LVM-" + strings.Repeat("x", 64) + "\n",
		"sys/devices/ata1/block/sda/sda2/partition": "2\n",
		"sys/devices/ata1/block/sda/sda2/stat":      "1 0 80 0 1 0 800 0 0 0 0\n",
		"sys/devices/ata1/block/sda/stat":           "1 0 100 0 1 0 1000 0 0 0 0\n",
		"sys/dev/block/253:1":                       "->" + virtual + "dm-1",
		virtual + "dm-1/slaves/sda2":                "->sys/devices/ata1/block/sda/sda2",
		virtual + "dm-1/dm/uuid":                    "CRYPT-LUKS2-x\n",
		"sys/dev/block/253:2":                       "->" + virtual + "dm-2",
		virtual + "dm-2/slaves/dm-1":                "->" + virtual + "dm-1",
		virtual + "dm-2/dm/uuid":                    "LVM-" + strings.Repeat("x", 64) + "\n",
		"sys/dev/block/253:4":                       "->" + virtual + "dm-4",
		virtual + "dm-4/slaves/sda2":                "->sys/devices/ata1/block/sda/sda2",
		virtual + "dm-4/dm/uuid":                    "LVM-" + strings.Repeat("x", 64) + "-tpool\n",
		"sys/dev/block/253:5":                       "->" + virtual + "dm-5",
		virtual + "dm-5/slaves/sda2":                "->sys/devices/ata1/block/sda/sda2",
		virtual + "dm-5/dm/uuid":                    "\n",
		"sys/dev/block/252:0":                       "->" + virtual + "zram0",
		virtual + "zram0/size":                      "100\n",
	})
	d := disk(t, k, 253, 0)
	if d.Name != "sda" || d.Through != "LVM" || k.Identity(d).Bus != "ata" {
		t.Errorf("%+v on %s", d, k.Identity(d).Bus)
	}
	c, err := d.Counters()
	if want := (device.Counters{ReadBytes: 51200, WrittenBytes: 512000, ElsewhereBytes: 220 * 512}); err != nil ||
		c != want {
		t.Errorf("Counters: %+v, %v; want %+v", c, err, want)
	}
	for _, c := range []struct {
		major, minor uint32
		reason       string
	}{
		{253, 1, "dm-1 is encrypted"},
		{253, 2, "dm-1 is encrypted"},
		{253, 4, "thin, cached or snapshot volume"},
		{253, 5, "neither a partition nor a plain LVM volume"},
		{252, 0, "zram0 is memory"},
	} {
		if _, err := k.Disk(c.major, c.minor); err == nil || !strings.Contains(err.Error(), c.reason) {
			t.Errorf("%d:%d: %v, want %q", c.major, c.minor, err, c.reason)
		}
	}
	if _, err := k.Disk(8, 99); err == nil {
		t.Error("a device that isn't there was found")
	}
}

// ext4 and f2fs count what is written to them. If a file system has only a part of the module, its count would miss the
// rest.
func TestFileSystemsCountWhatIsWritten(t *testing.T) {
	t.Parallel()
	loop := looptest.Mount(t, 64<<20, "")
	target, err := device.Running.Find(loop.Dir, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	const wrote = 20 << 20
	before := device.Running.WrittenBytes(&target)
	file, err := os.Create(filepath.Join(loop.Dir, "file"))
	if err == nil {
		_, err = file.Write(make([]byte, wrote))
	}
	if err := errors.Join(err, file.Sync(), file.Close()); err != nil {
		t.Fatal(err)
	}
	if more := device.Running.WrittenBytes(&target) - before; before <= 0 || more < wrote || more > wrote+wrote/4 {
		t.Errorf("%d bytes were written, %d are counted after %d", wrote, more, before)
	}
	for what, of := range map[string]struct {
		filesystem, partBytes, count string
		want                         int64
	}{
		"f2fs":                          {"f2fs", "19000000", "1000", 1024000},
		"ext4":                          {"ext4", "18000000", "1000", 1024000},
		"ext4 beside another":           {"ext4", "17000000", "1000", 0},
		"a kernel that doesn't count":   {"ext4", "19000000", "", 0},
		"a file system that doesn't":    {"vfat", "19000000", "1000", 0},
		"more than any module can take": {"ext4", "19000000", "9223372036854775807", 1 << 60},
	} {
		k := plant(t, map[string]string{"sys/dev/block/179:1": "->sys/x/mmcblk0/mmcblk0p1", "sys/x/mmcblk0/size": "20000000\n",
			"sys/x/mmcblk0/mmcblk0p1/partition": "1\n", "sys/x/mmcblk0/mmcblk0p1/size": of.partBytes + "\n",
			"sys/fs/" + of.filesystem + "/mmcblk0p1/lifetime_write_kbytes": of.count + "\n"})
		target := device.Target{Disk: disk(t, k, 179, 1), Filesystem: of.filesystem}
		if got := k.WrittenBytes(&target); got != of.want {
			t.Errorf("%s: %d bytes, want %d", what, got, of.want)
		}
	}
}
