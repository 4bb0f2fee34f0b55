// Package looptest makes real block devices for tests: loop devices with a file system, mounted.
package looptest

import (
	"cmp"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Disk is a mounted loop device for the time of a test.
type Disk struct {
	Dir    string // mount point, empty
	Device string // /dev/loopN
	Image  string // the file that the device is made of
}

// Mount makes a disk of that size with ext4, mounted with options ("" for none). It skips the test unless root runs it.
func Mount(t testing.TB, bytes int64, options string) Disk {
	t.Helper()
	image := newImage(t, bytes)
	device := Over(t, image, "--direct-io=on")
	// Without lazy initialisation only the test writes to the disk.
	output(t, "mkfs.ext4", "-q", "-F", "-E", "lazy_itable_init=0,lazy_journal_init=0", device)
	disk := Disk{Dir: MountAt(t, device, "-o", cmp.Or(options, "defaults")), Device: device, Image: image}
	if err := os.Remove(filepath.Join(disk.Dir, "lost+found")); err != nil && options == "" {
		t.Fatal(err)
	}
	return disk
}

// MountAs makes and mounts a disk with that file system. It skips the test if the machine doesn't have it.
func MountAs(t testing.TB, filesystem string, bytes int64) Disk {
	t.Helper()
	if _, err := exec.LookPath("mkfs." + filesystem); err != nil {
		t.Skip("needs mkfs." + filesystem)
	}
	device := Attach(t, bytes, "--direct-io=on")
	known, _ := os.ReadFile("/proc/filesystems")
	if !strings.Contains(string(known), "\t"+filesystem+"\n") && exec.Command("modprobe", filesystem).Run() != nil {
		t.Skip("this kernel has no " + filesystem)
	}
	output(t, "mkfs."+filesystem, device)
	return Disk{Dir: MountAt(t, device, "-t", filesystem), Device: device}
}

// MountAt mounts a device on a new directory. A client without root's rights can reach it, but couldn't reach
// t.TempDir.
func MountAt(t testing.TB, device string, options ...string) (dir string) {
	t.Helper()
	dir, err := os.MkdirTemp("", "looptest-")
	if err = errors.Join(err, os.Chmod(dir, 0o755)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Remove(dir) })
	output(t, "mount", append(options, device, dir)...)
	t.Cleanup(func() { unmount(t, dir) })
	return dir
}

// unmount waits for the child processes of other tests, which have all descriptors between fork and exec. It also waits
// for processes that were killed: they end after their last write, which a busy machine makes slow.
func unmount(t testing.TB, dir string) {
	t.Helper()
	for range 1200 {
		if syscall.Unmount(dir, 0) != syscall.EBUSY {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	said, _ := exec.Command("fuser", "--verbose", "--mount", dir).CombinedOutput()
	t.Errorf("%s is still busy:\n%s", dir, said)
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

// Attach makes an empty loop device of that size for the time of the test. It skips the test unless root runs it.
func Attach(t testing.TB, bytes int64, options ...string) (device string) {
	t.Helper()
	return Over(t, newImage(t, bytes), options...)
}

// newImage makes an empty file of that size.
func newImage(t testing.TB, bytes int64) (path string) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("needs root for a loop device")
	}
	path = filepath.Join(t.TempDir(), "image")
	err := os.WriteFile(path, nil, 0o600)
	if err = errors.Join(err, os.Truncate(path, bytes)); err != nil {
		t.Fatal(err)
	}
	return path
}

// Over makes a loop device over a file or another device for the time of the test.
func Over(t testing.TB, file string, options ...string) (device string) {
	t.Helper()
	device = output(t, "losetup", append(options, "--find", "--show", file)...)
	_ = exec.Command("partx", "--delete", device).Run() // partitions that a killed client left behind
	t.Cleanup(func() { output(t, "losetup", "--detach", device) })
	return device
}

// Partition tells the kernel of a partition. It writes no partition table.
func Partition(t testing.TB, device string, number int, start, bytes int64) (partition string) {
	t.Helper()
	const sector = 512
	output(t, "addpart", device, strconv.Itoa(number), strconv.FormatInt(start/sector, 10),
		strconv.FormatInt(bytes/sector, 10))
	t.Cleanup(func() {
		for range 100 { // a child process of another test may still hold it
			if exec.Command("delpart", device, strconv.Itoa(number)).Run() == nil {
				return
			}
			time.Sleep(50 * time.Millisecond)
		}
		t.Errorf("%s has still its partition %d", device, number)
	})
	return device + "p" + strconv.Itoa(number)
}

// Shown makes a directory like /sys that shows only this device, as a removable one. Its files are the kernel's own,
// except those that the test replaces with Show.
func Shown(t testing.TB, device string) (sys string) {
	t.Helper()
	sys = t.TempDir()
	name := filepath.Base(device)
	real, err := filepath.EvalSymlinks("/sys/class/block/" + name)
	if err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(real)
	if err != nil {
		t.Fatal(err)
	}
	dir, number := filepath.Join(sys, "devices", name), output(t, "cat", filepath.Join(real, "dev"))
	for _, made := range []string{dir, filepath.Join(sys, "dev/block")} {
		if err := os.MkdirAll(made, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, entry := range entries {
		err = errors.Join(err, os.Symlink(filepath.Join(real, entry.Name()), filepath.Join(dir, entry.Name())))
	}
	err = errors.Join(err, os.Symlink(dir, filepath.Join(sys, "dev/block", number)))
	if err != nil {
		t.Fatal(err)
	}
	Show(t, sys, device, "removable", "1")
	return sys
}

// Show makes a directory of Shown show another value in one of the device's files; "" is no value.
func Show(t testing.TB, sys, device, file, value string) {
	t.Helper()
	path := filepath.Join(sys, "devices", filepath.Base(device), file)
	err := os.MkdirAll(filepath.Dir(path), 0o755)
	if err == nil && os.Remove(path) == nil || err == nil {
		err = os.WriteFile(path, []byte(value+"\n"), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}
