package measure_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

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

// Each start reads the program from the module again, and a file that it opens and lies there too; nothing is written.
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
	doc := mustBeValid(t, run.Plan, run.Target, tests, spoilers)
	if reasons := doc.NotRanked(); !strings.Contains(reasons[0], "startup") {
		t.Errorf("not ranked for %q", reasons)
	}
}

// A command that fails is an error that says why.
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
