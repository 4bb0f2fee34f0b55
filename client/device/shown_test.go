package device_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"flashdex/client/device"
	"flashdex/client/looptest"
)

// opened is a whole device that was opened for erasing, in a /sys that a test may change.
func opened(t testing.TB) (target device.Target, sys, disk string) {
	t.Helper()
	disk = looptest.Attach(t, 64*mib)
	sys = looptest.Shown(t, disk)
	looptest.Show(t, sys, disk, "diskseq", "9")
	looptest.Show(t, sys, disk, "device/cid", strings.Repeat("0", 32))
	target, err := device.Kernel{Sys: sys, Proc: "/proc", Dev: "/dev"}.Open(disk, 16*mib)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(target.Close)
	return target, sys, disk
}

// Any difference between two modules ends the writing.
func TestAnotherModuleIsNotTheSame(t *testing.T) {
	t.Parallel()
	for file, says := range map[string]string{
		"diskseq": `its sequence number was "9" and is "other"`, "size": "its size was", "device/cid": "its cid was",
		"device/csd": "its csd was", "device/serial": "its serial was", "device/vendor": "its vendor was",
		"device/model": "its model was", "device/rev": "its rev was", "device/wwid": "its wwid was",
		"device/vpd_pg80": "its vpd_pg80 was", "device/vpd_pg83": "its vpd_pg83 was",
	} {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			target, sys, disk := opened(t)
			if err := errors.Join(target.Same(), target.Untouched()); err != nil {
				t.Fatal(err)
			}
			looptest.Show(t, sys, disk, file, "other")
			for _, err := range []error{target.Same(), target.Untouched()} {
				if _, ok := errors.AsType[*device.ChangedError](err); !ok || !strings.Contains(err.Error(), says) {
					t.Errorf("%v, want %q", err, says)
				}
			}
		})
	}
	t.Run("taken out", func(t *testing.T) {
		t.Parallel()
		target, sys, _ := opened(t)
		if err := os.RemoveAll(sys); err != nil {
			t.Fatal(err)
		}
		if err := target.Same(); err == nil || !strings.Contains(err.Error(), "it was taken out") {
			t.Error(err)
		}
	})
}

// A reader that never reports a change shows two cards of one size as the same, but they hold different data.
func TestOtherContentsAreNotUntouched(t *testing.T) {
	t.Parallel()
	for _, at := range []int64{0, 5000, 512 << 10, 64*mib - 100} {
		target, _, disk := opened(t)
		overwrite(t, disk, at, []byte("x"))
		run(t, "sync", disk)
		if err := target.Same(); err != nil {
			t.Error(err)
		}
		if err := target.Untouched(); err == nil || !strings.Contains(err.Error(), "it holds something else") {
			t.Errorf("a byte at %d: %v", at, err)
		}
		target.Close()
	}
}

// From Open to Close nobody but the client asks the reader for a changed card.
func TestTheKernelAsksNoReaderMeanwhile(t *testing.T) {
	t.Parallel()
	for _, before := range []string{"-1", "2000", "0"} {
		disk := looptest.Attach(t, 64*mib)
		sys := looptest.Shown(t, disk)
		looptest.Show(t, sys, disk, "events_poll_msecs", before)
		target, err := device.Kernel{Sys: sys, Proc: "/proc", Dev: "/dev"}.Open(disk, 16*mib)
		if err != nil {
			t.Fatal(err)
		}
		asks := func() string {
			text, err := os.ReadFile(filepath.Join(sys, "devices", filepath.Base(disk), "events_poll_msecs"))
			if err != nil {
				t.Fatal(err)
			}
			return strings.TrimSpace(string(text))
		}
		if now := asks(); now != "0" {
			t.Errorf("the kernel asks every %s ms", now)
		}
		target.Close()
		if after := asks(); after != before {
			t.Errorf("the kernel asked every %s ms, and then every %s ms", before, after)
		}
		target.Close() // a second time does no harm
	}
}

// Only a USB reader whose cards are fixed disks to the kernel hides a changed card.
func TestWhoHidesAChangedCard(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		removable bool
		usb       string
		hides     bool
	}{{false, "1234", true}, {true, "1234", false}, {false, "", false}, {true, "", false}} {
		disk := looptest.Attach(t, 64*mib)
		sys := looptest.Shown(t, disk)
		looptest.Show(t, sys, disk, "../idVendor", c.usb)
		target, err := device.Kernel{Sys: sys, Proc: "/proc", Dev: "/dev"}.Open(disk, 16*mib)
		if err != nil {
			t.Fatal(err)
		}
		if target.Disk.Removable = c.removable; target.HidesChanges() != c.hides {
			t.Errorf("removable: %t, USB vendor %q: it hides a changed card: %t", c.removable, c.usb, !c.hides)
		}
		target.Close()
	}
}

// A directory has no such check.
func TestADirectoryIsAlwaysTheSame(t *testing.T) {
	if err := errors.Join(device.Target{}.Same(), device.Target{}.Untouched()); err != nil {
		t.Error(err)
	}
	device.Target{}.Close()
}

// BenchmarkSame measures what the check costs between two chunks, without the reader's own time.
func BenchmarkSame(b *testing.B) {
	target, _, _ := opened(b)
	for b.Loop() {
		if err := target.Same(); err != nil {
			b.Fatal(err)
		}
	}
}
