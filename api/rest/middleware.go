package rest

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"flashdex/api/problem"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
)

type noteKey struct{}

// note remembers a problem for the request's line in the log.
func note(r *http.Request, p *problem.Problem) {
	if kept, ok := r.Context().Value(noteKey{}).(**problem.Problem); ok {
		*kept = p
	}
}

// A client that disconnects before the answer isn't the server's fault and raises no alert. nginx logs the same status.
const (
	leftKind   = problem.Kind("client-left")
	leftStatus = 499
)

// observe counts each request and logs one line for it. The line says nothing about the sender: no address, no header,
// and only the route's pattern in place of the path. It turns a panic into an answer. The line's id is the answer's
// X-Request-Id, so that somebody who reports a failure can name the line. It ignores an id in the request.
func (s *server) observe(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		var noted *problem.Problem
		r = r.WithContext(context.WithValue(r.Context(), noteKey{}, &noted))
		answer := middleware.NewWrapResponseWriter(w, r.ProtoMajor)
		id := rand.Text()[:16]
		w.Header().Set("X-Request-Id", id)
		s.metrics.inFlight.Inc()
		defer func() {
			s.metrics.inFlight.Dec()
			cause := recover()
			if cause == http.ErrAbortHandler {
				panic(cause)
			} else if cause != nil {
				s.fail(answer, r, fmt.Errorf("panic: %v\n%s", cause, debug.Stack()))
			}
			level, status := slog.LevelInfo, answer.Status()
			if noted != nil && errors.Is(noted.Cause, context.Canceled) && r.Context().Err() != nil {
				noted, status = &problem.Problem{Kind: leftKind}, leftStatus
			}
			method, route, took := knownMethod(r.Method), chi.RouteContext(r.Context()).RoutePattern(), time.Since(start)
			s.metrics.count(method, route, status, noted, took)
			line := []slog.Attr{
				slog.String("id", id), slog.String("method", method), slog.String("route", route),
				slog.Int("status", status), slog.Int("bytes", answer.BytesWritten()), slog.Duration("took", took),
			}
			if noted != nil {
				line = append(line, slog.String("problem", string(noted.Kind)))
				// The cause may quote the request, so it is logged only where the server is at fault.
				if noted.Cause != nil && (noted.Kind == problem.Internal || noted.Kind == problem.Unavailable) {
					level = slog.LevelError
					line = append(line, slog.String("cause", noted.Cause.Error()))
				}
			}
			s.Log.LogAttrs(r.Context(), level, "request", line...)
		}()
		next.ServeHTTP(answer, r)
	})
}

// knownMethod keeps invented methods out of the log.
func knownMethod(method string) string {
	if slices.Contains([]string{"GET", "HEAD", "PUT", "POST", "DELETE", "OPTIONS", "PATCH"}, method) {
		return method
	}
	return "other"
}

// secure has browsers forbid what the pages don't need, such as inline styles and scripts.
func (s *server) secure(next http.Handler) http.Handler {
	const policy = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; " +
		"form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		header.Set("Content-Security-Policy", policy)
		header.Set("X-Content-Type-Options", "nosniff")
		header.Set("Referrer-Policy", "no-referrer")
		header.Set("Cross-Origin-Opener-Policy", "same-origin")
		header.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=(), usb=()")
		if strings.HasPrefix(s.PublicURL, "https://") {
			header.Set("Strict-Transport-Security", "max-age=31536000")
		}
		next.ServeHTTP(w, r)
	})
}

// share lets scripts of other sites read public data, without credentials. It grants no preflight that asks for another
// method than GET or for the header Authorization.
func share(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path := r.URL.Path
		if strings.HasPrefix(path, "/v1/") || strings.HasPrefix(path, "/data/") || path == "/openapi.json" {
			header := w.Header()
			switch r.Method {
			case http.MethodOptions:
				header.Set("Access-Control-Allow-Methods", "GET, HEAD")
				header.Set("Access-Control-Allow-Headers", "If-None-Match")
				header.Set("Access-Control-Max-Age", "86400")
				fallthrough
			case http.MethodGet, http.MethodHead:
				header.Set("Access-Control-Allow-Origin", "*")
				header.Set("Access-Control-Expose-Headers", "ETag, Retry-After, X-Request-Id")
			}
		}
		next.ServeHTTP(w, r)
	})
}

// compress packs text. It leaves parts of files alone, whose offsets count bytes of the unpacked file.
var compress = middleware.Maybe(
	middleware.Compress(5, "text/html", "text/css", "text/javascript", "text/plain", "text/csv", "text/markdown",
		"text/xml", "image/svg+xml", "application/json", "application/x-ndjson", "application/schema+json",
		"application/problem+json"),
	func(r *http.Request) bool { return r.Header.Get("Range") == "" })

// metrics count requests. Every label has few values: routes are patterns, methods and problems come from lists.
type metrics struct {
	requests *prometheus.CounterVec
	duration *prometheus.HistogramVec
	inFlight prometheus.Gauge
	uploads  *prometheus.CounterVec
}

func newMetrics(to prometheus.Registerer) *metrics {
	make := promauto.With(to) // nil registers nowhere
	return &metrics{
		requests: make.NewCounterVec(prometheus.CounterOpts{
			Name: "flashdex_http_requests_total", Help: "Answered requests, by the kind of problem if there was one.",
		}, []string{"method", "route", "status", "problem"}),
		duration: make.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "flashdex_http_request_seconds",
			Help:    "Time from a request's header to the end of its answer, including the arrival of its body.",
			Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30},
		}, []string{"method", "route"}),
		inFlight: make.NewGauge(prometheus.GaugeOpts{
			Name: "flashdex_http_requests_in_flight", Help: "Requests that are being answered.",
		}),
		uploads: make.NewCounterVec(prometheus.CounterOpts{
			Name: "flashdex_uploads_total",
			Help: "Uploads: the state of a new result, \"again\" for one that was there, or the kind of problem.",
		}, []string{"outcome"}),
	}
}

func (m *metrics) count(method, route string, status int, noted *problem.Problem, took time.Duration) {
	kind := ""
	if noted != nil {
		kind = string(noted.Kind)
	}
	m.requests.WithLabelValues(method, route, strconv.Itoa(status), kind).Inc()
	m.duration.WithLabelValues(method, route).Observe(took.Seconds())
	if method == "PUT" && route == "/v1/results/{id}" && kind != "" {
		m.uploads.WithLabelValues(kind).Inc()
	}
}
