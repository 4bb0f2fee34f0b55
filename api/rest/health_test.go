package rest_test

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"flashdex/api/rest"
	"flashdex/api/store/cluster/clustertest"
	"flashdex/migrations"
)

func TestReadinessSaysWhatIsMissing(t *testing.T) {
	t.Parallel()
	var stopping atomic.Bool
	b := start(t, func(c *rest.Config) { c.SchemaVersion, c.Stopping = migrations.Newest(), stopping.Load })
	ready := func(what string) {
		t.Helper()
		if a := b.get("/readyz"); a.status != http.StatusOK || string(a.body) != "ok\n" {
			t.Errorf("%s: %d %s", what, a.status, a.body)
		}
	}
	ready("at first")
	site := b.site
	b.site = ""
	b.get("/readyz").problem(t, http.StatusServiceUnavailable, "unavailable")
	b.site = site
	ready("published")
	stopping.Store(true)
	b.get("/readyz").problem(t, http.StatusServiceUnavailable, "unavailable")
	if a := b.get("/healthz"); a.status != http.StatusOK {
		t.Errorf("a server that stops is alive until then, not %d", a.status)
	}
	// Requests that still come here are served.
	if a := b.uploadFresh(secret); a.status != http.StatusCreated {
		t.Errorf("upload while stopping: %d", a.status)
	}
}

func TestAnOlderSchemaIsNotReadyAndANewerIs(t *testing.T) {
	t.Parallel()
	b := start(t, func(c *rest.Config) { c.SchemaVersion = migrations.Newest() + 1 })
	b.get("/readyz").problem(t, http.StatusServiceUnavailable, "unavailable")
	b = start(t, func(c *rest.Config) { c.SchemaVersion = migrations.Newest() - 1 })
	if a := b.get("/readyz"); a.status != http.StatusOK {
		t.Errorf("an old program on a newer schema: %d %s", a.status, a.body)
	}
}

// asked counts queries to the real database.
type asked struct {
	rest.Store
	questions atomic.Int64
}

func (a *asked) SchemaVersion(ctx context.Context) (int64, error) {
	a.questions.Add(1)
	return a.Store.SchemaVersion(ctx)
}

func TestManyProbesAskTheDatabaseOnceASecond(t *testing.T) {
	t.Parallel()
	var db *asked
	b := start(t, func(c *rest.Config) { db = &asked{Store: c.Store}; c.Store = db })
	b.get("/readyz")
	begin, before := time.Now(), db.questions.Load()
	var probes sync.WaitGroup
	for range 8 {
		probes.Go(func() {
			for range 100 {
				if a := b.get("/readyz"); a.status != http.StatusOK {
					t.Errorf("%d %s", a.status, a.body)
				}
			}
		})
	}
	probes.Wait()
	if n, most := db.questions.Load()-before, int64(time.Since(begin)/time.Second)+1; n > most {
		t.Errorf("800 probes asked the database %d times in %v, want at most %d", n, time.Since(begin), most)
	}
}

// patient is a database URL whose statements wait for locks as long as a test needs.
func patient(url string) string {
	if strings.Contains(url, "?") {
		return url + "&lock_timeout=0"
	}
	return url + "?lock_timeout=0"
}

// While the database doesn't answer one probe, the others get the last answer, and don't wait too.
func TestProbesDontWaitForEachOther(t *testing.T) {
	t.Parallel()
	var db *asked
	url := clustertest.New(t)
	b := serve(t, patient(url), func(c *rest.Config) { db = &asked{Store: c.Store}; c.Store = db })
	b.get("/readyz")
	conn := b.connect()
	if _, err := conn.Exec(t.Context(), "begin; lock table goose_db_version in access exclusive mode"); err != nil {
		t.Fatal(err)
	}
	leaving, leave := context.WithCancel(t.Context())
	var first sync.WaitGroup
	first.Go(func() {
		for leaving.Err() == nil { // it gets the last answer until that is too old
			if answer, err := http.DefaultClient.Do(b.request(http.MethodGet, "/readyz", nil).WithContext(leaving)); err == nil {
				_ = answer.Body.Close()
			}
		}
	})
	b.eventually("a probe waits", func() bool { return waiting(t, conn, "goose_db_version") > 0 })
	before := db.questions.Load()
	for range 5 {
		if a := b.get("/readyz"); a.status != http.StatusOK {
			t.Fatalf("while another waits: %d %s", a.status, a.body)
		}
	}
	if n := db.questions.Load() - before; n != 0 {
		t.Errorf("%d more questions to a database that doesn't answer", n)
	}
	// Somebody who disconnects in the middle of their probe spoils the answer for nobody.
	leave()
	first.Wait()
	if _, err := conn.Exec(t.Context(), "rollback"); err != nil {
		t.Fatal(err)
	}
	for range 5 {
		if a := b.get("/readyz"); a.status != http.StatusOK {
			t.Errorf("after the probe of somebody who left: %d %s", a.status, a.body)
		}
	}
}

func TestServerWhoseDatabaseIsAwayIsNotReady(t *testing.T) {
	t.Parallel()
	b := start(t, func(c *rest.Config) { c.SchemaVersion = migrations.Newest() })
	b.get("/readyz")
	conn := b.connect()
	if _, err := conn.Exec(t.Context(), "alter table goose_db_version rename to elsewhere"); err != nil {
		t.Fatal(err)
	}
	b.eventually("it is not ready", func() bool { return b.get("/readyz").status != http.StatusOK })
	if _, err := conn.Exec(t.Context(), "alter table elsewhere rename to goose_db_version"); err != nil {
		t.Fatal(err)
	}
	b.eventually("it is ready again", func() bool { return b.get("/readyz").status == http.StatusOK })
}
