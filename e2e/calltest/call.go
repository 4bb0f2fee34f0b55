package calltest

import (
	"fmt"
	"os"
	"strings"
	"syscall"
)

// Call is a call of the kernel that a worker is about to make. It is the kernel's struct seccomp_notif.
type Call struct {
	id         uint64
	pid, flags uint32
	number     int32
	arch       uint32
	ip         uint64
	args       [6]uint64
}

// On tells what the worker is about to do to files below a folder, such as "unlinkat /a/file", or to a connection:
// "read socket" or "write socket". For anything else it returns "".
func (c Call) On(dir string) string {
	leads, _ := os.Readlink(fmt.Sprintf("/proc/%d/fd/%d", c.pid, c.args[0]))
	if strings.HasPrefix(leads, "socket:") && (c.number == syscall.SYS_READ || c.number == syscall.SYS_WRITE) {
		return fmt.Sprintf("%s socket", names[c.number])
	}
	if c.number == syscall.SYS_FCNTL {
		return "" // it only asks something
	}
	path, concerns := strings.CutPrefix(leads, dir)
	memory, err := os.Open(fmt.Sprintf("/proc/%d/mem", c.pid))
	if err != nil {
		return ""
	}
	defer memory.Close()
	if c.number != syscall.SYS_WRITE && c.number != syscall.SYS_PWRITE64 { // else the written data are no path
		for _, at := range c.args[:4] {
			text := make([]byte, 512)
			if at < 1<<16 || at > 1<<62 {
				continue
			}
			n, _ := memory.ReadAt(text, int64(at))
			name, _, found := strings.Cut(string(text[:n]), "\x00")
			if rest, below := strings.CutPrefix(name, dir); found && below {
				path, concerns = path+" "+rest, true
			} else if found && concerns && c.number == syscall.SYS_UNLINKAT {
				path += "/" + name
			}
		}
	}
	if !concerns {
		return ""
	}
	name := names[c.number]
	if name == "" {
		name = fmt.Sprint("call ", c.number)
	}
	return name + " " + strings.TrimSpace(path)
}

var names = map[int32]string{
	syscall.SYS_OPENAT: "openat", syscall.SYS_READ: "read", syscall.SYS_WRITE: "write", syscall.SYS_CLOSE: "close",
	syscall.SYS_PREAD64: "pread64", syscall.SYS_PWRITE64: "pwrite64", syscall.SYS_FSYNC: "fsync",
	syscall.SYS_LINKAT: "linkat", syscall.SYS_UNLINKAT: "unlinkat", syscall.SYS_MKDIRAT: "mkdirat",
	syscall.SYS_RENAMEAT: "renameat", syscall.SYS_SYMLINKAT: "symlinkat", syscall.SYS_FSTAT: "fstat",
	syscall.SYS_GETDENTS64: "getdents64", syscall.SYS_READLINKAT: "readlinkat", syscall.SYS_FCNTL: "fcntl",
	syscall.SYS_LSEEK: "lseek", syscall.SYS_EPOLL_CTL: "epoll_ctl", syscall.SYS_FTRUNCATE: "ftruncate",
}

// NeedsRoom reports whether a full disk can refuse the call.
func (c Call) NeedsRoom() bool {
	switch c.number {
	case syscall.SYS_OPENAT:
		return c.args[2]&syscall.O_CREAT != 0
	case syscall.SYS_WRITE, syscall.SYS_PWRITE64, syscall.SYS_MKDIRAT, syscall.SYS_SYMLINKAT, syscall.SYS_LINKAT,
		syscall.SYS_RENAMEAT, syscall.SYS_FTRUNCATE, syscall.SYS_FSYNC:
		return true
	}
	return false
}

// Changes reports whether the call can change a file, or send something.
func (c Call) Changes() bool { return c.NeedsRoom() || c.number == syscall.SYS_UNLINKAT }
