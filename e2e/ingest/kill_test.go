package ingest

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// TestKilledDuringUploads kills a process at a random moment while 16 clients upload, and again once uploads flow
// again. In the end, every upload is stored once and byte for byte, whether it was confirmed at once or after retries.
func TestKilledDuringUploads(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		// kill kills a process. It returns a function that reports whether another process has replaced it.
		kill func(t *testing.T, s *server, all []*client) (replaced func() bool)
	}{
		{"the API", func(t *testing.T, s *server, _ []*client) func() bool { return killServer(t, s, syscall.SIGKILL) }},
		{"Postgres", func(t *testing.T, s *server, _ []*client) func() bool { return killPostgres(t, s) }},
		{"both", func(t *testing.T, s *server, _ []*client) func() bool {
			postgres, api := killPostgres(t, s), killServer(t, s, syscall.SIGKILL)
			return func() bool { return postgres() && api() }
		}},
		{"the clients", func(t *testing.T, _ *server, all []*client) func() bool { return killClients(t, all) }},
		{"the API by SIGTERM", func(t *testing.T, s *server, _ []*client) func() bool {
			return killServer(t, s, syscall.SIGTERM)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			rounds := 2
			if *long {
				rounds = 8
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
				replaced := c.kill(t, s, all)
				t.Logf("round %d: killed after %d confirmed uploads", round+1, confirmed())
				eventually(t, "what was killed is back", replaced)
			}
			close(enough)
			streams.Wait()
			s.ready(t)
			uploads := storedOnce(t, s.site, all)
			complete(t, s.database(t), uploads)
			t.Logf("%d uploads, the server was started %d times", len(uploads), s.starts)
		})
	}
}

// killServer signals the server.
func killServer(t *testing.T, s *server, signal syscall.Signal) (replaced func() bool) {
	t.Helper()
	var pid int
	eventually(t, "the server was killed", func() bool {
		pid = s.pid()
		return pid > 0 && syscall.Kill(pid, signal) == nil // it may have ended because Postgres did
	})
	return func() bool { return s.pid() != pid }
}

// killPostgres kills the postmaster, or a process that serves a connection. After the latter, Postgres restarts itself.
// In both cases it recovers, with another checkpointer.
func killPostgres(t *testing.T, s *server) (replaced func() bool) {
	t.Helper()
	postmaster, checkpointer := s.checkpointer(t)
	victim := postmaster
	eventually(t, "a process of Postgres was killed", func() bool {
		if rand.IntN(2) == 0 {
			backends := slices.DeleteFunc(children(postmaster), func(pid int) bool { return !named(pid, " [local] ") })
			if len(backends) == 0 {
				return false
			}
			victim = backends[rand.IntN(len(backends))]
		}
		return syscall.Kill(victim, syscall.SIGKILL) == nil // it may have ended by itself
	})
	return func() bool {
		_, now := s.checkpointer(t)
		return now != checkpointer
	}
}

// killClients kills clients until one was killed before it ended by itself. Each client starts again by itself.
func killClients(t *testing.T, all []*client) (replaced func() bool) {
	t.Helper()
	killed := func() (n int64) {
		for _, client := range all {
			n += client.killed.Load()
		}
		return n
	}
	before := killed()
	return func() bool {
		if killed() > before {
			return true
		}
		for _, i := range rand.Perm(len(all))[:1+rand.IntN(len(all))] {
			all[i].kill()
		}
		return false
	}
}

// checkpointer waits until Postgres runs, and returns the ids of the postmaster and of its checkpointer.
func (s *server) checkpointer(t *testing.T) (postmaster, checkpointer int) {
	t.Helper()
	eventually(t, "Postgres runs", func() bool {
		var err error
		if postmaster, _, err = s.postmaster(); err != nil {
			return false
		}
		found := slices.DeleteFunc(children(postmaster), func(pid int) bool { return !named(pid, "checkpointer") })
		if len(found) == 1 {
			checkpointer = found[0]
		}
		return len(found) == 1
	})
	return postmaster, checkpointer
}

// named reports whether a process has set a title that contains text.
func named(pid int, text string) bool {
	title, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid)) // it may have ended
	return strings.Contains(string(title), text)
}
