package rest

import (
	"context"
	"net/http"

	"flashdex/api/problem"
)

// errBusy is the answer if too many requests are under way.
var errBusy = problem.New(problem.Unavailable,
	"The server has more to do than it can at the moment. Nothing was changed. "+
		"Send the same request again after the seconds that Retry-After says.")

// room holds at most as many requests as its capacity. A nil room holds any number.
type room chan struct{}

func (r room) enter() error {
	if r == nil {
		return nil
	}
	select {
	case r <- struct{}{}:
		return nil
	default:
		return errBusy
	}
}

func (r room) leave() {
	if r != nil {
		<-r
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
	if err := g.receiving.enter(); err != nil {
		return err
	}
	g.working.leave()
	*inside = false
	err := wait()
	g.receiving.leave()
	if err == nil {
		err = g.working.enter()
		*inside = err == nil
	}
	return err
}
