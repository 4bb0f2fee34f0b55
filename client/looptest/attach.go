package looptest

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// Attach makes an empty loop device of that size for the time of the test. It skips tests that root does not run.
func Attach(t testing.TB, bytes int64, options ...string) (device string) {
	t.Helper()
	return Over(t, image(t, t.TempDir(), bytes), options...)
}

// image makes an empty file of that size.
func image(t testing.TB, dir string, bytes int64) (path string) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("needs root for a loop device")
	}
	path = filepath.Join(dir, "image")
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
	_ = exec.Command("partx", "--delete", device).Run() // partitions that a killed client left there
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

// MountAt mounts a device on a new directory.
func MountAt(t testing.TB, device string, options ...string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	output(t, "mount", append(options, device, dir)...)
	t.Cleanup(func() { unmount(t, dir) })
	return dir
}

// MountAs makes and mounts a disk of that size with that file system. It skips the test if the kernel or the machine
// lacks the file system.
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
