// Package snapshot keeps the data set that people cite. It writes the newest files in latest/ again as the database
// changes, and a copy for each day that never changes. It withdraws a copy when a result in it is deleted.
package snapshot

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
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
	fence  int64  // of the lease
	looked looked // when it last looked for deletions

	mu    sync.Mutex
	index dataset.Index
	read  string // the edition that index was read from
}

// looked says which edition was checked for deleted results, and which deletions were known then.
type looked struct {
	edition    int
	generation int64
}

const (
	leaseTTL  = time.Minute
	pollEvery = time.Second
	retryIn   = time.Minute
	// restFor is the length of the pause after writing, in multiples of the time that writing took. So writing takes at
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
		Config: c, looked: looked{generation: -1},
		lease: lease.Lease{Store: c.Store, Name: "dataset", Holder: c.Holder, TTL: leaseTTL, Log: c.Log},
	}
}

// Index returns the list of snapshots.
func (a *Archive) Index() dataset.Index {
	a.mu.Lock()
	defer a.mu.Unlock()
	edition, err := os.Readlink(filepath.Join(a.Dir, dataset.Served))
	if err != nil || edition == a.read {
		return a.index
	}
	text, err := os.ReadFile(filepath.Join(a.Dir, edition, indexName))
	var index dataset.Index
	if err == nil && json.Unmarshal(text, &index) == nil {
		a.index, a.read = index, edition
	}
	return a.index
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

// Update finishes the work of an interrupted update, withdraws snapshots with deleted results, and writes the data set
// if something is new and the pause is over.
func (a *Archive) Update(ctx context.Context) error {
	fence, held, err := a.lease.Acquire(ctx)
	if err != nil || !held {
		return err
	}
	a.fence = fence
	for _, of := range []string{filesName, idsName, editionsName} {
		err = errors.Join(err, os.MkdirAll(filepath.Join(a.Dir, of), 0o755))
	}
	err = cmp.Or(err, a.takeAway()) // before the newest edition is looked for, so that no other one follows it
	e, errRead := a.newest()
	if err = cmp.Or(err, errRead); err == nil && !e.old() {
		err = cmp.Or(a.point(), a.sweep(e))
	}
	if err != nil {
		return fmt.Errorf("archive: %w", err)
	}
	generation, err := a.Store.Generation(ctx)
	if err != nil {
		return err
	}
	var unread error
	if looking := (looked{e.number, generation}); looking != a.looked {
		if e, unread, err = a.withdraw(ctx, e); err != nil {
			return err
		}
		if unread == nil {
			a.looked = looked{e.number, generation}
		}
	}
	var age time.Duration
	if latest := e.index.Latest; latest != nil {
		age = a.Now().Sub(latest.AsOf)
		rest := min(time.Duration(restFor*latest.Seconds*float64(time.Second)), restMax)
		if latest.Generation == generation && latest.Version == a.Version || age >= 0 && age < rest {
			return unread
		}
	}
	if err = a.write(ctx, e); err != nil && age > restMax {
		err = errors.Join(err, a.hideLatest(ctx, e))
	}
	return errors.Join(unread, err)
}

// write writes the data set and makes it the latest snapshot, and the first time on a day also the day's.
func (a *Archive) write(ctx context.Context, e edition) error {
	start := a.Now().UTC()
	next := e.next()
	name := a.name(next.number)
	ctx, stop := a.lease.Keep(ctx)
	defer stop()
	var latest dataset.Snapshot
	err := a.Store.Dataset(ctx, func(s *figure.Overview, m figure.Records) (err error) {
		latest, err = a.writeFiles(ctx, name, s, m, e, start)
		return err
	})
	if err == nil {
		err = a.settle(name)
	}
	if err != nil {
		return errors.Join(err, a.sweep(e)) // an incomplete snapshot may fill the disk
	}
	next.add(latest, name)
	if _, err := a.publish(ctx, next); err != nil {
		return fmt.Errorf("archive: %w", err)
	}
	a.Log.Info("wrote the data set", "generation", latest.Generation, "runs", latest.Runs, "seconds", latest.Seconds)
	return nil
}

// settle syncs a snapshot to the disk.
func (a *Archive) settle(name string) (err error) {
	for _, of := range []string{filesName, idsName} {
		err = cmp.Or(err, syncAll(filepath.Join(a.Dir, of, name)), syncFile(filepath.Join(a.Dir, of)))
	}
	return err
}
