package main

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"flashdex/client/looptest"
	"flashdex/client/measure"
	"flashdex/result"
)

// until starts the client and waits until it prints says.
func until(t *testing.T, command *exec.Cmd, says string) (before string) {
	t.Helper()
	said, err := command.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = command.Process.Kill() })
	lines := bufio.NewScanner(said)
	for lines.Scan() {
		before += lines.Text() + "\n"
		if strings.HasPrefix(lines.Text(), says) {
			go func() { _, _ = io.Copy(io.Discard, said) }()
			return before
		}
	}
	t.Fatalf("it never said %q: %s", says, before)
	return ""
}

// interrupt ends a client by Ctrl-C.
func interrupt(t *testing.T, begun *exec.Cmd) {
	t.Helper()
	if err := begun.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	if _ = begun.Wait(); begun.ProcessState.ExitCode() != 130 {
		t.Errorf("exit code %d", begun.ProcessState.ExitCode())
	}
}

// kill ends a client as a power cut does.
func kill(t *testing.T, begun *exec.Cmd) {
	t.Helper()
	if err := begun.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = begun.Wait()
}

// resuming returns a function that starts a client which continues the run in a spool.
func resuming(t *testing.T, spool string) func(arguments ...string) *exec.Cmd {
	return func(arguments ...string) *exec.Cmd {
		command, _ := client(t, append([]string{"resume", "--no-upload"}, arguments...)...)
		command.Env = append(os.Environ(), "FLASHDEX_DIR="+spool)
		return command
	}
}

// sectors returns how many sectors a disk was told to write since it appeared.
func sectors(t *testing.T, disk string) (n int) {
	t.Helper()
	n, err := strconv.Atoi(written(t, disk))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func journalIn(t *testing.T, spool string) string {
	t.Helper()
	journals, err := filepath.Glob(filepath.Join(spool, "*.unfinished"))
	if err != nil || len(journals) != 1 {
		t.Fatalf("%v, %v", journals, err)
	}
	return journals[0]
}

func lockJournal(t *testing.T, spool string) (unlock func()) {
	t.Helper()
	file, err := os.Open(journalIn(t, spool))
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	return func() { file.Close() }
}

// An interrupted run continues, but only on the same device, and only if nothing else wrote to it.
func TestResume(t *testing.T) {
	t.Parallel()
	const size = 1040 << 20
	disk := looptest.Attach(t, size, "--direct-io=on")
	other := looptest.Attach(t, size)
	small := looptest.Attach(t, size-1<<20)
	untouched := sectors(t, disk)
	begun, spool := client(t, "--device", disk, "--erase", "--yes", "--profile", "reference", "--no-upload")
	said := until(t, begun, "rand-write  will take about")
	for _, want := range []string{"Erases  all of it", "Test    2 passes over all of it, then 512 MiB from 0.55 GB on",
		"trial  ", "rand-write  will take about", "flashdex resume continues it"} {
		if !strings.Contains(said, want) {
			t.Errorf("%q isn't in %s", want, said)
		}
	}
	again := resuming(t, spool)
	for sectors(t, disk)-untouched < size/512/4 { // an eighth of the priming
		time.Sleep(10 * time.Millisecond)
	}
	interrupt(t, begun)
	unlock := lockJournal(t, spool) // as a client that does the run
	if _, said, code := output(again()); code != exitUsage || !strings.Contains(said, "another flashdex is at this run") {
		t.Errorf("while another client is at it: exit code %d, %s", code, said)
	}
	unlock()
	second := again()
	if said := until(t, second, "priming"); !strings.Contains(said, "% of the priming") ||
		strings.Contains(said, "trial") {
		t.Errorf("it went on with %s", said)
	}
	kill(t, second)

	before := written(t, other) + " " + written(t, small)
	for device, says := range map[string]string{
		other: "doesn't begin with what the run wrote there", small: "is not the module that the run began on",
		"/dev/gone": "doesn't exist",
	} {
		if _, said, code := output(again("--device", device)); code != exitUsage || !strings.Contains(said, says) ||
			!strings.Contains(said, "the finished part is kept; to give it up, remove "+spool) {
			t.Errorf("%s: exit code %d, %s", device, code, said)
		}
	}
	if after := written(t, other) + " " + written(t, small); after != before {
		t.Errorf("a disk was written to: %s, then %s sectors", before, after)
	}
	if err := os.WriteFile(disk, bytes.Repeat([]byte("somebody's photographs "), 100), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, said, code := output(again()); code != exitUsage || !strings.Contains(said,
		"doesn't begin with what the run wrote there") {
		t.Errorf("after something was written: exit code %d, %s", code, said)
	}
	data, err := os.ReadFile(journalIn(t, spool))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(spool, "b.unfinished"), data, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, said, code := output(again()); code != exitUsage || !strings.Contains(said, "one run at a time: name one of") {
		t.Errorf("two runs: exit code %d, %s", code, said)
	}
	if err := os.WriteFile(filepath.Join(spool, "b.unfinished"), []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, said, code := output(again(filepath.Join(spool, "b.unfinished"))); code != exitUsage ||
		!strings.Contains(said, "is not the journal of a run") {
		t.Errorf("garbage: exit code %d, %s", code, said)
	}
	none, _ := client(t, "resume")
	if _, said, code := output(none); code != exitUsage || !strings.Contains(said, "there is no interrupted run in") {
		t.Errorf("without a run: exit code %d, %s", code, said)
	}
}

// A saturation goes on where it was interrupted, but only on the device that bears its mark.
func TestResumeASaturation(t *testing.T) {
	t.Parallel()
	const size = 700 << 20
	disk, other := looptest.Attach(t, size, "--direct-io=on"), looptest.Attach(t, size)
	begun, spool := client(t, "--device", disk, "--erase", "--yes", "--profile", "saturate", "--no-upload")
	said := until(t, begun, "round-write")
	for _, want := range []string{"Erases  all of it", "256 MiB from 0.37 GB on", "flashdex resume continues it"} {
		if !strings.Contains(said, want) {
			t.Errorf("%q isn't in %s", want, said)
		}
	}
	interrupt(t, begun)
	again := resuming(t, spool)
	if _, said, code := output(again("--device", other)); code != exitUsage ||
		!strings.Contains(said, "doesn't begin with what the run wrote there") {
		t.Errorf("on another device: exit code %d, %s", code, said)
	}
	second := again()
	if said := until(t, second, "round-write"); !strings.Contains(said,
		"done so far: seq-write, rand-write, fill-write 1 MiB, 0 rounds of round-write") {
		t.Errorf("it went on with %s", said)
	}
	kill(t, second)
}

// A run that went on with the card's queue switched would belong to two classes of hosts. An older client didn't record
// the queue, and some kernels don't show it.
func TestResumeWithAnotherUseOfTheQueue(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		then, now string
		same      bool
	}{{"on", "on", true}, {"on", "off", false}, {"off", "on", false}, {"on", "", false}, {"", "off", true}} {
		then, now := exampleResult(t), exampleResult(t)
		then.Host.CommandQueue, now.Host.CommandQueue = c.then, c.now
		err := unfinished{Result: *then}.same(now, &measure.Run{})
		if (err == nil) != c.same || err != nil && !strings.Contains(err.Error(), "command queue of the card "+c.then) {
			t.Errorf("%q, then %q: %v", c.then, c.now, err)
		}
	}
}

// An older client began the run by another method. This client doesn't have that method's order of tests.
func TestResumeRefusesARunByAnotherMethod(t *testing.T) {
	t.Parallel()
	begun := unfinished{Result: result.Document{Method: result.MethodAltechnative2012First}}
	now := &result.Document{Method: result.MethodAltechnative2012}
	if err := begun.same(now, &measure.Run{}); err == nil || !strings.Contains(err.Error(), "older client") {
		t.Errorf("%v", err)
	}
}
