package device

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// mount is a line of the mount table.
type mount struct {
	number     string // major:minor of what is mounted; the major is 0 if that is no block device
	point      string
	filesystem string
	source     string   // such as /dev/sda1, if the file system has one
	options    []string // of the mount and of the file system
}

// unescape undoes the octal of spaces and the like in the kernel's tables (proc_pid_mountinfo(5)).
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
		m := mount{number: fields[2], point: unescape.Replace(fields[4]), filesystem: super[0], options: strings.Split(fields[5], ",")}
		if len(super) > 2 {
			m.source = unescape.Replace(super[1])
		}
		m.options = append(m.options, strings.Split(unescape.Replace(super[len(super)-1]), ",")...)
		all = append(all, m)
	}
	return all, nil
}

// mountOf finds the mount that path, a resolved one, lies on: the longest mount point above it, the latest of equals.
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
		return mount{}, fmt.Errorf("%s lies on no mount that /proc/self/mountinfo lists", path)
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

// unmeasurable says why the figures of the file system wouldn't be the module's, and where there is one the way out, or
// "" if they would.
func (m mount) unmeasurable() string {
	switch kind := m.filesystem; kind {
	case "tmpfs", "ramfs", "rootfs":
		return "which is memory, not a module"
	case "overlay", "aufs", "unionfs":
		if upper, ok := m.option("upperdir"); ok {
			return "which stacks other file systems; it writes to " + upper + ": name a directory on the mount that this is on"
		}
		return "which stacks other file systems; name a directory on the mount of one of its layers"
	case "fuseblk":
		return "a program between the test and the module (such as NTFS-3G), whose own speed would be measured; " +
			"mount it with the kernel's own driver, such as ntfs3 or exfat"
	case "btrfs", "zfs", "bcachefs", "nilfs2":
		return "which never writes a block in place, so that what the module does isn't what was asked"
	case "ecryptfs":
		return "which encrypts, so that the processor would be measured"
	case "ubifs", "jffs2":
		return "which compresses, and lies on bare flash chips instead of a module"
	case "9p", "virtiofs", "vboxsf", "prl_fs":
		return "which the host of this virtual machine provides; run the client on the host"
	case "cifs", "ceph", "afs":
		return "which is on another computer; run the client there"
	default:
		if strings.HasPrefix(kind, "fuse") {
			return "a program between the test and the module, whose own speed would be measured"
		}
		if strings.HasPrefix(kind, "nfs") || strings.HasPrefix(kind, "smb") {
			return "which is on another computer; run the client there"
		}
	}
	for _, option := range m.options {
		if strings.HasPrefix(option, "compress") {
			return "which is mounted to compress (" + option + "), so that fewer bytes than were asked reach the module; mount it without"
		}
	}
	return ""
}

func (m mount) readOnly() bool {
	_, ok := m.option("ro")
	return ok
}
