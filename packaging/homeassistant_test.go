package packaging

import (
	"html"
	"io"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"flashdex/client/sitetest"
)

// TestHomeAssistantPage uses the app's page as a user would, with the client and without Home Assistant. It measures,
// stops, uploads a result and takes it back.
func TestHomeAssistantPage(t *testing.T) {
	t.Parallel()
	client, err := filepath.Abs("../var/clients/flashdex-linux-" + runtime.GOARCH)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(client); err != nil {
		t.Skipf("%v (make clients)", err)
	}
	if _, err := exec.LookPath("flock"); err != nil {
		t.Skipf("the page locks with flock, of util-linux: %v", err)
	}
	script, err := filepath.Abs("homeassistant/flashdex/index.cgi")
	if err != nil {
		t.Fatal(err)
	}
	programs, run, kept := t.TempDir(), t.TempDir(), t.TempDir()
	if err := os.Symlink(client, filepath.Join(programs, "flashdex")); err != nil {
		t.Fatal(err)
	}
	const id = "0198f2c4-7a3b-7c11-9d5e-3f2a1b0c9d8e"
	document := read(t, "../result/testdata/valid/sd-card.json")
	if err := os.WriteFile(filepath.Join(kept, id+".json"), []byte(document), 0o600); err != nil {
		t.Fatal(err)
	}
	site := sitetest.Start(t)
	app := httptest.NewServer(&cgi.Handler{Path: script, Env: []string{"FLASHDEX_RUN=" + run, "FLASHDEX_DIR=" + kept,
		"FLASHDEX_TOLD=" + kept, "FLASHDEX_WATCH=", "FLASHDEX_SITE=" + site.URL, "FLASHDEX_TOKEN=0123",
		"LANG=C.UTF-8", "PATH=" + programs + ":" + os.Getenv("PATH")}})
	t.Cleanup(app.Close)
	shows := func(answer *http.Response, err error) (page string, status int) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		body, err := io.ReadAll(answer.Body)
		if err != nil {
			t.Fatal(err)
		}
		return html.UnescapeString(string(body)), answer.StatusCode
	}
	looks := func(path string) (string, int) { return shows(http.Get(app.URL + path)) }
	does := func(token, action, id string) (string, int) {
		return shows(http.PostForm(app.URL+"/", url.Values{"token": {token}, "id": {id}, "action": {action}}))
	}

	if page, _ := looks("/"); !strings.Contains(page, "Measure now") || !strings.Contains(page, "?id="+id) ||
		!strings.Contains(page, "10.4 ms") {
		t.Errorf("the page shows neither button nor result: %s", page)
	}
	for _, token := range []string{"", "0124"} {
		if _, status := does(token, "measure", ""); status != http.StatusForbidden {
			t.Errorf("without the page's token a measurement is answered with %d", status)
		}
	}
	if page, _ := looks("/?id=" + id); !strings.Contains(page, strings.TrimSpace(document)) ||
		!strings.Contains(page, "under CC0") {
		t.Error("the result doesn't show every byte that an upload sends")
	}
	if page, status := looks("/?id=../" + id); status != http.StatusOK || strings.Contains(page, "schema_version") {
		t.Errorf("a path as an id is answered with %d", status)
	}
	if page, _ := does("0123", "delete", "--all"); strings.Contains(page, "all that you uploaded") {
		t.Errorf("an id that is a flag deleted everything: %s", page)
	}
	if page, _ := does("0123", "upload", id); !strings.Contains(page, "Uploaded: accepted") {
		t.Errorf("the upload says: %s", page)
	}
	if page, _ := looks("/"); !strings.Contains(page, ">uploaded, accepted</a>") {
		t.Errorf("the list doesn't say that the result is uploaded: %s", page)
	}
	if page, _ := looks("/?id=" + id); !strings.Contains(page, `value="delete">Delete it from the site</button>`) {
		t.Errorf("an uploaded result can't be taken back: %s", page)
	}
	if page, _ := does("0123", "delete", id); !strings.Contains(page, "Deleted from the site: "+id) {
		t.Errorf("taking it back says: %s", page)
	}
	if page, _ := looks("/?id=" + id); !strings.Contains(page, "The result was deleted from the site.") {
		t.Errorf("of a result that was taken back, the page says: %s", page)
	}

	page, _ := does("0123", "measure", "") // follows to the page
	for begun := time.Now(); !strings.Contains(page, "Writes "); page, _ = looks("/") {
		if strings.Contains(page, "memory, not a module") {
			t.Skip("the folder for temporary files is in memory")
		} else if time.Since(begun) > time.Minute {
			t.Fatalf("the measurement doesn't begin: %s", page)
		}
		time.Sleep(100 * time.Millisecond)
	}
	if !strings.Contains(page, "Measuring.") || !strings.Contains(page, `http-equiv="refresh"`) {
		t.Errorf("while it measures, the page shows: %s", page)
	}
	does("0123", "stop", "")
	for begun := time.Now(); !strings.Contains(page, "stopped by SIGTERM"); page, _ = looks("/") {
		if time.Since(begun) > time.Minute {
			t.Fatalf("the measurement doesn't stop: %s", page)
		}
		time.Sleep(100 * time.Millisecond)
	}
	if left, _ := filepath.Glob(filepath.Join(kept, "[^0]*")); len(left) > 1 { // the secret
		t.Errorf("it leaves %v", left)
	}
}

// Each option is off or empty at first, has a translation, and is read by run.sh. The second app has its own rights;
// everything else is the same.
func TestHomeAssistantOptionsAndRights(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "homeassistant")
	if err := os.CopyFS(dir, os.DirFS("homeassistant")); err != nil {
		t.Fatal(err)
	}
	if said, err := exec.Command("sh", filepath.Join(dir, "full_access.sh")).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	config, full := read(t, dir+"/flashdex/config.yaml"), read(t, dir+"/flashdex_full_access/config.yaml")
	_, schema, _ := strings.Cut(config, "\nschema:\n")
	options := regexp.MustCompile(`(?m)^  (\w+): (\S+)$`).FindAllStringSubmatch(schema, -1)
	if len(options) != 3 {
		t.Errorf("the options are %q", options)
	}
	for _, option := range options {
		if off := strings.Contains(config, "\n  "+option[1]+": false\n"); off != (option[2] == "bool") {
			t.Errorf("%s of kind %s is off at first: %t", option[1], option[2], off)
		}
		if !strings.Contains(read(t, dir+"/flashdex/translations/en.yaml"), "\n  "+option[1]+":\n") ||
			!strings.Contains(read(t, dir+"/flashdex/run.sh"), `"`+option[1]+`": *`) ||
			!strings.Contains(read(t, dir+"/flashdex/DOCS.md"), "\n**"+option[1]+"**: ") {
			t.Errorf("%s has no words, or run.sh doesn't read it", option[1])
		}
	}
	for _, right := range []string{"full_access:", "privileged:", "SYS_RAWIO", "devices:", "hassio_api:"} {
		if wanted := right != "devices:" && right != "hassio_api:"; strings.Contains(config, right) ||
			strings.Contains(full, right) != wanted {
			t.Errorf("the apps differ in %s otherwise than they should:\n%s\n%s", right, config, full)
		}
	}
	if !strings.Contains(full, "name: Flashdex (full access)\n") ||
		!strings.Contains(full, "slug: flashdex_full_access\n") {
		t.Errorf("the second app is called like the first: %s", full)
	}
	same := exec.Command("diff", "--recursive", "--brief", dir+"/flashdex", dir+"/flashdex_full_access")
	if said, _ := same.Output(); strings.Count(string(said), "\n") != 1 || !strings.Contains(string(said), "config.yaml") {
		t.Errorf("the apps differ in more than their config.yaml: %s", said)
	}
}
