package ingest

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// server is a running `api serve`. A supervisor starts it again whenever it ends by itself.
type server struct {
	site string // http://localhost:port
	dir  string // its data folder

	mu       sync.Mutex
	process  *exec.Cmd
	starts   int
	stopping bool
	gone     chan struct{} // closed when the supervisor has given up
}

// unlimited turns the server's limits off, because all requests of a test come from one address.
var unlimited = []string{"--write-rate=0", "--contributor-rate=0", "--read-rate=0", "--daily-modules=0",
	"--daily-contributors=0", "--daily-megabytes=0"}

// programs tells a command where the site's project, Hugo and the clients are.
var programs = []string{
	"--site", filepath.Join(root, "site"), "--hugo", filepath.Join(root, "bin/hugo"),
	"--clients", filepath.Join(root, "var/clients"),
}

// startServer starts a server that keeps its data in dir, and returns when it answers. The server has its own Postgres
// unless the flags name a database.
func startServer(t testing.TB, dir string, flags ...string) *server {
	t.Helper()
	address := freeAddress(t)
	s := supervised(t, dir, slices.Concat([]string{"serve", "--listen", address, "--data-dir", dir}, unlimited, flags)...)
	s.site = "http://" + address
	t.Cleanup(func() {
		if elsewhere, err := os.Readlink(filepath.Join(dir, "postgres")); err == nil {
			s.stop(t)
			_ = os.RemoveAll(elsewhere) // Postgres' account can't enter the test's folder
		}
	})
	s.ready(t)
	return s
}

// supervised runs a command of bin/api that publishes or serves, and keeps its output in dir.
func supervised(t testing.TB, dir string, args ...string) *server {
	t.Helper()
	return supervisedAs(t, filepath.Join(root, "bin/api"), dir, args...)
}

// supervisedAs is supervised for another build of the server.
func supervisedAs(t testing.TB, program, dir string, args ...string) *server {
	t.Helper()
	s := &server{dir: dir, gone: make(chan struct{})}
	args = slices.Concat(args, []string{"--log-file", filepath.Join(dir, "api.log")}, programs)
	output, err := os.OpenFile(filepath.Join(dir, "output.log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	go s.supervise(program, args, output)
	t.Cleanup(func() {
		s.stop(t)
		if t.Failed() {
			for _, name := range []string{"output.log", "api.log"} {
				text, _ := os.ReadFile(filepath.Join(dir, name))
				t.Logf("the end of %s:\n%s", name, text[max(0, len(text)-4000):])
			}
		}
	})
	return s
}

// supervise starts the server again a quarter of a second after it ended, until stop is called.
func (s *server) supervise(program string, args []string, output *os.File) {
	defer close(s.gone)
	defer output.Close()
	runtime.LockOSThread() // Pdeathsig fires when the thread that started the process ends
	for {
		cmd := exec.Command(program, args...)
		cmd.Stdout, cmd.Stderr = output, output
		cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM}
		s.mu.Lock()
		if s.stopping {
			s.mu.Unlock()
			return
		}
		err := cmd.Start()
		s.process = cmd
		s.starts++
		s.mu.Unlock()
		if err != nil {
			fmt.Fprintf(output, "%v (run make build first)\n", err)
			return
		}
		fmt.Fprintf(output, "supervisor: %v\n", cmd.Wait())
		time.Sleep(250 * time.Millisecond)
	}
}

// pid returns the id of the current process, or 0.
func (s *server) pid() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.process == nil || s.process.Process == nil {
		return 0
	}
	return s.process.Process.Pid
}

func (s *server) signal(signal syscall.Signal) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.process != nil && s.process.Process != nil {
		_ = s.process.Process.Signal(signal) // fails if the process has ended
	}
}

// stop interrupts the server like Ctrl-C, and waits until it is gone.
func (s *server) stop(t testing.TB) {
	s.mu.Lock()
	s.stopping = true
	s.mu.Unlock()
	s.signal(syscall.SIGTERM)
	select {
	case <-s.gone:
	case <-time.After(2 * time.Minute):
		t.Error("the server did not stop within two minutes")
		s.signal(syscall.SIGKILL)
	}
}

// ready waits until the server and its database answer.
func (s *server) ready(t testing.TB) {
	t.Helper()
	eventually(t, "the server answers", func() bool {
		select {
		case <-s.gone:
			t.Fatal("the supervisor gave up")
		default:
		}
		answer, err := http.Get(s.site + "/readyz")
		if err != nil {
			return false
		}
		answer.Body.Close()
		return answer.StatusCode == http.StatusOK
	})
}

// postmaster reads Postgres' process id and the folder of its socket from its data folder.
func (s *server) postmaster() (pid int, socketDir string, err error) {
	text, err := os.ReadFile(filepath.Join(s.dir, "postgres/data/postmaster.pid"))
	if err != nil {
		return 0, "", err
	}
	lines := strings.Split(string(text), "\n")
	if len(lines) < 5 {
		return 0, "", errors.New("postmaster.pid is not complete yet")
	}
	pid, err = strconv.Atoi(lines[0])
	return pid, lines[4], err
}

// postmasterOf returns the process id in a folder of Postgres, or 0 if none runs there.
func postmasterOf(dir string) int {
	s := server{dir: filepath.Dir(dir)}
	pid, _, err := s.postmaster()
	if err != nil || syscall.Kill(pid, 0) != nil {
		return 0
	}
	return pid
}

// database returns the URL of the server's own Postgres.
func (s *server) database(t testing.TB) string {
	t.Helper()
	_, socketDir, err := s.postmaster()
	if err != nil {
		t.Fatal(err)
	}
	return "postgres:///flashdex?user=flashdex&host=" + socketDir
}

// children lists the processes whose parent is pid.
func children(pid int) (found []int) {
	all, _ := filepath.Glob("/proc/[0-9]*")
	for _, dir := range all {
		child, _ := strconv.Atoi(filepath.Base(dir))
		if stat := statOf(child); stat != nil && stat[1] == strconv.Itoa(pid) {
			found = append(found, child)
		}
	}
	return found
}

// stateOf returns the state of a process, such as "T" for a stopped one, or "" if there is no such process.
func stateOf(pid int) string {
	if stat := statOf(pid); stat != nil {
		return stat[0]
	}
	return ""
}

// statOf returns the kernel's fields about a process, from its state and its parent on, or nil if there is no such
// process.
func statOf(pid int) []string {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return nil
	}
	return strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:])) // the name before it may contain anything
}

func freeAddress(t testing.TB) string {
	listener, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}

// eventually checks a condition ten times a second, and fails the test after ten minutes.
func eventually(t testing.TB, what string, true func() bool) {
	t.Helper()
	for start := time.Now(); !true(); time.Sleep(100 * time.Millisecond) {
		if time.Since(start) > 10*time.Minute {
			t.Fatalf("after ten minutes still not: %s", what)
		}
	}
}
