package ingest

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"flashdex/api/store/cluster"
	"flashdex/client/looptest"
)

// outside starts a Postgres that the server doesn't manage, and a server that uses it.
func outside(t *testing.T, dir string) (*cluster.Cluster, *server) {
	c, err := cluster.Start(t.Context(), logged(t, dir))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if elsewhere, err := os.Readlink(dir); err == nil {
			_ = os.RemoveAll(elsewhere)
		}
	})
	return c, startServer(t, t.TempDir(), "--database-url", c.URL())
}

// TestPostgresGoneForAWhile stops Postgres under a server. The server answers uploads with 503 and Retry-After, and
// clients wait. When Postgres is back everything is stored, and the server was not restarted.
func TestPostgresGoneForAWhile(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "postgres")
	c, s := outside(t, dir)
	away, rounds := 3*time.Second, 1
	if *long {
		away, rounds = time.Minute, 8
	}
	all := clients(t, 16, s.site)
	enough := make(chan struct{})
	var streams sync.WaitGroup
	for _, client := range all {
		streams.Go(func() { client.stream(t, enough) })
	}
	uploads := startStream(t, 16, s)
	for range rounds {
		uploads.flows(t, "Postgres was there")
		if err := c.Stop(); err != nil {
			t.Fatal(err)
		}
		uploads.refused(t, 1)
		time.Sleep(away/2 + rand.N(away/2))
		var err error
		if c, err = cluster.Start(context.WithoutCancel(t.Context()), logged(t, dir)); err != nil {
			t.Fatal(err)
		}
		away = min(away, 6*time.Second) // one long outage, then many short ones
	}
	close(enough)
	streams.Wait()
	complete(t, c.URL(), append(storedOnce(t, s.site, all), uploads.end(t, s.site)...))
	if s.starts != 1 {
		t.Errorf("the server ended %d times", s.starts-1)
	}
	s.stop(t)
	if err := c.Stop(); err != nil {
		t.Error(err)
	}
}

// TestFullDiskUnderPostgres fills the disk under the database. Postgres refuses statements that need room, or ends
// because it can't write its log. The server answers uploads with 503 until there is room again.
func TestFullDiskUnderPostgres(t *testing.T) {
	t.Parallel()
	disk := looptest.Mount(t, 384<<20, "")
	dir := filepath.Join(disk.Dir, "postgres")
	c, s := outside(t, dir)
	uploads := startStream(t, 16, s)
	rounds := 2
	if *long {
		rounds = 8
	}
	for round := range rounds {
		uploads.flows(t, "the disk had room")
		fill(t, filepath.Join(disk.Dir, "filler"))
		uploads.refused(t, 16)
		if err := os.Remove(filepath.Join(disk.Dir, "filler")); err != nil {
			t.Fatal(err)
		}
		select {
		case <-c.Exited():
			t.Logf("round %d: Postgres ended for lack of room", round+1)
			var err error
			if c, err = cluster.Start(context.WithoutCancel(t.Context()), logged(t, dir)); err != nil {
				t.Fatal(err)
			}
		case <-time.After(200 * time.Millisecond):
		}
	}
	uploads.flows(t, "the disk had room again")
	complete(t, c.URL(), uploads.end(t, s.site))
	s.stop(t)
	if err := c.Stop(); err != nil {
		t.Error(err)
	}
}

// fill writes a file until the disk is full.
func fill(t testing.TB, name string) {
	t.Helper()
	file, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	chunk := make([]byte, 1<<20)
	for len(chunk) >= 4096 {
		if _, err := file.Write(chunk); errors.Is(err, syscall.ENOSPC) {
			chunk = chunk[:len(chunk)/2]
		} else if err != nil {
			t.Fatal(err)
		}
	}
}
