package publish

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// hangingHugo makes a program that writes its process id into a file and then does nothing.
func hangingHugo(t *testing.T, dir string) (program, pidFile string) {
	t.Helper()
	program, pidFile = filepath.Join(dir, "hugo"), filepath.Join(dir, "pid")
	script := "#!/bin/sh\necho $$ >" + pidFile + ".new && mv " + pidFile + ".new " + pidFile + " && exec sleep 600\n"
	if err := os.WriteFile(program, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	return program, pidFile
}

// runs reports whether the process exists whose id is in a file.
func runs(pidFile string) bool {
	pid, err := os.ReadFile(pidFile)
	if err != nil {
		return false
	}
	state, _ := os.ReadFile("/proc/" + strings.TrimSpace(string(pid)) + "/stat")
	return len(state) > 0 && !strings.Contains(string(state), ") Z ")
}

func TestHugoThatHangsIsKilled(t *testing.T) {
	defer func(before time.Duration) { hugoTimeout = before }(hugoTimeout)
	hugoTimeout = time.Second
	program, pidFile := hangingHugo(t, t.TempDir())
	err := hugo{program, t.TempDir()}.build(t.Context(), t.TempDir(), t.TempDir(), t.TempDir(), "")
	if !errors.Is(err, errHugoHangs) || runs(pidFile) {
		t.Errorf("Hugo hangs, and the build ends with %v; it still runs: %v", err, runs(pidFile))
	}
}

// If a test program has this variable, it publishes with the Hugo in this folder.
const hangsFromEnv = "FLASHDEX_TEST_HUGO_HANGS"

func TestHugoEndsWithAPublisherThatIsKilled(t *testing.T) {
	if dir := os.Getenv(hangsFromEnv); dir != "" {
		t.Fatal(hugo{filepath.Join(dir, "hugo"), dir}.build(t.Context(), dir, dir, dir, ""))
	}
	dir := t.TempDir()
	_, pidFile := hangingHugo(t, dir)
	publisher := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
	publisher.Env = append(os.Environ(), hangsFromEnv+"="+dir)
	if err := publisher.Start(); err != nil {
		t.Fatal(err)
	}
	await := func(what string, true func() bool) {
		t.Helper()
		for begin := time.Now(); !true(); time.Sleep(10 * time.Millisecond) {
			if time.Since(begin) > time.Minute {
				t.Fatalf("after a minute still not: %s", what)
			}
		}
	}
	await("Hugo runs", func() bool { return runs(pidFile) })
	if err := publisher.Process.Kill(); err != nil {
		t.Error(err)
	}
	_ = publisher.Wait() // it was killed
	await("Hugo has ended", func() bool { return !runs(pidFile) })
}
