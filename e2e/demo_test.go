package e2e

import (
	"encoding/json"
	"net"
	"net/http"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

// TestDemo starts the server of make demo, looks at a page of each kind that the server answers, and ends the server as
// a terminal would.
func TestDemo(t *testing.T) {
	free, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "demo")
	run := exec.Command("make", "demo", "LISTEN="+free.Addr().String(), "DEMO="+dir)
	if err := free.Close(); err != nil {
		t.Fatal(err)
	}
	run.Dir = root
	run.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	s := startCommand(t, run, dir, "its data are made up")
	t.Cleanup(func() {
		if run.ProcessState == nil { // make leaves it to the terminal to tell the server
			_ = syscall.Kill(-run.Process.Pid, syscall.SIGINT)
		}
	})

	ranked := regexp.MustCompile(`name="m" value="([a-z0-9-]+)"[^>]*>\s*[0-9]`)
	page, _ := get(t, s.site+"/by/rand-write-iops/")
	_, page, _ = strings.Cut(page, `/method/#flashdex-1"`)
	page, _, _ = strings.Cut(page, `class="section"`) // published figures are in sections of their own
	found := ranked.FindAllStringSubmatch(page, -1)
	if len(found) < 20 {
		t.Fatalf("%d modules of the ranking have a rank by uploads", len(found))
	}
	first, second := found[0][1], found[1][1]
	for path, shows := range map[string][]string{
		"/modules/" + first + "/":               {"/r/"},
		"/compare/?m=" + first + "&m=" + second: {first, second, "<svg"},
		"/search/?q=samsung":                    {"/modules/samsung-evo-plus-32gb-microsd/"},
	} {
		page, status := get(t, s.site+path)
		for _, text := range shows {
			if status != http.StatusOK || !strings.Contains(page, text) {
				t.Errorf("%s is answered with %d and without %q", path, status, text)
			}
		}
	}
	page, _ = get(t, s.site+"/modules/"+first+"/")
	id := regexp.MustCompile(`/r/([0-9a-f-]{36})`).FindStringSubmatch(page)
	if id == nil {
		t.Fatal("the page of a ranked module leads to no result")
	}
	if page, status := get(t, s.site+id[0]); status != http.StatusOK || !strings.Contains(page, "/modules/"+first+"/") {
		t.Errorf("%s is answered with %d", id[0], status)
	}
	var stored struct{ Standing struct{ Above, Modules int } }
	answer, _ := get(t, s.site+"/v1/results/"+id[1])
	if err := json.Unmarshal([]byte(answer), &stored); err != nil || stored.Standing.Modules < 20 ||
		stored.Standing.Above >= stored.Standing.Modules {
		t.Errorf("the API places the result behind %d of %d modules: %v", stored.Standing.Above, stored.Standing.Modules, err)
	}

	if held := command(t, root, `bin/api moderate list --database-url "$1"`, s.database); !strings.Contains(held,
		"bus-ceiling") {
		t.Errorf("nothing waits for operators:\n%s", held)
	}

	if err := syscall.Kill(-run.Process.Pid, syscall.SIGINT); err != nil {
		t.Error(err)
	}
	_ = run.Wait()
	eventually(t, "all processes have ended", func() bool { return len(processesNaming(t, dir)) == 0 })
}
