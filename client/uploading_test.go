package main

import (
	"bufio"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"flashdex/client/sitetest"
	"flashdex/client/spool"
)

// What the site holds back or won't have is told with its reason, and the list tells it again.
func TestUploadTellsWhatBecameOfIt(t *testing.T) {
	t.Parallel()
	for state, says := range map[string]string{
		"quarantined": "Uploaded: quarantined, so not shown with the others until somebody has looked at it: faster than its bus allows",
		"rejected":    "Uploaded: rejected: faster than its bus allows",
	} {
		site := sitetest.Start(t)
		site.State, site.Reason = state, "faster than its bus\u202e allows"
		c := newContributor(t)
		out, said, code := output(c.command(t, "upload", "--site", site.URL))
		if code != 0 || !strings.Contains(out, says+"\n") || strings.Contains(out, "rank") {
			t.Errorf("%s: exit code %d, %q, said %q", state, code, out, said)
		}
		c.must(t, "uploaded, "+state+": faster than its bus allows", "list")
	}
}

func TestStands(t *testing.T) {
	t.Parallel()
	for want, standing := range map[string]*spool.Standing{
		"": nil,
		"4K random write: faster than 83 % of 144 measured modules (rank 25)":  {Figure: "rand_write_iops", Above: 24, Modules: 144},
		"4K random write: no measured module is faster (rank 1 of 1)":          {Figure: "rand_write_iops", Above: 0, Modules: 1},
		"4K random write: faster than 0 % of 144 measured modules (rank 145)":  {Figure: "rand_write_iops", Above: 144, Modules: 144},
		"4K random write: faster than 99 % of 1000 measured modules (rank 10)": {Figure: "rand_write_iops", Above: 9, Modules: 1000},
	} {
		if got := stands(standing); got != want {
			t.Errorf("%+v is %q, want %q", standing, got, want)
		}
	}
	if got := stands(&spool.Standing{Figure: "rand_write_\x1b", Modules: 1}); got != "" {
		t.Errorf("a figure that nobody knows: %q", got)
	}
}

// A site that asks for patience is not asked again for the next result, and all of them wait on.
func TestUploadLeavesABusySiteAlone(t *testing.T) {
	t.Parallel()
	requests := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		requests++
		w.Header().Set("Retry-After", "3600")
		w.WriteHeader(http.StatusTooManyRequests)
	}))
	t.Cleanup(server.Close)
	c := newContributor(t)
	doc := exampleResult(t)
	doc.ID = "0198f2c4-7a3b-7c11-9d5e-ffffffffffff"
	if _, _, err := c.kept.Save(doc); err != nil {
		t.Fatal(err)
	}
	out, said, code := output(c.command(t, "upload", "--site", server.URL))
	if code != exitNotUploaded || out != "" || requests != 1 {
		t.Errorf("exit code %d, %q after %d requests", code, out, requests)
	}
	for _, want := range []string{"asks to be left alone for 1h0m0s", "The result is kept in " + c.path, "/run.sh | sh -s -- upload " + c.path, "1 more were not tried; all that wait are uploaded with: curl "} {
		if !strings.Contains(said, want) {
			t.Errorf("%q isn't in %q", want, said)
		}
	}
	if pending, err := c.kept.Pending(); err != nil || len(pending) != 2 {
		t.Errorf("%v wait, %v", pending, err)
	}
}

// A file that is no result keeps none from being uploaded.
func TestUploadPassesOverWhatIsNoResult(t *testing.T) {
	t.Parallel()
	site := sitetest.Start(t)
	c := newContributor(t)
	if err := os.WriteFile(filepath.Join(c.kept.Dir, "0.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	out, said, code := output(c.command(t, "upload", "--site", site.URL))
	if code != exitFailed || !strings.Contains(out, "Uploaded: accepted") || !strings.Contains(said, "0.json is not a result") {
		t.Errorf("exit code %d, %q, said %q", code, out, said)
	}
}

// A secret that goes out in plain text is worth a sentence, once.
func TestPlainTextIsWarnedOf(t *testing.T) {
	t.Parallel()
	c := newContributor(t)
	for site, want := range map[string]int{"http://flashdex.invalid": 1, "https://flashdex.invalid": 0, "http://127.0.0.1:1": 0} {
		command := c.command(t, "upload", "--site", site)
		said, err := command.StderrPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		warned := 0
		for lines := bufio.NewScanner(said); lines.Scan() && !strings.Contains(lines.Text(), "trying again"); {
			if strings.Contains(lines.Text(), "is not encrypted, so whoever can listen") {
				warned++
			}
		}
		_ = command.Process.Kill()
		_ = command.Wait()
		if warned != want {
			t.Errorf("%s: warned %d times", site, warned)
		}
	}
}
