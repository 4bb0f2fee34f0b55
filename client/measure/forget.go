//go:build !mips && !mipsle

package measure

import (
	"runtime"
	"syscall"
)

// fadvise holds the number of the system call and the position of the advice among its arguments. On 32 bits, an offset
// takes two arguments.
var fadvise = map[string]struct {
	call   uintptr
	advice int
}{
	"386": {272, 5}, "amd64": {221, 3}, "arm": {270, 1}, "arm64": {223, 3}, "loong64": {223, 3}, "mips64": {5215, 3},
	"mips64le": {5215, 3},
	"ppc64le":  {233, 3}, "riscv64": {223, 3}, "s390x": {253, 3},
}

// forget drops a file's pages from the page cache, except those that another program has mapped.
func forget(fd uintptr) error {
	arguments := [6]uintptr{fd}
	arguments[fadvise[runtime.GOARCH].advice] = 4 // POSIX_FADV_DONTNEED
	if runtime.GOARCH == "s390x" {
		arguments[3] = 6
	}
	_, _, errno := syscall.Syscall6(fadvise[runtime.GOARCH].call, arguments[0], arguments[1], arguments[2], arguments[3],
		arguments[4], arguments[5])
	if errno != 0 {
		return errno
	}
	return nil
}
