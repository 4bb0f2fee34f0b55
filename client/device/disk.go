package device

import (
	"errors"
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
	Through   string // the layers between file system and disk, such as "LVM"; "" if there are none but a partition

	dir  string // its directory in /sys, resolved
	part string // directory of the partition that the file system is on; dir if it is on the whole disk
}

// Disk finds the whole disk or the stack below the block device major:minor. It goes through layers that leave the
// figures the module's, such as a plain LVM volume on one disk. It refuses all other layers, and unknown kinds of
// stack, with the reason.
func (k Kernel) Disk(major, minor uint32) (Disk, error) {
	dir, err := k.block(fmt.Sprintf("%d:%d", major, minor))
	if err != nil {
		return Disk{}, err
	}
	return descend(dir)
}

// modules returns the disk itself, or the members of the stack.
func (d Disk) modules() []Disk {
	if d.Stack == nil {
		return []Disk{d}
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

// WriteCache is the kind of the disk's volatile cache, "write back" or "write through", or "" before Linux 4.7.
func (d Disk) WriteCache() string {
	if mode := text(d.dir, "queue/write_cache"); mode == "write back" || mode == "write through" {
		return mode
	}
	return ""
}

// DiscardedBytes returns how many bytes were discarded since the kernel found the disk. It returns 0 before Linux 4.18,
// since older kernels don't count them.
func (d Disk) DiscardedBytes() int64 {
	const sectors = 13 // Documentation/block/stat.rst
	if fields := strings.Fields(text(d.dir, "stat")); len(fields) > sectors {
		discarded, _ := strconv.ParseInt(fields[sectors], 10, 64)
		return discarded * sectorBytes
	}
	return 0
}

// BlockBytes is the size of the disk's own blocks, or 0 if it isn't known. Direct I/O must use multiples of it.
func (d Disk) BlockBytes() int64 { return number(d.dir, "queue/logical_block_size") }

// sectorBytes is the unit of the kernel's counters and sizes, whatever the size of the device's own sectors.
const sectorBytes = 512

// Counters are the bytes that a disk has transferred since it appeared.
type Counters struct {
	ReadBytes      int64 `json:"read_bytes"`
	WrittenBytes   int64 `json:"written_bytes"`
	ElsewhereBytes int64 `json:"elsewhere_bytes"` // how much of both was outside the tested partition or stack
}

// Since returns the bytes that were transferred after earlier.
func (c Counters) Since(earlier Counters) Counters {
	return c.Plus(Counters{-earlier.ReadBytes, -earlier.WrittenBytes, -earlier.ElsewhereBytes})
}

// Plus returns the sum of both.
func (c Counters) Plus(other Counters) Counters {
	return Counters{
		c.ReadBytes + other.ReadBytes, c.WrittenBytes + other.WrittenBytes, c.ElsewhereBytes + other.ElsewhereBytes,
	}
}

// Counters reads the kernel's sector counters (Documentation/block/stat.rst). It fails when the disk has gone. For a
// stack it reads the stack's own counters. Copies and checksums that the members write for it are part of its work.
func (d Disk) Counters() (Counters, error) {
	read, written, err := sectors(d.dir)
	c := Counters{ReadBytes: read * sectorBytes, WrittenBytes: written * sectorBytes}
	if err == nil && d.part != d.dir {
		var partRead, partWritten int64
		partRead, partWritten, err = sectors(d.part)
		c.ElsewhereBytes = (read + written - partRead - partWritten) * sectorBytes
	}
	if err != nil {
		return Counters{}, fmt.Errorf("%s has gone: %w", d.Name, err)
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

// UnderWayNS adds up how long each of the disk's operations was under way since the disk appeared. 0 means unknown. The
// kernel counts in milliseconds.
func (d Disk) UnderWayNS() int64 { return d.stat(10) * 1e6 }

// DiscardCount is how many discards the disk has done since it appeared; 0: not known. Kernels count them since 4.18.
func (d Disk) DiscardCount() int64 { return d.stat(11) }

// stat reads a field of the kernel's statistics (Documentation/block/stat.rst), from 0 on.
func (d Disk) stat(field int) (value int64) {
	if fields, err := statistics(d.dir); err == nil && field < len(fields) {
		value, _ = strconv.ParseInt(fields[field], 10, 64)
	}
	return value
}

func statistics(dir string) ([]string, error) {
	data, err := os.ReadFile(filepath.Join(dir, "stat"))
	return strings.Fields(string(data)), err
}

func sectors(dir string) (read, written int64, err error) {
	fields, err := statistics(dir)
	if err != nil {
		return 0, 0, err
	}
	if len(fields) < 7 {
		return 0, 0, fmt.Errorf("%s/stat holds %d fields", dir, len(fields))
	}
	read, err = strconv.ParseInt(fields[2], 10, 64)
	written, writtenErr := strconv.ParseInt(fields[6], 10, 64)
	return read, written, errors.Join(err, writtenErr)
}
