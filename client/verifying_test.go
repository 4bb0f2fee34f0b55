package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"flashdex/client/looptest"
	"flashdex/client/spool"
	"flashdex/result"
)

func TestVerifyIsStopped(t *testing.T) {
	t.Parallel()
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGKILL} {
		disk := looptest.Mount(t, 1<<30, "")
		command, spoolDir := client(t, "verify", disk.Dir)
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
		if kept, err := filepath.Glob(filepath.Join(spoolDir, "*.json")); err != nil || len(kept) > 0 {
			t.Errorf("%v, %v kept of a check that was stopped", kept, err)
		}
		mustBeEmpty(t, disk.Dir)
	}
}

// A result of verify tells how much was written and read back, and of how much. Whether that is enough to count is told
// by the rule that the site has: an empty card on ext4 counts, and one with files on it doesn't.
func TestVerifyTellsWhetherEnoughWasReached(t *testing.T) {
	t.Parallel()
	const bytes = 1 << 30
	disk := looptest.Mount(t, bytes, "")
	for _, c := range []struct {
		inUse  int64
		flag   string
		counts bool
		why    string
	}{
		{0, "--yes", true, ""},
		{0, "--capacity=32GB", false, "It claims 1.1 GB, and 32.0 GB are printed on it,"},
		{bytes / 4, "--yes", false, "empty it and run this again"},
	} {
		if c.inUse > 0 {
			file, err := os.Create(filepath.Join(disk.Dir, "photos"))
			if err == nil {
				err = errors.Join(syscall.Fallocate(int(file.Fd()), 0, 0, c.inUse), file.Close())
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		command, spoolDir := client(t, "verify", disk.Dir, "--yes", "--no-upload", c.flag)
		said, err := command.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, said)
		}
		kept, err := filepath.Glob(filepath.Join(spoolDir, "*.json"))
		if err != nil || len(kept) != 1 {
			t.Fatalf("%v, %v are kept\n%s", kept, err, said)
		}
		var doc result.Document
		text, err := os.ReadFile(kept[0])
		if err = errors.Join(err, json.Unmarshal(text, &doc)); err != nil || doc.Identity.Checked == nil {
			t.Fatalf("%v: %s", err, text)
		}
		found := *doc.Identity.Checked
		if found.OKBytes != found.Bytes || found.OfBytes != bytes || found.Bytes < bytes*8/10-c.inUse ||
			found.Bytes > bytes-c.inUse || doc.CapacityChecked() != c.counts {
			t.Errorf("with %d bytes in use it says %+v, and counts: %v", c.inUse, found, doc.CapacityChecked())
		}
		told := strings.Contains(strings.Join(strings.Fields(string(said)), " "), "/fakes/ on the site won't count it")
		if told == c.counts || !strings.Contains(string(said), c.why) {
			t.Errorf("with %d bytes in use and %s it says\n%s", c.inUse, c.flag, said)
		}
	}
}

// A loop device over an image that can't grow refuses writes beyond its size, as some fakes do.
func TestVerifyDevice(t *testing.T) {
	t.Parallel()
	honest := looptest.Attach(t, 1<<30)
	command, kept := client(t, "verify", "--device", honest, "--erase", "--yes")
	if out, said, code := output(command); code != 0 || !strings.HasPrefix(out,
		"1.1 GB claimed, and nothing contradicts it") || !strings.Contains(out, "\nNo sign that it is another module") {
		t.Errorf("exit code %d, %q, said %q", code, out, said)
	}
	of, err := filepath.Glob(filepath.Join(kept, "*.json"))
	if err != nil || len(of) != 1 {
		t.Fatalf("kept %v, %v", of, err)
	}
	doc, _, err := spool.Read(of[0])
	if err != nil {
		t.Fatal(err)
	}
	if v := doc.Identity.Verified; doc.Method != result.MethodVerify1 || v == nil || v.FoundBytes != 1<<30 ||
		v.ClaimedBytes != 1<<30 || doc.Target.Kind != "device" || len(doc.Tests) > 0 {
		t.Errorf("kept %+v", doc)
	}

	const realBytes = 96 << 20
	dir := t.TempDir()
	mustRun(t, "mount", "-t", "tmpfs", "-o", fmt.Sprintf("size=%d", realBytes), "flashdex-test", dir)
	t.Cleanup(func() { mustRun(t, "umount", dir) })
	image := filepath.Join(dir, "image")
	if err := os.WriteFile(image, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	// The first part of the image takes up all the room.
	mustRun(t, "fallocate", "--length", fmt.Sprint(realBytes), image)
	if err := os.Truncate(image, 1<<30); err != nil {
		t.Fatal(err)
	}
	fake := looptest.Over(t, image)
	command, dirOfRefused := client(t, "verify", "--device", fake, "--erase", "--yes")
	out, said, code := output(command)
	if kept, err := filepath.Glob(filepath.Join(dirOfRefused, "*.json")); err != nil || len(kept) > 0 {
		t.Errorf("what may be worn is a result: %v, %v", kept, err)
	}
	if code != exitFailed || !strings.HasPrefix(out, "1.1 GB claimed, but from 100.7 MB on it refuses to be written to "+
		"or read.") || !strings.Contains(out, "\nSuspicious: from 100.7 MB on it refuses") ||
		!strings.Contains(said, "the module did not pass") {
		t.Errorf("exit code %d, %q, said %q", code, out, said)
	}
}

// A module that is pulled out, also of a reader, refuses all from then on. That is no sign of a fake, and no verdict is told.
func TestVerifyOfAPulledModule(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("needs root for a loop device")
	}
	dir := t.TempDir() // it has less room than the module claims, so that writes fail as after a pull
	mustRun(t, "mount", "-t", "tmpfs", "-o", "size=400m", "flashdex-test", dir)
	t.Cleanup(func() { mustRun(t, "umount", dir) })
	image := filepath.Join(dir, "image")
	if err := errors.Join(os.WriteFile(image, nil, 0o600), os.Truncate(image, 2<<30)); err != nil {
		t.Fatal(err)
	}
	module := looptest.Over(t, image)
	mustRun(t, "mkfs.ext4", "-q", "-F", module)
	mounted, shown := looptest.MountAt(t, module), t.TempDir()
	if err := os.Symlink(looptest.Shown(t, module), filepath.Join(shown, "sys")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/proc", filepath.Join(shown, "proc")); err != nil {
		t.Fatal(err)
	}
	command := exec.Command("/proc/self/exe", "verify", "--yes", mounted)
	command.Env = append(os.Environ(), beTheClient+"=1", "FLASHDEX_TEST_CARD="+shown)
	var out, said bytes.Buffer
	command.Stdout, command.Stderr = &out, &said
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	taken := func() uint64 {
		var space syscall.Statfs_t
		if err := syscall.Statfs(dir, &space); err != nil {
			t.Fatal(err)
		}
		return (space.Blocks - space.Bfree) * uint64(space.Bsize)
	}
	for before, waited := taken(), 0; taken() < before+8<<20 && waited < 60e3; waited++ {
		time.Sleep(time.Millisecond)
	}
	signal := func(s syscall.Signal) {
		if err := command.Process.Signal(s); err != nil {
			t.Fatal(err)
		}
	}
	signal(syscall.SIGSTOP)
	looptest.Show(t, filepath.Join(shown, "sys"), module, "size", "0") // as of a reader, which stays
	signal(syscall.SIGCONT)
	_ = command.Wait()
	if code := command.ProcessState.ExitCode(); code != exitFailed || out.Len() > 0 ||
		!strings.Contains(said.String(), "has gone from this computer, so nothing is known of its capacity. Until then") {
		t.Errorf("exit code %d, %q, said %q", code, &out, &said)
	}
}

func mustRun(t *testing.T, name string, arguments ...string) {
	t.Helper()
	if said, err := exec.Command(name, arguments...).CombinedOutput(); err != nil {
		t.Fatalf("%s %q: %v\n%s", name, arguments, err, said)
	}
}
