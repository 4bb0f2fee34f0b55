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
	"flashdex/api/dataset"
	"flashdex/api/figure"
	"flashdex/api/figure/question"
	"flashdex/api/submission"
	"flashdex/docs"
	"flashdex/result"
	"flashdex/result/ageing"
	"flashdex/result/schema"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"
	"github.com/prometheus/client_golang/prometheus"
)

// Store is the database; package store describes each method. Its errors are problems (package problem) or mistakes of
// the server's. Every call for a contributor may fail with problem.SecretRetired or problem.UnknownContributor.
type Store interface {
	AddSubmission(ctx context.Context, from secret, doc *result.Document, body []byte, module catalogue.Module,
		verdict submission.Decision, origin submission.Origin) (submission.Added, error)
	Known(ctx context.Context, from secret, slug string) (submission.Known, error)
	TokenKeys(ctx context.Context) ([]secret, error)
	Submission(ctx context.Context, id string) (submission.Submission, catalogue.Module, []byte, error)
	DeleteSubmission(ctx context.Context, from secret, id string) error
	ChooseModule(ctx context.Context, from secret, id string, module catalogue.Module) error

	Contributor(ctx context.Context, from secret) (submission.Contributor, error)
	ContributorSubmissions(ctx context.Context, from secret, after string, limit int) ([]submission.Submission, error)
	RotateSecret(ctx context.Context, old, fresh secret) error
	DeleteContributor(ctx context.Context, from secret) (deleted int, err error)

	Operator(ctx context.Context, token secret) (name string, err error)
	Queue(ctx context.Context, state, after string, limit int) ([]submission.Submission, error)
	Moderate(ctx context.Context, id string, verdict submission.Decision, by submission.Authority) error
	DecideAll(ctx context.Context, which submission.Selection, verdict submission.Decision, by submission.Authority,
		dryRun bool, each func(submission.Submission) error) error
	Undo(ctx context.Context, decision, reason string, by submission.Authority) (undone, left int, err error)
	Decisions(ctx context.Context, after string, limit int) ([]submission.Decided, error)
	Decision(ctx context.Context, id, after string, limit int) (submission.Decided, []submission.Change, error)
	SignIn(ctx context.Context, token secret) (session secret, err error)
	SignOut(ctx context.Context, session secret) error
	Review(ctx context.Context, subs []submission.Submission) ([]submission.Reviewed, error)
	Recent(ctx context.Context) ([]submission.Recent, error)
	ContributorOf(ctx context.Context, id string) (submission.ContributorFacts, error)
	Ageing(ctx context.Context, id string) (*ageing.Line, error)
	Object(ctx context.Context, objection submission.Objection) error
	Objections(ctx context.Context, after string, limit int) ([]submission.Objection, error)
	OpenObjections(ctx context.Context) (int, error)
	ObjectionsTo(ctx context.Context, id string) ([]submission.Objection, error)
	CloseObjection(ctx context.Context, id, reason string, by submission.Authority) error
	NameResult(ctx context.Context, id, slug, reason string, by submission.Authority) error
	UnlistedModules(ctx context.Context, after string, limit int) ([]submission.UnlistedModule, error)
	AmbiguousResults(ctx context.Context, limit int) ([]submission.Submission, error)
	VouchedModules(ctx context.Context, limit int) ([]submission.VouchedModule, error)
	ConfirmModule(ctx context.Context, slug, reason string, by submission.Authority) error
	UnconfirmModule(ctx context.Context, slug, reason string, by submission.Authority) error
	DividedModules(ctx context.Context, after string, limit int) ([]submission.DividedModule, error)
	ConfirmContributor(ctx context.Context, id, reason string, by submission.Authority) error
	UnconfirmContributor(ctx context.Context, id, reason string, by submission.Authority) error
	MergeModules(ctx context.Context, from, into, reason string, by submission.Authority) error
	TryMerge(ctx context.Context, from, into string, by submission.Authority) ([]submission.Moved, error)
	UndoMerge(ctx context.Context, slug, reason string, by submission.Authority) error
	Merges(ctx context.Context, limit int) ([]submission.Merge, error)

	Generation(ctx context.Context) (int64, error)
	Overview(ctx context.Context) (*figure.Overview, error)
	Summaries(ctx context.Context, slug string) ([]figure.Summary, error)
	ChartData(ctx context.Context, slug string) ([]figure.ChartData, error)
	Typical(ctx context.Context, slugs, methods []string) (map[string][]figure.ChartData, error)
	Profiled(ctx context.Context, slugs []string, runs int) (map[string][]figure.ProfiledRun, error)

	Pick(ctx context.Context, pick func(*figure.Overview) (which figure.Filter, limit int, err error)) (
		figure.Picked, error)
	TestsFrom(ctx context.Context, picked figure.Picked, rows int) (tests []figure.Test, next string, err error)
	SchemaVersion(ctx context.Context) (int64, error)
}

// Config configures the server.
type Config struct {
	Store     Store
	Catalogue *catalogue.Catalogue
	Presets   []question.Question
	SiteDir   func() string // folder of the current publication; empty while there is none
	ClientDir string        // folder of flashdex.sh, the client programs and their SHA256SUMS
	DataDir   string        // folder of the data set's archive
	PublicURL string        // where users reach the site; empty: the address they ask for
	Limits    Limits
	Stopping  func() bool // whether the server is about to stop; nil: never
	Log       *slog.Logger

	Version       string                // of the server
	SchemaVersion int64                 // the least that the database must have
	Metrics       prometheus.Registerer // where the server's metrics are registered; nil: nowhere
}

type server struct {
	Config
	guard   *guard
	metrics *metrics
	schema  *schemaCheck
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
		tables: &tables{store: c.Store, listed: c.Catalogue, log: c.Log}, routes: chi.NewRouter(),
		schema: &schemaCheck{store: c.Store, least: c.SchemaVersion},
	}
	r := s.routes
	r.Use(s.observe, s.secure, share, compress, s.guard.address(), s.limit, middleware.GetHead)
	r.Group(func(r chi.Router) {
		r.Use(s.admit)
		r.Put("/v1/results/{id}", s.byContributor(s.putResult))
		r.Get("/v1/results/{id}", s.handle(s.getResult))
		r.Delete("/v1/results/{id}", s.byContributor(s.deleteResult))
		r.Put("/v1/results/{id}/module", s.byContributor(s.putModule))
		r.Post("/v1/tokens", s.handle(s.postToken))
		r.Get("/v1/contributor", s.byContributor(s.getContributor))
		r.Delete("/v1/contributor", s.byContributor(s.deleteContributor))
		r.Get("/v1/contributor/results", s.byContributor(s.listOwn))
		r.Put("/v1/contributor/secret", s.byContributor(s.putSecret))
		r.Get("/v1/moderation/submissions", s.byOperator(s.listModeration))
		r.Get("/v1/moderation/submissions/{id}", s.byOperator(s.getModeration))
		r.Post("/v1/moderation/submissions/{id}/accept", s.byOperator(s.moderate(submission.Accepted)))
		r.Post("/v1/moderation/submissions/{id}/reject", s.byOperator(s.moderate(submission.Rejected)))
		r.Post("/v1/moderation/submissions/{id}/name", s.byOperator(s.nameResult))
		r.Post("/v1/moderation/submissions/{id}/confirm-contributor", s.byOperator(s.aboutID(Store.ConfirmContributor)))
		r.Post("/v1/moderation/submissions/{id}/unconfirm-contributor", s.byOperator(s.aboutID(Store.UnconfirmContributor)))
		r.Post("/v1/moderation/submissions/accept", s.byOperator(s.decideAll(submission.Accepted)))
		r.Post("/v1/moderation/submissions/reject", s.byOperator(s.decideAll(submission.Rejected)))
		r.Post("/v1/moderation/decisions/{id}/undo", s.byOperator(s.undo))
		r.Get("/v1/moderation/objections", s.byOperator(s.listObjections))
		r.Post("/v1/moderation/objections/{id}/close", s.byOperator(s.aboutID(Store.CloseObjection)))
		r.Get("/v1/moderation/modules", s.byOperator(s.listUnlisted))
		r.Get("/v1/moderation/modules/divided", s.byOperator(s.listDivided))
		r.Post("/v1/moderation/modules/confirm", s.byOperator(s.aboutModule(Store.ConfirmModule)))
		r.Post("/v1/moderation/modules/unconfirm", s.byOperator(s.aboutModule(Store.UnconfirmModule)))
		r.Post("/v1/moderation/modules/merge", s.byOperator(s.mergeModules))
		r.Post("/v1/moderation/modules/unmerge", s.byOperator(s.aboutModule(Store.UndoMerge)))
		r.Get("/v1/modules", s.fromTable(s.listModules))
		r.Get("/v1/modules/{slug}", s.handle(s.getModule))
		r.Get("/v1/search", s.handle(s.search))
		r.Get("/v1/presets", s.fromTable(s.listPresets))
		r.Get("/v1/presets/{key}", s.fromTable(s.getPreset))
		r.Get("/v1/results.csv", s.export("text/csv; charset=utf-8", dataset.NewCSV))
		r.Get("/v1/results.ndjson", s.export("application/x-ndjson", dataset.NewNDJSON))
		r.Get("/v1/results.parquet", s.export("application/vnd.apache.parquet", dataset.NewParquet))
		r.Get("/r/{id}", s.run)
		r.Get("/badge/{slug}.svg", s.handle(s.badge))
		r.Get("/search/", s.fromTablePage(s.searchPage))
		r.Get("/compare/", s.fromTablePage(s.comparePage))
		r.Get("/compare/share.png", s.handle(s.comparePicture))
		r.Group(s.objecting)
		r.Group(s.importing)
		r.Group(s.operating)
	})
	r.Get("/v1/schema/result-v1.json", fixed("application/schema+json", schema.V1))
	r.Get("/openapi.json", fixed("application/json", docs.OpenAPI))
	r.Get("/v1/*", s.handle(notFound))
	r.Get("/healthz", s.handle(ok))
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

// fixed answers with a text that is part of the program.
func fixed(mediaType string, text []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", mediaType)
		w.Header().Set("Cache-Control", "public, max-age=3600")
		_, _ = w.Write(text) // a reader who is gone needs no answer
	}
}
