package measure_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"flashdex/client/device"
	"flashdex/client/looptest"
	"flashdex/client/measure"
	"flashdex/result"
)

const mib = 1 << 20

// smallPlan is the standard plan on a small area, so that a test takes seconds.
func smallPlan() measure.Plan {
	p := measure.Standard(1 << 30)
	p.AreaBytes = 16 * mib
	p.Look = 0
	return p
}

func runOn(t *testing.T, dir string) *measure.Run {
	t.Helper()
	target, err := device.Running.Find(dir, 0)
	if err != nil {
		t.Fatal(err)
	}
	return &measure.Run{Kernel: device.Running, Target: target, Plan: smallPlan()}
}

func mustBeEmpty(t *testing.T, dir string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) > 0 {
		t.Errorf("the test left %v (%v)", entries, err)
	}
}

// If the disk fills up during the test, the error says so and nothing stays behind, whichever engine writes.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	for _, dd := range []string{"", "/nonexistent/dd"} {
		t.Run("dd="+dd, func(t *testing.T) {
			t.Parallel()
			disk := looptest.Mount(t, 16*mib, "")
			run := runOn(t, disk.Dir)
			run.DD = dd
			run.Plan.AreaBytes = 32 * mib
			_, _, err := run.Do(t.Context())
			if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), "full") {
				t.Errorf("Do: %v, want a full module", err)
			}
			mustBeEmpty(t, disk.Dir)
			// A child that another test is just starting may hold the file a moment longer.
			var free int64
			for range 100 {
				var space syscall.Statfs_t
				if err := syscall.Statfs(disk.Dir, &space); err != nil {
					t.Fatal(err)
				}
				if free = int64(space.Bavail) * int64(space.Bsize); free >= 8*mib {
					return
				}
				time.Sleep(50 * time.Millisecond)
			}
			t.Errorf("only %d bytes are free again", free)
		})
	}
}

// If a module is too slow to fill the area in time, the area shrinks to the bytes that it wrote: whole chunks, and at
// least the minimum.
func TestSlowModuleGetsASmallerArea(t *testing.T) {
	t.Parallel()
	disk := looptest.Mount(t, 64*mib, "")
	run := runOn(t, disk.Dir)
	run.Plan.AreaBytes, run.Plan.MinAreaBytes, run.Plan.ChunkBytes = 32*mib, 12*mib, 4*mib
	run.Plan.SeqWrite = 1 // every module is slower
	tests, _, err := run.Do(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if tests[0].Ended != result.TimeLimit || tests[0].AreaBytes != 12*mib {
		t.Errorf("linear write ended by %s with an area of %d bytes", tests[0].Ended, tests[0].AreaBytes)
	}
	for _, test := range tests[1:] {
		if test.AreaBytes != 12*mib || test.Ended != result.Complete {
			t.Errorf("%s: area %d bytes, %s", test.Name, test.AreaBytes, test.Ended)
		}
	}
}

// The result tells if something else writes to the device during the test.
func TestBusyDevice(t *testing.T) {
	t.Parallel()
	disk := looptest.Mount(t, 64*mib, "")
	run := runOn(t, disk.Dir)
	run.Plan.Look = 300 * time.Millisecond
	stop := make(chan struct{})
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-stop:
				return
			default:
				_ = exec.Command("dd", "if="+disk.Device, "of=/dev/null", "bs=1M", "count=4", "iflag=direct").Run()
			}
		}
	}()
	_, spoilers, err := run.Do(t.Context())
	close(stop)
	<-done
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(strings.Join(spoilers, " "), "busy-device") {
		t.Errorf("spoilers %v don't hold busy-device", spoilers)
	}
}

func TestStoppedInTheMiddle(t *testing.T) {
	t.Parallel()
	errStop := errors.New("stop")
	for _, at := range []string{result.SeqWrite, result.SeqRead} {
		disk := looptest.Mount(t, 64*mib, "")
		run := runOn(t, disk.Dir)
		ctx, cancel := context.WithCancelCause(t.Context())
		run.Progress = func(p measure.Progress) {
			if p.Test == at {
				cancel(errStop)
			}
		}
		if _, _, err := run.Do(ctx); !errors.Is(err, errStop) {
			t.Errorf("Do, stopped at %s: %v", at, err)
		}
		mustBeEmpty(t, disk.Dir)
	}
}
