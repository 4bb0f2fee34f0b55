package measure_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"flashdex/client/device"
	"flashdex/client/looptest"
	"flashdex/client/measure"
	"flashdex/result"
)

// A run on a whole device writes only to its test area, whichever engine writes.
func TestWholeDeviceStaysInsideItsArea(t *testing.T) {
	t.Parallel()
	for name, dd := range map[string]func(t *testing.T) string{
		"machine's own":         func(*testing.T) string { return "" },
		"busybox":               busyboxDD,
		"drops direct silently": func(t *testing.T) string { return scriptDD(t, forgetsDirect) },
		"missing":               func(t *testing.T) string { return filepath.Join(t.TempDir(), "dd") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const size, start, end = 66 * mib, 32 * mib, 48 * mib // half of it is not aligned
			disk := looptest.Attach(t, size, "--direct-io=on")
			fill := bytes.Repeat([]byte("somebody's photographs "), size/23+1)[:size]
			fillDisk(t, disk, fill)
			target, err := device.Running.Open(disk, 16*mib)
			if err != nil {
				t.Fatal(err)
			}
			defer target.Device.Close()
			run := &measure.Run{Kernel: device.Running, Target: target, Plan: smallPlan(), DD: dd(t)}
			tests, spoilers, err := run.Do(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			after := contents(t, disk, size)
			if sha256.Sum256(after[:start]) != sha256.Sum256(fill[:start]) ||
				sha256.Sum256(after[end:]) != sha256.Sum256(fill[end:]) {
				t.Error("something outside the test area was written to")
			}
			for at := start; at < end; at += 512 {
				if bytes.Equal(after[at:at+512], fill[at:at+512]) {
					t.Fatalf("the sector at %d in the test area was not written to", at)
				}
			}
			for _, test := range tests {
				if test.AreaBytes != 16*mib || test.Ended != result.Complete {
					t.Errorf("%s: %s, area %d", test.Name, test.Ended, test.AreaBytes)
				}
			}
			// If a dd reads through the page cache, its read-ahead counts as something else's.
			if joined := strings.Join(spoilers, " "); strings.Contains(joined, "root-disk") ||
				strings.Contains(joined, "busy-device") && name != "drops direct silently" {
				t.Errorf("spoilers %v", spoilers)
			}
			mustBeValid(t, run.Plan, target, tests, spoilers)
		})
	}
}

// fillDisk writes data through to the disk. The kernel writes dirty pages of a disk later if any process still holds
// it.
func fillDisk(t *testing.T, disk string, data []byte) {
	t.Helper()
	file, err := os.OpenFile(disk, os.O_WRONLY|syscall.O_SYNC, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = file.Write(data)
	if err = errors.Join(err, file.Close()); err != nil {
		t.Fatal(err)
	}
}

func contents(t *testing.T, path string, size int64) []byte {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	data := make([]byte, size)
	if _, err := io.ReadFull(file, data); err != nil {
		t.Fatal(err)
	}
	return data
}
