package packaging

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// systemd understands the units, which name each other by their instance, and nothing enables them.
func TestWatchUnits(t *testing.T) {
	t.Parallel()
	program, err := exec.LookPath("true") // the client need not be here
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	names := []string{"flashdex-watch@.service", "flashdex-watch@.timer"}
	for _, name := range names {
		unit := strings.Replace(read(t, "watch/"+name), "/usr/bin/flashdex", program, 1)
		instance := strings.Replace(name, "@", "@mnt-my\\x20card", 1)
		if err := os.WriteFile(filepath.Join(dir, instance), []byte(unit), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(files) != 2 {
		t.Fatal(files, err)
	}
	cmd := exec.Command("systemd-analyze", append([]string{"verify", "--man=no", "--recursive-errors=no"}, files...)...)
	said, err := cmd.CombinedOutput()
	if errors.Is(err, exec.ErrNotFound) {
		t.Skipf("%v (make tools, as root on Debian)", err)
	}
	if err != nil || strings.Contains(string(said), "flashdex-watch") {
		t.Errorf("%v: %s", err, said)
	}
}

// The example for cron is off, and its command is what the help describes.
func TestWatchExampleForCron(t *testing.T) {
	t.Parallel()
	commands := 0
	for line := range strings.Lines(read(t, "watch/watch.cron")) {
		if !strings.HasPrefix(line, "#") {
			t.Errorf("it would run %q", line)
		}
		if _, command, found := strings.Cut(line, " * * * root "); found {
			commands++
			if said, err := exec.Command("sh", "-n", "-c", command).CombinedOutput(); err != nil ||
				!strings.Contains(command, "flashdex watch /mnt/card") {
				t.Errorf("%q: %v %s", command, err, said)
			}
		}
	}
	if commands != 1 {
		t.Errorf("%d commands", commands)
	}
}
