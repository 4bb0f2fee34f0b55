package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"flashdex/api/catalogue"
	"flashdex/api/dataset/snapshot"
	"flashdex/api/figure/question"
	"flashdex/api/metrics"
	"flashdex/api/publish"
	"flashdex/api/rest"
	"flashdex/api/store"
	"flashdex/data"
	"flashdex/result"

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

	Domain string `help:"Domain of the web server in front that gets a certificate for it, as in docker-compose.yml."`

	ReadDatabaseURL string `help:"Connection string of a replica for exports and publications, unless it lags."`
}

func (f publicationFlags) publications() string { return filepath.Join(f.DataDir, "site") }
func (f publicationFlags) dataset() string      { return filepath.Join(f.DataDir, "dataset") }

// check refuses a malformed public URL. If the process publishes, it checks that Hugo and its project are there, before
// Postgres starts and uploads arrive.
func (f publicationFlags) check(publishes bool) error {
	if f.PublicURL != "" && !rest.ValidPublicURL(f.PublicURL) {
		return fmt.Errorf("--public-url must be like https://flashdex.example or http://192.168.1.5:8080, not %q",
			f.PublicURL)
	}
	plain := f.Domain == "" || strings.HasPrefix(f.Domain, "http://")
	if domain := strings.TrimPrefix(f.Domain, "https://"); !plain && !strings.HasPrefix(f.PublicURL, "https://") {
		return fmt.Errorf("users reach %s by https, but their scripts would ask %q, which is --public-url: write "+
			"FLASHDEX_PUBLIC_URL=https://%s into .env", domain, f.PublicURL, domain)
	}
	if !publishes {
		return nil
	}
	if _, err := exec.LookPath(f.Hugo); err != nil {
		return fmt.Errorf("there is no Hugo to publish with: %w; build it with make build, or name it with --hugo", err)
	}
	if _, err := os.Stat(filepath.Join(f.Site, "hugo.toml")); err != nil {
		return fmt.Errorf("there is no Hugo project to publish: %w; name its folder with --site", err)
	}
	return nil
}

// logger writes JSON lines to the file for the log, or to standard error if there is none. It makes the data folder.
func (f publicationFlags) logger() (*slog.Logger, error) {
	if err := os.MkdirAll(f.DataDir, 0o755); err != nil {
		return nil, err
	}
	to, err := os.Stderr, error(nil)
	if f.LogFile != "" {
		to, err = os.OpenFile(f.LogFile, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	}
	return slog.New(slog.NewJSONHandler(to, nil)), err
}

// process holds what serving and publishing share.
type process struct {
	publicationFlags
	db        *store.Store // publishes
	requests  *store.Store // answers requests; nil: the process doesn't serve
	catalogue *catalogue.Catalogue
	presets   []question.Question
	log       *slog.Logger
	publisher *publish.Publisher // of the site; nil: the process doesn't publish
	files     *snapshot.Archive  // publishes the data set
}

// with opens the database, and its replica if there is one, and loads data/, which is part of the program.
func (f publicationFlags) with(ctx context.Context, d database, log *slog.Logger, do func(*process) error) error {
	return d.with(ctx, func(db *store.Store) error {
		if err := f.readFromReplica(ctx, db); err != nil {
			return err
		}
		modules, err := catalogue.Load(data.FS)
		if err != nil {
			return err
		}
		presets, err := question.Load(data.FS)
		if err != nil {
			return err
		}
		return do(&process{publicationFlags: f, db: db, catalogue: modules, presets: presets, log: log})
	})
}

func (f publicationFlags) readFromReplica(ctx context.Context, db *store.Store) error {
	if f.ReadDatabaseURL == "" {
		return nil
	}
	return db.ReadFrom(ctx, f.ReadDatabaseURL)
}

// openRequests opens the database for requests, with the role in the URL; empty: with db's role. It logs a warning if
// that role may do more than answer requests.
func (p *process) openRequests(ctx context.Context, databaseURL string) (err error) {
	p.requests = p.db
	if databaseURL != "" {
		if p.requests, err = store.Open(ctx, databaseURL); err != nil {
			return fmt.Errorf("the database for requests (--server-database-url): %w", err)
		}
		if err := p.readFromReplica(ctx, p.requests); err != nil {
			return err
		}
	}
	unrestricted, err := p.requests.Unrestricted(ctx)
	if err == nil && unrestricted {
		const warning = "requests are answered with a database role that may change every result; " +
			"docs/operations.md (Database roles) says how to take that from it"
		say(warning)
		p.log.Warn(warning)
	}
	return err
}

// preparePublishing prepares to publish the contents of the database, as the process called holder. Users reach the
// site at address. With anyway, it claims the data folder even if another one holds the publications.
func (p *process) preparePublishing(ctx context.Context, holder, address string, anyway bool) error {
	if err := p.claim(ctx, p.db, anyway); err != nil {
		return err
	}
	if err := p.db.ImportCatalogue(ctx, p.catalogue.Modules, p.catalogue.Published); err != nil {
		return err
	}
	p.db.NameBy(p.catalogue)
	p.files = snapshot.New(snapshot.Config{
		Store: p.db, Catalogue: p.catalogue, Dir: p.dataset(), Holder: holder, SiteURL: address, Version: version, Log: p.log,
	})
	p.publisher = publish.New(publish.Config{
		Store: p.db, Catalogue: p.catalogue, Presets: p.presets, Hugo: p.Hugo, Project: p.Site, Dir: p.publications(),
		Clients: p.Clients, Holder: holder, SiteURL: address, Version: version, Log: p.log, Data: p.files.Index,
	})
	return nil
}

// publish publishes whenever there is something new, until ctx ends.
func (p *process) publish(ctx context.Context) {
	var publishing sync.WaitGroup
	publishing.Go(func() { p.publisher.Run(ctx) })
	publishing.Go(func() { p.files.Run(ctx) })
	publishing.Wait()
}

// pools holds all connections of a process to its database; it is a metrics.Database.
type pools []*store.Store

func (p pools) Waiting(ctx context.Context) (submissions int, since time.Time, err error) {
	return p[0].Waiting(ctx)
}

func (p pools) Connections() (busy, idle, most int, waits int64, waited time.Duration) {
	for _, db := range p {
		ofBusy, ofIdle, ofMost, ofWaits, ofWaited := db.Connections()
		busy, idle, most, waits, waited = busy+ofBusy, idle+ofIdle, most+ofMost, waits+ofWaits, waited+ofWaited
	}
	return busy, idle, most, waits, waited
}

func (p pools) ReplicaReads() (replica, primary int64) {
	for _, db := range p {
		ofReplica, ofPrimary := db.ReplicaReads()
		replica, primary = replica+ofReplica, primary+ofPrimary
	}
	return replica, primary
}

// registry holds the metrics of the process.
func (p *process) registry() *prometheus.Registry {
	pools := pools{p.db}
	if p.requests != nil && p.requests != p.db {
		pools = append(pools, p.requests)
	}
	return metrics.Registry(pools, func() metrics.Publication {
		var status publish.Status
		if p.publisher != nil {
			status = p.publisher.Status()
		}
		generation, at, _ := publish.CurrentGeneration(p.publications())
		return metrics.Publication{
			Leader: status.Leader, Generation: generation, PublishedAt: at,
			Succeeded: status.Succeeded, Failed: status.Failed, FailedAt: status.FailedAt,
		}
	})
}

// Dated snapshots of the data set never change, but a snapshot with a deleted result is withdrawn. So every publisher
// must have all snapshots. The database records which data folder holds them, and nobody publishes into another.

// folderName is the file with a data folder's name. It is beside the snapshots, so that it moves with them.
const folderName = "folder"

// folder returns the data folder's name, and gives a new folder a random one.
func (f publicationFlags) folder() (string, error) {
	path := filepath.Join(f.dataset(), folderName)
	name, err := os.ReadFile(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return string(name), err
	}
	if err := os.MkdirAll(f.dataset(), 0o755); err != nil {
		return "", err
	}
	fresh := result.NewID()
	temporary := path + "." + fresh
	if err := os.WriteFile(temporary, []byte(fresh), 0o644); err != nil {
		return "", err
	}
	defer os.Remove(temporary)
	// If several processes start at once, the first one names it.
	if err := os.Link(temporary, path); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", err
	}
	name, err = os.ReadFile(path)
	return string(name), err
}

// claim records that this data folder holds the database's publications. If another folder does, claim fails unless
// anyway is true.
func (f publicationFlags) claim(ctx context.Context, db *store.Store, anyway bool) error {
	folder, err := f.folder()
	if err != nil {
		return err
	}
	kept, err := db.KeepIn(ctx, folder, anyway)
	if err != nil {
		return err
	}
	if kept != folder {
		return fmt.Errorf("the publications and snapshots of this database are kept in another data folder than %s, "+
			"so nothing was published: all workers share one folder, on a network file system if they run on several "+
			"machines. Mount that folder here. If it is lost for good, run \"api adopt\" to continue in this one, "+
			"without the dated snapshots that only the other one holds", f.DataDir)
	}
	return nil
}

// foreign returns a warning if another data folder holds the database's publications. It is empty if this one does or
// if nobody has published yet. foreign writes nothing.
func (f publicationFlags) foreign(ctx context.Context, db *store.Store) (warning string, err error) {
	kept, err := db.KeptIn(ctx)
	if err != nil || kept == "" {
		return "", err
	}
	folder, err := os.ReadFile(filepath.Join(f.dataset(), folderName))
	if err != nil && !errors.Is(err, fs.ErrNotExist) || string(folder) == kept {
		return "", err
	}
	return fmt.Sprintf("the pages in %s belong to another database: the publications of this one are kept in another "+
		"data folder. Mount that folder here. Uploads are accepted, and nothing is lost", f.DataDir), nil
}

// adoptCmd is for a data folder that was lost.
type adoptCmd struct {
	database
	DataDir string `default:"var" type:"path" help:"Data folder that continues."`
}

func (c adoptCmd) Run(ctx context.Context) error {
	return c.with(ctx, func(db *store.Store) error { return publicationFlags{DataDir: c.DataDir}.claim(ctx, db, true) })
}
