package main

import (
	"context"
	"log/slog"
	"net/http"
	"regexp"
	"time"
)

// newServer returns a server with limits on the time and the header of each connection.
func newServer(handler http.Handler, log *slog.Logger) *http.Server {
	return &http.Server{
		Handler: handler, MaxHeaderBytes: 16 << 10,
		ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 30 * time.Second,
		WriteTimeout: time.Minute, IdleTimeout: 2 * time.Minute,
		ErrorLog: slog.NewLogLogger(withoutAddresses{log.Handler()}, slog.LevelWarn),
	}
}

// withoutAddresses removes the addresses that net/http puts into its messages.
type withoutAddresses struct{ slog.Handler }

var reAddress = regexp.MustCompile(`\b[0-9]{1,3}(\.[0-9]{1,3}){3}(:[0-9]+)?\b` +
	`|\[[0-9A-Fa-f:.]+(%[0-9A-Za-z]+)?\](:[0-9]+)?`)

func (h withoutAddresses) Handle(ctx context.Context, r slog.Record) error {
	r.Message = reAddress.ReplaceAllString(r.Message, "(address)")
	return h.Handler.Handle(ctx, r)
}
