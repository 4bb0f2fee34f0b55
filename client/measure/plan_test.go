package measure_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"flashdex/client/looptest"
	"flashdex/client/measure"
	"flashdex/result"

	"github.com/google/go-cmp/cmp"
)

// The limits of a plan's parts add up to no more than the announced time.
func TestPlansKeepWhatTheyPromise(t *testing.T) {
	t.Parallel()
	for _, p := range []measure.Plan{measure.Standard(1 << 30), measure.Quick(1 << 30), measure.Standard(1 << 20),
		measure.Quick(1 << 20)} {
		read := time.Duration(p.RandRead(0).MaxNS)
		least := time.Duration(p.RandWrite(0).MinNS)
		if sum := p.Look + p.SeqWrite + least + p.SeqRead + read; sum > p.Whole {
			t.Errorf("%s: its parts take %s, the whole %s", p.Profile, sum, p.Whole)
		}
		if p.WriteBytes() != 2*p.AreaBytes || p.NeedBytes() <= p.AreaBytes || p.MinAreaBytes < p.FirstChunkBytes {
			t.Errorf("%s: %+v", p.Profile, p)
		}
	}
	if p := measure.Quick(1 << 30); p.Whole != time.Minute || p.RandWriteLimit() != 20*time.Second ||
		p.RandRead(0).MaxNS != 5e9 || p.AreaBytes != 64*mib {
		t.Errorf("quick is not the method's: %+v", p)
	}
}

// The reference plan is the method of 2012. Only dd with 512 B has a limit. The plan primes twice, on a device all of
// it.
func TestReferencePlan(t *testing.T) {
	t.Parallel()
	p := measure.Reference(1 << 30)
	if p.AreaBytes/4096 != 131072 || p.WriteBytes() != 8*p.AreaBytes || p.LinearWriteBytes() != 4*p.AreaBytes ||
		p.Sync != "sync" || p.RandWriteLimit() != 0 ||
		p.RandRead(0).MaxNS != 0 || p.SeqWrite != 0 || p.SeqRead != 0 || p.Whole != 0 || p.MinAreaBytes != p.AreaBytes {
		t.Errorf("%+v", p)
	}
	const card = 8_000_000_000
	if e := p.Erasing(card, ""); e.WriteBytes() != 2*(card/mib*mib)+6*p.AreaBytes || e.AreaPasses != 0 {
		t.Errorf("on a device: %+v", e)
	}
	if e := p.Erasing(card, "ext4"); e.WriteBytes() != 2*(card/mib*mib)+7*p.AreaBytes || e.Filesystem != "ext4" {
		t.Errorf("on ext4: %+v", e)
	}
	if s := measure.Standard(1 << 30); s.Erasing(card, "").WriteBytes() != s.WriteBytes() {
		t.Error("the standard profile would erase a whole device")
	}
}

// A reference run primes first, goes over every block, counts all that it does, and is a valid result of its own
// method.
func TestReferenceRun(t *testing.T) {
	t.Parallel()
	for name, dd := range map[string]func(t *testing.T) string{
		"machine's own":         func(*testing.T) string { return "" },
		"drops direct silently": func(t *testing.T) string { return scriptDD(t, forgetsDirect) },
	} {
		for _, kind := range []string{"directory", "device", "ext4"} {
			t.Run(name+", "+kind, func(t *testing.T) {
				t.Parallel()
				run, _ := reference(t, kind)
				run.DD = dd(t)
				plan := run.Plan
				var said []string
				run.Progress = func(p measure.Progress) {
					if p.Done {
						said = append(said, p.Test)
						if p.Test == result.RandWrite && p.KiBPerOp < 4 {
							t.Errorf("%f KiB were written per operation", p.KiBPerOp)
						}
					}
					if !p.Guessed {
						t.Errorf("%s claims to be over in %s at most", p.Test, p.Left)
					}
				}
				run.Plan.Tests = slices.Clone(plan.Tests)
				for i := range run.Plan.Tests {
					if run.Plan.Tests[i].Limit > 0 {
						run.Plan.Tests[i].Limit = time.Second // enough to see that no other test has a limit
					}
				}
				disk := run.Target.Disk
				before, err := disk.Counters()
				if err != nil {
					t.Fatal(err)
				}
				tests, spoilers, err := run.Do(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				after, err := disk.Counters()
				if err != nil {
					t.Fatal(err)
				}
				var zeros int64
				for _, test := range tests {
					if test.Data == result.Zeros && test.BlockBytes == 512 {
						zeros = test.Bytes
					}
				}
				// The trial writes at most the area; a device's first MiB is primed once.
				written, least := after.Since(before).WrittenBytes, plan.WriteBytes()-mib-plan.AreaBytes+zeros
				if written < least || kind == "device" && written > least+plan.AreaBytes && name == "machine's own" {
					t.Errorf("%d bytes were written, want %d", written, least)
				}
				want := map[string][]string{
					"directory": {measure.Priming, measure.Priming, measure.Trial}, "device": {measure.Trial, measure.Priming},
					"ext4": {measure.Trial, measure.Priming, measure.Priming},
				}[kind]
				if diff := cmp.Diff(append(want, "seq-write", "seq-read", "seq-read 512 B", "seq-rewrite", "seq-write 512 B",
					"seq-write 4 KiB", "seq-rewrite 4 KiB", "rand-read", "rand-write"), said); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
				target := run.Target
				if kind == "ext4" && (target.Filesystem != "ext4" || !strings.Contains(target.Mkfs,
					"-b 4096 -O ^has_journal -E stride=1,stripe_width=16") || !strings.HasSuffix(target.Mkfs, "mounted noatime")) {
					t.Errorf("made %q with %q", target.Filesystem, target.Mkfs)
				}
				for _, test := range tests {
					whole, limit := test.Ended == result.Complete && test.Bytes == 16*mib, int64(0)
					if test.BlockBytes == 512 {
						limit = run.Plan.Tests[2].Limit.Nanoseconds()
						whole = test.Bytes <= 16*mib && test.AreaBytes == 16*mib
					}
					if test.WarmupOps != 0 || !whole || test.TimeLimitNS != limit {
						t.Errorf("%s: %s, %d bytes, %d operations left out, limit %d ns", test.Name, test.Ended, test.Bytes,
							test.WarmupOps, test.TimeLimitNS)
					}
				}
				doc := mustBeValid(t, plan, target, tests, spoilers)
				whole, printed, line := doc.Tests[3], doc.Tests[4], doc.Tests[5:7]
				if whole.Data != result.Zeros || whole.BlockBytes != mib || whole.SourceNS > 0 {
					t.Errorf("zeros as we write random data: %+v", whole)
				}
				if zeros == 0 || printed.BlockBytes != 512 || printed.Engine != doc.Test(result.SeqWrite).Engine ||
					line[0].Sync != "sync" || line[1].Sync != "sync" || line[0].Name+line[1].Name != "seq-writeseq-rewrite" ||
					line[1].BlockBytes != 4096 {
					t.Errorf("printed %+v, in a line %+v", printed, line)
				}
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
	want.MaxNS, want.MinNS = (10 * time.Minute).Nanoseconds(), (150 * time.Second).Nanoseconds()
	if got := raised.RandWrite(7); got != want {
		t.Errorf("%+v, want %+v: only the times are raised", got, want)
	}
}

// A whole quick run is a valid result. Only its profile keeps it from being ranked, and it contains its limits.
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
	if write.AreaBytes != result.QuickAreaBytes || write.TimeLimitNS != 20e9 || read.TimeLimitNS != 5e9 ||
		write.Ended == result.Converged {
		t.Errorf("random write: area %d, limit %d ns, %s; read limit %d ns", write.AreaBytes, write.TimeLimitNS, write.Ended,
			read.TimeLimitNS)
	}
}

// A stack is measured by a method of its own. The profiles that are never ranked keep their methods. A profile whose
// figures are of single modules refuses a stack.
func TestPlansOfAStack(t *testing.T) {
	t.Parallel()
	for _, p := range []measure.Plan{measure.Standard(1 << 30), measure.Quick(1 << 30)} {
		if of, err := p.OfStack(); err != nil || of.Method != result.MethodStack1 || of.Profile != p.Profile {
			t.Errorf("%s: %s, %v", p.Profile, of.Method, err)
		}
	}
	if of, err := measure.Sustained(1 << 30).OfStack(); err != nil || of.Method != result.MethodSustained1 {
		t.Errorf("sustained: %s, %v", of.Method, err)
	}
	if _, err := measure.Reference(1 << 30).OfStack(); err == nil || !strings.Contains(err.Error(), "for one module") {
		t.Errorf("reference: %v", err)
	}
}
