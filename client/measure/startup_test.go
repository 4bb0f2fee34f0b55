package measure_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"flashdex/client/device"
	"flashdex/client/looptest"
	"flashdex/client/measure"
	"flashdex/result"
)

// copied puts a copy of a program of this machine on a module of its own.
func copied(t *testing.T, name string) (program string) {
	t.Helper()
	from, err := exec.LookPath(name)
	if err != nil {
		t.Skip("needs " + name)
	}
	data, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	program = filepath.Join(looptest.Mount(t, 64*mib, "").Dir, filepath.Base(name))
	if err := os.WriteFile(program, data, 0o755); err != nil {
		t.Fatal(err)
	}
	return program
}

func startupOf(t *testing.T, command ...string) *measure.Run {
	t.Helper()
	target, err := device.Running.Holding(command[0])
	if err != nil {
		t.Fatal(err)
	}
	plan := measure.Startup(0)
	plan.Look, plan.Command = 0, command
	return &measure.Run{Kernel: device.Running, Target: target, Plan: plan}
}

// Each start reads the program from the module again, and a file on the module that the program opens. Nothing is
// written.
func TestStartupReadsFromTheModule(t *testing.T) {
	t.Parallel()
	shell := copied(t, "dash")
	const opened = 8 * mib
	data := filepath.Join(filepath.Dir(shell), "data")
	if err := os.WriteFile(data, make([]byte, opened), 0o600); err != nil {
		t.Fatal(err)
	}
	run := startupOf(t, shell, "-c", `exec <"$0"; sleep 0.1; cat >/dev/null`, data)
	tests, spoilers, err := run.Do(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	test := tests[0]
	if len(tests) != 1 || test.Name != result.Startup || len(test.Intervals) != 10 || test.Bytes != test.DeviceBytes {
		t.Fatalf("%+v", tests)
	}
	for i, start := range test.Intervals {
		if start.Bytes < opened || start.Bytes > opened+4*mib || start.NS < 1 {
			t.Errorf("start %d read %d bytes in %d ns, want the %d of the file and the program", i+1, start.Bytes, start.NS,
				opened)
		}
	}
	if f := test.Figures(); f.MBPerS <= 0 || f.CVPercent != nil || f.WorstMBPerS != nil || f.OverheadShare != 0 {
		t.Errorf("figures %+v", f)
	}
	// dash and the file, and perhaps files that a child maps from the module
	info, err := os.Stat(shell)
	if err != nil {
		t.Fatal(err)
	}
	if least := info.Size() + opened; run.ProgramBytes < least || run.ProgramBytes > least+4*mib {
		t.Errorf("a start uses %d bytes on the module, want %d or a little more", run.ProgramBytes, least)
	}
	said, err := exec.Command("sha256sum", shell).Output()
	if err != nil || !strings.HasPrefix(string(said), run.ProgramSum) || len(run.ProgramSum) != 32 {
		t.Errorf("the program's checksum is %q; sha256sum says %s, %v", run.ProgramSum, said, err)
	}
	doc := mustBeValid(t, run.Plan, run.Target, tests, spoilers)
	if reasons := doc.NotRanked(); !strings.Contains(reasons[0], "startup") {
		t.Errorf("not ranked for %q", reasons)
	}
}

// If a command fails, the error says why.
func TestStartupOfWhatFails(t *testing.T) {
	t.Parallel()
	program := copied(t, "false")
	if _, _, err := startupOf(t, program).Do(t.Context()); err == nil || !strings.Contains(err.Error(), "must succeed") {
		t.Errorf("a command that fails: %v", err)
	}
	script := filepath.Join(filepath.Dir(program), "no-program")
	if err := os.WriteFile(script, []byte("\x00"), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, _, err := startupOf(t, script).Do(t.Context()); err == nil ||
		!strings.Contains(err.Error(), "can't be started") {
		t.Errorf("no program: %v", err)
	}
}

// Processor time is apart from the time by the clock, and includes the children's. A program that waits works little.
func TestStartupTellsWorkFromWaiting(t *testing.T) {
	t.Parallel()
	shell := copied(t, "dash")
	spent := func(script string) (sum result.Interval) {
		tests, _, err := startupOf(t, shell, "-c", script).Do(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return result.SumIntervals(tests[0].Intervals)
	}
	waits, works := spent("sleep 0.2"), spent("sleep 0; i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done")
	child := spent("(i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done)")
	if waits.UserNS+waits.SystemNS == 0 || waits.UserNS+waits.SystemNS > waits.NS/2 {
		t.Errorf("who waits worked %d + %d of %d ns", waits.UserNS, waits.SystemNS, waits.NS)
	}
	for _, sum := range []result.Interval{works, child} {
		if sum.UserNS <= waits.UserNS || sum.UserNS+sum.SystemNS > sum.NS+int64(time.Second) {
			t.Errorf("who works spent %d + %d of %d ns, who waits %d", sum.UserNS, sum.SystemNS, sum.NS, waits.UserNS)
		}
	}
}

func TestStartupStoppedInTheMiddle(t *testing.T) {
	t.Parallel()
	errStop := errors.New("stop")
	run := startupOf(t, copied(t, "sleep"), "0.2")
	ctx, cancel := context.WithCancelCause(t.Context())
	run.Progress = func(measure.Progress) { cancel(errStop) }
	if _, _, err := run.Do(ctx); !errors.Is(err, errStop) {
		t.Errorf("Do: %v", err)
	}
}
