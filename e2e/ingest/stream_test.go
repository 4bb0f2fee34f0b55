package ingest

import (
	"bytes"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// stream uploads over several connections to servers in turn. It sends each document until a server confirms it.
type stream struct {
	stop    atomic.Bool
	senders sync.WaitGroup
	client  http.Client

	mu        sync.Mutex
	confirmed map[string][]byte
	last      time.Time // of the newest confirmation
}

func startStream(t testing.TB, connections int, servers ...*server) *stream {
	s := &stream{confirmed: map[string][]byte{}, client: http.Client{Timeout: 40 * time.Second}}
	for i := range connections {
		s.senders.Go(func() {
			for turn := i; !s.stop.Load(); {
				id, body := document()
				for {
					status, err := s.put(servers[turn%len(servers)].site, id, body, secretOf(i))
					turn++
					if err == nil && (status == http.StatusCreated || status == http.StatusOK) {
						break
					} else if err == nil && status != http.StatusServiceUnavailable {
						t.Errorf("an upload is answered with %d, want 201, 200 or 503", status)
					}
					time.Sleep(50 * time.Millisecond)
				}
				s.mu.Lock()
				s.confirmed[id], s.last = body, time.Now()
				s.mu.Unlock()
			}
		})
	}
	t.Cleanup(func() { s.stop.Store(true) })
	return s
}

func (s *stream) put(site, id string, body []byte, secret string) (status int, err error) {
	request, err := http.NewRequest(http.MethodPut, site+"/v1/results/"+id, bytes.NewReader(body))
	if err != nil {
		return 0, err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", "Bearer "+secret)
	answer, err := s.client.Do(request)
	if err != nil {
		return 0, err
	}
	answer.Body.Close()
	return answer.StatusCode, nil
}

func (s *stream) count() (n int, last time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.confirmed), s.last
}

// flows waits for 16 more uploads, and returns how long the first took.
func (s *stream) flows(t testing.TB, after string) time.Duration {
	t.Helper()
	start := time.Now()
	before, _ := s.count()
	var first time.Duration
	eventually(t, "uploads flow after "+after, func() bool {
		n, last := s.count()
		if n > before && first == 0 {
			first = last.Sub(start)
		}
		return n > before+16
	})
	return first
}

// end stops the stream and checks that a site and the database have everything that was confirmed.
func (s *stream) end(t testing.TB, site, url string) {
	t.Helper()
	s.stop.Store(true)
	s.senders.Wait()
	for id, body := range s.confirmed {
		if !bytes.Equal(storedDocument(t, site, id), body) {
			t.Errorf("%s was confirmed and is missing or changed", id)
		}
	}
	complete(t, url, len(s.confirmed))
	t.Logf("%d uploads were confirmed", len(s.confirmed))
}
