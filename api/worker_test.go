package main

import (
	"bytes"
	"context"
	"net/http"
	"os"
	"strings"
	"testing"

	"flashdex/api/publish"
	"flashdex/api/store/cluster/clustertest"
	"flashdex/migrations"
)

// A server that doesn't publish, a worker that doesn't serve, and publishing once.
func TestRolesShareTheWork(t *testing.T) {
	t.Parallel()
	database, dir := clustertest.New(t), t.TempDir()
	flags := []string{"--database-url", clustertest.As(t, database, migrations.WorkerRole), "--data-dir", dir,
		"--site", "../site", "--hugo", "../bin/hugo",
		"--clients", t.TempDir(), "--log-file", dir + "/worker.log"}
	once := func() error { return parse(t, append([]string{"publish"}, flags...)...).Publish.Run(t.Context()) }

	s := serve(t, database, dir, "--no-publish")
	s.eventually("it answers", func() bool { return s.request(http.MethodGet, "/healthz", nil).status == http.StatusOK })
	if a := s.request(http.MethodGet, "/readyz", nil); a.status != http.StatusServiceUnavailable {
		t.Errorf("ready with %d before anybody has published", a.status)
	}
	health := func() error { return parse(t, "health", s.url+"/readyz").Health.Run(t.Context()) }
	if err := health(); err == nil || !strings.Contains(err.Error(), "503") {
		t.Errorf("health before that: %v", err)
	}
	if err := once(); err != nil {
		t.Fatal(err)
	}
	if err := health(); err != nil {
		t.Error(err)
	}
	if page := s.request(http.MethodGet, "/", nil); page.status != http.StatusOK ||
		!strings.Contains(page.body, "Flashdex") {
		t.Errorf("the first page: %d", page.status)
	}
	if file := s.request(http.MethodGet, "/data/latest/results.csv", nil); file.status != http.StatusOK {
		t.Errorf("the data set: %d", file.status)
	}
	first := publish.Current(dir + "/site")

	id, document := example(t)
	if a := s.upload(id, encode(t, document)); a.status != http.StatusCreated {
		t.Fatalf("upload: %d %s", a.status, a.body)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	worker := parse(t, append([]string{"worker", "--metrics-listen", "127.0.0.1:0"}, flags...)...)
	go func() { ended <- worker.Worker.Run(ctx) }()
	s.eventually("the worker has published the upload", func() bool {
		page, _ := os.ReadFile(publish.Current(dir+"/site") + "/sitemap.xml")
		return publish.Current(dir+"/site") != first && bytes.Contains(page, []byte("http://localhost:8080/"))
	})
	if err := once(); err == nil || !strings.Contains(err.Error(), "another process publishes") {
		t.Errorf("publishing beside a worker: %v", err)
	}
	const tooMuch = "with a database role that may change every result"
	elsewhere := serve(t, database, t.TempDir(), "--no-publish", "--server-database-url", database)
	elsewhere.eventually("a server with the owner's role says so",
		func() bool { return strings.Contains(elsewhere.log.String(), tooMuch) })
	elsewhere.eventually("a server with another data folder says so",
		func() bool { return strings.Contains(elsewhere.log.String(), "another data folder") })
	if log := s.log.String(); strings.Contains(log, "another data folder") || strings.Contains(log, tooMuch) {
		t.Errorf("the server with the worker's folder and a role of its own:\n%s", log)
	}
	to := t.TempDir()
	if err := parse(t, append([]string{"publish", "--to", to}, flags...)...).Publish.Run(t.Context()); err != nil {
		t.Errorf("sending what the worker published: %v", err)
	}
	if page, err := os.ReadFile(to + "/index.html"); err != nil || !strings.Contains(string(page), "Flashdex") {
		t.Errorf("the page that was sent: %v", err)
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if err := once(); err != nil {
		t.Errorf("after the worker has stopped: %v", err)
	}
	if log := s.log.String(); strings.Contains(log, `"published"`) {
		t.Errorf("the server published:\n%s", log)
	}
}
