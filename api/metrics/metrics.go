// Package metrics serves Prometheus metrics of the server's database, outbox and publisher. Package rest adds metrics
// of requests to the same registry.
package metrics

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Database is the database; package store describes its methods.
type Database interface {
	Waiting(ctx context.Context) (submissions int, since time.Time, err error)
	Connections() (busy, idle, most int, waits int64, waited time.Duration)
	ReplicaReads() (replica, primary int64)
}

// Publication is the state of publishing.
type Publication struct {
	Leader            bool  // this process publishes
	Generation        int64 // of the publication that is served; 0: none is
	PublishedAt       time.Time
	Succeeded, Failed int       // publications of this process
	FailedAt          time.Time // last failure; zero: none
}

// Registry returns a registry with these metrics and the runtime's own.
func Registry(db Database, publication func() Publication) *prometheus.Registry {
	r := prometheus.NewRegistry()
	r.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		&collector{db: db, publication: publication})
	return r
}

// Handler answers scrapes at /metrics.
func Handler(r *prometheus.Registry) http.Handler {
	mux := http.NewServeMux()
	limits := promhttp.HandlerOpts{MaxRequestsInFlight: 4, Timeout: 10 * time.Second}
	mux.Handle("GET /metrics", promhttp.HandlerFor(r, limits))
	return mux
}

// yes is the value of a metric that says whether something is so.
var yes = map[bool]float64{true: 1}

const (
	// waitingFor is how long an answer about the outbox is reused.
	waitingFor   = 5 * time.Second
	queryTimeout = 2 * time.Second
)

// collector asks database and publisher at each scrape.
type collector struct {
	db          Database
	publication func() Publication

	mu      sync.Mutex
	askedAt time.Time
	up      bool
	waiting int
	since   time.Time
}

// Describe implements prometheus.Collector. It describes nothing, so the registry checks the metrics at each scrape.
func (c *collector) Describe(chan<- *prometheus.Desc) {}

// Collect implements prometheus.Collector. It leaves out unknown values.
func (c *collector) Collect(to chan<- prometheus.Metric) {
	send := func(kind prometheus.ValueType, value float64, name, help string, label ...string) {
		labels := prometheus.Labels{}
		if len(label) == 2 {
			labels[label[0]] = label[1]
		}
		to <- prometheus.MustNewConstMetric(prometheus.NewDesc(name, help, nil, labels), kind, value)
	}
	const gauge, counter = prometheus.GaugeValue, prometheus.CounterValue
	busy, idle, most, waited, waitedFor := c.db.Connections()
	send(gauge, float64(busy), "flashdex_database_connections", "Connections to the database.", "state", "busy")
	send(gauge, float64(idle), "flashdex_database_connections", "Connections to the database.", "state", "idle")
	send(gauge, float64(most), "flashdex_database_connections_max", "The most connections that the pool opens.")
	send(counter, float64(waited), "flashdex_database_connection_waits_total",
		"How often a request waited for a connection.")
	send(counter, waitedFor.Seconds(), "flashdex_database_connection_wait_seconds_total",
		"How long requests waited for a connection.")
	replica, primary := c.db.ReplicaReads()
	const large = "Large reads, if there is a replica."
	send(counter, float64(replica), "flashdex_database_replica_reads_total", large, "from", "replica")
	send(counter, float64(primary), "flashdex_database_replica_reads_total", large, "from", "primary")
	up, waiting, since := c.outbox()
	send(gauge, yes[up], "flashdex_database_up", "Whether the database answered, at most 5 s ago.")
	if up {
		send(gauge, float64(waiting), "flashdex_outbox_submissions",
			"Changed submissions that no figure of a module includes yet.")
		send(gauge, age(since), "flashdex_outbox_oldest_age_seconds", "How long the first of them has waited.")
	}
	p := c.publication()
	send(gauge, yes[p.Leader], "flashdex_publisher_leader", "1 if this process holds the publisher's lease.")
	if !p.PublishedAt.IsZero() {
		send(gauge, float64(p.Generation), "flashdex_site_generation",
			"Generation of the publication that this process serves.")
		send(gauge, age(p.PublishedAt), "flashdex_site_age_seconds", "Age of the publication that this process serves.")
	}
	const outcomes = "Publications by this process, made or failed."
	send(counter, float64(p.Succeeded), "flashdex_publications_total", outcomes, "outcome", "succeeded")
	send(counter, float64(p.Failed), "flashdex_publications_total", outcomes, "outcome", "failed")
	failedAt := max(0, p.FailedAt.Unix()) // the zero time is long before 1970
	send(gauge, float64(failedAt), "flashdex_publication_last_failure_timestamp_seconds",
		"When publishing last failed; 0: never.")
}

// outbox asks the database, or returns the last answer.
func (c *collector) outbox() (up bool, waiting int, since time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if time.Since(c.askedAt) > waitingFor {
		ctx, cancel := context.WithTimeout(context.Background(), queryTimeout)
		defer cancel()
		var err error
		c.waiting, c.since, err = c.db.Waiting(ctx)
		c.up, c.askedAt = err == nil, time.Now()
	}
	return c.up, c.waiting, c.since
}

// age returns the seconds since a time, 0 for none.
func age(since time.Time) float64 {
	if since.IsZero() {
		return 0
	}
	return max(0, time.Since(since).Seconds())
}
