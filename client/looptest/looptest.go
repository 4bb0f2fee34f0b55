// Package looptest makes real block devices for tests: loop devices with a file system, mounted.
package looptest

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Disk is a mounted loop device for the time of a test.
type Disk struct {
	Dir    string // mount point, empty
	Device string // /dev/loopN
}

// Mount makes a disk of that size with an ext4 file system, mounted with options ("" for none). It skips tests that
// root does not run.
func Mount(t testing.TB, bytes int64, options string) Disk {
	t.Helper()
	// Not t.TempDir: a client that runs without rights must be able to reach the mount point.
	work, err := os.MkdirTemp("", "looptest-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(work) })
	image, dir := image(t, work, bytes), filepath.Join(work, "mount")
	if err := errors.Join(os.Chmod(work, 0o755), os.Mkdir(dir, 0o755)); err != nil {
		t.Fatal(err)
	}
	// Without lazy initialisation only the test writes to the disk.
	output(t, "mkfs.ext4", "-q", "-F", "-E", "lazy_itable_init=0,lazy_journal_init=0", image)
	disk := Disk{Dir: dir, Device: output(t, "losetup", "--find", "--show", "--direct-io=on", image)}
	t.Cleanup(func() { output(t, "losetup", "--detach", disk.Device) })
	args := []string{disk.Device, dir}
	if options != "" {
		args = append(args, "-o", options)
	}
	output(t, "mount", args...)
	t.Cleanup(func() { unmount(t, dir) })
	if err := os.Remove(filepath.Join(dir, "lost+found")); err != nil && options == "" {
		t.Fatal(err)
	}
	return disk
}

// unmount waits until no child process of another test holds this disk's files. Between fork and exec a child has all
// descriptors.
func unmount(t testing.TB, dir string) {
	t.Helper()
	for range 100 {
		if syscall.Unmount(dir, 0) != syscall.EBUSY {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Errorf("%s is still busy", dir)
	output(t, "umount", "--lazy", dir)
}

func output(t testing.TB, name string, args ...string) string {
	t.Helper()
	said, err := exec.Command(name, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, said)
	}
	return strings.TrimSpace(string(said))
}
