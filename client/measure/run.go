package measure

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"syscall"
	"time"

	"flashdex/client/device"
	"flashdex/result"
)

// Run is one run of a plan on a target.
type Run struct {
	Kernel   device.Kernel
	Target   device.Target
	Plan     Plan
	DD       string         // the dd to run; "" finds the machine's own
	Progress func(Progress) // called about once a second

	// Keep, if it isn't nil, is given what a later run with the same plan goes on from: all that was kept, in order, is its Kept.
	Keep func(Entry) error
	Kept []Entry

	Notes []string // what a run left out, and why

	started   time.Time
	cpu       device.CPU
	watch     *device.Watch
	looked    time.Time // when the watch last did
	kept      time.Time // when something last was
	tests     []result.Test
	priming   bool // a linear write that is not the test
	ownWrites bool // the machine's dd doesn't do what it is told
	busy      bool // something else used the device

	stepsLeft           time.Duration // that the steps after this one may take
	ownBytes, elseBytes int64         // of all steps: that they moved, and that somebody else seems to have moved
}

// Tests of a Progress that are none of a result: the module is made ready for the first, and before, in a run without a limit, the
// client tries for some seconds how fast its random writes are, to say how long they will take.
const (
	Priming = "priming"
	Trial   = "trial"
)

// Progress says how far a test is.
type Progress struct {
	Test     string
	Elapsed  time.Duration
	Share    float64       // of its bytes, 0 to 1
	From     float64       // the share that was done before Elapsed began
	Bytes    int64         // so far
	Ops      int64         // so far
	Starts   int64         // so far, of a program
	KiBPerOp float64       // that the device wrote, once that is known of random writes
	Left     time.Duration // until the whole run ends, at most; or until this test ends, if Guessed
	Guessed  bool          // there is no limit: Left is what the rate so far makes likely
	Done     bool
}

// NotConfirmedError says that the device's own counters contradict a test, so that it has no result.
type NotConfirmedError struct {
	Test               string
	Bytes, DeviceBytes int64
}

func (e *NotConfirmedError) Error() string {
	return fmt.Sprintf("%s has no result: the test moved %d KiB, but the kernel counted only %d KiB at the device; "+
		"the rest never left the page cache, whose speed is not the module's", e.Test, e.Bytes>>10, e.DeviceBytes>>10)
}

// Do runs all tests. It returns them with the codes of what may have spoiled them. The test file is gone when Do
// returns, and even if the process is killed: it has no name from the moment it exists.
func (r *Run) Do(ctx context.Context) (measured []result.Test, spoilers []string, err error) {
	r.started, r.tests, r.Notes = time.Now(), nil, nil
	r.watch, r.looked, r.kept = r.Kernel.Watch(r.Target.Disk), r.started, r.started
	defer r.watch.End()
	if err := r.look(ctx); err != nil {
		return nil, nil, err
	}
	r.cpu = r.Kernel.CPU()
	if r.Plan.Command != nil {
		err = r.startup(ctx)
	} else {
		err = r.inArea(ctx)
	}
	if ctx.Err() != nil {
		return nil, nil, context.Cause(ctx)
	}
	if errors.Is(err, syscall.ENOSPC) {
		return nil, nil, fmt.Errorf("the module is full: something else filled it during the test (%w)", err)
	}
	if err != nil {
		return nil, nil, err
	}
	r.watch.End()
	return r.tests, r.spoilers(), nil
}

// spoilers are the codes of what was seen so far, in this run and in those that it goes on from.
func (r *Run) spoilers() []string {
	seen := r.watch.Seen()
	for _, entry := range r.Kept {
		seen = append(seen, entry.Spoilers...)
	}
	if r.Target.RootDisk {
		seen = append(seen, result.RootDisk)
	}
	if r.busy {
		seen = append(seen, result.BusyDevice)
	}
	if spent := r.Kernel.CPU().Since(r.cpu); spent.Other > spent.All/5 {
		seen = append(seen, result.BusyCPU)
	}
	slices.Sort(seen)
	return slices.Compact(seen)
}

// inArea runs the plan's tests or steps in a test area.
func (r *Run) inArea(ctx context.Context) error {
	if r.Plan.DevicePasses > 0 {
		if err := r.primeDevice(ctx); err != nil {
			return err
		}
	}
	if r.Plan.Filesystem != "" {
		var made device.Filesystem
		if err := r.watch.Without(func() (err error) {
			made, err = r.Target.MakeFilesystem(ctx, r.Kernel)
			return err
		}); err != nil {
			return err
		}
		defer func() {
			if err := made.Unmake(); err != nil {
				r.Notes = append(r.Notes, err.Error())
			}
		}()
		r.Target = made.Target
	}
	file, err := newArea(r.Target.Dir)
	if err != nil {
		return err
	}
	defer file.close()
	if r.Plan.Steps != nil {
		return r.steps(ctx, file)
	}
	return r.all(ctx, file)
}

// all primes the area and runs the plan's tests in order, less those that were run before.
func (r *Run) all(ctx context.Context, file *area) error {
	tests := map[string]func(context.Context, *area) (result.Test, error){
		result.SeqWrite: r.seqWrite, result.RandWrite: r.randWrite, result.SeqRead: r.seqRead, result.RandRead: r.randRead,
	}
	if err := r.prime(ctx, file); err != nil {
		return err
	}
	if r.Plan.Trial > 0 && r.Plan.DevicePasses == 0 {
		if err := r.trial(ctx, file); err != nil {
			return err
		}
	}
	for _, name := range r.Plan.Tests {
		if t := r.before(name); t != nil {
			r.tests, file.bytes = append(r.tests, *t), t.AreaBytes
			continue
		}
		t, err := tests[name](ctx, file)
		if err != nil || ctx.Err() != nil {
			return err
		}
		r.tests = append(r.tests, t)
		r.keep(Entry{Test: &t})
	}
	return nil
}

// strayBytes is what a quiet device may still transfer: a file system's housekeeping.
const strayBytes = 50 << 10

// look watches the device before the test begins, when all that it transfers is somebody else's.
func (r *Run) look(ctx context.Context) error {
	before, err := r.Target.Disk.Counters()
	if err != nil {
		return err
	}
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(r.Plan.Look):
	}
	after, err := r.Target.Disk.Counters()
	if err != nil {
		return err
	}
	moved := after.Since(before)
	r.busy = moved.ReadBytes+moved.WrittenBytes > strayBytes
	return nil
}

// confirm compares what a test moved with what the device's counters say, and returns what they counted in its
// direction. It also notes what somebody else moved: anything in the other direction, and anything above our own.
// What a file system writes of its own beside random writes is not somebody else's; there only other partitions tell.
func (r *Run) confirm(test string, bytes int64, before device.Counters) (int64, error) {
	moved, err := r.proof(test, bytes, before)
	counted, other := moved.ReadBytes, moved.WrittenBytes
	if writes(test) {
		counted, other = other, counted
	}
	if test == Trial {
		return counted, err
	}
	steps := r.Plan.Steps != nil && !r.priming
	if test == result.RandWrite || steps && writes(test) {
		other = max(other, moved.ElsewhereBytes)
	} else {
		other += counted - bytes
	}
	if steps {
		// One step may move less than the file system's housekeeping does meanwhile.
		r.ownBytes += bytes
		r.elseBytes += other
		bytes, other = r.ownBytes, r.elseBytes
	}
	if other > strayBytes && other > bytes/50 {
		r.busy = true
	}
	return counted, err
}

// proof is what the device's counters counted. Its error is *NotConfirmedError if that is less than what the test moved.
func (r *Run) proof(test string, bytes int64, before device.Counters) (device.Counters, error) {
	now, err := r.Target.Disk.Counters()
	if err != nil {
		return device.Counters{}, err
	}
	moved := now.Since(before)
	counted := moved.ReadBytes
	if writes(test) {
		counted = moved.WrittenBytes
	}
	if counted < bytes-bytes/20 {
		return moved, &NotConfirmedError{Test: test, Bytes: bytes, DeviceBytes: counted}
	}
	return moved, nil
}

// left is the most that the run can still take, if it has a limit, during a test that may still take of its own.
func (r *Run) left(test string, own time.Duration) time.Duration {
	if r.Plan.Steps != nil {
		return max(min(max(own, 0)+r.stepsLeft, r.Plan.Whole-time.Since(r.started)), 0)
	}
	later := map[string]time.Duration{
		result.SeqWrite:  r.randWriteLimit() + r.Plan.SeqRead + r.randReadLimit(),
		result.RandWrite: r.Plan.SeqRead + r.randReadLimit(),
		result.SeqRead:   r.randReadLimit(),
	}
	return max(min(max(own, 0)+later[test], r.Plan.Whole-time.Since(r.started)), 0)
}

func (r *Run) randReadLimit() time.Duration { return time.Duration(r.Plan.RandRead(0).MaxNS) }

func (r *Run) randWriteLimit() time.Duration { return r.Plan.randWriteLimit(time.Since(r.started)) }
