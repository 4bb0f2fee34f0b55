package device

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// Target is a directory to measure in, and the module below it.
type Target struct {
	Dir        string // resolved; never leaves the machine
	Filesystem string
	RootDisk   bool // the system runs from the same disk
	Disk       Disk
}

// Find resolves dir to the module below it. It refuses, with the reason and what to do, a directory that can't be
// measured or that doesn't have needBytes free.
func (k Kernel) Find(dir string, needBytes int64) (Target, error) {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return Target{}, fmt.Errorf("%s doesn't exist; name a directory on the mounted module", dir)
	case err != nil:
		return Target{}, err
	case info.Mode()&os.ModeDevice != 0:
		return Target{}, fmt.Errorf("%s is a device; mount it, and name a directory on it", dir)
	case !info.IsDir():
		return Target{}, fmt.Errorf("%s is not a directory; name a directory on the mounted module", dir)
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return Target{}, err
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return Target{}, err
	}
	mount, err := k.mountOf(dir)
	if err != nil {
		return Target{}, err
	}
	if reason := unmeasurable(mount.filesystem); reason != "" {
		return Target{}, fmt.Errorf("%s lies on %s, %s; name a directory on the mounted module", dir, mount.filesystem, reason)
	}
	major, minor := deviceNumber(info)
	if major == 0 {
		return Target{}, fmt.Errorf("%s lies on %s, which is not on a block device; name a directory on the mounted module", dir, mount.filesystem)
	}
	target := Target{Dir: dir, Filesystem: keep(mount.filesystem, lower+digits+"._-", 20)}
	if target.Disk, err = k.Disk(major, minor); err != nil {
		return Target{}, fmt.Errorf("%s can't be measured: %w", dir, err)
	}
	if root, err := os.Stat("/"); err == nil {
		if disk, err := k.Disk(deviceNumber(root)); err == nil {
			target.RootDisk = disk.dir == target.Disk.dir
		}
	}
	if mount.readOnly {
		return Target{}, fmt.Errorf("%s is mounted read-only; remount it with: mount -o remount,rw %s (an SD card may have its lock switch set)", dir, mount.point)
	}
	const write, search = 2, 1
	if err := syscall.Access(dir, write|search); err != nil {
		return Target{}, fmt.Errorf("%s can't be written to (%w); choose a directory that you own on the module, or run as root", dir, err)
	}
	var space syscall.Statfs_t
	if err := syscall.Statfs(dir, &space); err != nil {
		return Target{}, fmt.Errorf("%s: %w", dir, err)
	}
	if free := int64(space.Bavail) * int64(space.Bsize); free < needBytes {
		return Target{}, fmt.Errorf("%s has %d MiB free, and the test needs %d MiB; make room and run it again", dir, free>>20, needBytes>>20)
	}
	return target, nil
}

func deviceNumber(info os.FileInfo) (major, minor uint32) {
	// The encoding of glibc's gnu_dev_major and gnu_dev_minor; st_dev is 32 bits wide on the MIPS machines.
	dev := uint64(info.Sys().(*syscall.Stat_t).Dev)
	return uint32(dev>>8&0xfff | dev>>32&^0xfff), uint32(dev&0xff | dev>>12&^0xff)
}

// unmeasurable says why the figures of a file system wouldn't be the module's, or "" if they would.
func unmeasurable(filesystem string) string {
	switch {
	case filesystem == "tmpfs" || filesystem == "ramfs" || filesystem == "rootfs":
		return "which is memory, not a module"
	case filesystem == "overlay" || filesystem == "aufs" || filesystem == "unionfs":
		return "which stacks other file systems"
	case strings.HasPrefix(filesystem, "fuse"):
		return "a program between the test and the module, whose own speed would be measured"
	case filesystem == "btrfs" || filesystem == "zfs" || filesystem == "bcachefs" || filesystem == "nilfs2":
		return "which never writes a block in place, so that what the module does isn't what was asked"
	case strings.HasPrefix(filesystem, "nfs") || strings.HasPrefix(filesystem, "smb") ||
		filesystem == "cifs" || filesystem == "9p" || filesystem == "ceph" || filesystem == "virtiofs" || filesystem == "vboxsf":
		return "which is on another computer"
	}
	return ""
}

type mount struct {
	point, filesystem string
	readOnly          bool
}

// mountOf finds the mount that dir, a resolved path, lies on: the longest mount point above it, the latest of equals.
func (k Kernel) mountOf(dir string) (mount, error) {
	data, err := os.ReadFile(filepath.Join(k.Proc, "self/mountinfo"))
	if err != nil {
		return mount{}, fmt.Errorf("/proc must be mounted to find the module: %w", err)
	}
	// Spaces and the like are written in octal (proc_pid_mountinfo(5)).
	unescape := strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`)
	var found mount
	for line := range strings.Lines(string(data)) {
		before, after, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " - ")
		fields, super := strings.Fields(before), strings.Fields(after)
		if !ok || len(fields) < 6 || len(super) < 2 {
			continue
		}
		point := unescape.Replace(fields[4])
		above := point == "/" || dir == point || strings.HasPrefix(dir, point+"/")
		if !above || len(point) < len(found.point) {
			continue
		}
		options := "," + fields[5] + "," + super[len(super)-1] + ","
		found = mount{point: point, filesystem: super[0], readOnly: strings.Contains(options, ",ro,")}
	}
	if found.point == "" {
		return mount{}, fmt.Errorf("%s lies on no mount that /proc/self/mountinfo lists", dir)
	}
	return found, nil
}
