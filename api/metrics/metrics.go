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

// Database is the database.
type Database interface {
	// Waiting returns how many submissions the outbox holds, and since when the first of them waits (zero: none does).
	Waiting(ctx context.Context) (submissions int, since time.Time, err error)
	// Connections returns how the pool of connections is used, and how often and how long requests have waited for one.
	Connections() (busy, idle, most int, waits int64, waited time.Duration)
	// ReplicaReads counts the large reads from the replica, and from the primary because the replica was behind or away.
	ReplicaReads() (replica, primary int64)
}

// Publication is the state of publishing.
type Publication struct {
	Leader            bool  // this process is the one that publishes
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

const (
	// waitingFor is how long an answer about the outbox is reused.
	waitingFor   = 5 * time.Second
	queryTimeout = 2 * time.Second
)

type collector struct {
	db          Database
	publication func() Publication

	mu      sync.Mutex
	askedAt time.Time
	up      bool
	waiting int
	since   time.Time
}

func describe(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc("flashdex_"+name, help, labels, nil)
}

var (
	databaseUp     = describe("database_up", "Whether the database answered, at most 5 s ago.")
	connections    = describe("database_connections", "Connections to the database.", "state")
	connectionsMax = describe("database_connections_max", "The most connections that the pool opens.")
	waits          = describe("database_connection_waits_total", "How often a request waited for a connection.")
	waitSeconds    = describe("database_connection_wait_seconds_total", "How long requests waited for a connection.")
	replicaReads   = describe("database_replica_reads_total", "Large reads, if there is a replica.", "from")
	outboxWaiting  = describe("outbox_submissions", "Changed submissions that no figure of a module includes yet.")
	outboxAge      = describe("outbox_oldest_age_seconds", "How long the first of them has waited.")
	leader         = describe("publisher_leader", "1 if this process holds the publisher's lease.")
	generation     = describe("site_generation", "Generation of the publication that this process serves.")
	siteAge        = describe("site_age_seconds", "Age of the publication that this process serves.")
	publications   = describe("publications_total", "Publications by this process, made or failed.", "outcome")
	failedAt       = describe("publication_last_failure_timestamp_seconds", "When publishing last failed; 0: never.")
)

// Describe implements prometheus.Collector.
func (c *collector) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{
		databaseUp, connections, connectionsMax, waits, waitSeconds, replicaReads, outboxWaiting, outboxAge, leader,
		generation, siteAge, publications, failedAt,
	} {
		to <- d
	}
}

// Collect implements prometheus.Collector. It leaves out unknown values.
func (c *collector) Collect(to chan<- prometheus.Metric) {
	gauge := func(d *prometheus.Desc, value float64, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
	}
	counter := func(d *prometheus.Desc, value float64, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, value, labels...)
	}
	busy, idle, most, waited, waitedFor := c.db.Connections()
	gauge(connections, float64(busy), "busy")
	gauge(connections, float64(idle), "idle")
	gauge(connectionsMax, float64(most))
	counter(waits, float64(waited))
	counter(waitSeconds, waitedFor.Seconds())
	replica, primary := c.db.ReplicaReads()
	counter(replicaReads, float64(replica), "replica")
	counter(replicaReads, float64(primary), "primary")
	up, waiting, since := c.outbox()
	gauge(databaseUp, number(up))
	if up {
		age := 0.0
		if !since.IsZero() {
			age = max(0, time.Since(since).Seconds())
		}
		gauge(outboxWaiting, float64(waiting))
		gauge(outboxAge, age)
	}
	p := c.publication()
	gauge(leader, number(p.Leader))
	if !p.PublishedAt.IsZero() {
		gauge(generation, float64(p.Generation))
		gauge(siteAge, max(0, time.Since(p.PublishedAt).Seconds()))
	}
	counter(publications, float64(p.Succeeded), "succeeded")
	counter(publications, float64(p.Failed), "failed")
	at := 0.0
	if !p.FailedAt.IsZero() {
		at = float64(p.FailedAt.Unix())
	}
	gauge(failedAt, at)
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

func number(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}
