// Package need skips tests if this machine lacks something that they need, and says what.
package need

import (
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Programs skips a test if one of the programs that it needs isn't here.
func Programs(t testing.TB, programs ...string) {
	t.Helper()
	for _, program := range programs {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("%v (make tools, as root on Debian)", err)
		}
	}
}

// Browser skips a test that needs a browser if there is none, or if the checkout at root lacks the programs that drive
// it.
func Browser(t testing.TB, root string) {
	t.Helper()
	Programs(t, "node", cmp.Or(os.Getenv("CHROMIUM"), "/usr/bin/chromium"))
	if _, err := os.Stat(filepath.Join(root, "e2e/node_modules/playwright-core")); err != nil {
		t.Skipf("%v (make tools, with npm)", err)
	}
}
