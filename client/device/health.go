package device

import (
	"fmt"
	"path/filepath"
	"slices"
)

// Module finds the module that the block device at path is, or is a partition of.
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
// (Documentation/driver-api/mmc/mmc-dev-attrs.rst); "" before Linux 4.14 and for an eMMC that tells none.
func (d Disk) Lifetime() (lifeTime, preEOL string) {
	return text(d.dir, "device/life_time"), text(d.dir, "device/pre_eol_info")
}

// Here reports whether the kernel still knows the disk.
func (d Disk) Here() bool { return text(d.dir, "stat") != "" }
