package metrics_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"flashdex/api/metrics"
	"flashdex/api/store"
	"flashdex/api/store/cluster/clustertest"
)

func scrape(t *testing.T, server *httptest.Server) string {
	t.Helper()
	answer, err := http.Get(server.URL + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("%d %v", answer.StatusCode, err)
	}
	return string(text)
}

// counted is the real database. It counts the queries, and can be cut off.
type counted struct {
	*store.Store
	questions atomic.Int64
	away      atomic.Bool
}

func (c *counted) Waiting(ctx context.Context) (int, time.Time, error) {
	c.questions.Add(1)
	if c.away.Load() {
		return 0, time.Time{}, errors.New("away")
	}
	return c.Store.Waiting(ctx)
}

func TestScrape(t *testing.T) {
	t.Parallel()
	db, err := store.Open(t.Context(), clustertest.New(t))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	asked := &counted{Store: db}
	publication := metrics.Publication{}
	start := time.Now()
	registry := metrics.Registry(asked, func() metrics.Publication { return publication })
	server := httptest.NewServer(metrics.Handler(registry))
	defer server.Close()
	text := scrape(t, server)
	for _, want := range []string{
		"flashdex_database_up 1\n", "flashdex_outbox_submissions 0\n", "flashdex_outbox_oldest_age_seconds 0\n",
		`flashdex_database_connections{state="busy"} `, "flashdex_database_connection_waits_total ",
		"flashdex_publisher_leader 0\n", `flashdex_publications_total{outcome="failed"} 0` + "\n",
		"flashdex_publication_last_failure_timestamp_seconds 0\n", "go_goroutines ", "process_resident_memory_bytes ",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the metrics lack %s", want)
		}
	}
	if strings.Contains(text, "flashdex_site_") {
		t.Error("a site is described that isn't there")
	}
	publication = metrics.Publication{Leader: true, Generation: 7, PublishedAt: time.Now().Add(-time.Hour), Succeeded: 2,
		Failed: 1, FailedAt: time.Unix(1_800_000_000, 0)}
	for range 10 {
		text = scrape(t, server)
	}
	for _, want := range []string{
		"flashdex_publisher_leader 1\n", "flashdex_site_generation 7\n", "flashdex_site_age_seconds 36",
		`flashdex_publications_total{outcome="succeeded"} 2` + "\n",
		"flashdex_publication_last_failure_timestamp_seconds 1.8e+09\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the metrics lack %s:\n%s", want, text)
		}
	}
	if n := asked.questions.Load(); n > 1+int64(time.Since(start)/(5*time.Second)) {
		t.Errorf("the database was asked %d times by 11 scrapes within %v", n, time.Since(start))
	}
	if answer, err := http.Get(server.URL + "/debug/pprof/"); err != nil || answer.StatusCode != http.StatusNotFound {
		t.Errorf("other addresses: %v %v", answer, err)
	}
}

func TestScrapeWithoutTheDatabase(t *testing.T) {
	t.Parallel()
	db, err := store.Open(t.Context(), clustertest.New(t))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	asked := &counted{Store: db}
	asked.away.Store(true)
	registry := metrics.Registry(asked, func() metrics.Publication { return metrics.Publication{} })
	server := httptest.NewServer(metrics.Handler(registry))
	defer server.Close()
	if text := scrape(t, server); !strings.Contains(text, "flashdex_database_up 0\n") ||
		strings.Contains(text, "flashdex_outbox_submissions") {
		t.Errorf("what isn't known is told:\n%s", text)
	}
}
