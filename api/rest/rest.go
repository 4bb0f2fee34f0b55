// Package rest serves HTTP: the API, the published site, the data set, the client script and the client programs. It
// turns every failure into an answer that its reader can act on.
package rest

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/figure/question"
	"flashdex/api/submission"
	"flashdex/docs"
	"flashdex/result"
	"flashdex/result/schema"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"
	"github.com/prometheus/client_golang/prometheus"
)

// Store is the database. Its errors are problems (package problem) or mistakes of the server's.
type Store interface {
	// AddSubmission stores a valid document in the state of the verdict. If the very same upload is there already, it
	// returns that one as it is now.
	AddSubmission(ctx context.Context, from secret, doc *result.Document, body []byte, module catalogue.Module,
		verdict submission.Decision) (submission.Added, error)
	// Submission returns an uploaded result, its module and the exact bytes of its document.
	Submission(ctx context.Context, id string) (submission.Submission, catalogue.Module, []byte, error)
	// DeleteSubmission deletes one of the contributor's results.
	DeleteSubmission(ctx context.Context, from secret, id string) error
	ContributorStore
	ModerationStore
	ModuleStore
	// Dataset calls do with everything that the data set holds, as of one moment.
	Dataset(ctx context.Context, do func(*figure.Overview, figure.Records) error) error
	// SchemaVersion returns the number of the newest migration that the database has.
	SchemaVersion(ctx context.Context) (int64, error)
}

// Config configures the server.
type Config struct {
	Store     Store
	Catalogue *catalogue.Catalogue
	Presets   []question.Question
	SiteDir   func() string // folder of the current publication; empty while there is none
	ClientDir string        // folder of flashdex.sh, the client programs and their SHA256SUMS
	DataDir   string        // folder of the data set's snapshots
	PublicURL string        // where users reach the site; empty: the address they ask for
	Limits    Limits
	Stopping  func() bool // whether the server is about to stop; nil: never
	Log       *slog.Logger

	SchemaVersion int64                 // the least that the database must have
	Metrics       prometheus.Registerer // where the server's metrics are registered; nil: nowhere
}

type server struct {
	Config
	guard   *guard
	metrics *metrics
	tables  *tables
	frames  sync.Map // of keptFrame, by name
	routes  chi.Router
}

// New returns the handler of all requests. It panics if c.PublicURL is set and not ValidPublicURL.
func New(c Config) http.Handler {
	c.PublicURL = strings.TrimSuffix(c.PublicURL, "/")
	if c.PublicURL != "" && !ValidPublicURL(c.PublicURL) {
		panic(fmt.Sprintf("rest: the public URL %q is not of the form https://host[:port]", c.PublicURL))
	}
	s := &server{
		Config: c, guard: newGuard(c.Limits), metrics: newMetrics(c.Metrics),
		tables: &tables{store: c.Store, log: c.Log}, routes: chi.NewRouter(),
	}
	r := s.routes
	r.Use(s.observe, s.secure, share, compress, s.guard.address(), s.limit, middleware.GetHead)
	r.Group(func(r chi.Router) {
		r.Use(s.admit)
		r.Put("/v1/results/{id}", s.byContributor(s.putResult))
		r.Get("/v1/results/{id}", s.handle(s.getResult))
		r.Delete("/v1/results/{id}", s.byContributor(s.deleteResult))
		s.contributorRoutes(r)
		s.moderationRoutes(r)
		s.moduleRoutes(r)
		s.presetRoutes(r)
		s.exportRoutes(r)
		r.Get("/r/{id}", s.runPage)
		r.Get("/search/", s.fromTablePage(s.searchPage))
		r.Get("/compare/", s.fromTablePage(s.comparePage))
	})
	r.Get("/v1/schema/result-v1.json", s.handle(fixed("application/schema+json", schema.V1)))
	r.Get("/openapi.json", s.handle(fixed("application/json", docs.OpenAPI)))
	r.Get("/v1/*", s.handle(notFound))
	r.Get("/healthz", s.handle(alive))
	r.Get("/readyz", s.handle(s.ready))
	r.Get("/run.sh", s.handle(s.script))
	r.Get("/client/*", s.handle(s.client))
	r.Get("/data/{file}", s.data)
	r.Get("/data/{snapshot}/", s.dataPage)
	r.Get("/data/{snapshot}/{file}", s.data)
	r.Get("/*", s.page)
	r.NotFound(s.handle(notFound))
	r.MethodNotAllowed(s.handle(s.wrongMethod))
	return r
}

// handler answers a request, or returns why it can't.
type handler = func(http.ResponseWriter, *http.Request) error

// fixed answers with a text that is part of the program.
func fixed(mediaType string, text []byte) handler {
	return func(w http.ResponseWriter, _ *http.Request) error {
		w.Header().Set("Content-Type", mediaType)
		w.Header().Set("Cache-Control", "public, max-age=3600")
		_, _ = w.Write(text) // a reader who is gone needs no answer
		return nil
	}
}
