package rest

import (
	"context"
	"net/http"
	"sync"

	"flashdex/api/problem"
)

// errBusy answers when too many requests are under way.
var errBusy = problem.New(problem.Unavailable,
	"The server has more to do than it can at the moment. Nothing was changed. "+
		"Send the same request again after the seconds that Retry-After says.")

// errShare answers when too many of these requests are from one network.
var errShare = problem.New(problem.TooMany,
	"As many requests of this kind are under way from this network as one may have at once. Nothing was changed. "+
		"Send the same request again after the seconds that Retry-After says.")

// room admits at most size requests at once, and only a part of them from one network: an eighth from a household, a
// quarter from an organization and half from a provider. A nil room admits any number.
type room struct {
	size   int
	mu     sync.Mutex
	inside int
	of     map[sender]int // requests under way, by network
}

func newRoom(size int) *room { return &room{size: size, of: map[sender]int{}} }

// share is how many requests one network of a level may have under way.
func (r *room) share(level int) int { return max(1, r.size>>(len(networks{})-level)) }

// enter admits a request from a sender with these levels. Without levels, only the room's size limits it.
func (r *room) enter(levels ...sender) error {
	if r == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.inside >= r.size {
		return errBusy
	}
	for level, from := range levels {
		if r.of[from] >= r.share(level) {
			return errShare
		}
	}
	r.inside++
	for _, from := range levels {
		r.of[from]++
	}
	return nil
}

func (r *room) leave(levels ...sender) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.inside--
	for _, from := range levels {
		if r.of[from]--; r.of[from] == 0 {
			delete(r.of, from)
		}
	}
}

// admit limits how many requests use the database at once. A request leaves the room while its body arrives (see
// outside), so that slow senders don't keep others out.
func (s *server) admit(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := s.guard.working.enter(); err != nil {
			s.refuse(w, r, err)
			return
		}
		inside := true
		defer func() {
			if inside {
				s.guard.working.leave()
			}
		}()
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), insideKey{}, &inside)))
	})
}

type insideKey struct{}

// outside runs wait, which reads a body, in the room of receiving requests instead of working ones.
func (g *guard) outside(r *http.Request, wait func() error) error {
	inside, ok := r.Context().Value(insideKey{}).(*bool)
	if !ok {
		return wait()
	}
	from := g.key.senders(networksOf(r))
	if err := g.receiving.enter(from[:]...); err != nil {
		return err
	}
	g.working.leave()
	*inside = false
	err := func() error {
		defer g.receiving.leave(from[:]...)
		return wait()
	}()
	if err == nil {
		err = g.working.enter()
		*inside = err == nil
	}
	return err
}
