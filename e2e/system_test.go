package e2e

import (
	"bytes"
	"encoding/csv"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"flashdex/api/store/cluster/clustertest"
	"flashdex/client/looptest"
	"flashdex/e2e/need"
)

// TestWholeSystem is a user's way through the system: start everything from nothing, test a module with the site's
// script, upload, find the result on the site and take the data.
func TestWholeSystem(t *testing.T) {
	need.Programs(t, "curl")
	mount := looptest.Mount(t, 1<<30, "").Dir
	data := t.TempDir()
	s := startServer(t, data)

	spool := t.TempDir()
	id, said := measured(t, s.site, mount, spool)
	if !strings.Contains(said, "as soon as a second, independent contributor has measured it") {
		t.Error("the script doesn't say when the module will be listed")
	}
	stored, _ := get(t, s.site+"/v1/results/"+id)
	found := regexp.MustCompile(`"slug":"([^"]+)"`).FindStringSubmatch(stored)
	if found == nil || !strings.Contains(stored, `"token":"valid"`) {
		t.Fatalf("the result is of no module, or the run didn't get a token that counts: %.500s", stored)
	}
	slug := found[1]
	other, _ := measured(t, s.site, mount, t.TempDir()) // by somebody else
	clustertest.Spread(t, s.database)

	t.Cleanup(func() {
		if t.Failed() {
			for _, one := range []string{id, other} {
				stored, _ := get(t, s.site+"/v1/results/"+one)
				t.Logf("%.900s", stored)
			}
		}
	})
	waited := eventually(t, "the module's page and the ranking show the result", func() bool {
		page, status := get(t, s.site+"/modules/"+slug+"/")
		home, _ := get(t, s.site+"/")
		return status == http.StatusOK && strings.Contains(page, id) && strings.Contains(home, "/modules/"+slug+"/")
	})
	t.Logf("visible %.1f s after the script ended", waited.Seconds())
	if left, err := os.ReadDir(mount); err != nil || len(left) > 0 {
		t.Errorf("the test left files on the module: %v", left)
	}

	kept, err := os.ReadFile(filepath.Join(spool, id+".json"))
	if err != nil {
		t.Fatal(err)
	}
	public := regexp.MustCompile(`"(started_at|token)":"[^"]*",`).ReplaceAll(bytes.TrimSpace(kept), nil)
	if stored, _ := get(t, s.site+"/v1/results/"+id); !bytes.Contains([]byte(stored), public) {
		t.Error("the API does not give back the document byte for byte, but for its start and its token")
	}
	t.Run("browser", func(t *testing.T) { browse(t, s.site, slug, id) })
	inDataSet(t, s.site, slug, id)

	s.stop(t)
	if left := processesNaming(t, data); len(left) > 0 {
		t.Errorf("still running after Ctrl-C: %v", left)
	}
	s = startServer(t, data)
	if page, status := get(t, s.site+"/modules/"+slug+"/"); status != http.StatusOK || !strings.Contains(page, id) {
		t.Errorf("after a restart the module's page is answered with %d and does not show the result", status)
	}
	takeBack(t, s.site, spool, slug, id)
}

// takeBack changes the contributor's secret, deletes the result with the new secret, and waits until the site no longer
// shows it.
func takeBack(t *testing.T, site, spool, slug, id string) {
	t.Helper()
	for _, c := range []struct{ arguments, says string }{
		{"rotate", "The secret is changed"},
		// The same bytes: the result still belongs to the same contributor.
		{"upload " + filepath.Join(spool, id+".json"), "Uploaded: accepted"},
		{"delete --yes " + id, "Deleted from the site: " + id},
		{"list", "deleted from the site"},
		{"upload", "Nothing waits to be uploaded"},
		{"delete --yes --all", "Deleted from the site: all that you uploaded"},
	} {
		script := exec.Command("sh", "-c", `curl -fsSL "$1/run.sh" | sh -s -- `+c.arguments, "sh", site)
		script.Env = append(os.Environ(), "FLASHDEX_DIR="+spool)
		if output, err := script.CombinedOutput(); err != nil || !strings.Contains(string(output), c.says) {
			t.Errorf("flashdex %s: %v, %s", c.arguments, err, output)
		}
	}
	if _, status := get(t, site+"/v1/results/"+id); status != http.StatusGone {
		t.Errorf("the API answers for the deleted result with %d", status)
	}
	eventually(t, "the site no longer shows the deleted result", func() bool {
		page, _ := get(t, site+"/modules/"+slug+"/")
		data, _ := get(t, site+"/data/latest/results.csv")
		return !strings.Contains(page, id) && !strings.Contains(data, id)
	})
}

// measured runs the site's script as a contributor with this spool would. It returns the result's id, and the script's
// output.
func measured(t *testing.T, site, mount, spool string) (id, said string) {
	t.Helper()
	script := exec.Command("sh", "-c", `curl -fsSL "$1/run.sh" | sh -s -- "$2" \
		--vendor Acme --product "Turbo <b>Ultra</b>" --capacity 1 --form microsd --yes --upload`, "sh", site, mount)
	script.Env = append(os.Environ(), "FLASHDEX_DIR="+spool, "NO_COLOR=1")
	output, err := script.CombinedOutput()
	t.Logf("the script said:\n%s", output)
	link := regexp.MustCompile(regexp.QuoteMeta(site) + `/r/([0-9a-f-]{36})`).FindSubmatch(output)
	if err != nil || link == nil {
		t.Fatalf("the script printed no link to the result: %v", err)
	}
	return string(link[1]), string(output)
}

// browse drives Chromium through the site and leaves screenshots.
func browse(t *testing.T, site, slug, id string) {
	t.Helper()
	need.Browser(t, root)
	if err := os.MkdirAll("screenshots", 0o755); err != nil {
		t.Fatal(err)
	}
	output, err := exec.Command("node", "browser.mjs", site, slug, id, "screenshots").CombinedOutput()
	t.Logf("%s", output)
	if err != nil {
		t.Errorf("the browser: %v", err)
	}
}

func inDataSet(t *testing.T, site, slug, id string) {
	t.Helper()
	eventually(t, "the data set holds the result", func() bool {
		body, _ := get(t, site+"/data/latest/results.csv")
		return strings.Contains(body, id)
	})
	for file, cells := range map[string][]string{
		"results.csv": {id, slug, "rand-write"}, "modules.csv": {slug}, "figures.csv": {slug},
	} {
		body, status := get(t, site+"/data/latest/"+file)
		records, err := csv.NewReader(strings.NewReader(body)).ReadAll()
		if err != nil || status != http.StatusOK {
			t.Errorf("%s: status %d, %v", file, status, err)
			continue
		}
		if !slices.ContainsFunc(records, func(record []string) bool {
			return !slices.ContainsFunc(cells, func(cell string) bool { return !slices.Contains(record, cell) })
		}) {
			t.Errorf("no row of %s holds %v", file, cells)
		}
	}
}

func get(t testing.TB, url string) (body string, status int) {
	t.Helper()
	answer, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	data, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(data), answer.StatusCode
}

// processesNaming lists the processes whose command line names dir, or the folder to which dir/postgres links.
func processesNaming(t *testing.T, dir string) []string {
	t.Helper()
	names := []string{dir}
	if target, err := os.Readlink(filepath.Join(dir, "postgres")); err == nil {
		names = append(names, target)
	}
	var found []string
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, file := range files {
		line, _ := os.ReadFile(file)
		for _, name := range names {
			if bytes.Contains(line, []byte(name)) {
				found = append(found, string(bytes.ReplaceAll(line, []byte{0}, []byte{' '})))
			}
		}
	}
	return found
}
