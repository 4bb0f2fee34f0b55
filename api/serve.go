package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"time"

	"flashdex/api/publish"
	"flashdex/api/rest"
	"flashdex/api/store/cluster"
	"flashdex/client/release"
	"flashdex/migrations"
	"flashdex/result"
)

type serveCmd struct {
	Listen      string `default:":8080" help:"Address to serve on."`
	DatabaseURL string `help:"Connection string of Postgres. Default: its own Postgres in the data folder."`
	// Its role may do less than DatabaseURL's, which also publishes.
	ServerDatabaseURL string `help:"Connection string to answer requests with. Default: the same."`

	Publish       bool          `default:"true" negatable:"" help:"Also migrate, import and publish, as api worker does."`
	ShutdownDelay time.Duration `help:"How long /readyz fails before the server closes, so that load balancers notice."`
	publicationFlags
	metricsFlag
	limitFlags
}

// shutdownTimeout is how long the server waits for requests under way.
const shutdownTimeout = 25 * time.Second

func (c serveCmd) Run(ctx context.Context) (err error) {
	if err := errors.Join(c.publicationFlags.check(c.Publish), c.limitFlags.check()); err != nil {
		return err
	}
	if len(c.TrustedProxies) > 0 && c.PublicURL == "" {
		return errors.New("with a proxy in front (--trusted-proxies) the server can't know where users reach it, and their " +
			"scripts would ask another address: name it with --public-url https://flashdex.example " +
			"(FLASHDEX_PUBLIC_URL=https://flashdex.example in /etc/flashdex.env)")
	}
	if !c.Publish && c.DatabaseURL == "" && c.ServerDatabaseURL == "" {
		return errors.New("--no-publish needs the database of the worker that publishes: name it with --database-url")
	}
	if key, err := release.Check(c.Clients); err != nil {
		return fmt.Errorf("everybody would refuse the clients, because their signature is not that of the key beside them: "+
			"%w. Sign them with make sign, and install them again", err)
	} else if key == "" {
		say("the clients are not signed; for a server that others use, make sign signs them")
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
	log, err := c.logger()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	holder := result.NewID()
	var own *cluster.Cluster
	if c.DatabaseURL == "" {
		say("starting Postgres")
		own, err = cluster.Start(ctx, cluster.Config{Dir: filepath.Join(c.DataDir, "postgres"), Durable: true, Log: say})
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
		holder = "the only server of this database" // stays the same after a crash, so it renews the lease at once
	}
	err = c.serve(ctx, listener, scrapes, holder, own, log)
	if cause := context.Cause(ctx); err == nil && cause != nil && !errors.Is(cause, context.Canceled) {
		err = cause
	}
	return err
}

// serve runs the HTTP server, and with --publish the publisher, until ctx ends. scrapes is nil if there are no metrics.
// own is a Postgres that no other server uses; nil: others may.
func (c serveCmd) serve(ctx context.Context, listener, scrapes net.Listener, holder string, own *cluster.Cluster,
	log *slog.Logger) error {
	if c.Publish {
		say("bringing the database up to date")
		if err := migrations.Up(ctx, c.DatabaseURL); err != nil {
			return err
		}
	}
	if own != nil {
		c.DatabaseURL, c.ServerDatabaseURL = own.URLAs(migrations.WorkerRole), own.URLAs(migrations.ServerRole)
	}
	if !c.Publish {
		c.DatabaseURL, c.ServerDatabaseURL = cmp.Or(c.ServerDatabaseURL, c.DatabaseURL), ""
	}
	return c.with(ctx, database{c.DatabaseURL}, log, func(p *process) error {
		address := c.address(listener)
		if err := p.openRequests(ctx, c.ServerDatabaseURL); err != nil {
			return err
		}
		defer p.requests.Close()
		var publishing sync.WaitGroup
		if c.Publish {
			if err := p.preparePublishing(ctx, holder, address, own != nil); err != nil {
				return err
			}
			// The last publication is served at once, until a new one replaces it.
			if publish.Current(c.publications()) == "" {
				say("making the site for the first time")
				if err := p.publisher.PublishIfNew(ctx); err != nil {
					return err
				}
			}
			publishing.Go(func() { p.publish(ctx) })
		} else if warning, err := c.foreign(ctx, p.db); err != nil {
			return err
		} else if warning != "" {
			say(warning)
			log.Warn("another data folder", "data_dir", c.DataDir)
		}
		registry := p.registry()
		defer showMetrics(scrapes, registry, log)()
		server := newServer(rest.New(rest.Config{
			Store: p.requests, Catalogue: p.catalogue, Presets: p.presets, Limits: c.limits(), Log: log, Metrics: registry,
			SiteDir:   func() string { return publish.Current(c.publications()) },
			ClientDir: c.Clients, DataDir: c.dataset(), PublicURL: c.PublicURL,
			Stopping: func() bool { return ctx.Err() != nil }, SchemaVersion: migrations.Newest(), Version: version,
		}), log)
		err := c.answer(ctx, server, listener, address)
		publishing.Wait()
		return err
	})
}

// answer serves until ctx ends, and then lets requests under way finish.
func (c serveCmd) answer(ctx context.Context, server *http.Server, listener net.Listener, address string) error {
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	say("ready. Ctrl-C stops everything; the data stay in " + c.DataDir + "\n\n" +
		"  the site       " + address + "/\n" +
		"  test a card    curl -fsSL " + address + "/run.sh | sh -s -- /path/on/the/card\n" +
		"  the data set   " + address + "/data/\n")
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
	}
	say("stopping")
	time.Sleep(c.ShutdownDelay)
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTimeout)
	defer cancel()
	return server.Shutdown(grace)
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

// newServer returns a server with limits on the time and the header of each connection.
func newServer(handler http.Handler, log *slog.Logger) *http.Server {
	return &http.Server{
		Handler: handler, MaxHeaderBytes: 16 << 10,
		ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 30 * time.Second,
		WriteTimeout: time.Minute, IdleTimeout: 2 * time.Minute,
		ErrorLog: slog.NewLogLogger(withoutAddresses{log.Handler()}, slog.LevelWarn),
	}
}

// withoutAddresses removes the addresses that net/http writes into its messages.
type withoutAddresses struct{ slog.Handler }

var reAddress = regexp.MustCompile(`\b[0-9]{1,3}(\.[0-9]{1,3}){3}(:[0-9]+)?\b` +
	`|\[[0-9A-Fa-f:.]+(%[0-9A-Za-z]+)?\](:[0-9]+)?`)

func (h withoutAddresses) Handle(ctx context.Context, r slog.Record) error {
	r.Message = reAddress.ReplaceAllString(r.Message, "(address)")
	return h.Handler.Handle(ctx, r)
}
