package e2e

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"flashdex/e2e/need"
)

// slowGo replaces Go while the clients are built. It makes the clients of other platforms out of nothing, and waits
// with the last one until a file is there.
const slowGo = `#!/bin/sh
case $1/${GOOS:-} in build/linux) ;; *) exec "$REAL_GO" "$@" ;; esac
[ "$GOARCH" != "$NATIVE" ] || exec "$REAL_GO" "$@"
while [ "$GOARCH" = loong64 ] && [ ! -e "$0.may" ]; do sleep 0.1; done
while [ "$1" != -o ]; do shift; done
echo "for $GOARCH" >"$2"
`

// TestRun starts everything as the README says, in a copy of the checkout without any built client. The site is there
// before the clients are, and nothing runs on after Ctrl-C.
func TestRun(t *testing.T) {
	if runtime.GOARCH == "loong64" {
		t.Skip("this machine's own client is the one that comes last")
	}
	need.Programs(t, "curl")
	dir := t.TempDir()
	command(t, root, `tar -c --exclude ./.git --exclude ./var --exclude ./bin --exclude ./e2e . | tar -x -C "$1" &&
		mkdir "$1/bin" && cp bin/hugo "$1/bin/" && touch "$1/bin/hugo"`, dir)
	tools := t.TempDir()
	if err := os.WriteFile(filepath.Join(tools, "go"), []byte(slowGo), 0o755); err != nil {
		t.Fatal(err)
	}
	realGo, err := exec.LookPath("go")
	if err != nil {
		t.Fatal(err)
	}
	makeRun := func() (s *server, interrupt func()) {
		run := exec.Command("make", "run", "LISTEN=localhost:0")
		run.Dir = dir
		run.Env = append(os.Environ(), "PATH="+tools+":"+os.Getenv("PATH"), "REAL_GO="+realGo, "NATIVE="+runtime.GOARCH)
		run.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		s = startCommand(t, run, filepath.Join(dir, "var"), "the data set")
		return s, func() {
			if err := syscall.Kill(-run.Process.Pid, syscall.SIGINT); err != nil { // as a terminal does
				t.Error(err)
			}
			_ = run.Wait()
			eventually(t, "all processes have ended", func() bool {
				return len(processesNaming(t, tools))+len(processesNaming(t, filepath.Join(dir, "var"))) == 0
			})
		}
	}

	s, interrupt := makeRun()
	said := command(t, t.TempDir(), `curl -fsSL "$1/run.sh" | sh -s -- version`, s.site)
	if !strings.Contains(said, "linux/"+runtime.GOARCH) {
		t.Errorf("this machine's client says %s", said)
	}
	const last = "/client/flashdex-linux-loong64"
	answer, err := http.Get(s.site + last)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != http.StatusServiceUnavailable || answer.Header.Get("Retry-After") == "" {
		t.Errorf("a client to come is %s, to be asked for again after %q s", answer.Status, answer.Header.Get("Retry-After"))
	}
	const toCome = "is being built, and will be here"
	if page, _ := get(t, s.site+"/test/"); !strings.Contains(page, toCome) {
		t.Error("the page of downloads doesn't say that clients are to come")
	}
	interrupt()

	if err := os.WriteFile(filepath.Join(tools, "go.may"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s, interrupt = makeRun()
	eventually(t, "the last client is there, and so says its page", func() bool {
		client, _ := get(t, s.site+last)
		page, _ := get(t, s.site+"/test/")
		return client == "for loong64\n" && !strings.Contains(page, toCome)
	})
	interrupt()
}

// command runs a line of shell in dir, and returns what it says.
func command(t *testing.T, dir, line string, arguments ...string) string {
	t.Helper()
	cmd := exec.Command("sh", append([]string{"-c", line, "sh"}, arguments...)...)
	cmd.Dir = dir
	said, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", line, err, said)
	}
	return string(said)
}
