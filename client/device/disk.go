package device

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Disk is a whole block device, such as mmcblk0, or a stack of several, such as md0.
type Disk struct {
	Name      string
	SizeBytes int64
	Removable bool
	Stack     *Stack // nil: one module
	Through   string // what lies between the file system and the disk, such as "LVM"; "" if it is nothing but a partition

	dir  string // its directory in /sys, resolved
	part string // of the partition that the file system lies on; dir if it lies on the whole disk
}

// Disk finds the whole disk below the block device major:minor. Partitions and stacks whose figures are still the
// module's, such as a plain LVM volume on one disk, are climbed down; of several disks a known stack is made; the others are refused
// with the reason.
func (k Kernel) Disk(major, minor uint32) (Disk, error) {
	dir, err := k.block(fmt.Sprintf("%d:%d", major, minor))
	if err != nil {
		return Disk{}, err
	}
	return descend(dir)
}

// modules are the disk itself, or the members of the stack.
func (d Disk) modules() []Disk {
	if d.Stack == nil {
		return append([]Disk(nil), d)
	}
	return d.Stack.Members
}

func diskAt(dir, part string, through []string) Disk {
	return Disk{
		Name:      filepath.Base(dir),
		SizeBytes: number(dir, "size") * sectorBytes,
		Removable: text(dir, "removable") == "1",
		Through:   strings.Join(through, " on "),
		dir:       dir,
		part:      part,
	}
}

// WriteCache is the disk's volatile cache as the kernel sees it, "write back" or "write through", or "" on kernels
// before 4.7, which don't say.
func (d Disk) WriteCache() string {
	if mode := text(d.dir, "queue/write_cache"); mode == "write back" || mode == "write through" {
		return mode
	}
	return ""
}

// BlockBytes is the size of the disk's own blocks, which direct I/O must be multiples of; 0 if the kernel doesn't say.
func (d Disk) BlockBytes() int64 { return number(d.dir, "queue/logical_block_size") }

// sectorBytes is the unit of the kernel's counters and sizes, whatever the device's own sectors are.
const sectorBytes = 512

// Counters are the bytes that a disk has transferred since it appeared.
type Counters struct {
	ReadBytes      int64 `json:"read_bytes"`
	WrittenBytes   int64 `json:"written_bytes"`
	ElsewhereBytes int64 `json:"elsewhere_bytes"` // of both: not on the partition under test, or on no part of the stack
}

// Since returns what was transferred after earlier.
func (c Counters) Since(earlier Counters) Counters {
	return Counters{
		ReadBytes:      c.ReadBytes - earlier.ReadBytes,
		WrittenBytes:   c.WrittenBytes - earlier.WrittenBytes,
		ElsewhereBytes: c.ElsewhereBytes - earlier.ElsewhereBytes,
	}
}

// Plus is the sum of both.
func (c Counters) Plus(other Counters) Counters {
	return Counters{
		ReadBytes:      c.ReadBytes + other.ReadBytes,
		WrittenBytes:   c.WrittenBytes + other.WrittenBytes,
		ElsewhereBytes: c.ElsewhereBytes + other.ElsewhereBytes,
	}
}

// Counters reads the kernel's sector counters (Documentation/block/stat.rst). Of a stack they are its own: what its members transfer for that,
// copies and checksums, is part of what it does. It fails when the disk has gone.
func (d Disk) Counters() (Counters, error) {
	read, written, err := sectors(d.dir)
	if err != nil {
		return Counters{}, fmt.Errorf("%s has gone: %w", d.Name, err)
	}
	c := Counters{ReadBytes: read * sectorBytes, WrittenBytes: written * sectorBytes}
	if d.part != d.dir {
		partRead, partWritten, err := sectors(d.part)
		if err != nil {
			return Counters{}, fmt.Errorf("%s has gone: %w", d.Name, err)
		}
		c.ElsewhereBytes = (read + written - partRead - partWritten) * sectorBytes
	}
	if d.Stack == nil {
		return c, nil
	}
	for _, member := range d.Stack.Members {
		own, err := member.Counters()
		if err != nil {
			return Counters{}, err
		}
		c.ElsewhereBytes += own.ElsewhereBytes
	}
	return c, nil
}

func sectors(dir string) (read, written int64, err error) {
	data, err := os.ReadFile(filepath.Join(dir, "stat"))
	if err != nil {
		return 0, 0, err
	}
	fields := strings.Fields(string(data))
	if len(fields) < 7 {
		return 0, 0, fmt.Errorf("%s/stat holds %d fields", dir, len(fields))
	}
	if read, err = strconv.ParseInt(fields[2], 10, 64); err != nil {
		return 0, 0, err
	}
	written, err = strconv.ParseInt(fields[6], 10, 64)
	return read, written, err
}
