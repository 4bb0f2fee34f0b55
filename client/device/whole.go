package device

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// Open opens a whole disk for a test that destroys its data. It refuses everything that isn't a whole disk, is in use,
// is or may be the disk that the system runs from, or has no room for areaBytes in its upper half; its error says what
// to do. Nobody else can mount or open the disk until Target.Device is closed. Open writes nothing.
func (k Kernel) Open(path string, areaBytes int64) (Target, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return Target{}, fmt.Errorf("%s doesn't exist; lsblk lists the disks", path)
	case err != nil:
		return Target{}, err
	case info.IsDir():
		return Target{}, fmt.Errorf("%s is a directory; leave out --device and --erase to test in it without erasing", path)
	case info.Mode()&os.ModeDevice == 0 || info.Mode()&os.ModeCharDevice != 0:
		return Target{}, fmt.Errorf("%s is not a block device; lsblk lists the disks", path)
	}
	number := uint64(info.Sys().(*syscall.Stat_t).Rdev)
	dir, err := k.block(deviceNumber(number))
	if err != nil {
		return Target{}, err
	}
	if err := k.erasable(dir, path, areaBytes); err != nil {
		return Target{}, err
	}
	file, err := exclusive(path)
	if err != nil {
		return Target{}, err
	}
	// The path may have become another device's.
	if held, err := file.Stat(); err != nil || uint64(held.Sys().(*syscall.Stat_t).Rdev) != number {
		file.Close()
		return Target{}, fmt.Errorf("%s changed while it was opened; run it again", path)
	}
	target := Target{
		Dir: fmt.Sprintf("/proc/self/fd/%d", file.Fd()), Device: file, Disk: diskAt(dir, dir, nil),
		shown: k.look(path, dir, number),
	}
	if target.Contents, target.shown.contents, err = target.examine(); err != nil {
		target.Close()
		return Target{}, fmt.Errorf("%s can't be read: %w", path, err)
	}
	return target, nil
}

// exclusive opens a disk so that no mount, swap, LVM, RAID or other program can claim it.
func exclusive(path string) (*os.File, error) {
	fd, err := syscall.Open(path, syscall.O_RDWR|syscall.O_EXCL|syscall.O_CLOEXEC, 0)
	switch {
	case errors.Is(err, syscall.EBUSY):
		return nil, fmt.Errorf("%s is in use: something holds it, or a part of it; end that and run it again", path)
	case errors.Is(err, syscall.EACCES) || errors.Is(err, syscall.EPERM):
		return nil, fmt.Errorf("%s can't be opened for writing (%w); run as root", path, err)
	case errors.Is(err, syscall.EROFS):
		return nil, fmt.Errorf("%s is read-only; on an SD card, look at the lock switch", path)
	case errors.Is(err, syscall.ENOMEDIUM):
		return nil, fmt.Errorf("there is no card in %s", path)
	case err != nil:
		return nil, fmt.Errorf("%s can't be opened: %w", path, err)
	}
	return os.NewFile(uintptr(fd), path), nil
}

// erasable returns an error if the block device dir, which the user named by path, must not be erased.
func (k Kernel) erasable(dir, path string, areaBytes int64) error {
	d := diskAt(dir, dir, nil)
	bus := k.bus(d)
	parent, below := filepath.Base(filepath.Dir(dir)), linked(filepath.Join(dir, "slaves"))
	_, reason := layer(dir)
	system, known := k.systemDisks()
	use := k.use(dir)
	switch {
	case isPartition(dir):
		return fmt.Errorf("%s is a partition of %s, and only whole disks can be tested so: name /dev/%s if you need "+
			"nothing on all of it", path, parent, parent)
	case len(below) > 0:
		return fmt.Errorf("%s is not a disk but lies on %s, through LVM, RAID or encryption, and only whole disks can be "+
			"tested so (measure a stack of several modules in a directory on it)", path, names(below))
	case reason != "":
		return fmt.Errorf("%s %s", path, reason)
	case slices.Contains(system, dir):
		return fmt.Errorf("%s is the disk that the system runs from; take the module to another computer to test it as a "+
			"whole", path)
	case !known && !d.Removable && bus != "sd" && bus != "mmc" && bus != "usb":
		return fmt.Errorf("the kernel doesn't show which disk the system runs from, and %s might be it: it is neither "+
			"removable, nor in a card slot, nor on USB", path)
	case use != "":
		return fmt.Errorf("%s is in use: %s", path, use)
	case text(dir, "ro") == "1":
		return fmt.Errorf("%s is read-only; on an SD card, look at the lock switch", path)
	case d.SizeBytes == 0:
		return fmt.Errorf("there is no card in %s", path)
	case AreaStart(d.SizeBytes)+areaBytes > d.SizeBytes:
		return fmt.Errorf("%s has %d MiB, and the test needs %d MiB in its upper half", path, d.SizeBytes>>20, areaBytes>>20)
	}
	return nil
}

// AreaStart is where a whole disk's test area begins: at half of its size, aligned to 2 MiB like erase blocks.
func AreaStart(sizeBytes int64) int64 {
	const alignment = 2 << 20
	return sizeBytes / 2 / alignment * alignment
}

// use says what uses a disk, a partition or any device on top of them, and how to end that. It is "" if nothing does.
func (k Kernel) use(disk string) string {
	parts := k.above(disk, 0)
	mounts, err := k.mounts()
	if err != nil {
		return err.Error()
	}
	for _, m := range mounts {
		source := k.named(m.source)
		isMounted := func(dir string) bool { return text(dir, "dev") == m.number || dir == source }
		if slices.ContainsFunc(parts, isMounted) {
			return fmt.Sprintf("%s is mounted on %s; unmount it with: umount %s", m.source, m.point, m.point)
		}
	}
	for _, name := range k.swaps() {
		if slices.Contains(parts, k.named(name)) {
			return fmt.Sprintf("%s is swap space; free it with: swapoff %s", name, name)
		}
	}
	for _, dir := range parts {
		if !strings.HasPrefix(dir+"/", disk+"/") {
			return fmt.Sprintf("%s, which lies on it, is a device of LVM, RAID, encryption or the like; remove it first",
				filepath.Base(dir))
		}
	}
	return ""
}

// above lists a block device, its partitions, and all devices on top of them.
func (k Kernel) above(dir string, depth int) []string {
	found := []string{dir}
	if depth > deepest {
		return found
	}
	entries, _ := os.ReadDir(dir)
	for _, entry := range entries {
		if part := filepath.Join(dir, entry.Name()); entry.IsDir() && isPartition(part) {
			found = append(found, k.above(part, depth+1)...)
		}
	}
	for _, holder := range linked(filepath.Join(dir, "holders")) {
		found = append(found, k.above(holder, depth+1)...)
	}
	loops, _ := filepath.Glob(filepath.Join(k.Sys, "block/loop*/loop/backing_file"))
	for _, loop := range loops {
		if k.named(text(loop)) != dir {
			continue
		}
		if above, err := filepath.EvalSymlinks(filepath.Dir(filepath.Dir(loop))); err == nil {
			found = append(found, k.above(above, depth+1)...)
		}
	}
	return found
}
