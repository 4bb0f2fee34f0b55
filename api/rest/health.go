package rest

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"flashdex/api/problem"
)

// ok answers as long as the process runs. It doesn't ask the database, because restarting the server wouldn't mend a
// failed database.
func ok(w http.ResponseWriter, _ *http.Request) error {
	send(w, http.StatusOK, "text/plain; charset=utf-8", []byte("ok\n"))
	return nil
}

// ready answers whether requests should be sent here: the database answers and has the schema of this program, there
// is a publication to serve, and the server isn't stopping.
func (s *server) ready(w http.ResponseWriter, r *http.Request) error {
	if s.Stopping != nil && s.Stopping() {
		return problem.New(problem.Unavailable, "This server is stopping. Another one takes over.")
	}
	if err := s.schema.current(r.Context()); err != nil {
		return err
	}
	if s.SiteDir() == "" {
		return problem.New(problem.Unavailable, "The site is being made for the first time.")
	}
	return ok(w, r)
}

// schemaFor is how long the database's answer is reused for all requests. Probes are never refused, so they must cost
// the database nothing.
const schemaFor = time.Second

// schemaCheck asks the database for its schema version: one query at a time, and at most one per schemaFor.
type schemaCheck struct {
	store  Store
	least  int64 // version
	asking sync.Mutex
	last   atomic.Pointer[schemaAnswer]
}

type schemaAnswer struct {
	at  time.Time
	err error
}

// current returns why the schema can't be used. While one request asks the database, the others get the last answer.
func (c *schemaCheck) current(ctx context.Context) error {
	if !c.asking.TryLock() {
		if last := c.last.Load(); last != nil {
			return last.err
		}
		return problem.New(problem.Unavailable, "The database was asked for the first time and hasn't answered yet.")
	}
	defer c.asking.Unlock()
	if last := c.last.Load(); last != nil && time.Since(last.at) < schemaFor {
		return last.err
	}
	// The answer serves other requests too, so it doesn't depend on this request's deadline.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), readTimeout)
	defer cancel()
	version, err := c.store.SchemaVersion(ctx)
	if err == nil && version < c.least {
		old := fmt.Errorf("the database has migration %d, this program needs %d", version, c.least)
		err = problem.Wrap(problem.Unavailable, old, "The database is not up to date yet.")
	}
	c.last.Store(&schemaAnswer{time.Now(), err})
	return err
}
