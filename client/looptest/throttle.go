package looptest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Throttle returns a shell command's beginning after which a program may do so many reads and writes of a device a second, and move
// so many bytes. The test is skipped where control groups (version 1) don't do that.
func Throttle(t testing.TB, device string, iops, bytesPerS int64) string {
	t.Helper()
	group := filepath.Join("/sys/fs/cgroup/blkio", fmt.Sprintf("looptest-%d", os.Getpid()))
	if err := os.Mkdir(group, 0o755); err != nil {
		t.Skipf("needs the control group blkio: %v", err)
	}
	t.Cleanup(func() {
		if err := os.Remove(group); err != nil {
			t.Error(err)
		}
	})
	number, err := os.ReadFile(filepath.Join("/sys/block", filepath.Base(device), "dev"))
	if err != nil {
		t.Fatal(err)
	}
	for _, way := range []string{"read", "write"} {
		for unit, most := range map[string]int64{"iops": iops, "bps": bytesPerS} {
			rule := fmt.Sprintf("%s %d", strings.TrimSpace(string(number)), most)
			if err := os.WriteFile(filepath.Join(group, "blkio.throttle."+way+"_"+unit+"_device"), []byte(rule), 0o600); err != nil {
				t.Skipf("needs throttling by the control group blkio: %v", err)
			}
		}
	}
	return "echo $$ > " + group + "/cgroup.procs; exec "
}
