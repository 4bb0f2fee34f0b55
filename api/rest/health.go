package rest

import (
	"context"
	"fmt"
	"net/http"

	"flashdex/api/problem"
)

// alive answers as long as the process does. It doesn't ask the database, which a restart of the server wouldn't mend.
func alive(w http.ResponseWriter, _ *http.Request) error { return ok(w) }

// ready answers whether requests should be sent here: the database answers and has the schema of this program, there
// is a publication to serve, and the server isn't stopping.
func (s *server) ready(w http.ResponseWriter, r *http.Request) error {
	if s.Stopping != nil && s.Stopping() {
		return problem.New(problem.Unavailable, "This server is stopping. Another one takes over.")
	}
	ctx, cancel := context.WithTimeout(r.Context(), readTimeout)
	defer cancel()
	version, err := s.Store.SchemaVersion(ctx)
	switch {
	case err != nil:
		return err
	case version < s.SchemaVersion:
		old := fmt.Errorf("the database has migration %d, this program needs %d", version, s.SchemaVersion)
		return problem.Wrap(problem.Unavailable, old, "The database is not up to date yet.")
	case s.SiteDir() == "":
		return problem.New(problem.Unavailable, "The site is being made for the first time.")
	}
	return ok(w)
}

func ok(w http.ResponseWriter) error {
	send(w, http.StatusOK, "text/plain; charset=utf-8", []byte("ok\n"))
	return nil
}
