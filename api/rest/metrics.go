package rest

import (
	"strconv"
	"time"

	"flashdex/api/problem"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
)

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
