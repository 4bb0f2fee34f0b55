package main

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"flashdex/api/metrics"
)

// healthCmd checks the server from within a container that has neither a shell nor curl.
type healthCmd struct {
	URL string `arg:"" default:"http://localhost:8080/readyz" help:"Address that must answer with status 200."`
}

// healthTimeout is shorter than the time that supervisors wait for an answer.
const healthTimeout = 5 * time.Second

func (c healthCmd) Run(ctx context.Context) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, c.URL, nil)
	if err != nil {
		return err
	}
	client := http.Client{Timeout: healthTimeout}
	answer, err := client.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answers %s", c.URL, answer.Status)
	}
	return nil
}

// metricsFlag is the address at which a long-running process serves its metrics.
type metricsFlag struct {
	MetricsListen string `help:"Address for Prometheus, such as 127.0.0.1:9464. Keep it from the public."`
}

// listen returns nil if nobody wants metrics.
func (f metricsFlag) listen() (net.Listener, error) {
	if f.MetricsListen == "" {
		return nil, nil
	}
	listener, err := net.Listen("tcp", f.MetricsListen)
	if err != nil {
		return nil, fmt.Errorf("the address for metrics can't be used: %w", err)
	}
	return listener, nil
}

// showMetrics serves metrics until stop is called. scrapes may be nil.
func showMetrics(scrapes net.Listener, registry *prometheus.Registry, log *slog.Logger) (stop func()) {
	if scrapes == nil {
		return func() {}
	}
	side := newServer(metrics.Handler(registry), log)
	go func() { _ = side.Serve(scrapes) }()
	return func() { _ = side.Close() }
}
