package ingest

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"flashdex/api/store/cluster"
	"flashdex/client/looptest"
)

// answersOf counts the answers of a server to uploads, until it is stopped.
type answersOf struct {
	stop    atomic.Bool
	senders sync.WaitGroup

	mu     sync.Mutex
	stored map[string][]byte // answered 201
	counts map[int]int
}

// uploadAlways uploads over 16 connections until stopped, and checks that every refusal is a 503 with Retry-After.
func uploadAlways(t testing.TB, site string) *answersOf {
	a := &answersOf{stored: map[string][]byte{}, counts: map[int]int{}}
	for i := range 16 {
		a.senders.Go(func() {
			for !a.stop.Load() {
				id, body := document()
				request, err := http.NewRequest(http.MethodPut, site+"/v1/results/"+id, bytes.NewReader(body))
				if err != nil {
					t.Error(err)
					return
				}
				request.Header.Set("Content-Type", "application/json")
				request.Header.Set("Authorization", "Bearer "+secretOf(i))
				answer, err := http.DefaultClient.Do(request)
				if err != nil {
					t.Error(err)
					return
				}
				_, _ = io.Copy(io.Discard, answer.Body)
				answer.Body.Close()
				a.mu.Lock()
				a.counts[answer.StatusCode]++
				if answer.StatusCode == http.StatusCreated {
					a.stored[id] = body
				}
				a.mu.Unlock()
				if answer.StatusCode == http.StatusServiceUnavailable {
					if seconds, err := strconv.Atoi(answer.Header.Get("Retry-After")); err != nil || seconds < 1 {
						t.Errorf("503 with Retry-After %q", answer.Header.Get("Retry-After"))
					}
					time.Sleep(20 * time.Millisecond)
				} else if answer.StatusCode != http.StatusCreated {
					t.Errorf("an upload is answered with %d, want 201 or 503", answer.StatusCode)
				}
			}
		})
	}
	return a
}

func (a *answersOf) count(status int) int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.counts[status]
}

// end stops the uploads and checks that the site has everything that it answered with 201.
func (a *answersOf) end(t testing.TB, site string) {
	t.Helper()
	a.stop.Store(true)
	a.senders.Wait()
	for id, body := range a.stored {
		if !bytes.Equal(storedDocument(t, site, id), body) {
			t.Errorf("%s was answered with 201 and is missing or changed", id)
		}
	}
	t.Logf("answers by status: %v", a.counts)
}

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
		away, rounds = time.Minute, 20
	}
	all := clients(t, 16, s.site)
	enough := make(chan struct{})
	var streams sync.WaitGroup
	for _, client := range all {
		streams.Go(func() { client.stream(t, enough) })
	}
	a := uploadAlways(t, s.site)
	for range rounds {
		before := a.count(http.StatusCreated)
		eventually(t, "uploads flow", func() bool { return a.count(http.StatusCreated) > before+16 })
		if err := c.Stop(); err != nil {
			t.Fatal(err)
		}
		refused := a.count(http.StatusServiceUnavailable)
		eventually(t, "uploads are answered with 503", func() bool {
			return a.count(http.StatusServiceUnavailable) > refused
		})
		time.Sleep(away/2 + rand.N(away/2))
		var err error
		if c, err = cluster.Start(context.WithoutCancel(t.Context()), logged(t, dir)); err != nil {
			t.Fatal(err)
		}
		away = min(away, 6*time.Second) // one long outage, then many short ones
	}
	close(enough)
	streams.Wait()
	a.end(t, s.site)
	complete(t, c.URL(), storedOnce(t, s.site, all, false)+len(a.stored))
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
	a := uploadAlways(t, s.site)
	rounds := 2
	if *long {
		rounds = 20
	}
	for round := range rounds {
		before := a.count(http.StatusCreated)
		eventually(t, "uploads flow", func() bool { return a.count(http.StatusCreated) > before+16 })
		refused := a.count(http.StatusServiceUnavailable)
		fill(t, filepath.Join(disk.Dir, "filler"))
		eventually(t, "uploads are answered with 503", func() bool {
			return a.count(http.StatusServiceUnavailable) > refused+16
		})
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
	before := a.count(http.StatusCreated)
	eventually(t, "uploads flow again", func() bool { return a.count(http.StatusCreated) > before+16 })
	a.end(t, s.site)
	complete(t, c.URL(), value[int](t, c.URL(), "select count(*) from submission"))
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
