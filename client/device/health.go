package device

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"flashdex/client/direct"
)

// Module finds the module at path, which names the block device of the module or of one of its partitions.
func (k Kernel) Module(path string) (Seen, error) {
	dir := k.named(path)
	if dir == "" {
		return Seen{}, fmt.Errorf("%s is no block device; flashdex lists the modules here", path)
	}
	if isPartition(dir) {
		dir = filepath.Dir(dir)
	}
	d := diskAt(dir, dir, nil)
	system, _ := k.systemDisks()
	return Seen{Disk: d, Identity: k.Identity(d), System: slices.Contains(system, dir)}, nil
}

// Lifetime returns an eMMC's life time estimates and pre-EOL information as the kernel shows them, for all to read
// (Documentation/driver-api/mmc/mmc-dev-attrs.rst); "" before Linux 4.14 and for an eMMC that tells none. The kernel
// reads them when it finds the eMMC, and not again (drivers/mmc/core/mmc.c).
func (d Disk) Lifetime() (lifeTime, preEOL string) {
	return text(d.dir, "device/life_time"), text(d.dir, "device/pre_eol_info")
}

// WrittenBytes returns how many bytes a directory's file system counts as written since it was made. ext4 and f2fs
// count them, and every user may read the count (Documentation/ABI/testing/sysfs-fs-ext4 and sysfs-fs-f2fs).
// WrittenBytes returns 0 if the count isn't known. It also returns 0 if more than a tenth of the module is outside the
// file system's partition, since the count would then miss much.
func (k Kernel) WrittenBytes(t *Target) int64 {
	const kibibyte, most = 1 << 10, 1 << 50
	if t.Filesystem != "ext4" && t.Filesystem != "f2fs" || number(t.Disk.part, "size")*sectorBytes < t.Disk.SizeBytes/10*9 {
		return 0
	}
	count := number(k.Sys, "fs", t.Filesystem, filepath.Base(t.Disk.part), "lifetime_write_kbytes")
	return min(count, most) * kibibyte
}

// Here reports whether the kernel still knows the disk, and there is a medium in it: a USB reader stays when its card is
// pulled. The kernel notices that when somebody opens the disk, and then shows a size of 0.
func (d Disk) Here() bool {
	file, err := os.Open(filepath.Join("/dev", d.Name))
	if err == nil {
		file.Close()
	}
	return !direct.Gone(err) && number(d.dir, "size") > 0
}
