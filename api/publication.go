package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"sync"

	"flashdex/api/catalogue"
	"flashdex/api/dataset/snapshot"
	"flashdex/api/figure/question"
	"flashdex/api/metrics"
	"flashdex/api/publish"
	"flashdex/api/rest"
	"flashdex/api/store"

	"github.com/prometheus/client_golang/prometheus"
)

// publicationFlags say where publications are made, from what, and for which address.
type publicationFlags struct {
	DataDir   string `default:"var" type:"path" help:"Folder for everything the server keeps."`
	Site      string `default:"site" env:"FLASHDEX_SITE_PROJECT" type:"path" help:"Folder of the Hugo project."`
	Hugo      string `default:"bin/hugo" type:"path" help:"The Hugo program."`
	Clients   string `default:"var/clients" type:"path" help:"Folder of the client programs."`
	PublicURL string `help:"Address at which users reach the site. Default: the address that each request names."`
	LogFile   string `help:"File for the log. Default: standard error."`

	ReadDatabaseURL string `help:"Connection string of a replica for exports and publications, unless it lags."`
}

func (f publicationFlags) publications() string { return filepath.Join(f.DataDir, "site") }
func (f publicationFlags) dataset() string      { return filepath.Join(f.DataDir, "dataset") }

// readFrom makes the store read from the replica, if there is one.
func (f publicationFlags) readFrom(ctx context.Context, db *store.Store) error {
	if f.ReadDatabaseURL == "" {
		return nil
	}
	return db.ReadFrom(ctx, f.ReadDatabaseURL)
}

// checkPrograms checks that Hugo and its project are there, before Postgres starts and uploads arrive.
func (f publicationFlags) checkPrograms() error {
	if _, err := exec.LookPath(f.Hugo); err != nil {
		return fmt.Errorf("there is no Hugo to publish with: %w; build it with make build, or name it with --hugo", err)
	}
	if _, err := os.Stat(filepath.Join(f.Site, "hugo.toml")); err != nil {
		return fmt.Errorf("there is no Hugo project to publish: %w; name its folder with --site", err)
	}
	return nil
}

// check refuses a malformed public URL.
func (f publicationFlags) check() error {
	if f.PublicURL != "" && !rest.ValidPublicURL(f.PublicURL) {
		return fmt.Errorf("--public-url must be like https://flashdex.example or http://192.168.1.5:8080, not %q",
			f.PublicURL)
	}
	return nil
}

// publication publishes the site and the data set.
type publication struct {
	publisher *publish.Publisher
	files     *snapshot.Archive
}

// publication prepares to publish the contents of the database, as the process called holder. Users reach the site at
// address.
func (f publicationFlags) publication(db *store.Store, cat *catalogue.Catalogue, presets []question.Question,
	holder, address string, log *slog.Logger) publication {
	files := snapshot.New(snapshot.Config{
		Store: db, Catalogue: cat, Dir: f.dataset(), Holder: holder, SiteURL: address, Version: version, Log: log,
	})
	publisher := publish.New(publish.Config{
		Store: db, Catalogue: cat, Presets: presets, Hugo: f.Hugo, Project: f.Site, Dir: f.publications(),
		Clients: f.Clients, Holder: holder, SiteURL: address, Version: version, Log: log, Data: files.Index,
	})
	return publication{publisher, files}
}

// run publishes whenever there is something new, until ctx ends.
func (p publication) run(ctx context.Context) {
	var publishing sync.WaitGroup
	publishing.Go(func() { p.publisher.Run(ctx) })
	publishing.Go(func() { p.files.Run(ctx) })
	publishing.Wait()
}

// registry holds the metrics of a process that publishes with this status.
func (f publicationFlags) registry(db *store.Store, status func() publish.Status) *prometheus.Registry {
	return metrics.Registry(db, func() metrics.Publication {
		status := status()
		generation, at, _ := publish.CurrentGeneration(f.publications())
		return metrics.Publication{
			Leader: status.Leader, Generation: generation, PublishedAt: at,
			Succeeded: status.Succeeded, Failed: status.Failed, FailedAt: status.FailedAt,
		}
	})
}
