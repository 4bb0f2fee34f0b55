// Package e2e tests the whole system: the built programs, a real Postgres, a real block device, a real browser.
package e2e

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// root is the checkout; `make build` has put the programs there.
const root = ".."

// server is a running `api serve` with a Postgres of its own.
type server struct {
	cmd  *exec.Cmd
	site string // http://localhost:port
}

// startServer starts a server on a free port with its data in dir, and returns when it says that it is ready.
func startServer(t testing.TB, dir string) *server {
	t.Helper()
	cmd := exec.Command(filepath.Join(root, "bin/api"), "serve", "--listen", "localhost:0", "--data-dir", dir, "--log-file", filepath.Join(dir, "api.log"),
		"--site", filepath.Join(root, "site"), "--hugo", filepath.Join(root, "bin/hugo"), "--clients", filepath.Join(root, "var/clients"))
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM}
	cmd.Stderr = os.Stderr
	output, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatalf("%v (make build)", err)
	}
	s := &server{cmd: cmd}
	t.Cleanup(func() {
		if cmd.ProcessState == nil {
			s.stop(t)
		}
		if log, err := os.ReadFile(filepath.Join(dir, "api.log")); err == nil && t.Failed() {
			t.Logf("the server's log:\n%s", log)
		}
	})
	lines := bufio.NewScanner(output)
	for lines.Scan() {
		t.Log(lines.Text())
		if _, url, ok := strings.Cut(lines.Text(), "the site       "); ok {
			s.site = strings.TrimSuffix(url, "/")
		}
		if strings.Contains(lines.Text(), "the data set") {
			go func() { _, _ = io.Copy(io.Discard, output) }()
			return s
		}
	}
	t.Fatalf("the server ended before it was ready: %v", cmd.Wait())
	return nil
}

// stop does what Ctrl-C does, and waits until the server is gone.
func (s *server) stop(t testing.TB) {
	t.Helper()
	if err := s.cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Error(err)
	}
	if err := s.cmd.Wait(); err != nil {
		t.Errorf("the server ended with %v", err)
	}
}

// card makes a file system of size bytes on a loop device with direct I/O, and mounts it.
func card(t testing.TB, size int64) (dir string) {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("mounting a loop device takes root: run the tests as root to have this one too")
	}
	image := filepath.Join(t.TempDir(), "card.img")
	if err := os.WriteFile(image, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(image, size); err != nil {
		t.Fatal(err)
	}
	device := strings.TrimSpace(run(t, "losetup", "--find", "--show", "--direct-io=on", image))
	t.Cleanup(func() { run(t, "losetup", "--detach", device) })
	// Everything is written now: what ext4 puts off would be traffic during the test.
	run(t, "mkfs.ext4", "-q", "-E", "lazy_itable_init=0,lazy_journal_init=0", device)
	dir = filepath.Join(t.TempDir(), "card")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	run(t, "mount", device, dir)
	t.Cleanup(func() { run(t, "umount", dir) })
	return dir
}

func run(t testing.TB, program string, args ...string) string {
	t.Helper()
	output, err := exec.Command(program, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %v: %v\n%s", program, args, err, output)
	}
	return string(output)
}

// eventually asks every tenth of a second whether something has come true, and gives up after a minute.
func eventually(t *testing.T, what string, true func() bool) time.Duration {
	t.Helper()
	start := time.Now()
	for !true() {
		if time.Since(start) > time.Minute {
			t.Fatalf("after a minute still not: %s", what)
		}
		time.Sleep(100 * time.Millisecond)
	}
	return time.Since(start)
}
