package measure_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"flashdex/client/device"
	"flashdex/client/looptest"
	"flashdex/client/measure"
	"flashdex/result"
	"flashdex/result/schema"
)

const mib = 1 << 20

// smallPlan is the standard one on a small area, so that a test takes seconds.
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

func busyboxDD(t *testing.T) string {
	t.Helper()
	busybox, err := exec.LookPath("busybox")
	if err != nil {
		t.Skip("needs busybox")
	}
	path := filepath.Join(t.TempDir(), "dd")
	if err := os.Symlink(busybox, path); err != nil {
		t.Fatal(err)
	}
	return path
}

func scriptDD(t *testing.T, script string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "dd")
	if err := os.WriteFile(path, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

// forgetsDirect does what the dd of some systems does: it takes the flag and writes to the page cache.
const forgetsDirect = `#!/bin/sh
for argument; do
  shift
  case $argument in oflag=direct | iflag=direct) ;; *) set -- "$@" "$argument" ;; esac
done
exec /bin/dd "$@"
`

// Every dd ends in a complete, confirmed, schema-valid result, and the test file is gone. What differs is who wrote.
func TestEveryDDMeasures(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name, engine, version string
		dd                    func(t *testing.T) string
	}{
		{"machine's own", "dd", "coreutils", func(*testing.T) string { return "" }},
		{"busybox", "dd", "BusyBox", busyboxDD},
		{"drops direct silently", "flashdex", "", func(t *testing.T) string { return scriptDD(t, forgetsDirect) }},
		{"knows no direct", "flashdex", "", func(t *testing.T) string { return scriptDD(t, "#!/bin/sh\nexit 1\n") }},
		{"does nothing", "flashdex", "", func(t *testing.T) string { return scriptDD(t, "#!/bin/sh\n") }},
		{"missing", "flashdex", "", func(t *testing.T) string { return filepath.Join(t.TempDir(), "dd") }},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			disk := looptest.Mount(t, 64*mib, "")
			run := runOn(t, disk.Dir)
			run.DD = c.dd(t)
			seen := map[string]bool{}
			run.Progress = func(p measure.Progress) { seen[p.Test] = seen[p.Test] || p.Done }
			tests, spoilers, err := run.Do(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			mustBeEmpty(t, disk.Dir)
			for i, name := range []string{result.SeqWrite, result.RandWrite, result.SeqRead, result.RandRead} {
				if tests[i].Name != name || tests[i].Ended != result.Complete || !seen[name] {
					t.Errorf("test %d is %s, %s, progress seen to its end: %v; want %s, complete", i, tests[i].Name, tests[i].Ended, seen[name], name)
				}
				if total := (tests[i].Ops + tests[i].WarmupOps) * tests[i].BlockBytes; total != 16*mib {
					t.Errorf("%s moved %d bytes, want the whole area", name, total)
				}
				if least := int64(16*mib) * 95 / 100; tests[i].DeviceBytes < least {
					t.Errorf("%s: the device counted %d bytes", name, tests[i].DeviceBytes)
				}
			}
			if tests[0].Engine != c.engine || !strings.Contains(tests[0].EngineVersion, c.version) {
				t.Errorf("linear write by %q %q, want %q %q", tests[0].Engine, tests[0].EngineVersion, c.engine, c.version)
			}
			if tests[2].Engine != c.engine {
				t.Errorf("linear read by %q, want %q", tests[2].Engine, c.engine)
			}
			for _, i := range []int{1, 3} {
				var wall int64
				for _, interval := range tests[i].Intervals {
					wall += interval.NS
				}
				if got := tests[i].DurationNS + tests[i].WarmupNS + tests[i].OverheadNS; got != wall || tests[i].OverheadNS < 0 {
					t.Errorf("%s: time counted, left out and lost is %d ns, the intervals %d ns", tests[i].Name, got, wall)
				}
			}
			mustBeValid(t, run.Target, tests, spoilers)
		})
	}
}

func mustBeValid(t *testing.T, target device.Target, tests []result.Test, spoilers []string) {
	t.Helper()
	doc := result.Document{
		SchemaVersion: 1, ID: "0198f2c4-7a3b-7c11-9d5e-3f2a1b0c9d8e", Method: result.MethodFlashdex1, Profile: result.ProfileStandard,
		StartedAt: "2026-11-21T09:30:00Z", Client: result.Client{Name: "flashdex", Version: "0", Platform: "linux/amd64"},
		Identity: device.Running.Identity(target.Disk), Host: device.Running.Host(target.Disk), Tests: tests,
		Target:   result.Target{Kind: "directory", Filesystem: target.Filesystem},
		Spoilers: append([]string{}, spoilers...),
	}
	data, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := schema.Read(data); err != nil {
		t.Error(err)
	}
}

// A disk that fills up while the test runs is an error that says so, whoever writes, and leaves nothing behind.
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

// A module that is slower than the time limit gets an area of what was written, of whole chunks, at least the least.
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

// What somebody else writes to the device during the test is noticed.
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
