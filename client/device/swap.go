package device

import (
	"os"
	"slices"
	"strings"
	"syscall"
)

// swaps lists the names in /proc/swaps.
func (k Kernel) swaps() (names []string) {
	for line := range strings.Lines(text(k.Proc, "swaps")) {
		name, _, _ := strings.Cut(line, " ")
		names = append(names, unescape.Replace(name))
	}
	return names
}

// swapsTo reports whether swap space is on the disk: the disk itself, a partition, a file, or any of these through LVM,
// RAID, encryption or a loop device.
func (k Kernel) swapsTo(d Disk) bool {
	return slices.ContainsFunc(k.swaps(), func(name string) bool {
		dir := k.swapDevice(name)
		return dir != "" && slices.Contains(k.above(d.dir, 0), dir)
	})
}

// swapDevice finds the directory in /sys of the block device that swap space is, or that its file is on, or "".
func (k Kernel) swapDevice(name string) string {
	if dir := k.named(name); dir != "" {
		return dir
	}
	info, err := os.Stat(name)
	if err != nil {
		return ""
	}
	if dir := k.blockOf(uint64(info.Sys().(*syscall.Stat_t).Dev)); dir != "" {
		return dir
	}
	m, _ := k.mountOf(name) // btrfs gives its files a device number of its own
	return k.named(m.source)
}
