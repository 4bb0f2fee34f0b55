package measure_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"flashdex/client/device"
	"flashdex/client/looptest"
	"flashdex/client/measure"
	"flashdex/result"
)

// enduring is a run on a loop device. Its image lies on a tmpfs of so many bytes: when that is full, writes fail, and
// lost data read as zeros.
type enduring struct {
	run   measure.Run
	image string
	dir   string
}

func endureOn(t *testing.T, deviceBytes, realBytes int64) *enduring {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("needs root for a loop device")
	}
	e := &enduring{dir: t.TempDir()}
	if said, err := exec.Command("mount", "-t", "tmpfs", "-o", fmt.Sprintf("size=%d", realBytes), "flashdex-test",
		e.dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	t.Cleanup(func() { _ = exec.Command("umount", "--lazy", e.dir).Run() })
	e.image = filepath.Join(e.dir, "image")
	if err := errors.Join(os.WriteFile(e.image, nil, 0o600), os.Truncate(e.image, deviceBytes)); err != nil {
		t.Fatal(err)
	}
	target, err := device.Running.Open(looptest.Over(t, e.image), 2*mib)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { target.Device.Close() })
	plan := measure.Endure(1 << 30)
	plan.Look, plan.Wait = 0, 0
	plan, err = plan.Within(target.Room()).Filling(target)
	if err != nil {
		t.Fatal(err)
	}
	e.run = measure.Run{Kernel: device.Running, Target: target, Plan: plan, Sign: signed}
	return e
}

func signed(c result.Checkpoint, before string) string {
	return device.Tag([]byte("a secret"), c.Text("a run", "a unit", before))
}

// journal returns where the run's entries will be.
func (e *enduring) journal() *[]measure.Entry {
	kept := new([]measure.Entry)
	e.run.Keep = func(entry measure.Entry) error {
		*kept = append(*kept, entry)
		return nil
	}
	return kept
}

// die takes the device's memory away. It stores nothing any more.
func (e *enduring) die(t *testing.T) {
	t.Helper()
	if err := os.Truncate(e.image, 0); err != nil {
		t.Error(err)
	}
	filler, err := os.Create(filepath.Join(e.dir, "filler"))
	for memory := make([]byte, 1<<16); err == nil; {
		_, err = filler.Write(memory)
	}
	filler.Close()
}

// The device loses a quarter of its writes from the beginning, and dies in the third pass. Its result tells that life:
// the first error in the first pass, and the errors of each pass.
func TestEndureTellsALifeUntilDeath(t *testing.T) {
	t.Parallel()
	e := endureOn(t, 25*mib, 19*mib)
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	e.run.Progress = func(p measure.Progress) {
		switch {
		case p.Done && p.Test == result.EndureRead && strings.HasPrefix(p.Note, "pass 2,"):
			e.die(t)
		case strings.HasPrefix(p.Note, "pass 9,"):
			cancel(errors.New("it doesn't die"))
		}
	}
	tests, spoilers, err := e.run.Do(ctx)
	if err != nil {
		t.Fatal(err)
	}
	mustBeValid(t, e.run.Plan, e.run.Target, tests, spoilers)
	life, ok := result.LifeOf(tests)
	if !ok || !life.Dead || life.FirstError != 1 || life.Cycles < 3 || life.Cycles > 5 {
		t.Errorf("%v %+v", ok, life)
	}
	written, read := &tests[0], &tests[1]
	for i := range 2 {
		w, r := written.Intervals[i], read.Intervals[i]
		if w.Ops != 24 || w.FailedOps < 5 || w.FailedOps > 7 || r.WrongOps != w.FailedOps || r.FailedOps > 0 {
			t.Errorf("pass %d: written %+v, read %+v", i+1, w, r)
		}
	}
	if last := written.Intervals[2]; last.FailedOps != 24 || written.Ended != result.Dead || read.Ended != result.Dead {
		t.Errorf("the third pass: %+v, %s, %s", last, written.Ended, read.Ended)
	}
	if f := written.Figures(); f.MBPerS <= 0 || f.WrongOps == nil || *f.WrongOps < 24 {
		t.Errorf("%+v", f)
	}
}

// An interrupted run goes on where it was, with one pass in each interval, and reads what the run before wrote. Its
// checkpoints are signed one after the other. A changed checkpoint is refused.
func TestEndureGoesOn(t *testing.T) {
	t.Parallel()
	e := endureOn(t, 25*mib, 64*mib)
	e.run.Plan.CheckpointBytes = 30 * mib
	kept := e.journal()
	for _, stop := range []struct {
		test string
		pass int
	}{{result.EndureWrite, 2}, {result.EndureRead, 3}, {result.EndureRead, 4}} {
		_, _, err := e.run.Do(e.interruptedAt(t, stop.test, stop.pass))
		if err == nil || err.Error() != "interrupted" {
			t.Fatalf("%+v: %v", stop, err)
		}
		e.run.Kept = slices.Clone(*kept)
	}
	tests, err := e.run.Ended(e.run.Plan.FillBytes, result.Stopped)
	if err != nil || len(tests) != 2 {
		t.Fatalf("%d tests, %v", len(tests), err)
	}
	checkpoints := tests[0].Checkpoints
	tests[0].Checkpoints = nil // a document's are TBs apart
	mustBeValid(t, e.run.Plan, e.run.Target, tests, nil)
	if life, _ := result.LifeOf(tests); life.Cycles != 4 || life.Dead || life.FirstError != 0 {
		t.Errorf("%+v", life)
	}
	for _, test := range tests {
		if len(test.Intervals) != 4 || test.Intervals[1].Ops != 24 || test.DeviceBytes < test.Bytes {
			t.Errorf("%s: %+v, the device counted %d", test.Name, test.Intervals, test.DeviceBytes)
		}
	}
	if len(checkpoints) != 3 || checkpoints[2].Bytes != 90*mib ||
		checkpoints[2].Tag != signed(checkpoints[2], checkpoints[1].Tag) {
		t.Errorf("%+v", checkpoints)
	}
	for i, entry := range e.run.Kept {
		if entry.Checkpoint != nil {
			changed := *entry.Checkpoint
			changed.WrongOps++
			e.run.Kept[i].Checkpoint = &changed
		}
	}
	if _, err := e.run.Ended(e.run.Plan.FillBytes, result.Stopped); err == nil ||
		!strings.Contains(err.Error(), "isn't signed by this contributor") {
		t.Errorf("a changed checkpoint: %v", err)
	}
}

// interruptedAt has the run interrupted when it reports that pass of a test.
func (e *enduring) interruptedAt(t *testing.T, test string, pass int) context.Context {
	t.Helper()
	ctx, cancel := context.WithCancelCause(t.Context())
	t.Cleanup(func() { cancel(nil) })
	e.run.Progress = func(p measure.Progress) {
		if p.Test == test && strings.HasPrefix(p.Note, fmt.Sprintf("pass %d,", pass)) {
			cancel(errors.New("interrupted"))
		}
	}
	return ctx
}

// A run whose journal can't be written is interrupted, since a later one would take what it writes for wrong data. A
// disk that is full for a moment is waited for.
func TestEndureEndsWithoutAJournal(t *testing.T) {
	t.Parallel()
	e := endureOn(t, 25*mib, 64*mib)
	e.run.Plan.CheckpointBytes = 30 * mib
	kept := e.journal()
	keep, full := e.run.Keep, 0
	e.run.Keep = func(entry measure.Entry) error {
		if full++; full == 4 || full > 8 {
			return syscall.ENOSPC
		}
		return keep(entry)
	}
	e.run.Plan.Wait = 2 * time.Second
	if _, _, err := e.run.Do(e.interruptedAt(t, result.EndureRead, 9)); !errors.Is(err, syscall.ENOSPC) ||
		!strings.Contains(err.Error(), "the journal of the run can't be written") {
		t.Fatalf("with a full disk: %v", err)
	}
	if full < 10 || len(*kept) != 7 {
		t.Errorf("%d tries, %d entries", full, len(*kept))
	}
	e.run.Kept, e.run.Keep = slices.Clone(*kept), keep
	if _, _, err := e.run.Do(e.interruptedAt(t, result.EndureRead, 6)); err == nil || err.Error() != "interrupted" {
		t.Fatalf("afterwards: %v", err)
	}
	e.run.Kept = *kept
	tests, err := e.run.Ended(e.run.Plan.FillBytes, result.Stopped)
	if err != nil {
		t.Fatal(err)
	}
	if life, _ := result.LifeOf(tests); life.FirstError != 0 || life.WrongOps+life.FailedOps > 0 || life.Cycles != 6 {
		t.Errorf("%+v", life)
	}
}

// What else uses the module writes over what the run compares, or tells that somebody needs it.
func TestEndureNeedsTheModuleAlone(t *testing.T) {
	t.Parallel()
	e := endureOn(t, 25*mib, 64*mib)
	e.run.Plan.Look, e.run.Plan.Wait = 300*time.Millisecond, time.Second
	kept := e.journal()
	disk, err := os.OpenFile(e.run.Target.Device.Name(), os.O_RDWR|os.O_SYNC, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer disk.Close()
	writing, end := context.WithCancel(t.Context())
	var writer sync.WaitGroup
	writer.Go(func() {
		for writing.Err() == nil {
			if _, err := disk.WriteAt(make([]byte, 64<<10), 0); err != nil {
				t.Error(err)
				return
			}
			time.Sleep(time.Millisecond)
		}
	})
	_, _, err = e.run.Do(e.interruptedAt(t, result.EndureWrite, 1))
	end()
	writer.Wait()
	if err == nil || !strings.Contains(err.Error(), "is busy: something else moved") || len(*kept) > 0 {
		t.Errorf("while something else writes: %v, %d entries", err, len(*kept))
	}
	_, spoilers, err := e.run.Do(e.interruptedAt(t, result.EndureWrite, 1))
	if err == nil || err.Error() != "interrupted" || len(spoilers) > 0 {
		t.Errorf("when it is quiet: %v, %q", err, spoilers)
	}
	for _, entry := range *kept {
		if slices.Contains(entry.Spoilers, result.BusyDevice) {
			t.Errorf("marked: %+v", entry)
		}
	}
}

// A USB reader that calls its card a fixed disk answers the same whether the card is in it or not. What such a module
// fails before the run is interrupted isn't kept: the card may just have been pulled out.
func TestEndureTakesNoPulledCardForADeadOne(t *testing.T) {
	t.Parallel()
	e := endureOn(t, (result.DeadOps+33)*mib, 128*mib)
	loop := e.run.Target.Device.Name()
	e.run.Target.Close()
	target, err := inAFixedReader(t, loop).Open(loop, 2*mib)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(target.Close)
	e.run.Target = target
	kept := e.journal()
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	e.run.Progress = func(p measure.Progress) {
		switch {
		case p.Done && p.Test == result.EndureRead && strings.HasPrefix(p.Note, "pass 1,"):
			e.die(t)
		case strings.HasPrefix(p.Note, "pass 9,"):
			cancel(errors.New("it goes on"))
		}
	}
	tests, _, err := e.run.Do(ctx)
	if err == nil || !strings.Contains(err.Error(), "its reader doesn't tell whether the card is still in it") {
		t.Fatalf("%v, %+v", err, tests)
	}
	e.run.Kept = *kept
	tests, err = e.run.Ended(e.run.Plan.FillBytes, result.Stopped)
	if err != nil {
		t.Fatal(err)
	}
	if life, _ := result.LifeOf(tests); life.Dead || life.WrongOps+life.FailedOps > 0 {
		t.Errorf("%+v", life)
	}
}

// inAFixedReader shows a loop device as a disk behind USB.
func inAFixedReader(t *testing.T, loop string) device.Kernel {
	t.Helper()
	real, sys := filepath.Join("/sys/block", filepath.Base(loop)), t.TempDir()
	disk := filepath.Join(sys, "devices/usb1/1-1/sdy")
	number, err := os.ReadFile(filepath.Join(real, "dev"))
	if err = errors.Join(err, os.MkdirAll(disk, 0o700), os.MkdirAll(filepath.Join(sys, "dev/block"), 0o700),
		os.MkdirAll(filepath.Join(sys, "block"), 0o700)); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"size", "removable", "queue", "stat", "dev", "ro", "diskseq"} {
		err = errors.Join(err, os.Symlink(filepath.Join(real, name), filepath.Join(disk, name)))
	}
	err = errors.Join(err, os.Symlink(disk, filepath.Join(sys, "dev/block", strings.TrimSpace(string(number)))),
		os.Symlink(disk, filepath.Join(sys, "block/sdy")),
		os.WriteFile(filepath.Join(filepath.Dir(disk), "idVendor"), []byte("05e3\n"), 0o600))
	if err != nil {
		t.Fatal(err)
	}
	return device.Kernel{Sys: sys, Proc: "/proc", Dev: "/dev"}
}

// What the journal says was written is on the module, or a card that is pulled out after Ctrl-C has errors that it
// never had. A loop device counts how often it was told so.
func TestEndureKeepsWhatTheModuleHasTaken(t *testing.T) {
	t.Parallel()
	e := endureOn(t, 25*mib, 64*mib)
	e.run.Plan.CheckpointBytes = 5 * mib
	flushes := func() (n int64) {
		const completed = 15 // Documentation/block/stat.rst
		text, err := os.ReadFile("/sys/block/" + e.run.Target.Disk.Name + "/stat")
		if fields := strings.Fields(string(text)); err == nil && len(fields) > completed {
			n, err = strconv.ParseInt(fields[completed], 10, 64)
		}
		if err != nil {
			t.Error(err)
		}
		return n
	}
	kept, before, entries := e.journal(), int64(0), 0
	keep := e.run.Keep
	e.run.Keep = func(entry measure.Entry) error {
		if p := entry.Part; p != nil && p.Test == result.EndureWrite && len(p.Seconds) > 0 {
			now := flushes()
			if entries++; entries > 1 && now <= before {
				t.Errorf("entry %d: it was told %d times, and %d times at the entry before", len(*kept), now, before)
			}
			before = now
		}
		return keep(entry)
	}
	if _, _, err := e.run.Do(e.interruptedAt(t, result.EndureRead, 2)); err == nil || err.Error() != "interrupted" {
		t.Fatal(err)
	}
	if entries < 8 {
		t.Errorf("%d entries", entries)
	}
}

// Data that changed between writing and reading, and data of the pass before, are wrong; a part that fails is not the
// end of the rest.
func TestEndureFindsWrongData(t *testing.T) {
	t.Parallel()
	e := endureOn(t, 25*mib, 64*mib)
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	kept := e.journal()
	e.run.Progress = func(p measure.Progress) {
		switch {
		case p.Done && p.Test == result.EndureWrite && strings.HasPrefix(p.Note, "pass 2,"):
			image, err := os.OpenFile(e.image, os.O_RDWR, 0)
			if err != nil {
				t.Error(err)
				return
			}
			block := make([]byte, mib)
			_, err = image.ReadAt(block, 3*mib) // a block, and the same in another place
			_, err2 := image.WriteAt(block, 4*mib)
			_, err3 := image.WriteAt([]byte{^block[7]}, 10*mib+4711) // most likely another byte
			if err := errors.Join(err, err2, err3, image.Close()); err != nil {
				t.Error(err)
			}
		case p.Done && p.Test == result.EndureRead && strings.HasPrefix(p.Note, "pass 3,"):
			cancel(errors.New("enough"))
		}
	}
	_, _, err := e.run.Do(ctx)
	if err == nil || err.Error() != "enough" {
		t.Fatal(err)
	}
	e.run.Kept = *kept
	tests, err := e.run.Ended(e.run.Plan.FillBytes, result.Gone)
	if err != nil {
		t.Fatal(err)
	}
	mustBeValid(t, e.run.Plan, e.run.Target, tests, nil)
	wrong := []int64{tests[1].Intervals[0].WrongOps, tests[1].Intervals[1].WrongOps, tests[1].Intervals[2].WrongOps}
	if life, _ := result.LifeOf(tests); !slices.Equal(wrong, []int64{0, 2, 0}) || life.FirstError != 2 || !life.Dead {
		t.Errorf("%v, %+v", wrong, life)
	}
}

// A part fails that lies at the end of a pass and is as long as the client's patience. The rest still goes on, since
// the places that the client then tries hold the data of this pass, not of the next one.
func TestEndureOutlivesABadEnd(t *testing.T) {
	t.Parallel()
	const blocks = 96
	e := endureOn(t, (blocks+1)*mib, 128*mib)
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	kept := e.journal()
	e.run.Progress = func(p measure.Progress) {
		switch {
		case p.Done && p.Test == result.EndureWrite && strings.HasPrefix(p.Note, "pass 1,"):
			const real = (blocks + 1 - result.DeadOps) * mib
			if err := errors.Join(os.Truncate(e.image, real), os.Truncate(e.image, (blocks+1)*mib)); err != nil {
				t.Error(err)
			}
		case p.Done && p.Test == result.EndureRead && strings.HasPrefix(p.Note, "pass 2,"):
			cancel(errors.New("enough"))
		}
	}
	if tests, _, err := e.run.Do(ctx); err == nil || err.Error() != "enough" {
		t.Fatalf("%v, %+v", err, tests)
	}
	e.run.Kept = *kept
	tests, err := e.run.Ended(e.run.Plan.FillBytes, result.Stopped)
	if err != nil {
		t.Fatal(err)
	}
	for pass, want := range []int64{result.DeadOps, 0} {
		if got := tests[1].Intervals[pass]; got.WrongOps+got.FailedOps != want {
			t.Errorf("pass %d: %+v, want %d bad", pass+1, got, want)
		}
	}
}
