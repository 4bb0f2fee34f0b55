package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"flashdex/api/catalogue"
	"flashdex/api/dataset/snapshot"
	"flashdex/api/figure/question"
	"flashdex/api/publish"
	"flashdex/api/rest"
	"flashdex/api/store"
	"flashdex/api/store/cluster"
	source "flashdex/data"
	"flashdex/migrations"
	"flashdex/result"
)

type serveCmd struct {
	Listen        string        `default:":8080" help:"Address to serve on."`
	DatabaseURL   string        `help:"Connection string of Postgres. Default: its own Postgres in the data folder."`
	Publish       bool          `default:"true" negatable:"" help:"Also migrate, import and publish, as api worker does."`
	ShutdownDelay time.Duration `help:"How long /readyz fails before the server closes, so that load balancers notice."`
	publicationFlags
	metricsFlag
	limitFlags
}

// shutdownTimeout is how long the server waits for requests under way.
const shutdownTimeout = 25 * time.Second

func (c serveCmd) Run(ctx context.Context) (err error) {
	if err := errors.Join(c.publicationFlags.check(), c.limitFlags.check()); err != nil {
		return err
	}
	if c.Publish {
		if err := c.checkPrograms(); err != nil {
			return err
		}
	} else if c.DatabaseURL == "" {
		return errors.New("--no-publish needs the database of the worker that publishes: name it with --database-url")
	}
	// A port that is taken is the most common mistake and the quickest to find.
	listener, err := net.Listen("tcp", c.Listen)
	if errors.Is(err, syscall.EADDRINUSE) {
		return fmt.Errorf("the address %s is taken by another program: stop that program, or choose another address "+
			"(make run LISTEN=:8081)", c.Listen)
	} else if err != nil {
		return err
	}
	defer listener.Close()
	scrapes, err := c.metricsFlag.listen()
	if err != nil {
		return err
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
	holder, alone := result.NewID(), c.DatabaseURL == ""
	if alone {
		say("starting Postgres")
		own, err := cluster.Start(ctx, cluster.Config{Dir: filepath.Join(c.DataDir, "postgres"), Durable: true, Log: say})
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, own.Stop()) }()
		go func() {
			<-own.Exited()
			log := filepath.Join(c.DataDir, "postgres", "postgres.log")
			cancel(errors.New("postgres has ended by itself; its log is in " + log))
		}()
		c.DatabaseURL = own.URL()
		holder = "the only server of this database" // the same after a crash, so it renews the lease at once
	}
	err = c.serve(ctx, listener, scrapes, holder, alone, log)
	if cause := context.Cause(ctx); err == nil && cause != nil && !errors.Is(cause, context.Canceled) {
		err = cause
	}
	return err
}

// serve runs the HTTP server, and with --publish the publisher, until ctx ends. scrapes is nil if there are no metrics.
// alone says that no other server uses the database.
func (c serveCmd) serve(ctx context.Context, listener, scrapes net.Listener, holder string, alone bool,
	log *slog.Logger) error {
	if c.Publish {
		say("bringing the database up to date")
		if err := migrations.Up(ctx, c.DatabaseURL); err != nil {
			return err
		}
	}
	db, err := store.Open(ctx, c.DatabaseURL)
	if err != nil {
		return err
	}
	defer db.Close()
	if err := c.readFrom(ctx, db); err != nil {
		return err
	}
	if c.Publish {
		if err := c.claim(ctx, db, alone); err != nil {
			return err
		}
	} else if warning, err := c.foreign(ctx, db); err != nil {
		return err
	} else if warning != "" {
		say(warning)
		log.Warn("another data folder", "data_dir", c.DataDir)
	}
	load := importData
	if !c.Publish {
		load = func(context.Context, *store.Store) (*catalogue.Catalogue, error) { return catalogue.Load(source.FS) }
	}
	cat, err := load(ctx, db)
	if err != nil {
		return err
	}
	presets, err := question.Load(source.FS)
	if err != nil {
		return err
	}
	address := c.address(listener)
	status := func() publish.Status { return publish.Status{} }
	var publishing sync.WaitGroup
	if c.Publish {
		publication := c.publication(db, cat, presets, holder, address, log)
		say("publishing the site")
		if err := publication.publisher.PublishIfNew(ctx); err != nil {
			return err
		}
		status = publication.publisher.Status
		publishing.Go(func() { publication.run(ctx) })
	}
	registry := c.registry(db, status)
	defer showMetrics(scrapes, registry, log)()
	server := newServer(rest.New(rest.Config{
		Store: db, Catalogue: cat, Presets: presets, Limits: c.limits(), Log: log, Metrics: registry,
		SiteDir:   func() string { return publish.Current(c.publications()) },
		ClientDir: c.Clients, DataDir: snapshot.Files(c.dataset()), PublicURL: c.PublicURL,
		Stopping: func() bool { return ctx.Err() != nil }, SchemaVersion: migrations.Newest(),
	}), log)
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

// address returns the URL at which a user of this machine reaches the server.
func (c serveCmd) address(listener net.Listener) string {
	if c.PublicURL != "" {
		return strings.TrimSuffix(c.PublicURL, "/")
	}
	host, _, err := net.SplitHostPort(c.Listen)
	if err != nil || host == "" || host == "0.0.0.0" || host == "::" {
		host = "localhost"
	}
	return "http://" + net.JoinHostPort(host, fmt.Sprint(listener.Addr().(*net.TCPAddr).Port))
}

// say prints a message for the person at the terminal.
func say(message string) { fmt.Println("flashdex: " + message) }
