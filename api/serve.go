package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"
	"syscall"
	"time"

	"flashdex/api/archive"
	"flashdex/api/cluster"
	"flashdex/api/metrics"
	"flashdex/api/preset"
	"flashdex/api/publish"
	"flashdex/api/rest"
	"flashdex/api/store"
	source "flashdex/data"
	"flashdex/migrations"
	"flashdex/result"
)

type serveCmd struct {
	Listen      string `default:":8080" env:"FLASHDEX_LISTEN" help:"Address to serve on."`
	DatabaseURL string `env:"FLASHDEX_DATABASE_URL" help:"Connection string of the Postgres database; without it, a Postgres of its own in the data folder."`
	DataDir     string `default:"var" env:"FLASHDEX_DATA_DIR" type:"path" help:"Folder for everything the server keeps."`
	Site        string `default:"site" env:"FLASHDEX_SITE_PROJECT" type:"path" help:"Folder of the Hugo project."`
	Hugo        string `default:"bin/hugo" env:"FLASHDEX_HUGO" type:"path" help:"The Hugo program."`
	Clients     string `default:"var/clients" env:"FLASHDEX_CLIENTS" type:"path" help:"Folder of the client programs."`
	PublicURL   string `env:"FLASHDEX_PUBLIC_URL" help:"Where users reach the site, if that isn't the address they ask for."`
	LogFile     string `env:"FLASHDEX_LOG_FILE" help:"File for the log, instead of standard error."`

	MetricsListen string        `env:"FLASHDEX_METRICS_LISTEN" help:"Address for Prometheus to read /metrics from, such as 127.0.0.1:9464; without it there are no metrics. Keep it from the public."`
	ShutdownDelay time.Duration `env:"FLASHDEX_SHUTDOWN_DELAY" help:"How long /readyz says no before the server takes no more connections: as long as a load balancer needs to notice."`
	limitFlags
}

// shutdownTimeout is how long requests under way may take to end.
const shutdownTimeout = 25 * time.Second

func (c serveCmd) Run(ctx context.Context) (err error) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(200) // half of the collector's work, for some 10 MiB
	}
	if c.PublicURL != "" && !rest.ValidPublicURL(c.PublicURL) {
		return fmt.Errorf("the public URL must be like https://flashdex.example or http://192.168.1.5:8080, not %q", c.PublicURL)
	}
	// The address first: a taken port is the commonest mistake, and the cheapest to find out.
	listener, err := net.Listen("tcp", c.Listen)
	if errors.Is(err, syscall.EADDRINUSE) {
		return fmt.Errorf("the address %s is taken by another program: stop that one, or choose another (make run LISTEN=:8081)", c.Listen)
	} else if err != nil {
		return err
	}
	defer listener.Close()
	var scrapes net.Listener
	if c.MetricsListen != "" {
		if scrapes, err = net.Listen("tcp", c.MetricsListen); err != nil {
			return fmt.Errorf("the address for metrics can't be used: %w", err)
		}
		defer scrapes.Close()
	}
	if err := os.MkdirAll(c.DataDir, 0o755); err != nil {
		return err
	}
	log, err := logger(c.LogFile)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	holder := result.NewID()
	if c.DatabaseURL == "" {
		say("starting Postgres")
		own, err := cluster.Start(ctx, cluster.Config{Dir: filepath.Join(c.DataDir, "postgres"), Durable: true, Log: say})
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, own.Stop()) }()
		go func() {
			<-own.Exited()
			cancel(errors.New("postgres has ended by itself; its log is in " + filepath.Join(c.DataDir, "postgres", "postgres.log")))
		}()
		c.DatabaseURL = own.URL()
		holder = "the only server of this database" // takes the lease up again at once, even after a crash
	}
	err = c.serve(ctx, listener, scrapes, holder, log)
	if cause := context.Cause(ctx); err == nil && cause != nil && !errors.Is(cause, context.Canceled) {
		err = cause
	}
	return err
}

// serve runs the HTTP server and the publisher until ctx ends. scrapes is nil if nobody wants metrics.
func (c serveCmd) serve(ctx context.Context, listener, scrapes net.Listener, holder string, log *slog.Logger) error {
	say("bringing the database up to date")
	if err := migrations.Up(ctx, c.DatabaseURL); err != nil {
		return err
	}
	db, err := store.Open(ctx, c.DatabaseURL)
	if err != nil {
		return err
	}
	defer db.Close()
	cat, err := importData(ctx, db)
	if err != nil {
		return err
	}
	presets, err := preset.Load(source.FS)
	if err != nil {
		return err
	}
	address := c.address(listener)
	publications, data := filepath.Join(c.DataDir, "site"), filepath.Join(c.DataDir, "dataset")
	files := archive.New(archive.Config{Store: db, Catalogue: cat, Dir: data, Holder: holder, SiteURL: address, Version: version, Log: log})
	publisher := publish.New(publish.Config{
		Store: db, Catalogue: cat, Presets: presets, Hugo: c.Hugo, Project: c.Site, Dir: publications, Clients: c.Clients, Holder: holder, SiteURL: address, Version: version, Log: log, Data: files.Index,
	})
	say("publishing the site")
	if err := publisher.PublishIfNew(ctx); err != nil {
		return err
	}
	registry := metrics.Registry(db, func() metrics.Publication {
		status := publisher.Status()
		generation, at, _ := publish.CurrentGeneration(publications)
		return metrics.Publication{
			Leader: status.Leader, Generation: generation, PublishedAt: at, Succeeded: status.Succeeded, Failed: status.Failed, FailedAt: status.FailedAt,
		}
	})
	server := newServer(rest.New(rest.Config{
		Store: db, Catalogue: cat, Presets: presets, SiteDir: func() string { return publish.Current(publications) }, ClientDir: c.Clients, DataDir: archive.Files(data), PublicURL: c.PublicURL,
		Limits: c.limits(), Stopping: func() bool { return ctx.Err() != nil }, Log: log, SchemaVersion: migrations.Newest(), Metrics: registry,
	}), log)
	if scrapes != nil {
		side := newServer(metrics.Handler(registry), log)
		defer side.Close()
		go func() { _ = side.Serve(scrapes) }()
	}
	var publishing sync.WaitGroup
	publishing.Go(func() { publisher.Run(ctx) })
	publishing.Go(func() { files.Run(ctx) })
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	say("ready. Ctrl-C stops everything; the data stay in " + c.DataDir + "\n\n" +
		"  the site       " + address + "/\n" +
		"  test a card    curl -fsSL " + address + "/run.sh | sh -s -- /path/on/the/card\n" +
		"  the data set   " + address + "/data/\n")
	select {
	case err = <-served:
	case <-ctx.Done():
		say("stopping")
		time.Sleep(c.ShutdownDelay)
		grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTimeout)
		defer cancel()
		err = server.Shutdown(grace)
	}
	publishing.Wait()
	return err
}

// address is where a user of this machine reaches the server.
func (c serveCmd) address(listener net.Listener) string {
	if c.PublicURL != "" {
		return strings.TrimSuffix(c.PublicURL, "/")
	}
	host, _, err := net.SplitHostPort(c.Listen)
	if err != nil || host == "" || host == "0.0.0.0" || host == "::" {
		host = "localhost"
	}
	return fmt.Sprintf("http://%s", net.JoinHostPort(host, fmt.Sprint(listener.Addr().(*net.TCPAddr).Port)))
}

// say tells the person at the terminal what is going on.
func say(message string) { fmt.Println("flashdex: " + message) }
