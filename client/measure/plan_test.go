package measure_test

import (
	"testing"
	"time"

	"flashdex/client/device"
	"flashdex/client/looptest"
	"flashdex/client/measure"
	"flashdex/result"

	"github.com/google/go-cmp/cmp"
)

// What the parts of a plan may take adds up to no more than what the user is told.
func TestPlansKeepWhatTheyPromise(t *testing.T) {
	t.Parallel()
	for _, p := range []measure.Plan{measure.Standard(1 << 30), measure.Quick(1 << 30), measure.Standard(1 << 20), measure.Quick(1 << 20)} {
		read := time.Duration(p.RandRead(0).MaxNS)
		least := time.Duration(p.RandWrite(0).MinNS)
		if sum := p.Look + p.SeqWrite + least + p.SeqRead + read; sum > p.Whole {
			t.Errorf("%s: its parts take %s, the whole %s", p.Profile, sum, p.Whole)
		}
		if p.WriteBytes() != 2*p.AreaBytes || p.NeedBytes() <= p.AreaBytes || p.MinAreaBytes < p.FirstChunkBytes {
			t.Errorf("%s: %+v", p.Profile, p)
		}
	}
	if p := measure.Quick(1 << 30); p.Whole != time.Minute || p.RandWriteLimit() != 20*time.Second || p.RandRead(0).MaxNS != 5e9 || p.AreaBytes != 64*mib {
		t.Errorf("quick is not the method's: %+v", p)
	}
}

// The reference plan is that of 2012: nothing in it has a limit, and it writes every block three times.
func TestReferencePlan(t *testing.T) {
	t.Parallel()
	p := measure.Reference(1 << 30)
	if p.AreaBytes/4096 != 131072 || p.WriteBytes() != 3*p.AreaBytes || p.Sync != "sync" || p.RandWriteLimit() != 0 ||
		p.RandRead(0).MaxNS != 0 || p.SeqWrite != 0 || p.SeqRead != 0 || p.Whole != 0 || p.MinAreaBytes != p.AreaBytes {
		t.Errorf("%+v", p)
	}
}

// A reference run goes over every block, primes first, counts all it does, and is a valid result of a method of its own.
func TestReferenceRun(t *testing.T) {
	t.Parallel()
	for name, dd := range map[string]func(t *testing.T) string{
		"machine's own":         func(*testing.T) string { return "" },
		"drops direct silently": func(t *testing.T) string { return scriptDD(t, forgetsDirect) },
	} {
		for _, kind := range []string{"directory", "device"} {
			t.Run(name+", "+kind, func(t *testing.T) {
				t.Parallel()
				var target device.Target
				var err error
				if kind == "directory" {
					target, err = device.Running.Find(looptest.Mount(t, 128*mib, "").Dir, 0)
				} else if target, err = device.Running.Open(looptest.Attach(t, 66*mib, "--direct-io=on"), 16*mib); err == nil {
					defer target.Device.Close()
				}
				if err != nil {
					t.Fatal(err)
				}
				var said []string
				plan := measure.Reference(1 << 30)
				plan.AreaBytes, plan.MinAreaBytes, plan.Look = 16*mib, 16*mib, 0
				run := &measure.Run{Kernel: device.Running, Target: target, Plan: plan, DD: dd(t), Progress: func(p measure.Progress) {
					if p.Done {
						said = append(said, p.Test)
					}
					if !p.Guessed {
						t.Errorf("%s claims to be over in %s at most", p.Test, p.Left)
					}
				}}
				before, err := target.Disk.Counters()
				if err != nil {
					t.Fatal(err)
				}
				tests, spoilers, err := run.Do(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				after, err := target.Disk.Counters()
				if err != nil {
					t.Fatal(err)
				}
				if written := after.Since(before).WrittenBytes; written < plan.WriteBytes() || kind == "device" && written > plan.WriteBytes() && name == "machine's own" {
					t.Errorf("%d bytes were written, want %d", written, plan.WriteBytes())
				}
				if diff := cmp.Diff([]string{measure.Priming, result.SeqWrite, result.SeqRead, result.RandRead, result.RandWrite}, said); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
				for _, test := range tests {
					if test.Ended != result.Complete || test.Bytes != 16*mib || test.WarmupOps != 0 || test.TimeLimitNS != 0 {
						t.Errorf("%s: %s, %d bytes, %d operations left out, limit %d ns", test.Name, test.Ended, test.Bytes, test.WarmupOps, test.TimeLimitNS)
					}
				}
				doc := mustBeValid(t, plan, target, tests, spoilers)
				if write := doc.Test(result.RandWrite); write.Sync != "sync" || doc.Method != result.MethodAltechnative2012 {
					t.Errorf("sync %s, method %s", write.Sync, doc.Method)
				}
			})
		}
	}
}

func TestRaisedLimit(t *testing.T) {
	t.Parallel()
	p := measure.Standard(1 << 30)
	raised := p.Raised(10 * time.Minute)
	if raised.RandWriteLimit() != 10*time.Minute || raised.Whole != 12*time.Minute || p.RandWriteLimit() != 4*time.Minute {
		t.Errorf("%s in %s; the standard one now %s", raised.RandWriteLimit(), raised.Whole, p.RandWriteLimit())
	}
	want := result.StandardRule(7)
	want.MaxNS = (10 * time.Minute).Nanoseconds()
	if got := raised.RandWrite(7); got != want {
		t.Errorf("%+v, want %+v: only the limit is raised", got, want)
	}
}

// A whole quick run is a valid result that is not ranked for its profile alone, and says what limits it had.
func TestQuickRun(t *testing.T) {
	t.Parallel()
	disk := looptest.Mount(t, 128*mib, "")
	run := runOn(t, disk.Dir)
	run.Plan = measure.Quick(1 << 30)
	tests, _, err := run.Do(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	mustBeEmpty(t, disk.Dir)
	doc := mustBeValid(t, run.Plan, run.Target, tests, nil)
	doc.Identity.Bus = "sd"
	if reasons := doc.NotRanked(); len(reasons) != 1 {
		t.Errorf("not ranked for %q, want the profile alone", reasons)
	}
	write, read := doc.Test(result.RandWrite), doc.Test(result.RandRead)
	if write.AreaBytes != result.QuickAreaBytes || write.TimeLimitNS != 20e9 || read.TimeLimitNS != 5e9 || write.Ended == result.Converged {
		t.Errorf("random write: area %d, limit %d ns, %s; read limit %d ns", write.AreaBytes, write.TimeLimitNS, write.Ended, read.TimeLimitNS)
	}
}
