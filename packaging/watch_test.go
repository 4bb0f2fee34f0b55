package packaging

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// systemd understands the units. They name each other by their instance, and nothing enables them.
func TestUnits(t *testing.T) {
	t.Parallel()
	program, err := exec.LookPath("true") // the client need not be here
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	var files []string
	for unit, instance := range map[string]string{
		"watch/flashdex-watch@.service": `@mnt-my\x20card`, "watch/flashdex-watch@.timer": `@mnt-my\x20card`,
		"monitoring/flashdex-health@.service": "@dev-mmcblk0", "monitoring/flashdex-health@.timer": "@dev-mmcblk0",
	} {
		text := strings.Replace(read(t, unit), "/usr/bin/flashdex", program, 1)
		file := filepath.Join(dir, strings.Replace(filepath.Base(unit), "@", instance, 1))
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	cmd := exec.Command("systemd-analyze", append([]string{"verify", "--man=no", "--recursive-errors=no"}, files...)...)
	said, err := cmd.CombinedOutput()
	if errors.Is(err, exec.ErrNotFound) {
		t.Skipf("%v (make tools, as root on Debian)", err)
	}
	if err != nil || strings.Contains(string(said), "flashdex-") {
		t.Errorf("%v: %s", err, said)
	}
}

// The example for cron is commented out, and its command is the one that the help describes.
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
