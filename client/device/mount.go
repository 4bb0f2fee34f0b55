package device

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"unsafe"
)

// mount is a line of the mount table.
type mount struct {
	number     string // major:minor of the mounted device; the major is 0 if it is no block device
	point      string
	filesystem string
	source     string   // such as /dev/sda1, if the file system has one
	options    []string // of the mount and of the file system
}

// unescape undoes the octal escapes in the kernel's tables (proc_pid_mountinfo(5)).
var unescape = strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`)

// mounts reads the mount table, in the order of mounting.
func (k Kernel) mounts() ([]mount, error) {
	data, err := os.ReadFile(filepath.Join(k.Proc, "self/mountinfo"))
	if err != nil {
		return nil, fmt.Errorf("/proc must be mounted to find the module: %w", err)
	}
	var all []mount
	for line := range strings.Lines(string(data)) {
		before, after, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " - ")
		fields, super := strings.Fields(before), strings.Fields(after)
		if !ok || len(fields) < 6 || len(super) < 2 {
			continue
		}
		m := mount{number: fields[2], point: unescape.Replace(fields[4]), filesystem: super[0],
			options: strings.Split(fields[5], ",")}
		if len(super) > 2 {
			m.source = unescape.Replace(super[1])
		}
		m.options = append(m.options, strings.Split(unescape.Replace(super[len(super)-1]), ",")...)
		all = append(all, m)
	}
	return all, nil
}

// mountOf finds the mount that a resolved path is on: the longest mount point above it, and among equals the latest.
func (k Kernel) mountOf(path string) (mount, error) {
	all, err := k.mounts()
	if err != nil {
		return mount{}, err
	}
	var found mount
	for _, m := range all {
		above := m.point == "/" || path == m.point || strings.HasPrefix(path, m.point+"/")
		if above && len(m.point) >= len(found.point) {
			found = m
		}
	}
	if found.point == "" {
		return mount{}, fmt.Errorf("%s is on no mount that /proc/self/mountinfo lists", path)
	}
	return found, nil
}

// option returns the value of the mount option name.
func (m mount) option(name string) (value string, ok bool) {
	for _, option := range m.options {
		if key, value, _ := strings.Cut(option, "="); key == name {
			return value, true
		}
	}
	return "", false
}

// unmeasurable says why the figures of some file systems would not be the module's, and where possible what to do.
var unmeasurable = map[string]string{
	"tmpfs ramfs rootfs": "which is memory, not a module",
	"fuseblk": "a program between the test and the module (such as NTFS-3G), whose own speed would be measured; " +
		"mount it with the kernel's own driver, such as ntfs3 or exfat",
	"fuse":                      "a program between the test and the module, whose own speed would be measured",
	"btrfs zfs bcachefs nilfs2": "which never writes a block in place, so the module does other work than asked for",
	"ecryptfs":                  "which encrypts, so the processor would be measured",
	"ubifs jffs2":               "which compresses, and is on bare flash chips instead of a module",
	"9p virtiofs vboxsf prl_fs": "which the host of this virtual machine provides; run the client on the host",
	"cifs ceph afs nfs smb":     "which is on another computer; run the client there",
}

// unmeasurable says why the figures of the file system would not be the module's. It is "" if they would.
func (m mount) unmeasurable() string {
	kind := m.filesystem
	for _, family := range []string{"fuse", "nfs", "smb"} { // fuse.sshfs, nfs4, smb3
		if strings.HasPrefix(kind, family) && kind != "fuseblk" {
			kind = family
		}
	}
	for kinds, reason := range unmeasurable {
		if slices.Contains(strings.Fields(kinds), kind) {
			return reason
		}
	}
	switch upper, writable := m.option("upperdir"); {
	case kind != "overlay" && kind != "aufs" && kind != "unionfs":
	case writable:
		return "which stacks other file systems; it writes to " + upper + ": name a directory on the mount that this is on"
	default:
		return "which stacks other file systems; name a directory on the mount of one of its layers"
	}
	for _, option := range m.options {
		if strings.HasPrefix(option, "compress") {
			return "which is mounted to compress (" + option + "), so fewer bytes reach the module; mount it without"
		}
	}
	return ""
}

// swaps lists the names in /proc/swaps.
func (k Kernel) swaps() (names []string) {
	for line := range strings.Lines(text(k.Proc, "swaps")) {
		name, _, _ := strings.Cut(line, " ")
		names = append(names, unescape.Replace(name))
	}
	return names
}

// Attributes of a directory that its new files inherit (statx(2)).
const (
	compressed = 0x4
	encrypted  = 0x800
)

// statx is the number of the system call, which package syscall lacks.
var statx = map[string]uintptr{
	"386": 383, "amd64": 332, "arm": 397, "arm64": 291, "loong64": 291, "mips": 4366, "mips64": 5326, "mips64le": 5326,
	"mipsle": 4366, "ppc64le": 383, "riscv64": 291, "s390x": 379,
}

// attributes returns a directory's attributes, or none before Linux 4.11.
func attributes(dir string) uint64 {
	path, err := syscall.BytePtrFromString(dir)
	if err != nil {
		return 0
	}
	var status [256]byte // struct statx
	_, _, errno := syscall.Syscall6(statx[runtime.GOARCH],
		0, uintptr(unsafe.Pointer(path)), 0, 0, uintptr(unsafe.Pointer(&status[0])), 0)
	if errno != 0 {
		return 0
	}
	const attributesAt = 8
	return binary.NativeEndian.Uint64(status[attributesAt:])
}

// unmeasurableWith says why a directory with these attributes can't be measured, and what to do. It is "" if it can.
func unmeasurableWith(attributes uint64, filesystem string) string {
	switch {
	case attributes&encrypted != 0:
		return "is encrypted (fscrypt), so the processor would be measured along with the module; name a directory that isn't"
	case attributes&compressed != 0 && !strings.HasPrefix(filesystem,
		"ext"): // ext has the attribute, but doesn't compress
		return "compresses the files in it, so fewer bytes than were written reach the module; name a directory that " +
			"doesn't, or clear the attribute (chattr -c, or the way it was set on another system)"
	}
	return ""
}
