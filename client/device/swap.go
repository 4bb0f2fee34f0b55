package device

import (
	"os"
	"strconv"
	"strings"
	"syscall"
)

// swapsTo says whether /proc/swaps lists a partition of the disk, or a file on it.
func (k Kernel) swapsTo(d Disk) bool {
	for line := range strings.Lines(text(k.Proc, "swaps")) {
		name, _, _ := strings.Cut(line, " ")
		if below, err := k.diskOfSwap(unescape.Replace(name)); err == nil && below.dir == d.dir {
			return true
		}
	}
	return false
}

func (k Kernel) diskOfSwap(name string) (Disk, error) {
	if node, ok := strings.CutPrefix(name, "/dev/"); ok {
		major, minor, _ := strings.Cut(text(k.Sys, "class/block", node, "dev"), ":")
		first, _ := strconv.ParseUint(major, 10, 32)
		second, _ := strconv.ParseUint(minor, 10, 32)
		return k.Disk(uint32(first), uint32(second))
	}
	info, err := os.Stat(name)
	if err != nil {
		return Disk{}, err
	}
	return k.Disk(numberOf(uint64(info.Sys().(*syscall.Stat_t).Dev)))
}
