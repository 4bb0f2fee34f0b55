package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"flashdex/client/looptest"
)

func TestVerifyIsStopped(t *testing.T) {
	t.Parallel()
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGKILL} {
		disk := looptest.Mount(t, 1<<30, "")
		command, _ := client(t, "verify", disk.Dir)
		said, err := command.StderrPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		lines, last := bufio.NewScanner(said), ""
		for lines.Scan() {
			if last = lines.Text(); strings.HasPrefix(last, "write ") {
				if err := command.Process.Signal(signal); err != nil && command.ProcessState == nil {
					t.Log(err)
				}
			}
		}
		_ = command.Wait()
		if code := command.ProcessState.ExitCode(); signal == syscall.SIGINT &&
			(code != 130 || !strings.Contains(last, "all is removed")) {
			t.Errorf("exit code %d, said %q", code, last)
		}
		mustBeEmpty(t, disk.Dir)
	}
}

// A loop device over an image that can't grow refuses writes beyond its size, as some fakes do.
func TestVerifyDevice(t *testing.T) {
	t.Parallel()
	honest := looptest.Attach(t, 1<<30)
	command, _ := client(t, "verify", "--device", honest, "--erase", "--yes")
	if out, said, code := output(command); code != 0 || !strings.HasPrefix(out,
		"1.1 GB claimed, and nothing contradicts it") || !strings.Contains(out, "\nNo sign that it is another module") {
		t.Errorf("exit code %d, %q, said %q", code, out, said)
	}

	const realBytes = 96 << 20
	dir := t.TempDir()
	mustRun(t, "mount", "-t", "tmpfs", "-o", fmt.Sprintf("size=%d", realBytes), "flashdex-test", dir)
	t.Cleanup(func() { mustRun(t, "umount", dir) })
	image := filepath.Join(dir, "image")
	if err := os.WriteFile(image, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	// Its first part takes all the room there is.
	mustRun(t, "fallocate", "--length", fmt.Sprint(realBytes), image)
	if err := os.Truncate(image, 1<<30); err != nil {
		t.Fatal(err)
	}
	fake := looptest.Over(t, image)
	command, _ = client(t, "verify", "--device", fake, "--erase", "--yes")
	out, said, code := output(command)
	if code != exitFailed || !strings.HasPrefix(out, "1.1 GB claimed, but from 100.7 MB on it refuses to be written to "+
		"or read.") || !strings.Contains(out, "\nSuspicious: from 100.7 MB on it refuses") ||
		!strings.Contains(said, "the module did not pass") {
		t.Errorf("exit code %d, %q, said %q", code, out, said)
	}
}

func mustRun(t *testing.T, name string, arguments ...string) {
	t.Helper()
	if said, err := exec.Command(name, arguments...).CombinedOutput(); err != nil {
		t.Fatalf("%s %q: %v\n%s", name, arguments, err, said)
	}
}
