package looptest

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

// Attach makes an empty loop device of that size for the time of the test. It skips tests that root does not run.
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
