// Package e2e tests the whole system: the built programs, a real Postgres, a real block device, a real browser.
package e2e

import (
	"bufio"
	"io"
	"net/url"
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

// server is a running `api serve` with its own Postgres.
type server struct {
	cmd      *exec.Cmd
	site     string // http://localhost:port
	database string // URL
}

// startServer starts a server on a free port with its data in dir, and returns when the server says that it is ready.
func startServer(t testing.TB, dir string) *server {
	t.Helper()
	cmd := exec.Command(filepath.Join(root, "bin/api"), "serve", "--listen", "localhost:0", "--data-dir", dir,
		"--log-file", filepath.Join(dir, "api.log"), "--site", filepath.Join(root, "site"),
		"--hugo", filepath.Join(root, "bin/hugo"), "--clients", filepath.Join(root, "var/clients"))
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM}
	return startCommand(t, cmd, dir, "the data set")
}

// startCommand starts a server with its data in dir by a command. The server is ready when the command prints a line
// with that text.
func startCommand(t testing.TB, cmd *exec.Cmd, dir, ready string) *server {
	t.Helper()
	cmd.Stderr = os.Stderr
	output, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatalf("%v (run make build first)", err)
	}
	socket := filepath.Join(dir, "postgres", "socket")
	s := &server{cmd: cmd, database: "postgres:///flashdex?user=flashdex&host=" + url.QueryEscape(socket)}
	t.Cleanup(func() {
		if cmd.ProcessState == nil {
			s.stop(t)
		}
		if elsewhere, err := os.Readlink(filepath.Join(dir, "postgres")); err == nil {
			_ = os.RemoveAll(elsewhere) // Postgres' account can't enter the test's folder
		}
		if log, err := os.ReadFile(filepath.Join(dir, "api.log")); err == nil && t.Failed() {
			t.Logf("the server's log:\n%s", log)
		}
	})
	lines := bufio.NewScanner(output)
	for lines.Scan() {
		t.Log(lines.Text())
		if _, address, ok := strings.Cut(lines.Text(), "the site       "); ok {
			s.site = strings.TrimSuffix(address, "/")
		}
		if strings.Contains(lines.Text(), ready) {
			go func() { _, _ = io.Copy(io.Discard, output) }()
			return s
		}
	}
	t.Fatalf("the server ended before it was ready: %v", cmd.Wait())
	return nil
}

// stop interrupts the server like Ctrl-C, and waits until it is gone.
func (s *server) stop(t testing.TB) {
	t.Helper()
	if err := s.cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Error(err)
	}
	if err := s.cmd.Wait(); err != nil {
		t.Errorf("the server ended with %v", err)
	}
}

// eventually checks a condition every tenth of a second, and fails the test after five minutes.
func eventually(t *testing.T, what string, true func() bool) time.Duration {
	t.Helper()
	start := time.Now()
	for !true() {
		if time.Since(start) > 5*time.Minute {
			t.Fatalf("after five minutes still not: %s", what)
		}
		time.Sleep(100 * time.Millisecond)
	}
	return time.Since(start)
}
