package device

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"syscall"
)

// swapsTo says whether /proc/swaps lists anything on the disk: the disk itself, a partition, a file, or any of these
// through LVM, RAID, encryption or a loop device.
func (k Kernel) swapsTo(d Disk) bool {
	for line := range strings.Lines(text(k.Proc, "swaps")) {
		name, _, _ := strings.Cut(line, " ")
		if dir := k.swapDevice(unescape.Replace(name)); dir != "" && slices.Contains(k.above(d.dir, 0), dir) {
			return true
		}
	}
	return false
}

// swapDevice finds the directory in /sys of the block device that swap space is, or of the one that it lies on as a file;
// "" if there is none.
func (k Kernel) swapDevice(name string) string {
	if dir := k.named(name); dir != "" {
		return dir
	}
	info, err := os.Stat(name)
	if err != nil {
		return ""
	}
	major, minor := numberOf(uint64(info.Sys().(*syscall.Stat_t).Dev))
	if dir, err := k.block(fmt.Sprintf("%d:%d", major, minor)); err == nil {
		return dir
	}
	m, err := k.mountOf(name) // of btrfs, whose files have a device number of their own
	if err != nil {
		return ""
	}
	return k.named(m.source)
}
