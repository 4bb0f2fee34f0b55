package rest

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"time"

	"flashdex/api/problem"
	"flashdex/result"

	"github.com/go-chi/chi/v5"
)

// answers maps each kind of problem to HTTP. Nothing else does.
var answers = map[problem.Kind]struct {
	status int
	title  string
}{
	problem.Malformed:          {http.StatusBadRequest, "The body can't be read"},
	problem.NoToken:            {http.StatusUnauthorized, "The contributor's secret is missing"},
	problem.SecretRetired:      {http.StatusUnauthorized, "The secret was changed for another"},
	problem.UnknownContributor: {http.StatusUnauthorized, "The secret is not known here"},
	problem.NotOperator:        {http.StatusForbidden, "The token is no operator's"},
	problem.NotYours:           {http.StatusForbidden, "The result is another contributor's"},
	problem.CrossSite:          {http.StatusForbidden, "The form is another site's"},
	problem.NotFound:           {http.StatusNotFound, "There is nothing here"},
	problem.WrongMethod:        {http.StatusMethodNotAllowed, "That can't be done at this address"},
	problem.Conflict:           {http.StatusConflict, "The id is taken"},
	problem.Copied:             {http.StatusConflict, "The samples are another result's"},
	problem.SecretInUse:        {http.StatusConflict, "The secret is in use"},
	problem.ModuleMerged:       {http.StatusConflict, "The merges don't allow it"},
	problem.Decided:            {http.StatusConflict, "An operator has decided it"},
	problem.Deleted:            {http.StatusGone, "The result was taken back"},
	problem.TimedOut:           {http.StatusRequestTimeout, "The body took too long"},
	problem.LengthRequired:     {http.StatusLengthRequired, "The body's length is missing"},
	problem.TooLarge:           {http.StatusRequestEntityTooLarge, "The result is too large"},
	problem.WrongType:          {http.StatusUnsupportedMediaType, "The body is of a type that is not read here"},
	problem.Invalid:            {http.StatusUnprocessableEntity, "The result document is not valid"},
	problem.UnsupportedVersion: {http.StatusUnprocessableEntity, "The result document is of another version"},
	problem.BadRequest:         {http.StatusUnprocessableEntity, "The request says something else than asked for"},
	problem.TooMany:            {http.StatusTooManyRequests, "Too many requests"},
	problem.Unavailable:        {http.StatusServiceUnavailable, "Not now"},
	problem.Internal:           {http.StatusInternalServerError, "The server made a mistake"},
}

// document is a problem document (RFC 9457).
type document struct {
	Type   string           `json:"type"`
	Title  string           `json:"title"`
	Status int              `json:"status"`
	Detail string           `json:"detail"`
	Errors []result.Problem `json:"errors,omitempty"`
}

// handle turns the errors of a handler into problem documents.
func (s *server) handle(do func(http.ResponseWriter, *http.Request) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if err := do(w, r); err != nil {
			s.fail(w, r, err)
		}
	}
}

// fail answers with a problem document.
func (s *server) fail(w http.ResponseWriter, r *http.Request, err error) {
	p := problem.Of(err)
	if _, mapped := answers[p.Kind]; !mapped {
		p = problem.Of(fmt.Errorf("rest: the kind of this problem is not mapped: %w", errors.New(p.Error())))
	}
	status, title := failed(w, r, p)
	text, _ := encodeJSON(document{"urn:flashdex:problem:" + string(p.Kind), title, status, p.Detail, p.Errors})
	send(w, status, "application/problem+json", text)
}

// failed notes a problem for the log and sets the headers that a page and a problem document share.
func failed(w http.ResponseWriter, r *http.Request, p *problem.Problem) (status int, title string) {
	note(r, p)
	switch p.Kind {
	case problem.NoToken, problem.SecretRetired, problem.UnknownContributor:
		w.Header().Set("WWW-Authenticate", "Bearer")
	case problem.TooMany, problem.Unavailable:
		wait := min(p.RetryAfter, time.Hour)
		if wait <= 0 {
			wait = 5 * time.Second // as long as a database takes to restart
		}
		// Up to twice as long, so that clients that were refused together don't come back together.
		w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil((wait + rand.N(wait)).Seconds()))))
	}
	return answers[p.Kind].status, answers[p.Kind].title
}

func notFound(http.ResponseWriter, *http.Request) error {
	return problem.New(problem.NotFound,
		"This server has nothing at this address. Results are at /v1/results/ followed by their id.")
}

// wrongMethod answers OPTIONS, and methods that an address doesn't support.
func (s *server) wrongMethod(w http.ResponseWriter, r *http.Request) error {
	var allowed []string
	for _, method := range []string{http.MethodGet, http.MethodPut, http.MethodPost, http.MethodDelete} {
		found := chi.NewRouteContext()
		if !s.routes.Match(found, method, r.URL.EscapedPath()) || found.RoutePattern() == "/v1/*" {
			continue
		}
		if allowed = append(allowed, method); method == http.MethodGet {
			allowed = append(allowed, http.MethodHead)
		}
	}
	if len(allowed) == 0 {
		return notFound(w, r)
	}
	list := strings.Join(append(allowed, http.MethodOptions), ", ")
	w.Header().Set("Allow", list)
	if r.Method == http.MethodOptions {
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	return problem.New(problem.WrongMethod, "This address takes %s. Nothing was changed.", list)
}
