package device

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"flashdex/result"
)

// Target is the place to measure and its module.
type Target struct {
	Dir        string   // the resolved directory, or the path of a whole device's descriptor; never leaves the machine
	Device     *os.File // the whole device, which nobody else can use until it is closed; nil if the target is a directory
	Filesystem string   // of the directory
	Mkfs       string   // the commands that made and mounted it, if it was made for the test
	RootDisk   bool     // the system runs from the same disk
	Disk       Disk
	Contents   []string // of a whole device, when it was opened: a line for each partition and one for the whole

	shown    *shown // of a whole device
	discards bool   // the file system discards what it frees
}

// Find finds the module below dir. If dir can't be measured or lacks needBytes of space, its error says what to do.
func (k Kernel) Find(dir string, needBytes int64) (Target, error) {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return Target{}, fmt.Errorf("%s doesn't exist; name a directory on the mounted module", dir)
	case err != nil:
		return Target{}, err
	case info.Mode()&os.ModeDevice != 0:
		return Target{}, fmt.Errorf("%s is a device; mount it, and name a directory on it, or test it as a whole with "+
			"--device %s", dir, dir)
	case !info.IsDir():
		return Target{}, fmt.Errorf("%s is not a directory; name a directory on the mounted module", dir)
	}
	dir, err = filepath.Abs(dir)
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		return Target{}, err
	}
	target, mount, err := k.below(dir, info)
	if err != nil {
		return Target{}, err
	}
	if _, readOnly := mount.option("ro"); readOnly {
		return Target{}, fmt.Errorf("%s is mounted read-only; remount it with: mount -o remount,rw %s (on an SD card, look "+
			"at the lock switch)", dir, mount.point)
	}
	const write, search = 2, 1
	if err := syscall.Access(dir, write|search); err != nil {
		return Target{}, fmt.Errorf("%s can't be written to (%w); choose a directory that you own on the module, or run as "+
			"root", dir, err)
	}
	free, err := freeBytes(dir)
	if err != nil {
		return Target{}, fmt.Errorf("%s: %w", dir, err)
	}
	if free < needBytes {
		return Target{}, fmt.Errorf("%s has %d MiB free, and the test needs %d MiB; make room and run it again",
			dir, free>>20, needBytes>>20)
	}
	return target, nil
}

// Holding finds the module that a file is on. The file is only to be read.
func (k Kernel) Holding(file string) (Target, error) {
	file, err := filepath.EvalSymlinks(file)
	if err != nil {
		return Target{}, err
	}
	info, err := os.Stat(file)
	if err != nil {
		return Target{}, err
	}
	target, _, err := k.below(filepath.Dir(file), info)
	return target, err
}

// below finds the mount of the resolved directory dir and the module below it. info describes dir or a file in it.
func (k Kernel) below(dir string, info os.FileInfo) (Target, mount, error) {
	mount, err := k.mountOf(dir)
	if err != nil {
		return Target{}, mount, err
	}
	if reason := mount.unmeasurable(); reason != "" {
		return Target{}, mount, fmt.Errorf("%s is on %s, %s", dir, mount.filesystem, reason)
	}
	if reason := unmeasurableWith(attributes(dir), mount.filesystem); reason != "" {
		return Target{}, mount, fmt.Errorf("%s %s", dir, reason)
	}
	number := deviceNumber(uint64(info.Sys().(*syscall.Stat_t).Dev))
	if strings.HasPrefix(number, "0:") {
		return Target{}, mount, fmt.Errorf("%s is on %s, which is not on a block device; name a directory on the mounted "+
			"module", dir, mount.filesystem)
	}
	target := Target{Dir: dir, Filesystem: Keep(mount.filesystem, lower+Digits+"._-", 20)}
	block, err := k.block(number)
	if err == nil {
		target.Disk, err = descend(block)
	}
	if err != nil {
		return Target{}, mount, fmt.Errorf("%s can't be measured: %w", dir, err)
	}
	_, target.discards = mount.option("discard")
	system, _ := k.systemDisks()
	for _, d := range target.Disk.modules() {
		target.RootDisk = target.RootDisk || slices.Contains(system, d.dir)
	}
	return target, mount, nil
}

// UsedPercent returns how full a directory's file system is, rounded up, or 0 if that isn't known.
func (t Target) UsedPercent() int64 {
	var space syscall.Statfs_t
	if t.Filesystem == "" || syscall.Statfs(t.Dir, &space) != nil || space.Blocks == 0 {
		return 0
	}
	return max(int64((100*(space.Blocks-space.Bfree)+space.Blocks-1)/space.Blocks), 1)
}

// Discards says whether free blocks are discarded: one of result.DiscardsNone …, or "" if that isn't known.
func (t Target) Discards() string {
	switch most := text(t.Disk.dir, "queue/discard_max_bytes"); {
	case most == "":
		return ""
	case most == "0":
		return result.DiscardsNone
	case t.discards:
		return result.DiscardsOn
	}
	return result.DiscardsPossible
}

func freeBytes(dir string) (int64, error) {
	var space syscall.Statfs_t
	err := syscall.Statfs(dir, &space)
	return int64(space.Bavail) * int64(space.Bsize), err
}

// MostFATBytes is the largest file that FAT allows.
const MostFATBytes = 1<<32 - 1

// Room returns the largest size of a test file (half of the free space, and what FAT allows) or of a whole device's
// test area.
func (t Target) Room() int64 {
	if t.Device != nil {
		return t.Disk.SizeBytes - AreaStart(t.Disk.SizeBytes)
	}
	return t.fileRoom(2)
}

// FillRoom is what a fill writes at most: nearly all of the free space, or a whole device.
func (t Target) FillRoom() int64 {
	if t.Device != nil {
		return t.Disk.SizeBytes
	}
	return t.fileRoom(10)
}

// fileRoom returns the largest size of a file that leaves one of so many parts of the free space unused, and that FAT
// allows.
func (t Target) fileRoom(parts int64) int64 {
	free, _ := freeBytes(t.Dir)
	room := free - free/parts
	if t.Filesystem == "vfat" || t.Filesystem == "msdos" {
		room = min(room, MostFATBytes)
	}
	return room
}
