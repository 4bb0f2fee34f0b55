package measure_test

import (
	"testing"
	"time"

	"flashdex/client/looptest"
	"flashdex/client/measure"
	"flashdex/result"
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
	tests, spoilers, err := run.Do(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	mustBeEmpty(t, disk.Dir)
	mustBeValid(t, run.Target, tests, spoilers)
	doc := result.Document{Method: result.MethodFlashdex1, Profile: result.ProfileQuick, Tests: tests}
	if reasons := doc.NotRanked(); len(reasons) != 1 {
		t.Errorf("not ranked for %q, want the profile alone", reasons)
	}
	write, read := doc.Test(result.RandWrite), doc.Test(result.RandRead)
	if write.AreaBytes != result.QuickAreaBytes || write.TimeLimitNS != 20e9 || read.TimeLimitNS != 5e9 || write.Ended == result.Converged {
		t.Errorf("random write: area %d, limit %d ns, %s; read limit %d ns", write.AreaBytes, write.TimeLimitNS, write.Ended, read.TimeLimitNS)
	}
}
