package device

import (
	"encoding/binary"
	"runtime"
	"strings"
	"syscall"
	"unsafe"
)

// Attributes that a directory hands down to the files made in it (statx(2)).
const (
	compressed = 0x4
	encrypted  = 0x800
)

// statx is the number of the system call, which package syscall doesn't name.
var statx = map[string]uintptr{
	"386": 383, "amd64": 332, "arm": 397, "arm64": 291, "loong64": 291, "mips": 4366, "mips64": 5326, "mips64le": 5326,
	"mipsle": 4366, "ppc64le": 383, "riscv64": 291, "s390x": 379,
}

// attributes asks for a directory's attributes. Before Linux 4.11 they are not known, and none are set.
func attributes(dir string) uint64 {
	path, err := syscall.BytePtrFromString(dir)
	if err != nil {
		return 0
	}
	var status [256]byte // struct statx
	_, _, errno := syscall.Syscall6(statx[runtime.GOARCH], 0, uintptr(unsafe.Pointer(path)), 0, 0, uintptr(unsafe.Pointer(&status[0])), 0)
	if errno != 0 {
		return 0
	}
	const attributesAt = 8
	return binary.NativeEndian.Uint64(status[attributesAt:])
}

// unmeasurableWith says why figures from a directory with these attributes wouldn't be the module's, and the way out, or
// "" if they would.
func unmeasurableWith(attributes uint64, filesystem string) string {
	switch {
	case attributes&encrypted != 0:
		return "is encrypted (fscrypt), so that the processor would be measured along with the module; name a directory that isn't"
	case attributes&compressed != 0 && !strings.HasPrefix(filesystem, "ext"): // these take the mark, and compress nothing
		return "compresses the files in it, so that fewer bytes than were asked reach the module; name a directory that doesn't, " +
			"or take the mark off (chattr -c, or what set it on another system)"
	}
	return ""
}
