//go:build mips || mipsle

package measure

import "syscall"

// forget has the page cache drop what it holds of a file and no other program has mapped. Here the advice is the seventh argument.
func forget(fd uintptr) error {
	const dontNeed = 4
	if _, _, errno := syscall.Syscall9(syscall.SYS_FADVISE64, fd, 0, 0, 0, 0, 0, dontNeed, 0, 0); errno != 0 {
		return errno
	}
	return nil
}
