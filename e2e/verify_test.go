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

// TestAFakeIsCountedFromVerifyAlone has the client check a module that loses nothing, and one that loses half of what
// it took, upload what it found and nothing else, and finds that on the pages of the results, of the modules and of
// fakes, once an operator knows the contributor. Both have ext4, which lets nobody reach all of them.
func TestAFakeIsCountedFromVerifyAlone(t *testing.T) {
	need.Programs(t, "curl", "fallocate")
	const bytes = 1 << 30
	disk, s := looptest.Mount(t, bytes, ""), startServer(t, t.TempDir())
	kept := t.TempDir()
	// verify has the client check the disk, which loses its second half between writing and reading if it is hollow. It
	// returns the id of the result and the module's slug.
	verify := func(product string, hollow bool, code int, says string) (id, slug string) {
		t.Helper()
		client := exec.Command("sh", "-c", `curl -fsSL "$1/run.sh" | sh -s -- verify "$2" --vendor Acme --product "$3" \
			--capacity 1 --form microsd --yes --upload`, "sh", s.site, disk.Dir, product)
		client.Env = append(os.Environ(), "FLASHDEX_DIR="+kept, "NO_COLOR=1")
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
		// The file system keeps nothing of its own in the second half.
		for lines := bufio.NewScanner(said); lines.Scan(); {
			t.Log(lines.Text())
			if hollow && strings.HasPrefix(lines.Text(), "write    100 %") {
				hollow = false
				signal(t, client, syscall.SIGSTOP)
				command(t, root, `fallocate --punch-hole --offset "$2" --length "$2" "$1"`, disk.Image, fmt.Sprint(bytes/2))
				signal(t, client, syscall.SIGCONT)
			}
		}
		_ = client.Wait()
		link := regexp.MustCompile(regexp.QuoteMeta(s.site) + `/r/([0-9a-f-]{36})`).FindStringSubmatch(found.String())
		if client.ProcessState.ExitCode() != code || link == nil || !strings.Contains(found.String(), says) {
			t.Fatalf("exit code %d:\n%s", client.ProcessState.ExitCode(), &found)
		}
		stored, _ := get(t, s.site+"/v1/results/"+link[1])
		named := regexp.MustCompile(`"slug":"([^"]+)"`).FindStringSubmatch(stored)
		if named == nil || !strings.Contains(stored, `"method":"verify-1"`) || !strings.Contains(stored, `"figures":[]`) {
			t.Fatalf("stored is %.900s", stored)
		}
		return link[1], named[1]
	}
	soundID, solid := verify("Solid", false, 0, "No sign that it is another module than it says")
	fakeID, hollow := verify("Hollow", true, 1, "Almost certainly not what it says it is")
	for _, words := range [][]string{{"confirm", solid}, {"confirm", hollow}, {"confirm-contributor", fakeID}} {
		confirm := exec.Command(root+"/bin/api", "moderate", words[0], words[1], "--as=carol",
			"--reason=She showed me the card.", "--database-url", s.database)
		if said, err := confirm.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, said)
		}
	}
	eventually(t, "/fakes/ and the modules' pages count them", func() bool {
		fakes, _ := get(t, s.site+"/fakes/")
		ofHollow, _ := get(t, s.site+"/modules/"+hollow+"/")
		ofSolid, _ := get(t, s.site+"/modules/"+solid+"/")
		const by = "Of 1 unit that 1 contributor checked with flashdex verify, H2testw or F3, <strong>"
		// 51 units, 7 of them fakes, are those of data/capacity_checks.csv.
		return strings.Contains(fakes, "Of 53 units") && strings.Contains(fakes, ", 8 held at least a twentieth less") &&
			strings.Contains(fakes, "Acme Hollow 1 GB microSD") && !strings.Contains(fakes, "Acme Solid") &&
			strings.Contains(ofHollow, fakeID) && strings.Contains(ofHollow, by+"1 held") &&
			strings.Contains(ofSolid, soundID) && strings.Contains(ofSolid, by+"none held")
	})
	if page, _ := get(t, s.site+"/r/"+fakeID); !strings.Contains(page, "<strong>flashdex verify filled the free space") ||
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
