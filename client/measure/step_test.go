package measure_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"flashdex/client/device"
	"flashdex/client/looptest"
	"flashdex/client/measure"
	"flashdex/result"

	"github.com/google/go-cmp/cmp"
)

// hurried shortens the steps of a plan and its area.
func hurried(plan measure.Plan, each time.Duration) measure.Plan {
	plan.AreaBytes, plan.Look = 32*mib, 0
	plan.Steps = slices.Clone(plan.Steps)
	for i := range plan.Steps {
		plan.Steps[i].Limit = each
	}
	return plan
}

func named(tests []result.Test) (names []string) {
	for _, t := range tests {
		names = append(names, fmt.Sprint(t.Name, " ", t.BlockBytes))
	}
	return names
}

// The limits of the steps add up to no more than the announced time.
func TestStepsKeepWhatTheyPromise(t *testing.T) {
	t.Parallel()
	for _, memory := range []int64{1 << 20, 1 << 30} {
		for _, p := range []measure.Plan{measure.Sustained(memory), measure.Sweep(memory), measure.Iozone(memory),
			measure.Files(memory), measure.Recording(memory), measure.Recorder(memory), measure.Structure(memory),
			measure.Queue(memory), measure.Mixed(memory)} {
			sum := p.Look + p.SeqWrite
			for _, s := range p.Steps {
				sum += s.Limit
			}
			if sum > p.Whole {
				t.Errorf("%s: its steps take %s, the whole %s", p.Profile, sum, p.Whole)
			}
		}
	}
	if p := measure.Sweep(1 << 30); len(p.Steps) != 4*16 || p.Steps[0].BlockBytes != 512 ||
		p.Steps[63].BlockBytes != 16*mib || p.WriteBytes() != 33*256*mib {
		t.Errorf("%d steps from %d to %d bytes, which write %d", len(p.Steps), p.Steps[0].BlockBytes, p.Steps[63].BlockBytes,
			p.WriteBytes())
	}
	if p := measure.Sweep(32 * mib); p.Steps[len(p.Steps)-1].BlockBytes != 4*mib {
		t.Errorf("with little memory records have up to %d bytes", p.Steps[len(p.Steps)-1].BlockBytes)
	}
	if p := measure.Iozone(1 << 30); p.WriteBytes() != 300*mib || p.AreaBytes != 50*mib {
		t.Errorf("iozone writes %d bytes to an area of %d", p.WriteBytes(), p.AreaBytes)
	}
	if p := measure.Sustained(1 << 30); p.WriteBytes() != 64<<30 || p.Within(1000*mib+5).AreaBytes != 1000*mib ||
		p.Within(1).AreaBytes != 256*mib || p.Within(1<<50).AreaBytes != 32<<30 {
		t.Errorf("areas of %d, %d and %d bytes", p.Within(1000*mib+5).AreaBytes, p.Within(1).AreaBytes,
			p.Within(1<<50).AreaBytes)
	}
	if p := measure.Iozone(1 << 30); p.Within(1<<40).AreaBytes != 50*mib {
		t.Errorf("iozone takes an area of %d bytes", p.Within(1<<40).AreaBytes)
	}
}

// Every profile of steps does them in order, its count agrees with the device's, it makes a valid result, and it leaves
// the rest of the module as it was.
func TestStepProfiles(t *testing.T) {
	t.Parallel()
	iozone := []string{}
	sweep := []string{}
	for _, size := range []int{4096, 512 << 10} {
		for _, name := range []string{"seq-write", "seq-rewrite", "seq-read", "seq-reread", "rand-read", "rand-write"} {
			iozone = append(iozone, fmt.Sprint(name, " ", size))
		}
	}
	for size := 512; size <= 16*mib; size *= 2 {
		for _, name := range []string{"seq-write", "seq-read", "rand-write", "rand-read"} {
			sweep = append(sweep, fmt.Sprint(name, " ", size))
		}
	}
	for _, c := range []struct {
		plan measure.Plan
		want []string
	}{
		{hurried(measure.Sustained(1<<30), 2500*time.Millisecond), []string{"seq-write 1048576", "seq-read 1048576"}},
		{hurried(measure.Sweep(1<<30), 30*time.Millisecond), sweep},
		{hurried(measure.Iozone(1<<30), time.Minute), iozone},
	} {
		t.Run(c.plan.Profile+", directory", func(t *testing.T) {
			t.Parallel()
			disk := looptest.Mount(t, 128*mib, "")
			run := runOn(t, disk.Dir)
			run.Plan = c.plan
			stepsAreRight(t, run, c.want)
			mustBeEmpty(t, disk.Dir)
		})
		t.Run(c.plan.Profile+", device", func(t *testing.T) {
			t.Parallel()
			const size, start, end = 130 * mib, 64 * mib, 96 * mib
			disk := looptest.Attach(t, size, "--direct-io=on")
			fill := bytes.Repeat([]byte("somebody's photographs "), size/23+1)[:size]
			fillDisk(t, disk, fill)
			target, err := device.Running.Open(disk, c.plan.AreaBytes)
			if err != nil {
				t.Fatal(err)
			}
			defer target.Device.Close()
			stepsAreRight(t, &measure.Run{Kernel: device.Running, Target: target, Plan: c.plan}, c.want)
			after := contents(t, disk, size)
			if sha256.Sum256(after[:start]) != sha256.Sum256(fill[:start]) ||
				sha256.Sum256(after[end:]) != sha256.Sum256(fill[end:]) {
				t.Error("something outside the test area was written to")
			}
		})
	}
}

func stepsAreRight(t *testing.T, run *measure.Run, want []string) {
	t.Helper()
	tests, spoilers, err := run.Do(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, named(tests)); diff != "" {
		t.Errorf("(-want +got):\n%s%v", diff, run.Notes)
	}
	for i := range tests {
		test := &tests[i]
		done := test.Bytes >= test.AreaBytes
		if test.Engine != "flashdex" || test.AreaBytes != 32*mib || test.WarmupOps != 0 ||
			(test.Ended == result.Complete) != (done && run.Plan.Profile != result.ProfileSustained) {
			t.Errorf("%s: by %s, %d of %d bytes, %s", named(tests)[i], test.Engine, test.Bytes, test.AreaBytes, test.Ended)
		}
		if test.DeviceBytes < test.Bytes || test.DeviceBytes > test.Bytes+test.Bytes/4+mib {
			t.Errorf("%s moved %d bytes, the device %d", named(tests)[i], test.Bytes, test.DeviceBytes)
		}
		if run.Plan.Profile == result.ProfileSustained && (test.Ended != result.TimeLimit || len(test.Intervals) < 2 ||
			test.DurationNS < 2500e6 || test.Intervals[0].NS < 1e9) {
			t.Errorf("%s: %s after %d ns, %d intervals", test.Name, test.Ended, test.DurationNS, len(test.Intervals))
		}
	}
	doc := mustBeValid(t, run.Plan, run.Target, tests, spoilers)
	doc.Identity.Bus, doc.Spoilers = "sd", nil
	if reasons := doc.NotRanked(); len(reasons) != 1 || !strings.Contains(reasons[0], run.Plan.Profile) {
		t.Errorf("not ranked for %q, want the profile alone", reasons)
	}
}

// If the module's own blocks are larger than a record, direct I/O is impossible: the sweep says so and continues.
func TestSweepLeavesOutWhatTheDeviceRefuses(t *testing.T) {
	t.Parallel()
	disk := looptest.Attach(t, 130*mib, "--direct-io=on", "--sector-size", "4096")
	target, err := device.Running.Open(disk, 32*mib)
	if err != nil {
		t.Fatal(err)
	}
	defer target.Device.Close()
	run := &measure.Run{Kernel: device.Running, Target: target, Plan: hurried(measure.Sweep(1<<30), 20*time.Millisecond)}
	tests, spoilers, err := run.Do(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(tests) != 4*13 || tests[0].BlockBytes != 4096 || len(run.Notes) != 4*3 ||
		!strings.HasPrefix(run.Notes[0], "seq-write 512 B was not measured") || !strings.Contains(run.Notes[0], "4096 B") {
		t.Errorf("%d tests, the first of %d bytes; %q", len(tests), tests[0].BlockBytes, run.Notes)
	}
	mustBeValid(t, run.Plan, target, tests, spoilers)
}

// A sweep that runs out of time leaves out the remaining steps and keeps the finished tests. It is an error if no test
// is finished.
func TestSweepEndsInTime(t *testing.T) {
	t.Parallel()
	disk := looptest.Mount(t, 128*mib, "")
	run := runOn(t, disk.Dir)
	run.Plan = hurried(measure.Sweep(1<<30), 20*time.Millisecond)
	run.Plan.Steps[1].Limit = time.Hour // longer than the whole
	tests, spoilers, err := run.Do(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(tests) != 63 || tests[1].Name != result.RandWrite || len(run.Notes) != 1 ||
		run.Notes[0] != "seq-read 512 B was not measured: left out to finish in time" {
		t.Errorf("%d tests, %q", len(tests), run.Notes)
	}
	mustBeValid(t, run.Plan, run.Target, tests, spoilers)
	run = runOn(t, disk.Dir)
	run.Plan = hurried(measure.Sweep(1<<30), time.Hour)
	if _, _, err := run.Do(t.Context()); err == nil || !strings.Contains(err.Error(), "nothing could be measured") {
		t.Errorf("without time: %v", err)
	}
	mustBeEmpty(t, disk.Dir)
}

// A recording gets its data at its rate, and no block is written before it is complete. BehindNS is how long a block
// waits. It is at least as long as the block's write takes.
func TestRecordingsWaitForTheirData(t *testing.T) {
	t.Parallel()
	disk := looptest.Mount(t, 128*mib, "")
	run := runOn(t, disk.Dir)
	run.Plan = measure.Recording(1 << 30)
	run.Plan.AreaBytes, run.Plan.Look, run.Plan.Steps = 32*mib, 0, slices.Clone(run.Plan.Steps)
	for i := range run.Plan.Steps {
		run.Plan.Steps[i].Bytes /= 100 // 1.2 s
	}
	cut := &run.Plan.Steps[2]
	cut.Limit = 300 * time.Millisecond
	tests, spoilers, err := run.Do(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"record-4-mb-per-s 1048576", "record-10-mb-per-s 1048576", "record-30-mb-per-s 1048576"}
	if diff := cmp.Diff(want, named(tests)); diff != "" {
		t.Fatalf("(-want +got):\n%s", diff)
	}
	for i, test := range tests {
		rate := result.RecordedMBPerS(test.Name)
		took := test.DurationNS + test.OverheadNS
		all := result.SumIntervals(test.Intervals)
		if took < test.Bytes*1000/rate || test.Figures().MBPerS > float64(rate) || all.BehindNS < all.MaxNS ||
			all.BehindNS < took-test.Bytes*1000/rate-1e9 {
			t.Errorf("%s: %d bytes in %d ns, %+v", test.Name, test.Bytes, took, all)
		}
		if complete := test.Bytes >= run.Plan.Steps[i].Bytes; (test.Ended == result.Complete) != complete {
			t.Errorf("%s: %s after %d bytes", test.Name, test.Ended, test.Bytes)
		}
	}
	if tests[2].Ended != result.TimeLimit || tests[0].Ended != result.Complete {
		t.Errorf("%s and %s", tests[2].Ended, tests[0].Ended)
	}
	mustBeValid(t, run.Plan, run.Target, tests, spoilers)
	mustBeEmpty(t, disk.Dir)
	if p := measure.Recording(1 << 30); p.WriteBytes() != 44*120*1e6 {
		t.Errorf("it says that it writes %d bytes", p.WriteBytes())
	}
}

// A recorder writes its data as they come, to as many files as a ring has. It deletes the oldest, and leaves no file.
func TestRecorderWritesARingOfFiles(t *testing.T) {
	t.Parallel()
	disk := looptest.Mount(t, 16*mib, "") // smaller than all the data
	run := runOn(t, disk.Dir)
	run.Plan = measure.RecorderAt(8e6)
	if p := run.Plan; p.AreaBytes != 456*mib || p.WriteBytes() < 3800e6 || p.WriteBytes() > 2*240*8e6 {
		t.Errorf("at 8 MB/s, it writes %d bytes to an area of %d", p.WriteBytes(), p.AreaBytes)
	}
	run.Plan.AreaBytes, run.Plan.Look = 8*mib, 0
	for i := range run.Plan.Steps {
		run.Plan.Steps[i].Bytes, run.Plan.Steps[i].Rate = 16*mib, 2e6
	}
	tests, spoilers, err := run.Do(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	mustBeEmpty(t, disk.Dir)
	mustBeValid(t, run.Plan, run.Target, tests, spoilers)
	if diff := cmp.Diff([]string{"stream-write 1048576", "stream-write 4096"}, named(tests)); diff != "" {
		t.Errorf("(-want +got):\n%s%v", diff, run.Notes)
	}
	for i := range tests {
		test := &tests[i]
		f, all := test.Figures(), result.SumIntervals(test.Intervals)
		if took := test.DurationNS + test.OverheadNS; took < test.Bytes*1e9/2e6 || f.MBPerS > 2 ||
			test.Ended != result.Complete || test.AreaBytes != 8*mib || test.DeviceBytes < test.Bytes {
			t.Errorf("%d bytes in %d ns, %s, area %d", test.Bytes, took, test.Ended, test.AreaBytes)
		}
		// A busy computer may fall behind with small blocks, and then no buffer is enough.
		buffered := test.BlockBytes == 4096
		if f.BufferBytes != nil {
			buffered = *f.BufferBytes >= test.BlockBytes
		}
		if !buffered || all.BehindNS < all.MaxNS || all.LeastBehindNS <= 0 || all.LeastBehindNS > all.BehindNS ||
			f.P99NS == nil && test.BlockBytes == 4096 || test.StallsAbove(100e6).Count == nil {
			t.Errorf("%+v, behind %d to %d ns", f, all.LeastBehindNS, all.BehindNS)
		}
	}
}

// A sustained write goes around in its area. It ends with its bytes if it still has time then.
func TestSustainedEndsWithItsBytes(t *testing.T) {
	t.Parallel()
	disk := looptest.Mount(t, 128*mib, "")
	run := runOn(t, disk.Dir)
	run.Plan = hurried(measure.Sustained(1<<30), time.Minute)
	run.Plan.Steps[0].Bytes, run.Plan.Steps[1].Bytes = 80*mib, 40*mib
	tests, spoilers, err := run.Do(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []int64{80 * mib, 40 * mib} {
		if tests[i].Ended != result.Complete || tests[i].Bytes != want || tests[i].AreaBytes != 32*mib {
			t.Errorf("%s: %s after %d bytes in an area of %d", tests[i].Name, tests[i].Ended, tests[i].Bytes, tests[i].AreaBytes)
		}
	}
	mustBeValid(t, run.Plan, run.Target, tests, spoilers)
}

// A write that stops at its limit sets the area for the tests after it.
func TestIozoneOnASlowModule(t *testing.T) {
	t.Parallel()
	disk := looptest.Mount(t, 128*mib, "")
	run := runOn(t, disk.Dir)
	run.Plan = hurried(measure.Iozone(1<<30), time.Minute)
	run.Plan.Steps[0].Limit = 1 // every module is slower
	tests, spoilers, err := run.Do(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i, test := range tests {
		area, ended := int64(32*mib), result.Complete
		if i < 6 {
			area = 4096
		}
		if i == 0 {
			ended = result.TimeLimit
		}
		if test.AreaBytes != area || test.Ended != ended {
			t.Errorf("%s: area %d, %s", named(tests)[i], test.AreaBytes, test.Ended)
		}
	}
	mustBeValid(t, run.Plan, run.Target, tests, spoilers)
}

func TestStepsStoppedInTheMiddle(t *testing.T) {
	t.Parallel()
	errStop := errors.New("stop")
	for at, plan := range map[string]measure.Plan{
		measure.Priming: measure.Sweep(1 << 30), "rand-write 4 KiB": measure.Sweep(1 << 30),
		"seq-write 1 MiB": measure.Sustained(1 << 30), "rand-read 4 KiB": measure.Iozone(1 << 30),
	} {
		disk := looptest.Mount(t, 128*mib, "")
		run := runOn(t, disk.Dir)
		run.Plan = hurried(plan, 200*time.Millisecond)
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
