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
	Token    string         // decides the order of the blocks; "": it is random
	DD       string         // the dd to run; "": the machine's own
	Progress func(Progress) // called about once a second

	// Keep, unless nil, is called with entries. A later run can continue from them if its Kept holds all of them, in
	// order.
	Keep func(Entry) error
	Kept []Entry
	Sign func(c result.Checkpoint, before string) (tag string) // signs a checkpoint after the one with that tag

	Notes []string // what the run left out, and why

	ProgramSum   string // of the started program, as in a result
	ProgramBytes int64

	started   time.Time
	cpu       device.CPU
	watch     *device.Watch
	looked    time.Time // when the watch last looked
	kept      time.Time // when Keep was last called
	tests     []result.Test
	priming   bool // during a linear write that is not the test
	ownWrites bool // the machine's dd doesn't work
	busy      bool // something else used the device

	stepsLeft           time.Duration // that the later steps may take
	ownBytes, elseBytes int64         // that all steps moved, and that something else seems to have moved meanwhile
}

// Names in a Progress that belong to no test of a result: the passes that prime the module, and the trial, which
// estimates how long the random writes of a run without a limit will take.
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
	Starts   int64         // of a program so far
	KiBPerOp float64       // that the device wrote for each random write; 0: not known
	Left     time.Duration // until the whole run ends, at most; if Guessed, until this test ends
	Limit    time.Duration // of a random test; 0: none
	Guessed  bool          // there is no limit: Left is estimated from the rate so far
	Done     bool
	Note     string // in place of the time that is left
}

// NotConfirmedError says that the device's counters contradict a test. Such a test has no result.
type NotConfirmedError struct {
	Test               string
	Bytes, DeviceBytes int64
}

func (e *NotConfirmedError) Error() string {
	return fmt.Sprintf("%s has no result: the test moved %d KiB, but the kernel counted only %d KiB at the device; "+
		"the rest never left the page cache, whose speed is not the module's", e.Test, e.Bytes>>10, e.DeviceBytes>>10)
}

// Do runs all tests and returns them with the codes of their spoilers. It leaves no test file, even if it is killed.
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
	if err != nil {
		if changed := r.Target.Same(); changed != nil { // a card that was just put in refuses the first operation
			err = changed
		}
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

// spoilers returns the codes of everything that was seen so far, in this run and in the runs that it continues.
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
	if now := r.Kernel.CPU(); now.Other-r.cpu.Other > (now.All-r.cpu.All)/5 {
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
	defer file.Close()
	if file.device {
		file.start = r.Plan.AreaStart(r.Target.Disk.SizeBytes)
	}
	if r.Plan.Steps != nil {
		return r.steps(ctx, file)
	}
	if r.Plan.Method == result.MethodEndure1 {
		return r.endure(ctx, file)
	}
	return r.all(ctx, file)
}

// all primes the area and runs the plan's tests in order, except those that an earlier run finished.
func (r *Run) all(ctx context.Context, file *area) error {
	if r.Plan.Fills && file.device {
		if err := r.mark(file); err != nil {
			return err
		}
	}
	if err := r.prime(ctx, file); err != nil {
		return err
	}
	if r.Plan.Trial > 0 && r.Plan.DevicePasses == 0 {
		if err := r.trial(ctx, file); err != nil {
			return err
		}
	}
	for _, s := range r.Plan.Tests {
		if t := r.before(s); t != nil {
			r.tests, file.bytes = append(r.tests, *t), t.AreaBytes
			continue
		}
		t, err := r.test(ctx, file, s)
		if ctx.Err() == nil && r.leftOut(s, err) {
			continue
		}
		if err != nil || ctx.Err() != nil {
			return err
		}
		r.tests = append(r.tests, t)
		r.keep(Entry{Test: &t})
	}
	return nil
}

// test runs one of the plan's tests.
func (r *Run) test(ctx context.Context, a *area, s Step) (result.Test, error) {
	switch {
	case s.Test == result.RandWrite, s.Test == result.FullWrite:
		if s.Test == result.FullWrite {
			r.again(a)
		}
		rule := r.Plan.RandWrite(a.bytes / randomBytes)
		rule.MaxNS = r.Plan.randWriteLimit(time.Since(r.started)).Nanoseconds()
		return r.random(ctx, a, s.Test, r.Plan.Sync, randomBytes, rule)
	case s.Test == result.RandRead:
		return r.random(ctx, a, s.Test, "none", randomBytes, r.Plan.RandRead(a.bytes/randomBytes))
	case s.Sync != "":
		return r.step(ctx, a, s)
	}
	return r.linear(ctx, a, s)
}

// again makes the area that of the first random writes, which is less than what a fill wrote since.
func (r *Run) again(a *area) {
	for i := range r.tests {
		if r.tests[i].Name == result.RandWrite {
			a.bytes = r.tests[i].AreaBytes
		}
	}
	if a.device {
		a.start = r.Plan.AreaStart(r.Target.Disk.SizeBytes)
	}
}

// strayBytes is how much a quiet device may still transfer for its file system's housekeeping.
const strayBytes = 50 << 10

// look watches the device before the tests. A run that wears it out compares all that it holds, and so needs it alone.
func (r *Run) look(ctx context.Context) (err error) {
	var movedBytes int64
	for begun := time.Now(); ; {
		movedBytes, r.busy, err = r.Busy(ctx, r.Plan.Look)
		if err != nil || !r.busy || time.Since(begun) >= r.Plan.Wait {
			break
		}
	}
	if err == nil && r.busy && r.Plan.Method == result.MethodEndure1 {
		err = fmt.Errorf("%s is busy: something else moved %s kB in %s; end what uses it, and run this again",
			r.Target.Disk.Name, result.Number(float64(movedBytes)/1e3), r.Plan.Look)
	}
	return err
}

// Busy watches the device for a while. The run does nothing meanwhile, so something else moves every byte. Busy returns
// how many bytes moved, and whether that is more than strayBytes for each Plan.Look.
func (r *Run) Busy(ctx context.Context, while time.Duration) (movedBytes int64, busy bool, err error) {
	before, err := r.Target.Disk.Counters()
	if err != nil {
		return 0, false, err
	}
	if err := pause(ctx, while); err != nil {
		return 0, false, err
	}
	after, err := r.Target.Disk.Counters()
	if err != nil {
		return 0, false, err
	}
	moved := after.Since(before)
	movedBytes = moved.ReadBytes + moved.WrittenBytes
	return movedBytes, movedBytes > strayBytes*max(int64(while/max(r.Plan.Look, 1)), 1), nil
}

// pause waits. It returns an error if the context ends before.
func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(d):
		return nil
	}
}

// confirm compares the bytes that a test moved with the device's counters, and returns the count in the test's
// direction. It also notes bytes that something else moved: all bytes in the other direction, and all above the test's
// own. A file system adds its own writes to writes that are synced one by one. So for these, only bytes outside of the
// partition count.
func (r *Run) confirm(test, sync string, bytes int64, before device.Counters) (int64, error) {
	moved, err := r.proof(test, bytes, before)
	return r.judge(test, sync, bytes, moved), err
}

// judge does the same without the error, given the bytes that the device moved during the test.
func (r *Run) judge(test, sync string, bytes int64, moved device.Counters) (counted int64) {
	counted, other := moved.ReadBytes, moved.WrittenBytes
	if writes(test) {
		counted, other = other, counted
	}
	if test == Trial {
		return counted
	}
	steps := r.Plan.Steps != nil && !r.priming
	if sync == "sync" || sync == "dsync" || steps && writes(test) {
		other = max(other, moved.ElsewhereBytes)
	} else {
		other += counted - bytes
	}
	if steps {
		// One step may move fewer bytes than the file system's housekeeping does meanwhile.
		r.ownBytes += bytes
		r.elseBytes += other
		bytes, other = r.ownBytes, r.elseBytes
	}
	if other > strayBytes && other > bytes/50 {
		r.busy = true
	}
	return counted
}

// proof returns the bytes that the device's counters counted. Its error is *NotConfirmedError if a test moved more.
func (r *Run) proof(test string, bytes int64, before device.Counters) (device.Counters, error) {
	now, err := r.Target.Disk.Counters()
	if err != nil {
		return device.Counters{}, err
	}
	moved := now.Since(before)
	return moved, proven(test, bytes, moved)
}

// proven returns a *NotConfirmedError if a test moved more than the device did.
func proven(test string, bytes int64, moved device.Counters) error {
	counted := moved.ReadBytes
	if writes(test) {
		counted = moved.WrittenBytes
	}
	if counted < bytes-bytes/20 {
		return &NotConfirmedError{Test: test, Bytes: bytes, DeviceBytes: counted}
	}
	return nil
}

// left returns the most time that a run with a limit can still take, during a test that can still take own.
func (r *Run) left(test string, own time.Duration) time.Duration {
	later := r.stepsLeft
	if r.Plan.Steps == nil {
		randRead := time.Duration(r.Plan.RandRead(0).MaxNS)
		later = map[string]time.Duration{
			result.SeqWrite:  r.Plan.randWriteLimit(time.Since(r.started)) + r.Plan.SeqRead + randRead,
			result.RandWrite: r.Plan.SeqRead + randRead,
			result.SeqRead:   randRead,
		}[test]
	}
	if r.Plan.Whole == 0 {
		return max(own, 0)
	}
	return max(min(max(own, 0)+later, r.Plan.Whole-time.Since(r.started)), 0)
}
