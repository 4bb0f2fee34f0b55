package ingest

import (
	"bytes"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// stream uploads over several connections to servers in turn. It sends each document until a server confirms it, as
// clients do, so that in the end the database holds exactly the confirmed uploads.
type stream struct {
	stop    atomic.Bool
	senders sync.WaitGroup

	mu      sync.Mutex
	begun   map[string]time.Time // when each result was first sent
	stored  map[string][]byte    // confirmed, by 201 or 200
	answers map[int]int          // by status
	last    time.Time            // of the newest confirmation
}

// startStream checks that every refusal is a 503 with Retry-After. A server that ends may answer nothing.
func startStream(t testing.TB, connections int, servers ...*server) *stream {
	s := &stream{begun: map[string]time.Time{}, stored: map[string][]byte{}, answers: map[int]int{}}
	for i := range connections {
		s.senders.Go(func() {
			for turn := i; !s.stop.Load(); {
				id, body := document()
				s.note(func() { s.begun[id] = time.Now() })
				for {
					status, err := put(t, servers[turn%len(servers)].site, id, body, secretOf(i))
					s.note(func() { s.answers[status]++ })
					turn++
					if err == nil && (status == http.StatusCreated || status == http.StatusOK) {
						break
					} else if err == nil && status != http.StatusServiceUnavailable {
						t.Errorf("an upload is answered with %d, want 201, 200 or 503", status)
					}
					time.Sleep(50 * time.Millisecond)
				}
				s.note(func() { s.stored[id], s.last = body, time.Now() })
			}
		})
	}
	t.Cleanup(func() { s.stop.Store(true) })
	return s
}

func (s *stream) note(change func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change()
}

// put sends an upload. The status is 0 if there is no answer.
func put(t testing.TB, site, id string, body []byte, secret string) (status int, err error) {
	return ask(t, http.MethodPut, site+"/v1/results/"+id, body, secret)
}

// patient gives a server time to notice that a database is frozen.
var patient = http.Client{Timeout: 20 * time.Second}

// ask sends a request in a contributor's or an operator's name, and checks that a 503 has Retry-After.
func ask(t testing.TB, method, address string, body []byte, secret string) (status int, err error) {
	request, err := http.NewRequest(method, address, bytes.NewReader(body))
	if err != nil {
		return 0, err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", "Bearer "+secret)
	answer, err := patient.Do(request)
	if err != nil {
		return 0, err
	}
	answer.Body.Close()
	if answer.StatusCode == http.StatusServiceUnavailable {
		if seconds, err := strconv.Atoi(answer.Header.Get("Retry-After")); err != nil || seconds < 1 {
			t.Errorf("503 with Retry-After %q", answer.Header.Get("Retry-After"))
		}
	}
	return answer.StatusCode, nil
}

func (s *stream) count(status int) (n int) {
	s.note(func() { n = s.answers[status] })
	return n
}

// confirmed returns the ids that were confirmed so far.
func (s *stream) confirmed() (ids []string) {
	s.note(func() { ids = slices.Collect(maps.Keys(s.stored)) })
	return ids
}

// flows waits for more uploads than there are connections, and returns how long the first took.
func (s *stream) flows(t testing.TB, after string) time.Duration {
	t.Helper()
	start := time.Now()
	before := len(s.confirmed())
	var first time.Duration
	eventually(t, "uploads flow after "+after, func() (flow bool) {
		s.note(func() {
			if len(s.stored) > before && first == 0 {
				first = s.last.Sub(start)
			}
			flow = len(s.stored) > before+32
		})
		return flow
	})
	return first
}

// refused waits for as many more refusals with 503.
func (s *stream) refused(t testing.TB, more int) {
	t.Helper()
	before := s.count(http.StatusServiceUnavailable)
	eventually(t, "uploads are answered with 503", func() bool {
		return s.count(http.StatusServiceUnavailable) >= before+more
	})
}

// end stops the stream and checks that a site has everything that was confirmed, byte for byte. It returns the ids.
func (s *stream) end(t testing.TB, site string) (ids []string) {
	t.Helper()
	s.stop.Store(true)
	s.senders.Wait()
	for id, body := range s.stored {
		if !bytes.Equal(storedDocument(t, site, id), public(body)) {
			t.Errorf("%s was confirmed and is missing or changed", id)
		}
	}
	t.Logf("%d uploads were confirmed; answers by status: %v", len(s.stored), s.answers)
	return s.confirmed()
}
