//go:build mips || mipsle

package measure

import "syscall"

// forget drops a file's pages from the page cache, except mapped ones. The advice is the seventh argument here.
func forget(fd uintptr) error {
	const dontNeed = 4
	if _, _, errno := syscall.Syscall9(syscall.SYS_FADVISE64, fd, 0, 0, 0, 0, 0, dontNeed, 0, 0); errno != 0 {
		return errno
	}
	return nil
}
