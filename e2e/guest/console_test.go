package guest

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// watch runs a guest until it reports that it is done. The Raspberry Pis can't switch themselves off.
func watch(t testing.TB, program string, args []string) map[string][]byte {
	t.Helper()
	// Pdeathsig fires when the thread that started the child ends.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	cmd := exec.Command(program, args...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	cmd.Stderr = os.Stderr
	console, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	limit := 15 * time.Minute
	if *long { // on a machine that does other things, a run of minutes takes an hour
		limit *= 8
	}
	patience := time.AfterFunc(limit, func() {
		t.Errorf("%s was ended after %v", program, limit)
		_ = cmd.Process.Kill()
	})
	defer func() {
		patience.Stop()
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}()
	files := map[string][]byte{}
	var name string
	var encoded, everything bytes.Buffer
	keep := func() {
		if name == "" {
			return
		}
		if files[name], err = base64.StdEncoding.DecodeString(encoded.String()); err != nil {
			t.Fatalf("%s on the console: %v", name, err)
		}
		encoded.Reset()
	}
	for lines := bufio.NewScanner(console); lines.Scan(); {
		line := strings.Trim(lines.Text(), "\r\x00")
		fmt.Fprintln(&everything, line)
		if next, ok := strings.CutPrefix(line, "=== FILE "); ok {
			keep()
			name = next
		} else if strings.HasPrefix(line, "=== GUEST DONE") {
			keep()
			return files
		} else if name != "" {
			encoded.WriteString(line)
		}
	}
	t.Fatalf("the guest ended before it was done:\n%s", everything.String())
	return nil
}
