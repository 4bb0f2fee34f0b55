package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"flashdex/client/looptest"
	"flashdex/result"
	"flashdex/result/schema"
)

// onAVAX puts a uname first on the PATH. It names a machine that no client is built for.
func onAVAX(t *testing.T) (path string) {
	t.Helper()
	dir := t.TempDir()
	uname := "#!/bin/sh\ncase $1 in -m) echo vax ;; *) exec /bin/uname \"$@\" ;; esac\n"
	if err := os.WriteFile(filepath.Join(dir, "uname"), []byte(uname), 0o755); err != nil {
		t.Fatal(err)
	}
	return "PATH=" + dir + ":" + os.Getenv("PATH")
}

// All of it takes a minute and a half. The test measures 32 MiB for a second.
func shorter(t *testing.T, text string) string {
	t.Helper()
	for long, short := range map[string]string{"chunks=32": "chunks=4", "each * 300 / cs": "each * 5 / cs"} {
		if strings.Count(text, long) != 1 {
			t.Fatalf("the script doesn't say %s once", long)
		}
		text = strings.Replace(text, long, short, 1)
	}
	return text
}

func TestScriptMeasuresWithDDWhereThereIsNoClient(t *testing.T) {
	inShells(t, func(t *testing.T, shell string) {
		disk := looptest.Mount(t, 400<<20, "")
		var got []byte
		var authorization string
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			got, _ = io.ReadAll(r.Body)
			authorization = r.Header.Get("Authorization")
			w.WriteHeader(http.StatusCreated)
			fmt.Fprintln(w, "{}")
		}))
		t.Cleanup(server.Close)
		kept := t.TempDir()
		out, said, code := runShell(t, shell, shorter(t, strings.Replace(script(t), "@SITE@", server.URL, 1)),
			[]string{onAVAX(t), "FLASHDEX_DIR=" + kept},
			disk.Dir, "--vendor", `A "quoted" \ name`, "--product", "Turbo", "--capacity", "32GB", "--form", "sd", "--yes",
			"--upload")
		figure := regexp.MustCompile(`4K random write +\d+\.\d IOPS; in memory this loop does \d+ a second`)
		if code != 0 || !figure.MatchString(out) {
			t.Fatalf("exit code %d, output %q, said %q", code, out, said)
		}
		doc, err := schema.Read(got)
		if err != nil {
			t.Fatalf("%v\n%s", err, got)
		}
		if doc.Module.Vendor != "A quoted  name" || doc.Module.CapacityGB != 32 || doc.Identity.Bus != "loop" ||
			doc.Identity.SizeBytes != 400<<20 || doc.Target.Filesystem != "ext4" {
			t.Errorf("%+v %+v %+v", doc.Module, doc.Identity, doc.Target)
		}
		w := doc.Test(result.RandWrite)
		f := w.Figures()
		if f.IOPS == nil || *f.IOPS < 1 || w.CeilingIOPS < int64(*f.IOPS)/2 || f.KiBPerOp == nil || *f.KiBPerOp < 4 {
			t.Errorf("random write: %+v, ceiling %d", f, w.CeilingIOPS)
		}
		if doc.Test(result.SeqWrite) == nil || doc.Test(result.SeqRead) == nil {
			t.Error("a linear test is missing")
		}
		if reasons := doc.NotRanked(); len(reasons) != 1 || !strings.Contains(reasons[0], "dd alone") {
			t.Errorf("not ranked because %q", reasons)
		}
		secret, err := os.ReadFile(filepath.Join(kept, "secret"))
		if err != nil || !regexp.MustCompile(`^[0-9a-f]{64}$`).Match(secret) || authorization != "Bearer "+string(secret) {
			t.Errorf("secret %q (%v), sent %q", secret, err, authorization)
		}
		if file, err := os.ReadFile(filepath.Join(kept, doc.ID+".json")); err != nil || !bytes.Equal(file, got) {
			t.Errorf("what is kept is not what was sent (%v)", err)
		}
		mustBeEmpty(t, disk.Dir)
		if left, _ := filepath.Glob("/dev/shm/flashdex.*"); len(left) > 0 && len(shells) == 1 {
			t.Errorf("left in memory: %v", left)
		}
	})
}

func TestScriptWithoutClientExplainsWhatItCannotMeasure(t *testing.T) {
	t.Parallel()
	cases := []struct{ arguments, want string }{
		{"/proc", "not on a block device"},
		{"/nowhere", "name a directory"},
		{"list", "can only measure"},
		{"--device /dev/sda --erase", "--device works only with the client"},
		{"/tmp --form round", "--form is"},
		{"/tmp --vendor", "needs a value"},
	}
	for _, c := range cases {
		_, said, code := runShell(t, "dash", script(t), []string{onAVAX(t)}, strings.Fields(c.arguments)...)
		if code != 1 || !strings.Contains(said, c.want) {
			t.Errorf("%s: exit code %d, said %q, want %q", c.arguments, code, said, c.want)
		}
	}
}

// If the result couldn't be kept, nothing is measured.
func TestScriptWithNowhereToKeepTheResult(t *testing.T) {
	inShells(t, func(t *testing.T, shell string) {
		disk := looptest.Mount(t, 400<<20, "")
		out, said, code := runShell(t, shell, script(t), []string{onAVAX(t), "FLASHDEX_DIR=/proc/flashdex"}, disk.Dir)
		if out != "" || code != 1 || !strings.Contains(said, "no result can be kept in /proc/flashdex; set FLASHDEX_DIR") ||
			strings.Contains(said, "measuring") {
			t.Errorf("exit code %d, %q, said %q", code, out, said)
		}
		mustBeEmpty(t, disk.Dir)
	})
}

// If the site can't be reached, the script still measures and keeps the result.
func TestScriptKeepsTheResultWhereThereIsNoNetwork(t *testing.T) {
	t.Parallel()
	disk := looptest.Mount(t, 400<<20, "")
	kept := t.TempDir()
	served := shorter(t, strings.Replace(script(t), "@SITE@", "http://127.0.0.1:9", 1))
	_, said, code := runShell(t, "dash", served, []string{"FLASHDEX_DIR=" + kept}, disk.Dir, "--yes", "--upload")
	files, _ := filepath.Glob(filepath.Join(kept, "*.json"))
	if code != 3 || len(files) != 1 || !strings.Contains(said, "flashdex upload --site http://127.0.0.1:9 "+files[0]) {
		t.Errorf("exit code %d, kept %v, said %q", code, files, said)
	}
}

// The result says whether dd did direct I/O, whether dd refuses it or ignores it. The shell's own dd counts, too.
func TestScriptTellsWhetherTheCacheWasPassed(t *testing.T) {
	t.Parallel()
	fetched, err := filepath.Abs("../var/dds")
	if err != nil {
		t.Fatal(err)
	}
	broken := t.TempDir()
	if err := os.WriteFile(filepath.Join(broken, "dd"), []byte("#!/bin/sh\nexit 1\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, shell, dd string // dd is the folder of the dd on the PATH
		direct          bool
	}{
		{"GNU", "dash", "/bin", true},
		{"BusyBox, built in", "busybox ash", broken, true},
		{"BusyBox 1.30, built in", fetched + "/bullseye/bin/busybox ash", broken, false},
		{"uutils 0.0.30", "dash", fetched + "/trixie", false},
		{"uutils of Debian sid", "dash", fetched + "/sid", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if _, err := os.Stat(c.dd); err != nil {
				t.Skip("make tools fetches this dd")
			}
			disk := looptest.Mount(t, 400<<20, "")
			kept, path := t.TempDir(), onAVAX(t)
			path = strings.Replace(path, ":", ":"+c.dd+":", 1)
			_, said, code := runShell(t, c.shell, shorter(t, script(t)), []string{path, "FLASHDEX_DIR=" + kept}, disk.Dir,
				"--no-upload")
			files, _ := filepath.Glob(filepath.Join(kept, "*.json"))
			if code != 0 || len(files) != 1 {
				t.Fatalf("exit code %d, kept %v, said %q", code, files, said)
			}
			data, err := os.ReadFile(files[0])
			if err != nil {
				t.Fatal(err)
			}
			doc, err := schema.Read(data)
			if err != nil {
				t.Fatal(err)
			}
			for _, test := range doc.Tests {
				if test.Direct != c.direct || test.Engine != "dd" {
					t.Errorf("%s: direct %v, by %s; want direct %v", test.Name, test.Direct, test.Engine, c.direct)
				}
			}
		})
	}
}

// Neither the client nor the script takes a program, memory or a stack of file systems for a module. All are real
// mounts.
func TestNoModuleBelow(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("needs root to mount")
	}
	memory := mountAs(t, "tmpfs", "tmpfs")
	disk := looptest.Mount(t, 400<<20, "")
	upper, work := filepath.Join(disk.Dir, "upper"), filepath.Join(disk.Dir, "work")
	for _, dir := range []string{upper, work} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	program := t.TempDir()
	if said, err := exec.Command("bindfs", disk.Dir, program).CombinedOutput(); err != nil {
		t.Skipf("needs bindfs: %v %s", err, said)
	}
	t.Cleanup(func() { _ = exec.Command("umount", "--lazy", program).Run() })
	for want, dir := range map[string]string{
		"is on tmpfs, which is memory":                   memory,
		"is on fuse, a program between the test and the": program,
		"is on overlay, which stacks other file systems": mountAs(t, "overlay", "overlay", "-o",
			"lowerdir="+memory+",upperdir="+upper+",workdir="+work),
	} {
		for _, command := range [][]string{{"--no-upload"}, {"verify", "--yes"}} {
			run, _ := client(t, append(command, dir)...)
			said, _ := run.CombinedOutput()
			if code := run.ProcessState.ExitCode(); code != exitUsage || !strings.Contains(string(said), want) {
				t.Errorf("%s %s: exit code %d, %s", command, dir, code, said)
			}
		}
		_, said, code := runShell(t, "dash", script(t), []string{onAVAX(t)}, dir)
		if code != 1 || !strings.Contains(said, "not on a block device") {
			t.Errorf("the script in %s: exit code %d, %s", dir, code, said)
		}
	}
	for _, dir := range []string{memory, upper} {
		mustBeEmpty(t, dir)
	}
}

func mountAs(t *testing.T, filesystem, source string, options ...string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	if said, err := exec.Command("mount", append(options, "-t", filesystem, source, dir)...).CombinedOutput(); err != nil {
		t.Skipf("no %s here: %v %s", filesystem, err, said)
	}
	t.Cleanup(func() {
		if said, err := exec.Command("umount", dir).CombinedOutput(); err != nil {
			t.Errorf("%v %s", err, said)
		}
	})
	return dir
}
