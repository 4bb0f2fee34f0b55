package publication

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"flashdex/api/catalogue"
	"flashdex/api/dataset"
	"flashdex/api/page"
	"flashdex/api/publish"
	"flashdex/api/store"
	"flashdex/data"
)

// These environment variables make this test binary publish once, as a process that can be stopped.
const (
	publishInstead = "FLASHDEX_TEST_PUBLISH" // into this folder
	publishFrom    = "FLASHDEX_TEST_DATABASE"
)

func init() {
	if os.Getenv(publishInstead) != "" {
		runtime.LockOSThread() // strace follows this thread, so it must do everything that is done to files
	}
}

func TestMain(m *testing.M) {
	do := func() error { os.Exit(m.Run()); return nil }
	if len(os.Args) > 1 && os.Args[1] == "build" {
		do = func() error { return renderQuickly(os.Args[2:]) }
	} else if dir := os.Getenv(publishInstead); dir != "" {
		do = func() error { return publishOnce(dir, os.Getenv(publishFrom)) }
	}
	if err := do(); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

// renderQuickly stands in for Hugo: it makes the pages that the publisher asks for. Each page holds its path.
func renderQuickly(args []string) error {
	flags := map[string]string{}
	for i := 1; i < len(args); i++ {
		flags[args[i-1]] = args[i]
	}
	config, err := os.ReadFile(strings.TrimPrefix(flags["--config"], "hugo.toml,"))
	if err != nil {
		return err
	}
	input, err := strconv.Unquote(string(regexp.MustCompile(`(?m)^source = ("/.*")`).FindSubmatch(config)[1]))
	if err != nil {
		return err
	}
	var pages struct{ Render []struct{ Path string } }
	text, err := os.ReadFile(filepath.Join(input, "pages.json"))
	if err = orElse(err, func() error { return json.Unmarshal(text, &pages) }); err != nil {
		return err
	}
	made := map[string]string{}
	for _, p := range pages.Render {
		made[p.Path[1:]+"index.html"] = p.Path
	}
	for _, name := range madeOfNoData {
		made[name] = name
	}
	for _, name := range page.Frames {
		made[name] = "<title>{{.title}}</title>{{.body}}"
	}
	for name, text := range made {
		path := filepath.Join(flags["--destination"], name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

func orElse(err error, do func() error) error {
	if err != nil {
		return err
	}
	return do()
}

// madeOfNoData are the files that every publication has, whatever the data.
var madeOfNoData = []string{
	"index.html", "404.html", "search/index.html", "search/index.json", "compare/index.html", "method/index.html",
	"data/index.html", "test/index.html", "sources/index.html", "api/index.html",
	"wanted/index.html", "endurance/index.html", "fakes/index.html", "health/index.html",
}

func publishOnce(dir, url string) error {
	ctx := context.Background()
	s, err := store.Open(ctx, url)
	if err != nil {
		return err
	}
	defer s.Close()
	c, err := catalogue.Load(data.FS)
	if err != nil {
		return err
	}
	return publish.New(quick(s, c, dir, "A", os.Stdout)).Once(ctx)
}

// quick configures a publisher whose Hugo is renderQuickly, and that answers no questions. It knows one device. It
// takes the same steps for each device's page, so with all devices, most of its steps would be these.
func quick(s publish.Store, c *catalogue.Catalogue, dir, holder string, log *os.File) publish.Config {
	small := *c
	small.Devices = c.Devices[:1]
	return publish.Config{
		Store: s, Catalogue: &small, Hugo: os.Args[0], Project: "testdata", Dir: dir, Clients: "testdata", Holder: holder,
		SiteURL: "http://localhost:8080", Version: "test", Data: func() dataset.Index { return dataset.Index{} },
		Log: slog.New(slog.NewTextHandler(log, nil)),
	}
}

// traced is a process that publishes once. It stops by SIGSTOP after one of the calls with which it changes files or
// talks to the database.
type traced struct {
	*exec.Cmd
	calls  string // the file that strace writes
	output bytes.Buffer
	ended  chan struct{}
}

// changes are the system calls with which a publisher changes files, talks to the database, or starts another process
// and waits for it. A file that is opened is written to next.
var changes = []string{
	"write", "renameat", "linkat", "symlinkat", "unlinkat", "mkdirat", "fsync", "syncfs", "clone", "clone3", "waitid",
}

// publishUntil starts a process that publishes into dir and stops after the nth system call of that name.
func publishUntil(t *testing.T, call string, n int, url, dir string) *traced {
	t.Helper()
	p := &traced{calls: filepath.Join(t.TempDir(), "calls"), ended: make(chan struct{})}
	p.Cmd = exec.Command("strace", "-qq", "-y", "-o", p.calls, "-e", "trace="+strings.Join(changes, ","),
		"-e", fmt.Sprintf("inject=%s:signal=STOP:when=%d", call, n), os.Args[0])
	p.Env = append(os.Environ(), publishInstead+"="+dir, publishFrom+"="+url, "GORACE=atexit_sleep_ms=0")
	p.Stdout, p.Stderr = &p.output, &p.output
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		_ = p.Wait()
		close(p.ended)
	}()
	return p
}

const stoppedLine = "--- stopped by SIGSTOP ---\n"

// stopped waits until the process has stopped. It returns false if the process ended before.
func (p *traced) stopped(t *testing.T) bool {
	t.Helper()
	for {
		if calls, _ := os.ReadFile(p.calls); bytes.HasSuffix(calls, []byte(stoppedLine)) {
			return true
		}
		select {
		case <-p.ended:
			if p.ProcessState.ExitCode() != 0 {
				t.Fatalf("%s: %s", p.ProcessState, p.output.String())
			}
			return false
		case <-t.Context().Done():
			t.Fatal("it neither stops nor ends")
		case <-time.After(2 * time.Millisecond):
		}
	}
}

// at returns the call after which the process stopped.
func (p *traced) at() string {
	calls, _ := os.ReadFile(p.calls)
	before, _, _ := strings.Cut(string(calls), "--- SIGSTOP ")
	lines := strings.Split(strings.TrimSpace(before), "\n")
	return lines[len(lines)-1]
}

// resume lets the process go on to its end.
func (p *traced) resume(t *testing.T) {
	t.Helper()
	children, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%[1]d/children", p.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	for child := range strings.FieldsSeq(string(children)) {
		id, err := strconv.Atoi(child)
		if err = orElse(err, func() error { return syscall.Kill(id, syscall.SIGCONT) }); err != nil {
			t.Fatal(err)
		}
	}
	<-p.ended
}
