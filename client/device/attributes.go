package device

import (
	"encoding/binary"
	"runtime"
	"strings"
	"syscall"
	"unsafe"
)

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

// unmeasurableWith says why figures from a directory with these attributes would not be the module's, and what to do.
// It is "" if they would.
func unmeasurableWith(attributes uint64, filesystem string) string {
	switch {
	case attributes&encrypted != 0:
		return "is encrypted (fscrypt), so the processor would be measured along with the module; name a directory that isn't"
	case attributes&compressed != 0 && !strings.HasPrefix(filesystem,
		"ext"): // which has the attribute, but doesn't compress
		return "compresses the files in it, so fewer bytes than were written reach the module; name a directory that " +
			"doesn't, or clear the attribute (chattr -c, or the way it was set on another system)"
	}
	return ""
}
