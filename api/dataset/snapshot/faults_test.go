package snapshot_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"flashdex/api/catalogue"
	"flashdex/api/dataset/snapshot"
	"flashdex/api/store"
	"flashdex/data"
)

// A worker is a process of its own that updates an archive when it is told to. The kernel asks this process before it
// does anything for a worker (seccomp's user notification), whichever of its threads and libraries wants it. So this
// process counts every operation on the archive's files and on the connection to the database, lets one of them fail,
// or kills the worker in its place. The code that is tested knows nothing of it.
type worker struct {
	t       *testing.T
	dir     string
	process *os.Process
	tell    *os.File
	told    *bufio.Scanner
	asked   *os.File // the kernel's questions
	orders  chan fault
	done    chan []string
	ended   chan struct{}
	stop    func()
}

// fault says what happens to a worker at an operation. The zero fault does nothing.
type fault struct {
	point
	kill   bool
	pause  chan struct{} // not nil: the worker stands still until it is closed
	paused chan struct{} // is closed when it does
	errno  syscall.Errno
	full   bool // from then on nothing more fits on the disk; only operations that need room count
}

// point is an operation of an update, by what it does and how often the update did the same before. Numbers differ from
// run to run: the database's answers come in more or fewer parts, and formats are written at the same time.
type point struct {
	what string // as kindOf tells it, or its beginning
	nth  int    // from 1 on
}

var reNumbers = regexp.MustCompile(`\.pages-\d+|\d+\.\d+`)

// kindOf leaves the numbers out that differ from run to run.
func kindOf(operation string) string { return reNumbers.ReplaceAllString(operation, "N") }

const (
	workerArchive  = "FLASHDEX_TEST_ARCHIVE"
	workerDatabase = "FLASHDEX_TEST_DATABASE"
	workerHolder   = "FLASHDEX_TEST_HOLDER"
)

func TestMain(m *testing.M) {
	if os.Getenv(workerArchive) != "" {
		if err := work(); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// work is the worker's side: each line that it reads is the time of an update.
func work() error {
	ctx := context.Background()
	db, err := store.Open(ctx, os.Getenv(workerDatabase))
	if err != nil {
		return err
	}
	c, err := catalogue.Load(data.FS)
	if err != nil {
		return err
	}
	if err := askBeforehand(); err != nil {
		return err
	}
	fmt.Println("ready")
	for times := bufio.NewScanner(os.Stdin); times.Scan(); {
		now, err := time.Parse(time.RFC3339, times.Text())
		if err != nil {
			return err
		}
		archive := snapshot.New(snapshot.Config{Store: db, Catalogue: c, Dir: os.Getenv(workerArchive),
			Holder: os.Getenv(workerHolder), SiteURL: "https://flashdex.example", Version: "1",
			Log: slog.New(slog.DiscardHandler), Now: func() time.Time { return now }})
		if err := archive.Update(ctx); err != nil {
			fmt.Println(strings.ReplaceAll(err.Error(), "\n", "; "))
		} else {
			fmt.Println("updated")
		}
	}
	return nil
}

// startWorker starts a worker on an archive.
func (b *bench) startWorker(t *testing.T, dir, holder string) *worker {
	t.Helper()
	pair, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	ours, theirs := os.NewFile(uintptr(pair[0]), "ours"), os.NewFile(uintptr(pair[1]), "theirs")
	defer ours.Close()
	command := exec.Command(os.Args[0])
	// The race detector has a process that ends wait for a second. A goroutine that is interrupted repeats its call.
	command.Env = append(os.Environ(), workerArchive+"="+dir, workerDatabase+"="+b.url, workerHolder+"="+holder,
		"GORACE=atexit_sleep_ms=0", "GODEBUG=asyncpreemptoff=1")
	command.ExtraFiles = []*os.File{theirs}
	command.Stderr = os.Stderr
	command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	in, errIn := command.StdinPipe()
	out, errOut := command.StdoutPipe()
	if err := errors.Join(errIn, errOut, command.Start(), theirs.Close()); err != nil {
		t.Fatal(err)
	}
	w := &worker{t: t, dir: dir, process: command.Process, tell: in.(*os.File), told: bufio.NewScanner(out),
		orders: make(chan fault), done: make(chan []string), ended: make(chan struct{})}
	w.stop = sync.OnceFunc(w.end)
	t.Cleanup(w.stop)
	connection, err := net.FileConn(ours)
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	oob := make([]byte, syscall.CmsgSpace(4))
	_, n, _, _, err := connection.(*net.UnixConn).ReadMsgUnix(make([]byte, 1), oob)
	messages, errParse := syscall.ParseSocketControlMessage(oob[:n])
	if err = errors.Join(err, errParse); err != nil || len(messages) == 0 {
		w.told.Scan()
		t.Skipf("the kernel can't ask before it does something: %v %s", err, w.told.Text())
	}
	fds, err := syscall.ParseUnixRights(&messages[0])
	if err != nil {
		t.Fatal(err)
	}
	w.asked = os.NewFile(uintptr(fds[0]), "asked")
	go w.answer()
	if !w.told.Scan() || w.told.Text() != "ready" {
		t.Fatalf("the worker did not start: %s", w.told.Text())
	}
	return w
}

// update has the worker update its archive under a fault. It returns its error, "" if there was none, and its
// operations.
func (w *worker) update(now time.Time, f fault) (failure string, operations []string, killed bool) {
	select {
	case w.orders <- f:
	case <-w.ended:
		return "", nil, true
	}
	fmt.Fprintln(w.tell, now.Format(time.RFC3339))
	if killed = !w.told.Scan(); !killed {
		failure = strings.TrimPrefix(w.told.Text(), "updated")
	}
	select {
	case w.orders <- fault{point: point{nth: -1}}: // enough
		operations = <-w.done
	case operations = <-w.done:
	}
	return failure, operations, killed
}

func (w *worker) end() {
	_ = w.tell.Close()
	_ = w.process.Kill()
	_, _ = w.process.Wait()
	if w.asked != nil {
		<-w.ended
		_ = w.asked.Close()
	}
}

// question is the kernel's struct seccomp_notif.
type question struct {
	id         uint64
	pid, flags uint32
	call       int32
	arch       uint32
	ip         uint64
	args       [6]uint64
}

// answer is its struct seccomp_notif_resp.
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
func (w *worker) answer() {
	defer close(w.ended)
	var operations []string
	var order fault
	counting, count := false, 0
	obey := func() { // the order that waits, if there is one
		select {
		case f := <-w.orders:
			if f.nth < 0 {
				w.done <- operations
				counting = false
			} else {
				order, counting, count, operations = f, true, 0, nil
			}
		default:
		}
	}
	for {
		poll := struct {
			fd             int32
			events, result int16
		}{int32(w.asked.Fd()), 1, 0}
		_, _, _ = syscall.Syscall6(syscall.SYS_PPOLL, uintptr(unsafe.Pointer(&poll)), 1,
			uintptr(unsafe.Pointer(&syscall.Timespec{Nsec: 1e6})), 0, 0, 0)
		obey()
		if poll.result&1 == 0 {
			if poll.result != 0 {
				if counting {
					w.done <- operations
				}
				return
			}
			continue
		}
		var q question
		if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, w.asked.Fd(), receive,
			uintptr(unsafe.Pointer(&q))); errno != 0 {
			continue // whoever asked has died
		}
		// The order comes before the worker is told to begin.
		obey()
		reply := answer{id: q.id, flags: goOn}
		if what := w.operation(&q); counting && what != "" &&
			(!order.full || needsRoom(&q) && !strings.HasSuffix(what, " database")) {
			operations = append(operations, what)
			if order.nth > 0 && strings.HasPrefix(kindOf(what), order.what) {
				count++
			}
			switch hit := order.nth > 0 && count == order.nth; {
			case !hit:
			case order.full: // and nothing fits any more
				order.point = point{nth: 1}
				count = 0
				reply.errno, reply.flags = -int32(order.errno), 0
			case order.kill:
				_ = w.process.Kill()
				continue
			case order.pause != nil:
				order.nth = 0
				close(order.paused)
				<-order.pause
			default:
				order.nth = 0
				reply.errno, reply.flags = -int32(order.errno), 0
			}
		}
		_, _, _ = syscall.Syscall(syscall.SYS_IOCTL, w.asked.Fd(), send, uintptr(unsafe.Pointer(&reply)))
	}
}

// operation tells what the worker is about to do to the archive or to the database; "" if it is something else.
func (w *worker) operation(q *question) string {
	leads, _ := os.Readlink(fmt.Sprintf("/proc/%d/fd/%d", q.pid, q.args[0]))
	if strings.HasPrefix(leads, "socket:") && (q.call == syscall.SYS_READ || q.call == syscall.SYS_WRITE) {
		return fmt.Sprintf("%s database", callNames[q.call])
	}
	if q.call == syscall.SYS_FCNTL {
		return "" // it asks, and nobody minds the answer
	}
	path, concerns := strings.CutPrefix(leads, w.dir)
	memory, err := os.Open(fmt.Sprintf("/proc/%d/mem", q.pid))
	if err != nil {
		return ""
	}
	defer memory.Close()
	if q.call != syscall.SYS_WRITE && q.call != syscall.SYS_PWRITE64 { // else what is written is no path
		for _, at := range q.args[:4] {
			text := make([]byte, 512)
			if at < 1<<16 || at > 1<<62 {
				continue
			}
			n, _ := memory.ReadAt(text, int64(at))
			name, _, found := strings.Cut(string(text[:n]), "\x00")
			if rest, below := strings.CutPrefix(name, w.dir); found && below {
				path, concerns = path+" "+rest, true
			} else if found && concerns && q.call == syscall.SYS_UNLINKAT {
				path += "/" + name
			}
		}
	}
	if !concerns {
		return ""
	}
	name := callNames[q.call]
	if name == "" {
		name = fmt.Sprint("call ", q.call)
	}
	return name + " " + strings.TrimSpace(path)
}

var callNames = map[int32]string{
	syscall.SYS_OPENAT: "openat", syscall.SYS_READ: "read", syscall.SYS_WRITE: "write", syscall.SYS_CLOSE: "close",
	syscall.SYS_PREAD64: "pread64", syscall.SYS_PWRITE64: "pwrite64", syscall.SYS_FSYNC: "fsync",
	syscall.SYS_LINKAT: "linkat", syscall.SYS_UNLINKAT: "unlinkat", syscall.SYS_MKDIRAT: "mkdirat",
	syscall.SYS_RENAMEAT: "renameat", syscall.SYS_SYMLINKAT: "symlinkat", syscall.SYS_FSTAT: "fstat",
	syscall.SYS_GETDENTS64: "getdents64", syscall.SYS_READLINKAT: "readlinkat", syscall.SYS_FCNTL: "fcntl",
	syscall.SYS_LSEEK: "lseek", syscall.SYS_EPOLL_CTL: "epoll_ctl", syscall.SYS_FTRUNCATE: "ftruncate",
}

// needsRoom reports whether a full disk can refuse a call.
func needsRoom(q *question) bool {
	switch q.call {
	case syscall.SYS_OPENAT:
		return q.args[2]&syscall.O_CREAT != 0
	case syscall.SYS_WRITE, syscall.SYS_PWRITE64, syscall.SYS_MKDIRAT, syscall.SYS_SYMLINKAT, syscall.SYS_LINKAT,
		syscall.SYS_RENAMEAT, syscall.SYS_FTRUNCATE, syscall.SYS_FSYNC:
		return true
	}
	return false
}

// askBeforehand has the kernel ask the process at the other end of descriptor 3 before every call of this process but
// those that concern neither files nor connections.
func askBeforehand() error {
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
	// Nothing may come in between: a thread of the runtime that is asked about waits until somebody can answer.
	listener, _, errno := syscall.RawSyscall(number, setModeFilter, flags, uintptr(unsafe.Pointer(&program)))
	if errno == 0 {
		*descriptor = int32(listener)
		_, _, errno = syscall.RawSyscall(syscall.SYS_SENDMSG, 3, uintptr(unsafe.Pointer(&message)), 0)
	}
	if errno != 0 {
		return errno
	}
	return nil
}

// copyArchive makes a copy of an archive that shares its files, which nothing may change.
func copyArchive(t *testing.T, from, to string) {
	t.Helper()
	if err := os.RemoveAll(to); err != nil {
		t.Fatal(err)
	}
	err := filepath.WalkDir(from, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		copied := filepath.Join(to, strings.TrimPrefix(path, from))
		switch {
		case d.IsDir():
			return os.Mkdir(copied, 0o755)
		case d.Type()&os.ModeSymlink != 0:
			leads, err := os.Readlink(path)
			if err != nil {
				return err
			}
			return os.Symlink(leads, copied)
		}
		return os.Link(path, copied)
	})
	if err != nil {
		t.Fatal(err)
	}
}
