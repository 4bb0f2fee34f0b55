// Package snapshot keeps the data set that people cite. It writes the newest files in latest/ again as the database
// changes, and a copy for each day that never changes. It withdraws a copy when a result in it is deleted.
package snapshot

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"flashdex/api/catalogue"
	"flashdex/api/dataset"
	"flashdex/api/figure"
	"flashdex/api/publish/lease"
)

// Store is the part of the database that the archive needs; package store describes its methods.
type Store interface {
	lease.Store
	Generation(ctx context.Context) (int64, error)
	Dataset(ctx context.Context, do func(*figure.Overview, figure.Records) error) error
	DeletedSince(ctx context.Context, day time.Time) ([]string, error)
}

// Config says what to write and where.
type Config struct {
	Store     Store
	Catalogue *catalogue.Catalogue
	Dir       string // folder of the archive
	Holder    string // names this process; two that run at the same time must not share a name
	SiteURL   string // where the site is served, without a slash at the end
	Version   string
	Log       *slog.Logger
	Now       func() time.Time // nil: time.Now
}

// Archive writes the snapshots. A lease elects the one process that writes.
type Archive struct {
	Config
	lease  lease.Lease
	looked int64 // generation at which deletions were last looked for; -1: never

	mu    sync.Mutex
	index dataset.Index
	read  time.Time // when index was last changed by another process, as its file says
}

const (
	leaseTTL  = time.Minute
	pollEvery = time.Second
	retryIn   = time.Minute
	// restFor is the length of the pause after writing, in multiples of the time that writing took: writing takes at
	// most a twentieth of all time.
	restFor = 19
	restMax = 24 * time.Hour
)

// New returns an archive in a folder, which may already hold snapshots.
func New(c Config) *Archive {
	if c.Now == nil {
		c.Now = time.Now
	}
	return &Archive{
		Config: c, looked: -1,
		lease: lease.Lease{Store: c.Store, Name: "dataset", Holder: c.Holder, TTL: leaseTTL, Log: c.Log},
	}
}

// Files is the folder that is served as /data/.
func Files(dir string) string { return filepath.Join(dir, "files") }

// Index returns the list of snapshots.
func (a *Archive) Index() dataset.Index {
	a.mu.Lock()
	defer a.mu.Unlock()
	// Opening the file makes a network file system ask whether another machine has changed it.
	file, err := os.Open(filepath.Join(Files(a.Dir), indexName))
	if err != nil {
		return a.index
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil || info.ModTime().Equal(a.read) {
		return a.index
	}
	var read dataset.Index
	if json.NewDecoder(file).Decode(&read) == nil {
		a.index, a.read = read, info.ModTime()
	}
	return a.index
}

const indexName = "snapshots.json"

// store publishes an index.
func (a *Archive) store(i dataset.Index) error {
	text, err := json.MarshalIndent(i, "", " ")
	if err != nil {
		return err
	}
	if err := replace(filepath.Join(Files(a.Dir), "feed.xml"), a.feed(i)); err != nil {
		return err
	}
	return replace(filepath.Join(Files(a.Dir), indexName), append(text, '\n'))
}

// replace writes a file so that nobody sees half of it.
func replace(path string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(path+".new", text, 0o644); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}

// Run keeps the archive up to date until ctx ends.
func (a *Archive) Run(ctx context.Context) {
	defer func() {
		if err := a.lease.Release(ctx); err != nil {
			a.Log.Warn("the data set's lease runs out by itself", "error", err)
		}
	}()
	for ctx.Err() == nil {
		wait := pollEvery
		if err := a.Update(ctx); err != nil && ctx.Err() == nil {
			a.Log.Error("the data set could not be written; the last one stays in place", "error", err)
			wait = retryIn
		}
		select {
		case <-ctx.Done():
		case <-time.After(wait):
		}
	}
}

// Once updates the archive once, unless another process does, and releases the lease.
func (a *Archive) Once(ctx context.Context) (err error) {
	defer func() { err = errors.Join(err, a.lease.Release(ctx)) }()
	return a.Update(ctx)
}

// Update withdraws snapshots with deleted results, and writes the data set if something is new and the pause is over.
func (a *Archive) Update(ctx context.Context) error {
	_, held, err := a.lease.Acquire(ctx)
	if err != nil || !held {
		return err
	}
	generation, err := a.Store.Generation(ctx)
	if err != nil {
		return err
	}
	if generation != a.looked {
		if err := a.withdraw(ctx); err != nil {
			return err
		}
		a.looked = generation
	}
	if latest := a.Index().Latest; latest != nil {
		rest := min(time.Duration(restFor*latest.Seconds*float64(time.Second)), restMax)
		if latest.Generation == generation && latest.Version == a.Version || a.Now().Sub(latest.AsOf) < rest {
			return nil
		}
	}
	return a.write(ctx)
}

// write writes the data set and makes it the latest snapshot, and also the day's if it is the first of the day.
func (a *Archive) write(ctx context.Context) error {
	start := a.Now().UTC()
	building := filepath.Join(a.Dir, "building")
	if err := os.RemoveAll(building); err != nil {
		return err
	}
	before := a.Index()
	ctx, stop := a.lease.Keep(ctx)
	defer stop()
	var latest dataset.Snapshot
	err := a.Store.Dataset(ctx, func(s *figure.Overview, m figure.Records) (err error) {
		latest, err = a.writeFiles(ctx, building, s, m, before, start)
		return err
	})
	if err != nil {
		return errors.Join(err, os.RemoveAll(building))
	}
	// Somebody else may have taken over.
	if _, held, err := a.lease.Acquire(ctx); err != nil || !held {
		return errors.Join(err, os.RemoveAll(building))
	}
	if err := a.place(before, latest, building); err != nil {
		return err
	}
	a.Log.Info("wrote the data set", "generation", latest.Generation, "runs", latest.Runs, "seconds", latest.Seconds)
	return nil
}
