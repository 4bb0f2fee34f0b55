package measure_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"flashdex/client/device"
	"flashdex/client/looptest"
	"flashdex/client/measure"
	"flashdex/result"

	"github.com/google/go-cmp/cmp"
)

// reference is a run of the reference profile on a small area: of a directory, of a whole device, or of a file system
// that is made on one. again opens the same target again.
func reference(t *testing.T, kind string) (run *measure.Run, again func() device.Target) {
	t.Helper()
	plan := measure.Reference(1 << 30)
	plan.AreaBytes, plan.MinAreaBytes, plan.Look, plan.Trial = 16*mib, 16*mib, 0, 100*time.Millisecond
	if kind == "directory" {
		dir := looptest.Mount(t, 128*mib, "").Dir
		again = func() device.Target {
			target, err := device.Running.Find(dir, 0)
			if err != nil {
				t.Fatal(err)
			}
			return target
		}
		return &measure.Run{Kernel: device.Running, Target: again(), Plan: plan}, again
	}
	disk := looptest.Attach(t, 66*mib, "--direct-io=on")
	again = func() device.Target {
		target, err := device.Running.Open(disk, 16*mib)
		for range 100 { // a child that another test is just starting may still hold it
			if err == nil {
				break
			}
			time.Sleep(50 * time.Millisecond)
			target, err = device.Running.Open(disk, 16*mib)
		}
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { target.Device.Close() })
		return target
	}
	filesystem := ""
	if kind == "ext4" {
		if err := device.Running.CanMakeFilesystem(); err != nil {
			t.Fatal(err) // other tests mount ext4 as well
		}
		filesystem = "ext4"
	}
	return &measure.Run{Kernel: device.Running, Target: again(), Plan: plan.Erasing(66*mib, filesystem)}, again
}

// counted is a context that ends in the middle of a test. A test asks it after every operation.
type counted struct {
	context.Context
	stop  func()
	armed bool
	asked int
}

const stopsAt = 1000 // times that it was asked

func (c *counted) Err() error {
	if c.armed {
		c.asked++
	}
	if c.asked == stopsAt {
		c.stop()
	}
	return c.Context.Err()
}

// A run that is stopped and continued again and again is one run: no test is done twice, and the random tests go over
// each block once.
func TestGoesOnWhereItWas(t *testing.T) {
	t.Parallel()
	errStop := errors.New("stop")
	for _, kind := range []string{"directory", "device", "ext4"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			run, again := reference(t, kind)
			if run.Target.Device != nil {
				run.Target.Device.Close()
			}
			run.Plan.ChunkBytes = 8 * mib
			var lines [][]byte
			done := map[string]int{}
			var tests []result.Test
			var spoilers []string
			var err error
			for _, at := range []string{measure.Trial, measure.Priming, result.SeqRead, result.RandRead, result.RandWrite,
				result.RandWrite, ""} {
				var kept []measure.Entry // as another process would read them
				for _, line := range lines {
					var entry measure.Entry
					if err := json.Unmarshal(line, &entry); err != nil {
						t.Fatal(err)
					}
					kept = append(kept, entry)
				}
				stoppable, cancel := context.WithCancelCause(t.Context())
				inWrites := at == result.RandWrite && done[result.RandRead] > 0
				ctx := &counted{Context: stoppable, stop: func() { cancel(errStop) }, armed: inWrites && kind != "directory"}
				next := &measure.Run{Kernel: device.Running, Target: again(), Plan: run.Plan, Kept: kept, Token: "a token"}
				next.Keep = func(entry measure.Entry) error {
					line, err := json.Marshal(entry)
					lines = append(lines, line)
					return err
				}
				next.Progress = func(p measure.Progress) {
					if p.Done {
						done[p.Test]++
					}
					switch {
					case at == result.RandRead && p.Done && p.Test == "seq-rewrite 4 KiB", at == result.RandWrite && p.Done &&
						(p.Test == result.RandRead || p.Test == measure.Trial && inWrites):
						ctx.armed = true // after the trial, which does random writes, too
					case at == p.Test && at != result.RandRead && at != result.RandWrite:
						cancel(errStop)
					}
				}
				tests, spoilers, err = next.Do(ctx)
				cancel(nil)
				run.Target = next.Target
				if at == "" && err != nil || at != "" && !errors.Is(err, errStop) {
					t.Fatalf("stopped at %q: %v", at, err)
				}
				if run.Target.Device != nil {
					run.Target.Device.Close()
				}
			}
			for _, test := range []string{result.SeqWrite, result.SeqRead, "seq-read 512 B", "seq-write 512 B",
				"seq-write 4 KiB", "seq-rewrite 4 KiB", result.RandRead, result.RandWrite} {
				if done[test] != 1 {
					t.Errorf("%s ended %d times", test, done[test])
				}
			}
			for i := range tests {
				if test := &tests[i]; test.IsRandom() {
					order := result.BlockOrder(result.OrderSeed("a token", test.Name, test.BlockBytes), 4096)
					if test.Order != result.OrderSum(order) {
						t.Errorf("%s didn't use the blocks in the order of its token", test.Name)
					}
					test.Order = "" // else the document needs the token, too
				}
			}
			mustBeValid(t, run.Plan, run.Target, tests, spoilers)
			parts := map[string]int{}
			for _, line := range lines {
				var entry measure.Entry
				_ = json.Unmarshal(line, &entry)
				if entry.Part != nil {
					parts[entry.Part.Test]++
				}
			}
			if diff := cmp.Diff(map[string]int{result.RandRead: 1, result.RandWrite: 2}, parts); diff != "" {
				t.Errorf("parts (-want +got):\n%s", diff)
			}
			if kind != "device" {
				return
			}
			target := again()
			defer target.Device.Close()
			area := contents(t, target.Device.Name(), 66*mib)[device.AreaStart(66*mib):][:16*mib]
			numbers := map[uint64]bool{}
			for at := 0; at < len(area); at += 4096 {
				numbers[binary.LittleEndian.Uint64(area[at:])] = true
			}
			for op := range uint64(4096) {
				if !numbers[op] {
					t.Fatalf("operation %d wrote nothing that is there at the end", op)
				}
			}
		})
	}
}

// The mark of a device is the checksum of its first MiB, past the page cache.
func TestMark(t *testing.T) {
	t.Parallel()
	disk := looptest.Attach(t, 66*mib, "--direct-io=on")
	marks := [][]byte{}
	for _, content := range []string{"a", "b", "a"} {
		fillDisk(t, disk, bytes.Repeat([]byte(content), mib))
		target, err := device.Running.Open(disk, 16*mib)
		if err != nil {
			t.Fatal(err)
		}
		mark, err := measure.Mark(target.Device)
		if err != nil {
			t.Fatal(err)
		}
		target.Device.Close()
		marks = append(marks, mark)
	}
	if bytes.Equal(marks[0], marks[1]) || !bytes.Equal(marks[0], marks[2]) {
		t.Errorf("%x", marks)
	}
	file, err := os.Create(filepath.Join(t.TempDir(), "short"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := measure.Mark(file); err == nil {
		t.Error("an empty file has a mark")
	}
}
