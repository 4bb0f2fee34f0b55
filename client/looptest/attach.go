package looptest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// Attach makes a loop device of so many bytes with nothing on it that goes away with the test. Tests that aren't run by
// root are skipped.
func Attach(t testing.TB, bytes int64, options ...string) (device string) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("needs root for a loop device")
	}
	image := filepath.Join(t.TempDir(), "image")
	if err := os.WriteFile(image, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(image, bytes); err != nil {
		t.Fatal(err)
	}
	return Over(t, image, options...)
}

// Over makes a loop device over a file or another device.
func Over(t testing.TB, file string, options ...string) (device string) {
	t.Helper()
	device = output(t, "losetup", append(options, "--find", "--show", file)...)
	_ = exec.Command("partx", "--delete", device).Run() // those that a killed client's run left there, if any
	t.Cleanup(func() { output(t, "losetup", "--detach", device) })
	return device
}

// Partition has the kernel see a partition, whether it can read partition tables or not. Nothing is written.
func Partition(t testing.TB, device string, number int, start, bytes int64) (partition string) {
	t.Helper()
	const sector = 512
	output(t, "addpart", device, strconv.Itoa(number), strconv.FormatInt(start/sector, 10), strconv.FormatInt(bytes/sector, 10))
	t.Cleanup(func() {
		for range 100 { // a child that another test is just starting may still hold it
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

// MountAs makes a disk of so many bytes with that file system, mounted. The test is skipped where the kernel or the
// machine's programs don't know it.
func MountAs(t testing.TB, filesystem string, bytes int64) Disk {
	t.Helper()
	if _, err := exec.LookPath("mkfs." + filesystem); err != nil {
		t.Skip("needs mkfs." + filesystem)
	}
	device := Attach(t, bytes, "--direct-io=on")
	if known, _ := os.ReadFile("/proc/filesystems"); !strings.Contains(string(known), "\t"+filesystem+"\n") && exec.Command("modprobe", filesystem).Run() != nil {
		t.Skip("this kernel has no " + filesystem)
	}
	output(t, "mkfs."+filesystem, device)
	return Disk{Dir: MountAt(t, device, "-t", filesystem), Device: device}
}
