package measure

import (
	"io"
	"syscall"
	"unsafe"
)

// Go's scheduler doesn't know about the system calls of the operations. If it did, it would take the processor away
// from a call of more than 20 µs and return it afterwards, and that time would count as the module's: on a loop device
// it made 4K writes 16 % slower than fio's, and without it they are equal. The price is that the thread can do nothing
// else until the module answers. The client runs at least two threads, so that signals still get through.

// seek moves a file to the place of the next operation. It is not timed.
func seek(fd int, offset int64) error {
	_, err := syscall.Seek(fd, offset, io.SeekStart)
	return err
}

func rawWrite(fd int, block []byte) (int, error) { return raw(syscall.SYS_WRITE, fd, block) }

func rawRead(fd int, block []byte) (int, error) { return raw(syscall.SYS_READ, fd, block) }

func raw(call uintptr, fd int, block []byte) (int, error) {
	n, _, errno := syscall.RawSyscall(call, uintptr(fd), uintptr(unsafe.Pointer(&block[0])), uintptr(len(block)))
	if errno != 0 {
		return 0, errno
	}
	return int(n), nil
}
