package device

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"flashdex/result"
)

// block finds the directory in /sys of the block device number, "major:minor".
func (k Kernel) block(number string) (string, error) {
	dir, err := filepath.EvalSymlinks(filepath.Join(k.Sys, "dev/block", number))
	if errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("the kernel shows no block device %s in /sys", number)
	}
	return dir, err
}

// deviceNumber splits a device number into "major:minor", as glibc's gnu_dev_major and gnu_dev_minor do.
func deviceNumber(dev uint64) string {
	return fmt.Sprintf("%d:%d", uint32(dev>>8&0xfff|dev>>32&^0xfff), uint32(dev&0xff|dev>>12&^0xff))
}

// named finds the directory in /sys of the block device at path, or "" if it is none. Once links such as
// /dev/mapper/vg-root are followed, the path usually ends in the kernel's name for the device.
func (k Kernel) named(path string) string {
	if !strings.HasPrefix(path, "/dev/") {
		return ""
	}
	if resolved, err := filepath.EvalSymlinks(path); err == nil {
		path = resolved
	}
	if dir, err := filepath.EvalSymlinks(filepath.Join(k.Sys, "class/block", filepath.Base(path))); err == nil {
		return dir
	}
	// Without udev, /dev/mapper/vg-root is no link but a device of its own.
	info, err := os.Stat(path)
	if err != nil || info.Mode()&os.ModeDevice == 0 {
		return ""
	}
	dir, _ := k.block(deviceNumber(uint64(info.Sys().(*syscall.Stat_t).Rdev)))
	return dir
}

// linked lists the devices that a directory of links in /sys (slaves, holders) leads to.
func linked(dir string) []string {
	entries, _ := os.ReadDir(dir)
	var found []string
	for _, entry := range entries {
		if to, err := filepath.EvalSymlinks(filepath.Join(dir, entry.Name())); err == nil {
			found = append(found, to)
		}
	}
	return found
}

func names(dirs []string) string {
	list := make([]string, len(dirs))
	for i, dir := range dirs {
		list[i] = filepath.Base(dir)
	}
	return strings.Join(list, ", ")
}

func isPartition(dir string) bool { return text(dir, "partition") != "" }

// descend goes from a block device down to its whole disk and partition, or to a stack of several disks. Disk.Through
// names the layers between. It fails if the figures would belong to no single module and no known stack.
func descend(dir string) (Disk, error) {
	var through []string
	for part := dir; ; part = dir {
		if isPartition(dir) {
			dir = filepath.Dir(dir)
		}
		below := linked(filepath.Join(dir, "slaves"))
		what, reason := layer(dir)
		switch {
		case reason != "":
			return Disk{}, fmt.Errorf("%s %s", filepath.Base(dir), reason)
		case len(below) > 1 || what == raid:
			stack, err := stackAt(dir, below)
			d := diskAt(dir, part, through)
			d.Stack = stack
			return d, err
		case len(below) == 0:
			return diskAt(dir, part, through), nil
		}
		through = append(through, what)
		dir = below[0]
	}
}

const raid = "RAID"

// layer says what a virtual block device is. The reason says why no module or stack can be measured through it; "" if
// one can.
func layer(dir string) (what, reason string) {
	name, uuid := filepath.Base(dir), text(dir, "dm/uuid")
	is := func(kinds ...string) bool { return slices.Contains(kinds, strings.TrimRight(name, Digits)) }
	switch {
	case is("zram", "ram", "pmem"):
		return "", "is memory, not a module"
	case is("rbd", "drbd"):
		return "", "is on another computer"
	case is("bcache"):
		return "", "is a cache of several devices, so no figure would be one module's"
	case is("md", "md_d", "md_"):
		return raid, ""
	case strings.HasPrefix(uuid, "CRYPT-"):
		return "", "is encrypted, so that the processor would be measured as well; mount the module without encryption"
	case strings.HasPrefix(uuid, "LVM-"):
		// The mapped parts of a thin pool, snapshot or cache carry a suffix after the two identifiers.
		if strings.Contains(strings.TrimPrefix(uuid, "LVM-"), "-") {
			return "", "belongs to a thin, cached or snapshot volume of LVM, which writes to other places than the test asks for"
		}
		return "LVM", ""
	case strings.HasPrefix(uuid, "part"): // of kpartx
		return "a mapped partition", ""
	case is("dm-"):
		return "", "is a mapped device, but neither a partition nor a plain LVM volume; its figures may not be the module's"
	}
	return "", ""
}

// disksBelow lists all whole disks below a block device, through any layers. It lists none if they aren't known.
func (k Kernel) disksBelow(dir string, depth int) []string {
	if depth > deepest {
		return nil
	}
	if isPartition(dir) {
		dir = filepath.Dir(dir)
	}
	if file := text(dir, "loop/backing_file"); file != "" {
		var disks []string
		if below := k.named(file); below != "" {
			disks = k.disksBelow(below, depth+1)
		} else if m, err := k.mountOf(file); err == nil {
			disks = k.disksOf(m, depth+1) // ends at deepest if another mount hides the file's
		}
		if len(disks) == 0 {
			return nil
		}
		return append(disks, dir)
	}
	below := linked(filepath.Join(dir, "slaves"))
	if len(below) == 0 {
		return []string{dir}
	}
	var disks []string
	for _, dir := range below {
		disks = append(disks, k.disksBelow(dir, depth+1)...)
	}
	return disks
}

// deepest limits the layers, so that the search ends if a device refers to itself.
const deepest = 16

// disksOf lists all whole disks that a file system is on, or none if the kernel doesn't show them.
func (k Kernel) disksOf(m mount, depth int) []string {
	if depth > deepest {
		return nil
	}
	if !strings.HasPrefix(m.number, "0:") {
		if dir, err := k.block(m.number); err == nil {
			return k.disksBelow(dir, depth+1)
		}
		return nil
	}
	if m.filesystem == "overlay" {
		var disks []string
		for _, name := range []string{"lowerdir", "upperdir"} {
			layers, _ := m.option(name)
			for layer := range strings.SplitSeq(layers, ":") {
				if below, err := k.mountOf(layer); err == nil && strings.HasPrefix(layer, "/") && below.number != m.number {
					disks = append(disks, k.disksOf(below, depth+1)...)
				}
			}
		}
		return disks
	}
	if dir := k.named(m.source); dir != "" { // btrfs, say
		return k.disksBelow(dir, depth+1)
	}
	return nil
}

// systemDisks lists the disks that the system needs to start. known is false if the kernel doesn't show where / is.
func (k Kernel) systemDisks() (disks []string, known bool) {
	all, err := k.mounts()
	if err != nil {
		return nil, false
	}
	for _, m := range all {
		switch m.point {
		case "/":
			found := k.disksOf(m, 0)
			known = len(found) > 0 // programs see the last of several mounts on /
			disks = append(disks, found...)
		// In a container / shows no disk. Its engine mounts /etc/hosts from where the system keeps containers.
		case "/usr", "/boot", "/boot/efi", "/boot/firmware", "/efi", "/rom", "/overlay", "/etc/hosts":
			disks = append(disks, k.disksOf(m, 0)...)
		}
	}
	return disks, known
}

// Stack is a device made of several modules. Its figures are never a module's.
type Stack struct {
	Kind       string // one that result.StackLabel knows
	ChunkBytes int64  // on one member before the next member's turn; 0: not known, or none
	Members    []Disk // by name; each with the partition that the stack is on
}

// stackAt finds the modules of the stack at dir, in the order of their names. The stack consists of the devices below.
// stackAt fails if there is only one, or if the stack doesn't work as it should. Every user may read all of this in
// /sys.
func stackAt(dir string, below []string) (*Stack, error) {
	stack := &Stack{Kind: text(dir, "md/level"), ChunkBytes: number(dir, "md/chunk_size")}
	action := text(dir, "md/sync_action")
	if text(dir, "dm/uuid") != "" {
		stack.Kind, stack.ChunkBytes = mapped(dir, below)
	}
	reason := ""
	switch {
	case number(dir, "md/degraded") > 0:
		reason = "lacks a member"
	case action != "" && action != "idle" && action != "frozen":
		reason = "is busy with work of its own (" + action + "); wait until /proc/mdstat says that it is done"
	case result.StackLabel(stack.Kind) == "":
		reason = "is of an unknown kind (" + stack.Kind + ")"
	case len(below) == 1:
		reason = "is a RAID of one device, which adds records of its own to the data"
	}
	for _, dir := range below {
		if text(dir, "dm/uuid") != "" {
			reason = "is made of parts of LVM or encryption: LVM's RAID doesn't show its state, mdadm's does"
			continue
		}
		member, err := descend(dir)
		if err != nil {
			return nil, err
		}
		if member.Stack != nil {
			reason = "is on another stack, " + member.Name
		}
		for _, other := range stack.Members {
			if other.dir == member.dir {
				reason = "lies on several parts of " + member.Name + ", so its figures would not be the module's"
			}
		}
		stack.Members = append(stack.Members, member)
	}
	if reason != "" {
		return nil, fmt.Errorf("%s (%s) %s; otherwise mount a module by itself", filepath.Base(dir), names(below), reason)
	}
	return stack, nil
}

// mapped tells a striped LVM volume from a linear one. Only root sees the device mapper's tables, but every user sees
// the preferred request sizes. For stripes, the least is a chunk, and the best is a chunk from each member
// (stripe_io_hints in dm-stripe.c).
func mapped(dir string, below []string) (kind string, chunkBytes int64) {
	least, best := number(dir, "queue/minimum_io_size"), number(dir, "queue/optimal_io_size")
	if best == 0 || best != least*int64(len(below)) {
		return "linear", 0
	}
	return "striped", least
}

// StackOf returns what the kernel shows of a stack, without any serial number, or nil for a single module.
func (k Kernel) StackOf(d Disk) *result.Stack {
	if d.Stack == nil {
		return nil
	}
	stack := &result.Stack{Kind: d.Stack.Kind, ChunkBytes: d.Stack.ChunkBytes}
	for _, member := range d.Stack.Members {
		stack.Members = append(stack.Members, k.Identity(member))
	}
	return stack
}
