package measure_test

import (
	"bytes"
	"context"
	"crypto/sha256"
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

// On a directory, the structure profile asks only what a file can tell; on a whole device it asks everything. If direct
// I/O takes no less than 4 KiB, it leaves out the writes that cross a block. A loop device has no units, and the
// profile finds none.
func TestStructureAsksWhatCanBeTold(t *testing.T) {
	t.Parallel()
	always := []string{"seq-write 1048576", "turn-write 4096"}
	device4K := append(slices.Clone(always), "place-write 4096")
	whole := append(slices.Clone(always), "across-write 2048", "across-write 4096", "place-write 4096")
	for name, c := range map[string]struct {
		options []string
		want    []string
		notes   int
	}{
		"directory": {nil, append(slices.Clone(always), "across-write 4096"), 3},
		"device":    {[]string{"--direct-io=on"}, whole, 1},
		"4 KiB":     {[]string{"--direct-io=on", "--sector-size", "4096"}, device4K, 3},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const size, end = 130 * mib, 32 * mib
			var run *measure.Run
			var disk string
			var fill []byte
			if c.options == nil {
				run = runOn(t, looptest.Mount(t, 128*mib, "").Dir)
			} else {
				disk = looptest.Attach(t, size, c.options...)
				fill = bytes.Repeat([]byte("somebody's photographs "), size/23+1)[:size]
				fillDisk(t, disk, fill)
				target, err := device.Running.Open(disk, 32*mib)
				if err != nil {
					t.Fatal(err)
				}
				defer target.Device.Close()
				run = &measure.Run{Kernel: device.Running, Target: target}
			}
			run.Plan = measure.Structure(1 << 30)
			run.Plan.AreaBytes, run.Plan.Look = 32*mib, 0
			var last measure.Progress
			run.Progress = func(p measure.Progress) { last = p }
			tests, spoilers, err := run.Do(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, named(tests)); diff != "" || len(run.Notes) != c.notes {
				t.Errorf("(-want +got):\n%s%q", diff, run.Notes)
			}
			mustBeValid(t, run.Plan, run.Target, tests, spoilers)
			for i := range tests {
				f := tests[i].Figures()
				if f.AllocationUnitBytes != nil || f.OpenUnits != nil && *f.OpenUnits < result.MostPlaces {
					t.Errorf("%s tells %v and %v of a loop device", f.Test, f.AllocationUnitBytes, f.OpenUnits)
				}
				if tests[i].DeviceBytes < tests[i].Bytes || !last.Done {
					t.Errorf("%s moved %d bytes, the device %d; %+v", f.Test, tests[i].Bytes, tests[i].DeviceBytes, last)
				}
			}
			if disk == "" {
				mustBeEmpty(t, run.Target.Dir)
			} else if after := contents(t, disk, size); sha256.Sum256(after[end:]) != sha256.Sum256(fill[end:]) ||
				bytes.Contains(after[:end], []byte("photographs")) {
				t.Error("the area isn't the beginning of the device")
			}
		})
	}
}

// The queue profile keeps operations under way at every depth, up and down again, and counts what the device counts. In
// a directory it discards a part of its file and finds the rest as it was written.
func TestQueueKeepsOperationsUnderWay(t *testing.T) {
	t.Parallel()
	all := []string{"seq-write 1048576", "same-read 4096", "queued-read 4096", "queued-write 4096", "checked-read 4096"}
	for _, whole := range []bool{false, true} {
		t.Run(fmt.Sprintf("whole=%v", whole), func(t *testing.T) {
			t.Parallel()
			var run *measure.Run
			want := all
			if whole {
				disk := looptest.Attach(t, 130*mib, "--direct-io=on")
				fillDisk(t, disk, make([]byte, 130*mib))
				target, err := device.Running.Open(disk, 32*mib)
				if err != nil {
					t.Fatal(err)
				}
				defer target.Device.Close()
				run, want = &measure.Run{Kernel: device.Running, Target: target}, all[:4]
			} else {
				run = runOn(t, looptest.Mount(t, 128*mib, "").Dir)
			}
			run.Plan = measure.Queue(1 << 30)
			run.Plan.AreaBytes, run.Plan.Look = 32*mib, 0
			for i := range run.Plan.Steps {
				run.Plan.Steps[i].Interval = 30 * time.Millisecond
			}
			tests, spoilers, err := run.Do(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, named(tests)); diff != "" || len(run.Notes) != len(all)-len(want) {
				t.Errorf("(-want +got):\n%s%q", diff, run.Notes)
			}
			for i := range tests[1:] {
				lengthen(&tests[1+i], 500/30+1)
			}
			mustBeValid(t, run.Plan, run.Target, tests, spoilers)
			for i := range tests[1:] {
				test := &tests[1+i]
				f := test.Figures()
				t.Logf("%s: %d operations, %s", f.Test, test.Ops, test.Ended)
				if test.DeviceBytes < test.Bytes {
					t.Errorf("%s moved %d bytes, the device %d", f.Test, test.Bytes, test.DeviceBytes)
				}
				if test.Name == result.CheckedRead && (f.WrongOps == nil || *f.WrongOps > 0 || test.Ops != 16*mib/4096) {
					t.Errorf("%d of %d reads are wrong", test.WrongOps, test.Ops)
				}
				if !result.Queued(test.Name) {
					continue
				}
				for _, depth := range result.Depths {
					if e := test.AtDepth(depth); e.IOPS == 0 || test.UnderWay(depth) > float64(depth)+1 {
						t.Errorf("%s at %d: %.0f IOPS, %.1f under way", f.Test, depth, e.IOPS, test.UnderWay(depth))
					}
				}
				if f.IOPS == nil || f.Ratio == nil {
					t.Errorf("%+v", f)
				}
				var depths []int64
				for _, v := range test.Intervals {
					depths = append(depths, v.Depth)
				}
				if diff := cmp.Diff([]int64{1, 2, 4, 8, 16, 32, 16, 8, 4, 2, 1}, slices.Compact(depths)); diff != "" {
					t.Errorf("%s, depths (-want +got):\n%s", f.Test, diff)
				}
			}
		})
	}
}

// lengthen makes a test that measured in shorter intervals than the profile does look as if it had taken its time.
func lengthen(t *result.Test, times int64) {
	t.DurationNS *= times
	t.OverheadNS *= times
	for i := range t.Intervals {
		v := &t.Intervals[i]
		v.NS, v.MaxNS, v.UnderWayNS = v.NS*times, v.MaxNS*times, v.UnderWayNS*times
	}
}

// The mixed profile reads and writes by chance, and then writes after each rest, four times.
func TestMixedReadsAndWritesAndRests(t *testing.T) {
	t.Parallel()
	disk := looptest.Mount(t, 128*mib, "")
	run := runOn(t, disk.Dir)
	run.Plan = measure.Mixed(1 << 30)
	run.Plan.AreaBytes, run.Plan.Look = 32*mib, 0
	rested := &run.Plan.Steps[2]
	run.Plan.Steps[1].Interval, run.Plan.Steps[1].Limit = 10*time.Millisecond, time.Second // all a hundredth
	rested.Interval, rested.RestsNS = 10*time.Millisecond, nil
	for _, rest := range result.RestsNS {
		rested.RestsNS = append(rested.RestsNS, rest/100)
	}
	begun := time.Now()
	tests, spoilers, err := run.Do(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if took, rests := time.Since(begun), 4*710*time.Millisecond; took < rests {
		t.Errorf("it took %v, and the rests alone take %v", took, rests)
	}
	mustBeEmpty(t, disk.Dir)
	if diff := cmp.Diff([]string{"seq-write 1048576", "mixed 4096", "rested-write 4096"}, named(tests)); diff != "" {
		t.Fatalf("(-want +got):\n%s%v", diff, run.Notes)
	}
	mixed, after := &tests[1], &tests[2]
	after.OverheadNS *= 100
	for i := range after.Intervals {
		after.Intervals[i].RestNS *= 100
	}
	mustBeValid(t, run.Plan, run.Target, tests, spoilers)
	all := result.SumIntervals(mixed.Intervals)
	if share := float64(all.Reads) / float64(all.Ops); share < 0.65 || share > 0.75 || mixed.DeviceBytes < mixed.Bytes {
		t.Errorf("%.2f of %d operations read; the device moved %d of %d bytes", share, all.Ops, mixed.DeviceBytes,
			mixed.Bytes)
	}
	if f := mixed.Figures(); f.IOPS == nil {
		t.Errorf("%+v", f)
	}
	for _, rest := range result.RestsNS {
		if rate := after.RateAfterRest(rest); rate == nil || after.AfterRest(rest).Low == 0 {
			t.Errorf("after a rest of %d ns: %v", rest, rate)
		}
	}
}

// No rest begins if it would end after the limit.
func TestRestsEndInTime(t *testing.T) {
	t.Parallel()
	run := runOn(t, looptest.Mount(t, 128*mib, "").Dir)
	run.Plan = measure.Mixed(1 << 30)
	run.Plan.AreaBytes, run.Plan.Look, run.Plan.Steps = 32*mib, 0, []measure.Step{run.Plan.Steps[0], run.Plan.Steps[2]}
	rested := &run.Plan.Steps[1]
	rested.Interval, rested.Limit = 10*time.Millisecond, time.Second
	rested.RestsNS = []int64{0, 2e9}
	tests, spoilers, err := run.Do(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	mustBeValid(t, run.Plan, run.Target, tests, spoilers)
	after := &tests[1]
	if after.Ended != result.TimeLimit || slices.ContainsFunc(after.Intervals, func(v result.Interval) bool {
		return v.RestNS > 0
	}) {
		t.Errorf("%s: %+v", after.Ended, after.Intervals)
	}
}

// The saturate profile fills a whole module and writes at random until it is steady. If either is interrupted, another
// run goes on where it was, and both make one result.
func TestSaturationGoesOn(t *testing.T) {
	t.Parallel()
	const size = 130 * mib
	disk := looptest.Attach(t, size, "--direct-io=on")
	fillDisk(t, disk, make([]byte, size))
	target, err := device.Running.Open(disk, 16*mib)
	if err != nil {
		t.Fatal(err)
	}
	defer target.Device.Close()
	plan := measure.Saturate(1 << 30)
	plan.AreaBytes, plan.Look, plan.Tests = 16*mib, 0, slices.Clone(plan.Tests)
	plan, err = plan.Within(target.Room()).Filling(target)
	if err != nil || plan.FillBytes != size-mib {
		t.Fatalf("it fills %d of %d bytes: %v", plan.FillBytes, size, err)
	}
	plan.Tests[3].Interval, plan.Tests[3].Limit = 5*time.Millisecond, 2*time.Second
	plan.RandWrite = func(blocks int64) result.Rule { return result.Rule{MinNS: 1e8, MaxNS: 15e8, TotalOps: blocks} }
	var kept []measure.Entry
	var tests []result.Test
	var spoilers []string
	for _, stop := range []struct {
		at  string
		ops int // after so many more
	}{{result.FillWrite, 40}, {result.RoundWrite, 30}, {"", 1}} {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		stopping := &counted{Context: ctx, stop: cancel, asked: stopsAt - stop.ops}
		run := &measure.Run{Kernel: device.Running, Target: target, Plan: plan, Kept: slices.Clone(kept)}
		run.Keep = func(e measure.Entry) error {
			if e.Part != nil { // the run goes on with it
				e.Part = new(*e.Part)
			}
			kept = append(kept, e)
			return nil
		}
		run.Progress = func(p measure.Progress) {
			stopping.armed = stopping.armed || p.Test == stop.at
			if p.Limit > 0 && p.Left > p.Limit {
				t.Errorf("%s ends after %v, and %v are left", p.Test, p.Limit, p.Left)
			}
		}
		tests, spoilers, err = run.Do(stopping)
		if (err != nil) != (stop.at != "") {
			t.Fatalf("stopped in %q: %v", stop.at, err)
		}
		kept = append(kept, measure.Entry{Resumed: true})
		if done := (&measure.Run{Plan: plan, Kept: kept}).Done(); stop.at == result.FillWrite &&
			!strings.HasSuffix(done, " % of fill-write") {
			t.Errorf("stopped in a fill, of which nothing is kept: %s", done)
		}
	}
	if diff := cmp.Diff([]string{"seq-write 1048576", "rand-write 4096", "fill-write 1048576", "round-write 4096",
		"full-write 4096"}, named(tests)); diff != "" {
		t.Fatalf("(-want +got):\n%s", diff)
	}
	lengthen(&tests[3], 3000/5)
	mustBeValid(t, plan, target, tests, spoilers)
	fill, rounds, full := &tests[2], &tests[3], &tests[4]
	if full.AreaBytes != tests[1].AreaBytes || full.AreaBytes >= fill.AreaBytes || full.Figures().IOPS == nil {
		t.Errorf("full, it writes at random over %d bytes, and over %d before", full.AreaBytes, tests[1].AreaBytes)
	}
	if fill.Bytes != size-mib || fill.Ended != result.Complete || fill.DeviceBytes < size-mib ||
		fill.DeviceBytes > size+size/10 {
		t.Errorf("filled %d bytes, %s; the device moved %d", fill.Bytes, fill.Ended, fill.DeviceBytes)
	}
	if n := len(result.RoundsOf(rounds.Intervals)); n < 3 || rounds.AreaBytes != size-mib || rounds.Ended == result.Complete {
		t.Errorf("%d rounds over %d bytes, %s", n, rounds.AreaBytes, rounds.Ended)
	}
}
