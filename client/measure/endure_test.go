package measure_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

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
	plan.Look = 0
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
		ctx, cancel := context.WithCancelCause(t.Context())
		e.run.Progress = func(p measure.Progress) {
			if p.Test == stop.test && strings.HasPrefix(p.Note, fmt.Sprintf("pass %d,", stop.pass)) {
				cancel(errors.New("interrupted"))
			}
		}
		_, _, err := e.run.Do(ctx)
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

// Data that changed between writing and reading count as wrong, and so do data of the pass before. If a part fails, the
// rest goes on.
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
