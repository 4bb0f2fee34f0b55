package e2e

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"flashdex/client/looptest"
	"flashdex/e2e/need"
)

// TestAFakeIsCountedFromVerifyAlone has the client check a module that loses half of what it took, upload what it found
// and nothing else, and finds that on the page of the result, of the module and of fakes, once an operator knows the
// contributor.
func TestAFakeIsCountedFromVerifyAlone(t *testing.T) {
	need.Programs(t, "curl", "fallocate")
	const bytes = 1 << 30
	disk, s := looptest.Mount(t, bytes, ""), startServer(t, t.TempDir())
	client := exec.Command("sh", "-c", `curl -fsSL "$1/run.sh" | sh -s -- verify "$2" --vendor Acme --product Hollow \
		--capacity 1 --form microsd --yes --upload`, "sh", s.site, disk.Dir)
	client.Env = append(os.Environ(), "FLASHDEX_DIR="+t.TempDir(), "NO_COLOR=1")
	client.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	var found strings.Builder
	client.Stdout = &found
	said, err := client.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := client.Start(); err != nil {
		t.Fatal(err)
	}
	// A module that loses what lies in its second half, between writing and reading. The file system keeps nothing there.
	lost := false
	for lines := bufio.NewScanner(said); lines.Scan(); {
		t.Log(lines.Text())
		if !lost && strings.HasPrefix(lines.Text(), "write    100 %") {
			lost = true
			signal(t, client, syscall.SIGSTOP)
			command(t, root, `fallocate --punch-hole --offset "$2" --length "$2" "$1"`, disk.Image, fmt.Sprint(bytes/2))
			signal(t, client, syscall.SIGCONT)
		}
	}
	_ = client.Wait()
	link := regexp.MustCompile(regexp.QuoteMeta(s.site) + `/r/([0-9a-f-]{36})`).FindStringSubmatch(found.String())
	if code := client.ProcessState.ExitCode(); code != 1 || link == nil ||
		!strings.Contains(found.String(), "Almost certainly not what it says it is") {
		t.Fatalf("exit code %d:\n%s", code, &found)
	}
	stored, _ := get(t, s.site+"/v1/results/"+link[1])
	slug := regexp.MustCompile(`"slug":"([^"]+)"`).FindStringSubmatch(stored)
	if slug == nil || !strings.Contains(stored, `"method":"verify-1"`) || !strings.Contains(stored, `"figures":[]`) {
		t.Fatalf("stored is %.900s", stored)
	}
	for _, words := range [][]string{{"confirm", slug[1]}, {"confirm-contributor", link[1]}} {
		confirm := exec.Command(root+"/bin/api", "moderate", words[0], words[1], "--as=carol",
			"--reason=She showed me the card.", "--database-url", s.database)
		if said, err := confirm.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, said)
		}
	}
	const name = "Acme Hollow 1 GB microSD"
	eventually(t, "/fakes/ and the module's page count it", func() bool {
		fakes, _ := get(t, s.site+"/fakes/")
		module, _ := get(t, s.site+"/modules/"+slug[1]+"/")
		return strings.Contains(fakes, name) && strings.Contains(module, link[1]) &&
			strings.Contains(module, "Of 1 unit that 1 contributor checked with flashdex verify, H2testw or F3, <strong>1 held")
	})
	if page, _ := get(t, s.site+"/r/"+link[1]); !strings.Contains(page, "<strong>flashdex verify filled the free space") ||
		!strings.Contains(page, "Almost certainly not what it says it is: what flashdex verify found: only") {
		t.Errorf("the page of the result doesn't tell what was found:\n%s", page)
	}
}

// signal signals to a command and all of its children.
func signal(t *testing.T, of *exec.Cmd, signal syscall.Signal) {
	t.Helper()
	if err := syscall.Kill(-of.Process.Pid, signal); err != nil {
		t.Error(err)
	}
}
