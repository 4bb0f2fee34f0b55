package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"flashdex/client/looptest"
	"flashdex/client/measure"
	"flashdex/client/sitetest"
	"flashdex/client/spool"
	"flashdex/result"
	"flashdex/result/schema"

	"github.com/google/go-cmp/cmp"
)

func TestMain(m *testing.M) {
	if os.Getenv(beTheClient) != "" {
		_, _ = syscall.Setsid() // leave the terminal, unless it is one of the client's own
		version = "1.2.3"
		useFakeCard()
		os.Exit(run(os.Args[1:]))
	}
	// nohup makes the tests ignore SIGHUP, and programs pass that on to the programs that they start. A signal that is
	// caught here has its default in the tested programs.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP)
	code := m.Run()
	if built.dir != "" {
		os.RemoveAll(built.dir)
	}
	os.Exit(code)
}

var built struct {
	once sync.Once
	dir  string
	err  error
}

// binary builds the real client once.
func binary(t *testing.T) string {
	t.Helper()
	built.once.Do(func() {
		if built.dir, built.err = os.MkdirTemp("", "client-test-"); built.err != nil {
			return
		}
		build := exec.Command("go", "build", "-tags", "nethttpomithttp2", "-ldflags", "-X main.version=1.2.3", "-o",
			built.dir+"/flashdex", ".")
		build.Env = append(os.Environ(), "CGO_ENABLED=0")
		if said, err := build.CombinedOutput(); err != nil {
			built.err = fmt.Errorf("%w\n%s", err, said)
		}
		// A client without rights must be able to run it.
		_ = os.Chmod(built.dir, 0o755)
	})
	if built.err != nil {
		t.Fatal(built.err)
	}
	return built.dir + "/flashdex"
}

// client prepares the real client with a spool of its own.
func client(t *testing.T, arguments ...string) (command *exec.Cmd, spoolDir string) {
	t.Helper()
	spoolDir = filepath.Join(t.TempDir(), "spool")
	command = exec.Command(binary(t), arguments...)
	command.Env = append(os.Environ(), "FLASHDEX_DIR="+spoolDir)
	// Without a terminal, as in a cron job.
	command.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	return command, spoolDir
}

func output(command *exec.Cmd) (stdout, stderr string, code int) {
	var out, said bytes.Buffer
	command.Stdout, command.Stderr = &out, &said
	_ = command.Run()
	return out.String(), said.String(), command.ProcessState.ExitCode()
}

func TestFlagsStandAnywhere(t *testing.T) {
	t.Parallel()
	o, err := parse([]string{"--site", "http://a", "/mnt", "--vendor", " SanDisk ", "--capacity=32 GB", "--form",
		"microSD", "--yes"})
	want := result.Module{Vendor: "SanDisk", CapacityGB: 32, Form: "microsd"}
	if err != nil || !o.yes || o.site != "http://a" {
		t.Errorf("%+v, %v", o, err)
	}
	if diff := cmp.Diff(want, o.module); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"/mnt"}, o.arguments); diff != "" {
		t.Error(diff)
	}
	if o, err := parse([]string{"--yes", "--", "--odd", "x"}); err != nil ||
		!cmp.Equal(o.arguments, []string{"--odd", "x"}) {
		t.Errorf("after --: %+v, %v", o, err)
	}
}

func TestCapacity(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]float64{"32": 32, "32GB": 32, "32 GB": 32, "32g": 32, "512MB": 0.512, "1TB": 1000,
		"1.5 tb": 1500} {
		if got, ok := capacityGB(text); !ok || got != want {
			t.Errorf("%q is %v GB, %v; want %v", text, got, ok, want)
		}
	}
	for _, text := range []string{"", "GB", "32GiB", "-1", "0", "1e3", "32 XB", "32G G", "NaN", "Inf", "1.2.3",
		"9999999TB"} {
		if got, ok := capacityGB(text); ok {
			t.Errorf("%q was taken for %v GB", text, got)
		}
	}
}

// A signal in the middle of a test ends the client with its own code and leaves no file, on the module or in the spool.
// The client can't handle SIGKILL, but that leaves no file either.
func TestSignalsLeaveNothing(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		signal  syscall.Signal
		test    string
		code    int
		profile string
	}{
		{syscall.SIGINT, result.RandWrite, 130, result.ProfileStandard},
		{syscall.SIGTERM, result.SeqWrite, 143, result.ProfileStandard},
		{syscall.SIGHUP, result.SeqWrite, 129, result.ProfileStandard},
		{syscall.SIGKILL, result.SeqWrite, -1, result.ProfileStandard},
		{syscall.SIGINT, measure.Priming, 130, result.ProfileReference},
	} {
		t.Run(c.signal.String()+" "+c.profile, func(t *testing.T) {
			t.Parallel()
			disk := looptest.Mount(t, 640<<20, "")
			command, spoolDir := client(t, "--site", "http://127.0.0.1:1", "--profile", c.profile, disk.Dir)
			said, err := command.StderrPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := command.Start(); err != nil {
				t.Fatal(err)
			}
			lines := bufio.NewScanner(said)
			var rest []string
			for sent := false; lines.Scan(); {
				// The end of the linear write is the beginning of the random one.
				begun := strings.HasPrefix(lines.Text(), result.SeqWrite) || c.test == measure.Priming &&
					strings.HasPrefix(lines.Text(), c.test)
				if c.test == result.RandWrite {
					begun = begun && !strings.Contains(lines.Text(), "%")
				}
				if begun && !sent {
					sent = true
					if err := command.Process.Signal(c.signal); err != nil {
						t.Fatal(err)
					}
				}
				rest = append(rest, lines.Text())
			}
			_ = command.Wait()
			if code := command.ProcessState.ExitCode(); code != c.code {
				t.Errorf("exit code %d, want %d; said %q", code, c.code, rest)
			}
			if last := rest[len(rest)-1]; c.signal != syscall.SIGKILL &&
				!strings.Contains(last, "the test file is gone and nothing was sent") {
				t.Errorf("its last word was %q", last)
			}
			takes := "Takes   at most 6 minutes, typically 2 to 3; Ctrl-C stops it and leaves nothing behind"
			writes := "Writes  at most 512 MiB"
			if c.profile == result.ProfileReference {
				takes = "Takes   as long as the module needs: linear writes 4 minutes at 10 MB/s and "
				writes = "Writes  at most 4096 MiB: 2 linear passes, then six that are measured: a linear one, one of " +
					"zeros, zeros in pieces of 512 B (for at most 4 minutes), 4 KiB twice in a line, and 4 KiB at random; the " +
					"file system adds writes of its own"
			}
			if all := strings.Join(rest, "\n"); !strings.Contains(all, "\n"+takes) || !strings.Contains(all, "\n"+writes) {
				t.Errorf("%q and %q are not both in %s", takes, writes, all)
			}
			mustBeEmpty(t, disk.Dir)
			if pending, err := (spool.Spool{Dir: spoolDir}).Pending(); err != nil || len(pending) > 0 {
				t.Errorf("the spool holds %v, %v", pending, err)
			}
		})
	}
}

func TestUnwritableDirectory(t *testing.T) {
	t.Parallel()
	disk := looptest.Mount(t, 16<<20, "")
	command, spoolDir := client(t, disk.Dir)
	const nobody = 65534
	command.SysProcAttr.Credential = &syscall.Credential{Uid: nobody, Gid: nobody}
	command.Env = append(command.Env, "FLASHDEX_DIR="+ownedBy(t, nobody))
	_, said, code := output(command)
	if code != exitUsage || !strings.Contains(said, "can't be written to") {
		t.Errorf("exit code %d, said %q (%s)", code, said, spoolDir)
	}
}

// ownedBy makes a directory that another user can reach and write to.
func ownedBy(t *testing.T, uid int) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "client-test-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if err := os.Chown(dir, uid, uid); err != nil {
		t.Fatal(err)
	}
	return dir
}

// An unprivileged user's whole standard run is measured, kept, shown and uploaded.
func TestStandardRunIsKeptAndUploaded(t *testing.T) {
	t.Parallel()
	const uid = 65534
	disk := looptest.Mount(t, 400<<20, "")
	server := sitetest.Start(t)
	if err := os.Chown(disk.Dir, uid, uid); err != nil {
		t.Fatal(err)
	}
	command, _ := client(t, "--vendor", "ACME", "--capacity", "32GB", "--form", "sd", "--yes", "--upload",
		"--print-payload", "--site", server.URL, disk.Dir)
	command.SysProcAttr.Credential = &syscall.Credential{Uid: uid, Gid: uid}
	spoolDir := ownedBy(t, uid)
	command.Env = append(command.Env, "FLASHDEX_DIR="+spoolDir)
	out, said, code := output(command)
	if code != 0 {
		t.Fatalf("exit code %d, said %s", code, said)
	}
	mustBeEmpty(t, disk.Dir)
	payload, _, _ := strings.Cut(out, "\n")
	doc, err := schema.Read([]byte(payload))
	if err != nil {
		t.Fatal(err)
	}
	uploaded, _ := server.Body(doc.ID)
	if payload != uploaded {
		t.Errorf("the payload that was printed is not what was sent")
	}
	if len(doc.Tests) != 4 || doc.Module.Vendor != "ACME" || doc.Client.Version != "1.2.3" ||
		doc.Tests[0].AreaBytes != result.StandardAreaBytes {
		t.Errorf("document: %+v", doc)
	}
	host, _ := os.Hostname()
	for _, secret := range []string{disk.Dir, filepath.Base(disk.Dir), "/tmp", spoolDir, `"` + host + `"`} {
		if strings.Contains(uploaded, secret) {
			t.Errorf("%q is in the payload", secret)
		}
	}
	for _, want := range []string{"https://x.test/r/1", "https://x.test/m/a"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q isn't in %q", want, out)
		}
	}
	if pending, err := (spool.Spool{Dir: spoolDir}).Pending(); err != nil || len(pending) > 0 {
		t.Errorf("pending after the upload: %v, %v", pending, err)
	}
}

// Every command is named where a newcomer looks.
func TestCommandsAreDocumented(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"../README.md", "../site/content/test.md"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(help) {
			words := strings.Fields(line)
			if len(words) > 1 && words[0] == "flashdex" && strings.HasPrefix(line, "  ") && words[1] != "DIR" &&
				!strings.HasPrefix(words[1], "--") && !strings.Contains(string(text), "flashdex "+words[1]) {
				t.Errorf("%s doesn't name flashdex %s", file, words[1])
			}
		}
	}
}
