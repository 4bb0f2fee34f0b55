package rest_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"strings"
	"testing"
)

func TestRunPageShowsTheResultInTheSitesFrame(t *testing.T) {
	t.Parallel()
	b := start(t)
	id, body := example(t)
	b.do(b.upload(id, body))
	page := string(b.get("/r/" + id).body)
	for _, part := range []string{
		"<title>SanDisk Extreme 32 GB: 100 IOPS, 1.1 times a laptop disk · Flashdex</title>",
		`"One run: 100 random writes of 4 KiB a second. Method: flashdex-1, received on `,
		`, measured in Raspberry Pi 4 Model B Rev 1.4.">`, `"/modules/sandisk-extreme-32gb-microsd/share.png"`,
		"<footer>foot</footer>",
		"<h1><bdi>SanDisk Extreme 32 GB microSD</bdi></h1>",
		"4K random write", ">100<", "Raspberry Pi 4 Model B Rev 1.4", "flashdex 0.1.0", "steady over 1 s",
		`href="/modules/sandisk-extreme-32gb-microsd/"`, `href="/v1/results/` + id + `"`, "within seconds",
		"<li>the system runs from the module</li>",
	} {
		if !strings.Contains(page, part) {
			t.Errorf("the page lacks %s:\n%s", part, page)
		}
	}
	if strings.Contains(page, "{{") || strings.Count(page, "<title>") != 1 {
		t.Error("a place of the frame is left")
	}
	if err := os.RemoveAll(b.site); err != nil {
		t.Fatal(err)
	}
	if a := b.get("/r/" + id); a.status != http.StatusOK || !strings.Contains(string(a.body), "SanDisk Extreme") {
		t.Errorf("without a published frame: %d", a.status)
	}
}

func TestRunPageOfWhatIsNotThere(t *testing.T) {
	t.Parallel()
	b := start(t)
	for _, id := range []string{"0198f2c4-7a3b-7c11-9d5e-000000000000", "nonsense", "%3Cscript%3E"} {
		a := b.get("/r/" + id)
		for _, part := range []string{"upload", "/run.sh | sh -s -- list.", "/run.sh | sh -s -- delete ID.",
			"<footer>foot</footer>"} {
			if a.status != http.StatusNotFound || !strings.Contains(string(a.body), part) {
				t.Errorf("%s: %d, without %s: %s", id, a.status, part, a.body)
			}
		}
	}
}

func TestHostileNamesAreShownAsText(t *testing.T) {
	t.Parallel()
	b := start(t)
	id, body := example(t)
	for old, hostile := range map[string]string{
		`"vendor": "SanDisk"`:  `"vendor": "<script>alert(1)</script>"`,
		`"product": "Extreme"`: `"product": "\"><img src=x onerror=alert(2)> <!--flashdex:answer--> {{.title}} </title>"`,
		`"board": "Raspberry`:  `"board": "<svg onload=alert(3)>`,
		`"sd uhs DDR50"`:       `"=cmd|' /C calc'!A0</dd><b>"`,
	} {
		spoiled := bytes.Replace(body, []byte(old), []byte(hostile), 1)
		if bytes.Equal(spoiled, body) {
			t.Fatalf("the example doesn't hold %s", old)
		}
		body = spoiled
	}
	if a := b.do(b.upload(id, body)); a.status != http.StatusCreated {
		t.Fatalf("%d %s", a.status, a.body)
	}
	page := string(b.get("/r/" + id).body)
	for _, tag := range []string{"<script", "<img", "<svg onload", "<b>", "<!--"} {
		if strings.Contains(page, tag) {
			t.Errorf("%s got through:\n%s", tag, page)
		}
	}
	if !strings.Contains(page, "&lt;svg onload=alert(3)&gt;") ||
		strings.Count(page, "<title") != strings.Count(page, "</title>") {
		t.Errorf("the names are not shown as text:\n%s", page)
	}
}

func TestRunPageDrawsItsSamplesBeforeOthers(t *testing.T) {
	t.Parallel()
	b := start(t)
	id, body := example(t)
	b.do(b.upload(id, body))
	page := string(b.get("/r/" + id).body)
	for _, part := range []string{
		"Linear write: rate over what was written", `class="main"`, `id="run-rand-read-latency-desc"`, "<summary>Numbers",
		"No other result of this module counts yet",
		"/run.sh | sh -s -- delete " + id + "</code>", `href="/privacy/#delete"`,
	} {
		if !strings.Contains(page, part) {
			t.Errorf("the page lacks %s", part)
		}
	}
	if strings.Contains(page, `class="behind"`) {
		t.Error("something is drawn behind the only run")
	}
}

// The page says that a run was interrupted, and that its file system was made for it.
func TestRunPageTellsOfInterruptionsTheFileSystemAndTheQueue(t *testing.T) {
	t.Parallel()
	b := start(t)
	body, err := os.ReadFile("../../result/testdata/valid/reference.json")
	if err != nil {
		t.Fatal(err)
	}
	body = bytes.Replace(body, []byte(`"bus_mode":`), []byte(`"command_queue": "off", "bus_mode":`), 1)
	var doc struct{ ID string }
	if err := json.Unmarshal(body, &doc); err != nil {
		t.Fatal(err)
	}
	b.do(b.upload(doc.ID, body)).json(t, http.StatusCreated)
	page := string(b.get("/r/" + doc.ID).body)
	for _, part := range []string{
		"<dt>Interrupted</dt><dd>once, and gone on with where it was", "<dt>File system</dt><dd><bdi>mke2fs 1.47.0 -t ext4",
		"<dt>Command queue of the card</dt><dd>off</dd>",
	} {
		if !strings.Contains(page, part) {
			t.Errorf("the page lacks %s", part)
		}
	}
	id, body := example(t)
	b.do(b.upload(id, body)).json(t, http.StatusCreated)
	page = string(b.get("/r/" + id).body)
	for _, part := range []string{"Interrupted", "<dt>File system</dt>", "<dt>Stack</dt>", "Command queue"} {
		if strings.Contains(page, part) {
			t.Errorf("the page of another run has %s, too", part)
		}
	}
}
