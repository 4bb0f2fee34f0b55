package main

import (
	"fmt"
	"log/slog"
	"net"

	"flashdex/api/metrics"

	"github.com/prometheus/client_golang/prometheus"
)

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
