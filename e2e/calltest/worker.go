// Package calltest starts worker processes that can fail at any system call. The kernel asks the test before it does
// anything for a worker (seccomp's user notification), whichever of its threads and libraries calls. So the test counts
// calls, lets one fail, or kills the worker instead. The tested code doesn't know.
package calltest

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"syscall"
	"testing"
	"unsafe"
)

// Worker is a process that was started with Start.
type Worker struct {
	In   io.Writer
	Out  *bufio.Scanner
	Stop func() // kills it

	process *os.Process
	asked   *os.File // the kernel's questions
	decide  func(Call) Decision
	ended   chan struct{}
}

// Decision says what happens to a call. The zero Decision lets it through.
type Decision struct {
	Errno syscall.Errno // the call fails, and nothing happens
	Kill  bool          // the worker dies before the call
}

const (
	worker = "FLASHDEX_TEST_WORKER"
	ready  = "ready"
)

// Start starts the test's own program again, with more in its environment, until the test ends. The program must call
// Ask. Each of its calls after that waits for decide. Start skips the test if the kernel can't ask.
func Start(t *testing.T, environment []string, decide func(Call) Decision) *Worker {
	t.Helper()
	pair, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	ours, theirs := os.NewFile(uintptr(pair[0]), "ours"), os.NewFile(uintptr(pair[1]), "theirs")
	defer ours.Close()
	command := exec.Command(os.Args[0])
	// The race detector makes a process wait for a second before it ends. An interrupted goroutine repeats its call.
	command.Env = append(append(os.Environ(), environment...), worker+"=1",
		"GORACE=atexit_sleep_ms=0", "GODEBUG=asyncpreemptoff=1")
	command.ExtraFiles = []*os.File{theirs}
	command.Stderr = os.Stderr
	command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	in, errIn := command.StdinPipe()
	out, errOut := command.StdoutPipe()
	if err := errors.Join(errIn, errOut, command.Start(), theirs.Close()); err != nil {
		t.Fatal(err)
	}
	w := &Worker{In: in, Out: bufio.NewScanner(out), process: command.Process, decide: decide,
		ended: make(chan struct{})}
	w.Stop = sync.OnceFunc(func() {
		_ = in.Close()
		_ = w.process.Kill()
		_, _ = w.process.Wait()
		if w.asked != nil {
			<-w.ended
			_ = w.asked.Close()
		}
	})
	t.Cleanup(w.Stop)
	connection, err := net.FileConn(ours)
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	oob := make([]byte, syscall.CmsgSpace(4))
	_, n, _, _, err := connection.(*net.UnixConn).ReadMsgUnix(make([]byte, 1), oob)
	messages, errParse := syscall.ParseSocketControlMessage(oob[:n])
	if err = errors.Join(err, errParse); err != nil || len(messages) == 0 {
		w.Out.Scan()
		t.Skipf("the kernel can't ask before it does something: %v %s", err, w.Out.Text())
	}
	fds, err := syscall.ParseUnixRights(&messages[0])
	if err != nil {
		t.Fatal(err)
	}
	w.asked = os.NewFile(uintptr(fds[0]), "asked")
	go w.answer()
	if !w.Out.Scan() || w.Out.Text() != ready {
		t.Fatalf("the worker did not start: %s", w.Out.Text())
	}
	return w
}

// answer is the kernel's struct seccomp_notif_resp.
type answer struct {
	id    uint64
	value int64
	errno int32
	flags uint32
}

const (
	receive = 0xC0502100 // SECCOMP_IOCTL_NOTIF_RECV
	send    = 0xC0182101 // SECCOMP_IOCTL_NOTIF_SEND
	goOn    = 1          // SECCOMP_USER_NOTIF_FLAG_CONTINUE
)

// answer answers the kernel's questions until the worker has ended.
func (w *Worker) answer() {
	defer close(w.ended)
	for {
		poll := struct {
			fd             int32
			events, result int16
		}{int32(w.asked.Fd()), 1, 0}
		_, _, _ = syscall.Syscall6(syscall.SYS_PPOLL, uintptr(unsafe.Pointer(&poll)), 1, 0, 0, 0, 0)
		if poll.result&1 == 0 {
			if poll.result != 0 {
				return
			}
			continue
		}
		var c Call
		if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, w.asked.Fd(), receive,
			uintptr(unsafe.Pointer(&c))); errno != 0 {
			continue // the process that asked has died
		}
		decision, reply := w.decide(c), answer{id: c.id, flags: goOn}
		if decision.Kill {
			_ = w.process.Kill()
			continue
		}
		if decision.Errno != 0 {
			reply.errno, reply.flags = -int32(decision.Errno), 0
		}
		_, _, _ = syscall.Syscall(syscall.SYS_IOCTL, w.asked.Fd(), send, uintptr(unsafe.Pointer(&reply)))
	}
}

// Ask makes the kernel ask the test that started this process before each of its calls, except calls that concern
// neither files nor connections. It tells the test so. In a process that no test started with Start, it does nothing.
func Ask() error {
	if os.Getenv(worker) == "" {
		return nil
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	const (
		load, jump, ret  = 0x20, 0x15, 0x06
		ask, allow       = 0x7fc00000, 0x7fff0000
		setModeFilter    = 1
		flags            = 1 | 8 | 16 | 32 // all threads, a listener, its errors, and no interruptions while it answers
		setNoNewPrivs    = 38
		seccompAMD, rest = 317, 277
	)
	filter := []syscall.SockFilter{{Code: load}}
	for _, call := range []uint32{
		syscall.SYS_FUTEX, syscall.SYS_EPOLL_PWAIT, syscall.SYS_NANOSLEEP, syscall.SYS_MMAP, syscall.SYS_MUNMAP,
		syscall.SYS_MADVISE, syscall.SYS_MPROTECT, syscall.SYS_SCHED_YIELD, syscall.SYS_GETPID, syscall.SYS_GETTID,
		syscall.SYS_TGKILL, syscall.SYS_RT_SIGRETURN, syscall.SYS_RT_SIGPROCMASK, syscall.SYS_SIGALTSTACK,
		syscall.SYS_CLONE, syscall.SYS_EXIT, syscall.SYS_EXIT_GROUP, syscall.SYS_SENDMSG,
	} {
		filter = append(filter, syscall.SockFilter{Code: jump, Jf: 1, K: call}, syscall.SockFilter{Code: ret, K: allow})
	}
	filter = append(filter, syscall.SockFilter{Code: ret, K: ask})
	if _, _, errno := syscall.Syscall6(syscall.SYS_PRCTL, setNoNewPrivs, 1, 0, 0, 0, 0); errno != 0 {
		return errno
	}
	number := uintptr(rest)
	if runtime.GOARCH == "amd64" {
		number = seccompAMD
	}
	program := syscall.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	rights, text := syscall.UnixRights(0), byte(0)
	descriptor := (*int32)(unsafe.Pointer(&rights[syscall.CmsgLen(0)]))
	part := syscall.Iovec{Base: &text, Len: 1}
	message := syscall.Msghdr{Iov: &part, Iovlen: 1, Control: &rights[0], Controllen: uint64(len(rights))}
	// Nothing may come in between. If the kernel asks about a thread of the runtime, that thread waits until somebody
	// can answer.
	listener, _, errno := syscall.RawSyscall(number, setModeFilter, flags, uintptr(unsafe.Pointer(&program)))
	if errno == 0 {
		*descriptor = int32(listener)
		_, _, errno = syscall.RawSyscall(syscall.SYS_SENDMSG, 3, uintptr(unsafe.Pointer(&message)), 0)
	}
	if errno != 0 {
		return errno
	}
	fmt.Println(ready)
	return nil
}
