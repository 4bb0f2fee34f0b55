package rest_test

import (
	"net/http"
	"sync/atomic"
	"testing"

	"flashdex/api/rest"
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
	// Whoever is still sent here is served.
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
