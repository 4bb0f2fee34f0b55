package ingest

import (
	"math/rand/v2"
	"sync"
	"syscall"
	"testing"
	"time"
)

// TestKilledDuringUploads kills a process at a random moment while 16 clients upload, and again when uploads flow
// again. In the end every upload, confirmed at once or after retries, is stored once and byte for byte.
func TestKilledDuringUploads(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		kill func(t *testing.T, s *server, all []*client)
	}{
		{"the API", func(_ *testing.T, s *server, _ []*client) { s.signal(syscall.SIGKILL) }},
		{"Postgres", func(t *testing.T, s *server, _ []*client) { killPostgres(t, s) }},
		{"both", func(t *testing.T, s *server, _ []*client) {
			killPostgres(t, s)
			s.signal(syscall.SIGKILL)
		}},
		{"the clients", func(_ *testing.T, _ *server, all []*client) {
			for _, i := range rand.Perm(len(all))[:1+rand.IntN(len(all))] {
				all[i].kill()
			}
		}},
		{"the API by SIGTERM", func(_ *testing.T, s *server, _ []*client) { s.signal(syscall.SIGTERM) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			rounds := 2
			if *long {
				rounds = 20
			}
			s := startServer(t, t.TempDir())
			all := clients(t, 16, s.site)
			enough := make(chan struct{})
			var streams sync.WaitGroup
			for _, client := range all {
				streams.Go(func() { client.stream(t, enough) })
			}
			confirmed := func() (n int) {
				for _, client := range all {
					n += client.confirmed(t)
				}
				return n
			}
			for round := range rounds {
				before := confirmed()
				eventually(t, "uploads flow", func() bool { return confirmed() > before+16 })
				time.Sleep(rand.N(500 * time.Millisecond))
				c.kill(t, s, all)
				t.Logf("round %d: killed after %d confirmed uploads", round+1, confirmed())
			}
			close(enough)
			streams.Wait()
			s.ready(t)
			uploads := storedOnce(t, s.site, all, false)
			complete(t, s.database(t), uploads)
			t.Logf("%d uploads, the server was started %d times", uploads, s.starts)
		})
	}
}

// killPostgres kills the postmaster, or a process that serves a connection. After the latter, Postgres restarts itself.
func killPostgres(t *testing.T, s *server) {
	pid, _, err := s.postmaster()
	if err != nil {
		t.Logf("Postgres is away already: %v", err)
		return
	}
	if backends := children(pid); len(backends) > 0 && rand.IntN(2) == 0 {
		pid = backends[rand.IntN(len(backends))]
	}
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Logf("Postgres ended by itself: %v", err)
	}
}
