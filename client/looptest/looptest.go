// Package looptest makes real block devices for tests: loop devices with a file system, mounted.
package looptest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Disk is a mounted loop device that goes away with the test.
type Disk struct {
	Dir    string // mount point, empty
	Device string // /dev/loopN
}

// Mount makes a disk of so many bytes with an ext4 file system, mounted with options ("" for none). Tests that aren't
// run by root are skipped.
func Mount(t testing.TB, bytes int64, options string) Disk {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("needs root for a loop device")
	}
	// Not t.TempDir: a test that runs the client without rights must be able to reach the mount point.
	work, err := os.MkdirTemp("", "looptest-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(work) })
	if err := os.Chmod(work, 0o755); err != nil {
		t.Fatal(err)
	}
	image, dir := filepath.Join(work, "image"), filepath.Join(work, "mount")
	if err := os.WriteFile(image, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(image, bytes); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	// Without lazy initialisation nothing but the test writes to the disk.
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

// unmount waits while a child that another test is just starting still holds this disk's files: it inherits all
// descriptors between fork and exec.
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
