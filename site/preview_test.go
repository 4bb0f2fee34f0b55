package site_test

import (
	"bufio"
	"io"
	"net/http"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

// TestPreview looks at the site as `make site` shows it, without a database.
func TestPreview(t *testing.T) {
	t.Parallel()
	program := exec.Command("make", "site")
	program.Dir = ".."
	program.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // make and Hugo end together, as by Ctrl-C
	program.Stderr = program.Stdout
	said, err := program.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := program.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = syscall.Kill(-program.Process.Pid, syscall.SIGINT)
		_, _ = io.Copy(io.Discard, said)
		_ = program.Wait() // make says that it was interrupted
	}()
	var address []string
	var log strings.Builder
	for lines := bufio.NewScanner(said); address == nil && lines.Scan(); {
		log.WriteString(lines.Text() + "\n")
		address = regexp.MustCompile(`available at (?:http:)?(//localhost:\d+/)`).FindStringSubmatch(lines.Text())
	}
	if address == nil {
		t.Fatalf("the preview didn't start:\n%s", log.String())
	}
	for path, want := range map[string]string{"": "<h1", "modules/pny-turbo-16gb-microsd/": "PNY Turbo 16 GB microSD",
		"method/": "4K random write"} {
		answer, err := http.Get("http:" + address[1] + path)
		if err != nil {
			t.Fatal(err)
		}
		page, err := io.ReadAll(answer.Body)
		_ = answer.Body.Close()
		if err != nil || answer.StatusCode != http.StatusOK || !strings.Contains(string(page), want) {
			t.Errorf("/%s: %d, %v, without %q", path, answer.StatusCode, err, want)
		}
	}
}
