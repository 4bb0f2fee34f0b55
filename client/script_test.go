package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

var shells = []string{"dash", "busybox ash", "bash", "mksh"}

var platforms = strings.Fields("amd64 386 armv5 armv6 armv7 arm64 mips mipsle mips64 mips64le ppc64le riscv64 s390x " +
	"loong64")

// fakeClient stands in for the Go client: it prints its arguments, one per line, and its own path.
const fakeClient = `#!/bin/sh
for argument; do printf '<%s>\n' "$argument"; done
echo "at $0"
exit 7
`

// site serves client as the client of every platform. If listed differs from client, the checksums don't match it.
func site(t *testing.T, client, listed string, names []string) *httptest.Server {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("/client/SHA256SUMS", func(w http.ResponseWriter, _ *http.Request) {
		for _, name := range names {
			fmt.Fprintf(w, "%x  flashdex-linux-%s\n", sha256.Sum256([]byte(listed)), name)
		}
	})
	mux.HandleFunc("/client/{name}", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, client) })
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server
}

func script(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile("flashdex.sh")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// shellCommand runs text as curl would pipe it into a shell, with temporary files in a directory of its own.
func shellCommand(t *testing.T, shell, text string, arguments ...string) (command *exec.Cmd, temporary string) {
	t.Helper()
	words := append(strings.Fields(shell), "-s", "--")
	if _, err := exec.LookPath(words[0]); err != nil {
		t.Skipf("needs %s", words[0])
	}
	temporary = t.TempDir()
	command = exec.Command(words[0], append(words[1:], arguments...)...)
	command.Stdin = strings.NewReader(text)
	command.Env = append(os.Environ(), "TMPDIR="+temporary, "HOME="+temporary, "XDG_CACHE_HOME=")
	command.Dir = temporary
	return command, temporary
}

func runShell(t *testing.T, shell, text string, env []string, arguments ...string) (stdout, stderr string, code int) {
	t.Helper()
	command, temporary := shellCommand(t, shell, text, arguments...)
	command.Env = append(command.Env, env...)
	var out, err bytes.Buffer
	command.Stdout, command.Stderr = &out, &err
	_ = command.Run()
	mustBeEmpty(t, temporary)
	return out.String(), err.String(), command.ProcessState.ExitCode()
}

func mustBeEmpty(t *testing.T, dir string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) > 0 {
		t.Errorf("left behind: %v (%v)", entries, err)
	}
}

func inShells(t *testing.T, test func(t *testing.T, shell string)) {
	t.Parallel()
	for _, shell := range shells {
		t.Run(shell, func(t *testing.T) {
			t.Parallel()
			test(t, shell)
		})
	}
}

func TestScriptRunsTheClient(t *testing.T) {
	inShells(t, func(t *testing.T, shell string) {
		server := site(t, fakeClient, fakeClient, platforms)
		served := strings.Replace(script(t), "@SITE@", server.URL, 1)
		out, said, code := runShell(t, shell, served, nil, "/mnt/my card", "--vendor", "A  'B' $C", "", "*")
		want := fmt.Sprintf("<--site>\n<%s>\n</mnt/my card>\n<--vendor>\n<A  'B' $C>\n<>\n<*>\n", server.URL)
		if !strings.HasPrefix(out, want) || code != 7 {
			t.Errorf("exit code %d, output %q, want %q; said %q", code, out, want, said)
		}
	})
}

// Every downloader and every checksum program works. The others are hidden.
func TestScriptMakesDoWithWhatIsThere(t *testing.T) {
	t.Parallel()
	for _, tools := range []string{"curl openssl", "wget shasum perl", "wget=busybox sha256sum=busybox",
		"wget sha256sum"} {
		t.Run(tools, func(t *testing.T) {
			t.Parallel()
			server := site(t, fakeClient, fakeClient, platforms)
			out, said, code := runShell(t, "dash", script(t), []string{path(t, strings.Fields(tools)...), "FLASHDEX_SITE=" + server.URL}, "x")
			if !strings.Contains(out, "<x>") || code != 7 {
				t.Errorf("exit code %d, output %q, said %q", code, out, said)
			}
		})
	}
}

func TestScriptRefuses(t *testing.T) {
	inShells(t, func(t *testing.T, shell string) {
		nobody := httptest.NewServer(http.NotFoundHandler())
		t.Cleanup(nobody.Close)
		cases := []struct{ name, site, says string }{
			{"wrong checksum", site(t, fakeClient+"#", fakeClient, platforms).URL, "it was not run"},
			{"empty client", site(t, "", fakeClient, platforms).URL, "it was not run"},
			{"no such platform", site(t, fakeClient, fakeClient, []string{"vax"}).URL, "has no client for this machine"},
			{"no client at all", nobody.URL, "can't be fetched from " + nobody.URL + "/client/SHA256SUMS"},
			{"no site", "", "set FLASHDEX_SITE"},
		}
		for _, c := range cases {
			out, said, code := runShell(t, shell, script(t), []string{"FLASHDEX_SITE=" + c.site}, "x")
			if out != "" || code != 1 || !strings.Contains(said, c.says) {
				t.Errorf("%s: exit code %d, output %q, said %q, want %q", c.name, code, out, said, c.says)
			}
		}
	})
}

// If a download breaks off anywhere, nothing runs: not even a request reaches the site.
func TestTruncatedScriptRunsNothing(t *testing.T) {
	inShells(t, func(t *testing.T, shell string) {
		server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			t.Errorf("a truncated script fetched %s", r.URL)
		}))
		t.Cleanup(server.Close)
		whole := strings.TrimSuffix(script(t), "\n")
		var cuts []int
		for i := 1; i < 40; i++ {
			cuts = append(cuts, len(whole)*i/40)
		}
		for i := 1; i <= len(`{ main "$@"; }`); i++ {
			cuts = append(cuts, len(whole)-i)
		}
		for _, cut := range cuts {
			out, said, _ := runShell(t, shell, whole[:cut], []string{"FLASHDEX_SITE=" + server.URL}, "x")
			if out != "" || strings.Contains(said, "flashdex.sh:") {
				t.Errorf("cut at %d of %d: output %q, said %q", cut, len(whole), out, said)
			}
		}
	})
}

// A signal to the script reaches the client, whose exit code is the script's, and the download is removed.
func TestScriptForwardsSignals(t *testing.T) {
	const patient = `#!/bin/sh
trap 'echo got TERM; exit 143' TERM
trap 'echo got HUP; exit 129' HUP
echo ready
while :; do sleep 0.05; done
`
	inShells(t, func(t *testing.T, shell string) {
		server := site(t, patient, patient, platforms)
		for signal, want := range map[syscall.Signal]string{syscall.SIGTERM: "got TERM", syscall.SIGHUP: "got HUP"} {
			command, temporary := shellCommand(t, shell, script(t), "x")
			command.Env = append(command.Env, "FLASHDEX_SITE="+server.URL)
			out, err := command.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := command.Start(); err != nil {
				t.Fatal(err)
			}
			line := make([]byte, 64)
			if n, err := out.Read(line); err != nil || string(line[:n]) != "ready\n" {
				t.Fatalf("read %q, %v", line[:n], err)
			}
			// BusyBox and mksh miss a signal that comes after they start the client and before they wait for it, until
			// another signal comes. So the test repeats the signal, as people would.
			again := time.NewTicker(time.Second)
			stop := make(chan bool)
			go func() {
				defer again.Stop()
				for {
					_ = command.Process.Signal(signal)
					select {
					case <-stop:
						return
					case <-again.C:
					}
				}
			}()
			n, _ := out.Read(line)
			close(stop)
			_ = command.Wait()
			if code := command.ProcessState.ExitCode(); strings.TrimSpace(string(line[:n])) != want || code != 128+int(signal) {
				t.Errorf("%v: exit code %d, output %q", signal, code, line[:n])
			}
			mustBeEmpty(t, temporary)
		}
	})
}

// The platform follows the programs' word size and byte order, not the kernel's.
func TestScriptNamesThePlatform(t *testing.T) {
	const pi1 = "Features\t: half thumb fastmult vfp edsp java tls\n"
	const pi2 = "Features\t: half thumb fastmult vfp edsp neon vfpv3 tls vfpv4\n"
	cases := []struct{ machine, bits, endian, cpuinfo, want string }{
		{"x86_64", "64", "little", "", "amd64"},
		{"x86_64", "32", "little", "", "386"},
		{"i686", "32", "little", "", "386"},
		{"aarch64", "64", "little", "", "arm64"},
		{"aarch64", "32", "little", "", "armv7"},
		{"armv8l", "32", "little", "", "armv7"},
		{"armv7l", "32", "little", pi2, "armv7"},
		{"armv7l", "32", "little", "Features\t: swp half\n", "armv5"},
		{"armv6l", "32", "little", pi1, "armv6"},
		{"armv6l", "32", "little", "", "armv5"},
		{"armv5tejl", "32", "little", "", "armv5"},
		{"armv7b", "32", "big", pi2, ""},
		{"mips", "32", "big", "", "mips"},
		{"mips", "32", "little", "", "mipsle"},
		{"mips64", "64", "big", "", "mips64"},
		{"mips64", "64", "little", "", "mips64le"},
		{"mips64", "32", "little", "", "mipsle"},
		{"ppc64le", "64", "little", "", "ppc64le"},
		{"ppc64", "64", "big", "", ""},
		{"riscv64", "64", "little", "", "riscv64"},
		{"s390x", "64", "big", "", "s390x"},
		{"loongarch64", "64", "little", "", "loong64"},
		{"vax", "32", "little", "", ""},
		{"x86_64", "", "", "", ""},
	}
	inShells(t, func(t *testing.T, shell string) {
		body, _, ok := strings.Cut(script(t), "{ main ")
		if !ok {
			t.Fatal("the script's last line is not what it was")
		}
		for _, c := range cases {
			cpuinfo := filepath.Join(t.TempDir(), "cpuinfo")
			if err := os.WriteFile(cpuinfo, []byte(c.cpuinfo), 0o600); err != nil {
				t.Fatal(err)
			}
			out, said, _ := runShell(t, shell, body+`platform_of "$@"`+"\n", []string{"FLASHDEX_CPUINFO=" + cpuinfo}, c.machine,
				c.bits, c.endian)
			if strings.TrimSpace(out) != c.want || said != "" {
				t.Errorf("%s with %s-bit %s-endian programs: %q, want %q; said %q", c.machine, c.bits, c.endian, out, c.want, said)
			}
		}
		if out, said, _ := runShell(t, shell, body+"platform\n", nil); !strings.Contains(" "+strings.Join(platforms, " ")+" ",
			" "+strings.TrimSpace(out)+" ") || said != "" {
			t.Errorf("this machine is %q; said %q", out, said)
		}
	})
}

// The script recognizes kernels that Go's programs don't run on by their release.
func TestScriptKnowsOldKernels(t *testing.T) {
	inShells(t, func(t *testing.T, shell string) {
		body, _, _ := strings.Cut(script(t), "{ main ")
		for release, want := range map[string]string{
			"2.6.36.4brcmarm": "old", "2.4.37": "old", "3.0.101": "old", "3.1": "old", "3.1-rc7": "old",
			"3.2": "new", "3.2.0-4-686": "new", "3.10.14": "new", "3.18.20": "new", "4.1.52": "new", "10.0": "new",
			"31.0": "new", "odd": "new",
		} {
			if out, said, _ := runShell(t, shell, body+`if too_old "$1"; then echo old; else echo new; fi`+"\n", nil,
				release); strings.TrimSpace(out) != want || said != "" {
				t.Errorf("Linux %s is %q, want %s; said %q", release, out, want, said)
			}
		}
	})
}

func TestScriptIsSmallAndClean(t *testing.T) {
	t.Parallel()
	if size := len(script(t)); size > 26_000 {
		t.Errorf("flashdex.sh has %d bytes", size)
	}
	for _, name := range []string{"SITE", "KEY"} {
		mark := "@" + name + "@"
		if strings.Count(script(t), mark) != 1 || !strings.Contains(script(t), "\n"+name+"='"+mark+"'\n") {
			t.Errorf("the server replaces %s on exactly one line", mark)
		}
	}
	if _, err := exec.LookPath("shellcheck"); err != nil {
		t.Skip("needs shellcheck")
	}
	for _, name := range []string{"flashdex.sh", "build.sh"} {
		if said, err := exec.Command("shellcheck", "-s", "sh", name).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", name, err, said)
		}
	}
}

// A file that is piped into the script reaches the client: flashdex import -.
func TestScriptGivesTheClientItsInput(t *testing.T) {
	inShells(t, func(t *testing.T, shell string) {
		path, err := filepath.Abs("flashdex.sh")
		if err != nil {
			t.Fatal(err)
		}
		const client = "#!/bin/sh\nexec cat\n"
		command, temporary := shellCommand(t, shell, "what another tool printed\n")
		command.Args = append(strings.Fields(shell), path, "import", "-")
		command.Env = append(command.Env, "FLASHDEX_SITE="+site(t, client, client, platforms).URL)
		out, err := command.Output()
		if err != nil || string(out) != "what another tool printed\n" {
			t.Errorf("the client read %q, %v", out, err)
		}
		mustBeEmpty(t, temporary)
	})
}
