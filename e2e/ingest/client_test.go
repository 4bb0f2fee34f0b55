package ingest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"flashdex/client/spool"

	"github.com/google/go-cmp/cmp"
)

// If a test program is started with these variables, it is a client with that folder, which does something at the site.
const (
	clientDirFromEnv, clientSiteFromEnv = "FLASHDEX_TEST_CLIENT_DIR", "FLASHDEX_TEST_CLIENT_SITE"
	clientDoesFromEnv                   = "FLASHDEX_TEST_CLIENT_DOES"
)

// A client's deeds: it uploads all results that wait, changes its secret, or deletes all its uploads or one result.
const doesUpload, doesRotate, doesDeleteAll = "upload", "rotate", "delete all"

// exitRefused is a client's exit code when the site refused a result for good.
const exitRefused = 4

// actAsClient works like the commands of flashdex, but tries again after a fifth of a second at most.
func actAsClient(dir, address, does string) (exitCode int) {
	s, ctx := spool.Spool{Dir: dir}, context.Background()
	site := spool.Site{URL: address, Wait: func(_ context.Context, delay time.Duration) error {
		time.Sleep(min(delay, 200*time.Millisecond))
		return nil
	}}
	var failed []error
	switch does {
	case doesUpload:
		pending, err := s.Pending()
		failed = append(failed, err)
		for _, path := range pending {
			_, err := s.Upload(ctx, site, path)
			failed = append(failed, err)
		}
	case doesRotate:
		failed = append(failed, s.Rotate(ctx, site))
	case doesDeleteAll:
		failed = append(failed, s.DeleteAll(ctx, site))
	default:
		failed = append(failed, s.Delete(ctx, site, does, s.Find(does)))
	}
	for _, err := range failed {
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			exitCode = max(exitCode, 3)
		}
		if spool.Refused(err) != 0 {
			exitCode = exitRefused
		}
	}
	return exitCode
}

// client is one contributor who uploads results, one process after the other.
type client struct {
	spool spool.Spool
	site  string

	mu      sync.Mutex
	process *os.Process
	killed  atomic.Int64 // how many processes
}

// measure puts a result into the spool, as if it had just been measured.
func (c *client) measure(t testing.TB) {
	id, body := document()
	if err := os.WriteFile(filepath.Join(c.spool.Dir, id+".json"), body, 0o600); err != nil {
		t.Error(err)
	}
}

// upload uploads the results that wait. The site may refuse none.
func (c *client) upload(t testing.TB) {
	if exitCode, said := c.act(t, doesUpload); exitCode == exitRefused {
		t.Errorf("the client said: %s", said)
	}
}

// act runs a client process until it ends or is killed, which gives the exit code -1.
func (c *client) act(t testing.TB, does string) (exitCode int, said string) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), clientDirFromEnv+"="+c.spool.Dir, clientSiteFromEnv+"="+c.site,
		clientDoesFromEnv+"="+does)
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	var errors bytes.Buffer
	cmd.Stderr = &errors
	c.mu.Lock()
	err := cmd.Start()
	c.process = cmd.Process
	c.mu.Unlock()
	if err != nil {
		t.Error(err)
		return -1, ""
	}
	_ = cmd.Wait() // the spool shows the outcome
	if status, _ := cmd.ProcessState.Sys().(syscall.WaitStatus); status.Signaled() {
		c.killed.Add(1)
	}
	return cmd.ProcessState.ExitCode(), errors.String()
}

// kill reports whether there was a process to kill.
func (c *client) kill() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.process != nil && c.process.Kill() == nil
}

// stream keeps the client uploading until enough is closed, and then until no result waits, for two minutes at most.
func (c *client) stream(t testing.TB, enough <-chan struct{}) {
	for measuring := true; measuring; {
		select {
		case <-enough:
			measuring = false
		default:
			for range 10 {
				c.measure(t)
			}
		}
		c.upload(t)
	}
	for last := time.Now(); ; {
		pending, err := c.spool.Pending()
		if err != nil || len(pending) == 0 || time.Since(last) > 2*time.Minute || t.Failed() {
			if err != nil || len(pending) > 0 {
				t.Errorf("%d results still wait to be uploaded (%v)", len(pending), err)
			}
			return
		}
		c.upload(t)
	}
}

// confirmed counts the results with a receipt, which the site confirmed as stored.
func (c *client) confirmed(t testing.TB) int {
	receipts, err := filepath.Glob(filepath.Join(c.spool.Dir, "*.receipt.json"))
	if err != nil {
		t.Fatal(err)
	}
	return len(receipts)
}

// clients returns n clients, each with its own folder and so its own secret.
func clients(t testing.TB, n int, site string) []*client {
	all := make([]*client, n)
	for i := range all {
		all[i] = &client{spool: spool.Spool{Dir: t.TempDir()}, site: site}
	}
	return all
}

// storedOnce asks the site for every result in the clients' spools, compares it with the file byte for byte, and
// returns the ids.
func storedOnce(t testing.TB, site string, all []*client) (ids []string) {
	t.Helper()
	for _, c := range all {
		names, err := filepath.Glob(filepath.Join(c.spool.Dir, "*.json"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			id := strings.TrimSuffix(filepath.Base(name), ".json")
			if strings.Contains(id, ".") { // a receipt
				continue
			}
			ids = append(ids, id)
			kept, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if stored := storedDocument(t, site, id); !bytes.Equal(stored, public(kept)) {
				t.Errorf("%s holds %d bytes, the site %d others", name, len(kept), len(stored))
			}
		}
	}
	return ids
}

// storedDocument returns the document that the site has under an id, or nil.
func storedDocument(t testing.TB, site, id string) []byte {
	t.Helper()
	answer, err := http.Get(site + "/v1/results/" + id)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	if answer.StatusCode != http.StatusOK {
		return nil
	}
	var result struct {
		Document json.RawMessage `json:"document"`
	}
	if err := json.Unmarshal(text, &result); err != nil {
		t.Fatal(err)
	}
	return result.Document
}

// public is what a site shows of an uploaded document: everything except the time at which the run started.
func public(document []byte) []byte {
	return regexp.MustCompile(`"started_at":"[^"]*",`).ReplaceAll(document, nil)
}

// storedIDs lists the ids of all uploads in the database.
func storedIDs(t testing.TB, url string) (ids []string) {
	t.Helper()
	return value[[]string](t, url, "select coalesce(array_agg(id::text order by id), '{}') from submission")
}

// complete checks that the database holds exactly these uploads, each with all of its rows once.
func complete(t testing.TB, url string, want []string) {
	t.Helper()
	slices.Sort(want)
	if got := storedIDs(t, url); !slices.Equal(got, want) {
		t.Errorf("the database holds %d uploads, want %d:\n%s", len(got), len(want), cmp.Diff(want, got))
	}
	for what, query := range map[string]string{
		"results with four figures": `select count(*) from
			(select submission_id from measurement group by submission_id having count(*) = 4) m`,
		"results with one event": `select count(*) from
			(select submission_id from submission_event group by submission_id having count(*) = 1) e`,
		"results with a known contributor and module": `select count(*) from submission s
			where exists (select from contributor where secret_sha256 = s.contributor)
			and exists (select from module where slug = s.module_slug)`,
	} {
		if n := value[int](t, url, query); n != len(want) {
			t.Errorf("%d %s, want %d", n, what, len(want))
		}
	}
	if n := value[int](t, url, `
		select count(*) from outbox o where not exists (select from submission where id = o.submission_id)`); n != 0 {
		t.Errorf("%d rows of the outbox belong to no result", n)
	}
}
