package measure_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"flashdex/client/device"
	"flashdex/client/looptest"
	"flashdex/client/measure"
	"flashdex/result"
)

// TestAChangedModuleIsNotWritten changes the module under a run on a whole device in each kind of test. The run ends
// before it writes anything more.
func TestAChangedModuleIsNotWritten(t *testing.T) {
	t.Parallel()
	short := func(p measure.Plan) measure.Plan {
		p.AreaBytes, p.MinAreaBytes, p.Look, p.Trial = 16*mib, 16*mib, 0, min(p.Trial, 100*time.Millisecond)
		p.FirstChunkBytes, p.ChunkBytes = mib, mib
		return p
	}
	standard, reference := short(measure.Standard(1<<30)), short(measure.Reference(1<<30))
	queue, mixed := short(measure.Queue(1<<30)), short(measure.Mixed(1<<30))
	for _, steps := range [][]measure.Step{queue.Steps, mixed.Steps} {
		for i := range steps {
			steps[i].Interval = min(steps[i].Interval, 20*time.Millisecond)
		}
		steps[1].Limit = time.Second
	}
	saturate := short(measure.Saturate(1 << 30))
	saturate.FillBytes, saturate.Tests = 65*mib, slices.Clone(saturate.Tests)
	saturate.RandWrite = func(blocks int64) result.Rule { return result.Rule{MaxNS: 1e8, TotalOps: blocks} }
	saturate.Tests[3].Interval = time.Hour // so that the module is looked at in the middle of it
	for name, c := range map[string]struct {
		plan   measure.Plan
		during string // a test
		dd     string // "": the machine's own; else one that is missing, so that the client itself writes
	}{
		"linear":          {standard, "seq-write", ""},
		"linear, own":     {standard, "seq-write", "no-dd"},
		"random":          {standard, "rand-write", ""},
		"priming":         {reference.Erasing(66*mib, ""), measure.Priming, ""},
		"priming, own":    {reference.Erasing(66*mib, ""), measure.Priming, "no-dd"},
		"trial":           {reference.Erasing(66*mib, ""), measure.Trial, ""},
		"steps":           {short(measure.Sustained(1 << 30)), "seq-write 1 MiB", ""},
		"structure":       {short(measure.Structure(1 << 30)), "turn-write 4 KiB", ""},
		"queue":           {queue, "queued-read", ""},
		"mixed":           {mixed, "rested-write", ""},
		"fill":            {saturate, "fill-write", ""},
		"rounds":          {saturate, "round-write", ""},
		"before it began": {standard, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			disk := looptest.Attach(t, 66*mib, "--direct-io=on")
			sys := looptest.Shown(t, disk)
			looptest.Show(t, sys, disk, "diskseq", "9")
			kernel := device.Kernel{Sys: sys, Proc: "/proc", Dev: "/dev"}
			target, err := kernel.Open(disk, 16*mib)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(target.Close)
			written, changed := "", false
			change := func() {
				looptest.Show(t, sys, disk, "diskseq", "10")
				written, changed = sectorsWritten(t, disk), true
			}
			run := &measure.Run{Kernel: kernel, Target: target, Plan: c.plan, DD: c.dd}
			run.Progress = func(p measure.Progress) {
				if !changed && p.Test == c.during {
					change()
				}
			}
			if c.during == "" {
				change()
			}
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			_, _, err = run.Do(ctx)
			if _, ok := errors.AsType[*device.ChangedError](err); !ok {
				t.Errorf("the run ended with %v", err)
			}
			if now := sectorsWritten(t, disk); !changed || now != written {
				t.Errorf("%s sectors had been written when the module changed (%t), then %s", written, changed, now)
			}
		})
	}
}

// sectorsWritten is the seventh field of the kernel's counters (Documentation/block/stat.rst).
func sectorsWritten(t *testing.T, disk string) string {
	t.Helper()
	stat, err := os.ReadFile(filepath.Join("/sys/class/block", filepath.Base(disk), "stat"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(stat))[6]
}
