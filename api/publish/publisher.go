// Package publish turns what the database holds into the site. It drains the outbox, writes the input of the Hugo project
// from one snapshot, has Hugo render them into a new folder, checks that, and
// switches to it atomically. A failed publication leaves the last one in place.
package publish

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime/debug"
	"sync"
	"time"

	"flashdex/api/submission"

	"flashdex/api/catalogue"
	"flashdex/api/dataset"
	"flashdex/api/figure"
	"flashdex/api/figure/question"
	"flashdex/api/publish/lease"
	"flashdex/api/ranking"
)

// Store is what the publisher needs of the database.
type Store interface {
	lease.Store
	// Fold works the outbox into the figures of the modules it touches. It returns how many results it took and the
	// generation, which rises with every change.
	Fold(ctx context.Context) (taken int, generation int64, err error)
	// Snapshot gives do everything that a publication shows, as of one moment.
	Snapshot(ctx context.Context, do func(*figure.Overview, submission.Results) error) error
}

// Config says what to publish and where.
type Config struct {
	Store     Store
	Catalogue *catalogue.Catalogue
	Presets   []question.Question
	Hugo      string // the program
	Project   string // folder of the Hugo project
	Dir       string // folder of the publications
	Clients   string // folder of the client programs and their SHA256SUMS
	Holder    string // names this publisher; two that run at the same time must not share a name
	SiteURL   string // where the site is served, without a slash at the end
	Version   string
	Log       *slog.Logger
	Data      func() dataset.Index // the files of the data set that there are
}

// Publisher publishes. One at a time does so, elected by a lease.
type Publisher struct {
	Config
	lease     lease.Lease
	published int64     // generation of the last publication of this process; -1 before
	dataAsOf  time.Time // of the data set that it tells of
	behind    int       // how many of its pages tell of other modules what is no longer so
	followAt  time.Time // when they may follow
	programs  func() (string, error)

	mu     sync.Mutex
	status Status
}

// Status is what became of a process' attempts to publish.
type Status struct {
	Leader            bool // whether it held the lease when it last asked for it
	Succeeded, Failed int
	FailedAt          time.Time // zero: never
}

// Status tells what became of the attempts so far.
func (p *Publisher) Status() Status {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.status
}

func (p *Publisher) note(change func(*Status)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change(&p.status)
}

// New returns a publisher that has published nothing yet.
func New(c Config) *Publisher {
	return &Publisher{
		Config: c, lease: lease.Lease{Store: c.Store, Name: "publisher", Holder: c.Holder, TTL: leaseTTL, Log: c.Log}, published: -1, programs: programs(c.Hugo),
	}
}

const (
	leaseTTL  = 30 * time.Second
	pollEvery = time.Second
	// retryEvery is how long the publisher waits after a failure, so that a broken template does not keep a processor busy.
	retryEvery = 15 * time.Second
)

// Run publishes whenever there is something new, until ctx ends. The first publication of a process happens in any case:
// the program, and with it the pages' layout, may be new.
func (p *Publisher) Run(ctx context.Context) {
	defer func() {
		p.note(func(s *Status) { s.Leader = false })
		if err := p.lease.Release(ctx); err != nil {
			p.Log.Warn("the publisher's lease runs out by itself", "error", err)
		}
	}()
	for ctx.Err() == nil {
		wait := pollEvery
		if err := p.PublishIfNew(ctx); err != nil && ctx.Err() == nil {
			p.Log.Error("publication failed; the last one stays in place", "error", err)
			p.note(func(s *Status) { s.Failed++; s.FailedAt = time.Now() })
			wait = retryEvery
		}
		select {
		case <-ctx.Done():
		case <-time.After(wait):
		}
	}
}

// ErrElsewhere says that another process publishes.
var ErrElsewhere = errors.New("another process publishes from this database, and goes on to do so; nothing was done here")

// Once publishes once, and gives back the lease. That another process publishes is an error.
func (p *Publisher) Once(ctx context.Context) (err error) {
	defer func() { err = errors.Join(err, p.lease.Release(ctx)) }()
	if err := p.PublishIfNew(ctx); err != nil {
		return err
	}
	if !p.Status().Leader {
		return ErrElsewhere
	}
	return nil
}

// PublishIfNew drains the outbox and publishes if the database or the data set has changed since this process last did.
func (p *Publisher) PublishIfNew(ctx context.Context) error {
	fence, held, err := p.lease.Acquire(ctx)
	p.note(func(s *Status) { s.Leader = held && err == nil })
	if err != nil || !held {
		return err
	}
	ctx, stop := p.lease.Keep(ctx)
	defer stop()
	_, generation, err := p.Store.Fold(ctx)
	if err != nil {
		return err
	}
	data := p.Data()
	follow := p.behind > 0 && time.Now().After(p.followAt)
	if generation == p.published && !follow && data.AsOf().Equal(p.dataAsOf) {
		return nil
	}
	return p.publish(ctx, data, fence)
}

// publish makes one publication. The fence says which of those that ever held the lease it is of.
func (p *Publisher) publish(ctx context.Context, data dataset.Index, fence int64) error {
	start := time.Now()
	work := filepath.Join(p.Dir, "building")
	if err := os.RemoveAll(work); err != nil {
		return fmt.Errorf("publish: %w", err)
	}
	var s *site
	var pages []string
	var name string
	err := p.Store.Snapshot(ctx, func(snapshot *figure.Overview, results submission.Results) (err error) {
		s = newSite(work, snapshot, results, p.Catalogue, p.Presets)
		name = fmt.Sprintf("%d-%s", snapshot.Generation, start.UTC().Format(nameTime))
		s.destination = filepath.Join(p.Dir, name)
		if s.reuse, err = p.reuse(snapshot); err != nil {
			return err
		}
		pages, err = p.write(ctx, s, data)
		return err
	})
	if s == nil {
		return err
	}
	destination := s.destination
	if err == nil {
		err = p.render(ctx, s, pages, work)
	}
	if err != nil {
		return errors.Join(err, os.RemoveAll(destination))
	}
	// Somebody else may have taken over while Hugo was running.
	if _, held, err := p.lease.Acquire(ctx); err != nil || !held {
		return errors.Join(err, os.RemoveAll(destination))
	}
	if err := s.reuse.now.write(destination); err != nil {
		return errors.Join(err, os.RemoveAll(destination))
	}
	if err := p.switchTo(name); err != nil {
		return err
	}
	p.published, p.dataAsOf, p.behind = s.snapshot.Generation, data.AsOf(), s.reuse.behind
	p.followAt = time.Now().Add(4 * time.Since(start)) // they take at most a fifth of the time
	p.note(func(s *Status) { s.Succeeded++ })
	p.Log.Info("published", "generation", s.snapshot.Generation, "fence", fence, "modules", len(s.snapshot.Modules), "results", s.resultCount(),
		"pages", len(pages), "kept", len(s.reuse.kept), "behind", s.reuse.behind,
		"seconds", time.Since(start).Seconds())
	return p.removeOld()
}

// reuse prepares to take pages of the current publication.
func (p *Publisher) reuse(snapshot *figure.Overview) (*reuse, error) {
	programs, err := p.programs()
	if err != nil {
		return nil, err
	}
	project, err := hashOfFiles(p.Project)
	if err != nil {
		return nil, err
	}
	of, err := json.Marshal([]any{programs, project, p.Version, p.SiteURL, maxPageRows, ranking.HostClasses(snapshot)})
	if err != nil {
		return nil, fmt.Errorf("publish: %w", err)
	}
	current := Current(p.Dir)
	r := reuseOf(current, readMaking(current), hashOf(of), snapshot.Generation)
	if snapshot.Generation == p.published {
		r.maxMoved = maxMovedIdle
	}
	if r.from != "" {
		r.old, err = p.recyclable()
	}
	return r, err
}

// write writes the input of the Hugo project, from one moment of the database.
func (p *Publisher) write(ctx context.Context, s *site, data dataset.Index) ([]string, error) {
	clients, err := readClients(p.Clients)
	if err != nil {
		return nil, err
	}
	return s.write(ctx, metaJSON{BuiltAt: time.Now().UTC().Truncate(time.Second), Version: p.Version, SiteURL: p.SiteURL}, data, clients)
}

// render has Hugo make the pages that changed, and takes over all others.
func (p *Publisher) render(ctx context.Context, s *site, pages []string, work string) error {
	destination := s.destination
	if err := os.MkdirAll(destination, 0o755); err != nil {
		return fmt.Errorf("publish: %w", err)
	}
	debug.FreeOSMemory() // Hugo needs memory now, and what writing took is free
	segment := ""
	for pages := range s.slices() {
		if err := s.writePagesFile(pages); err != nil {
			return err
		}
		if err := (hugo{p.Hugo, p.Project}).build(ctx, s.input, filepath.Join(work, "hugo"), destination, segment); err != nil {
			return err
		}
		segment = dataSegment // what is made of no data is there now
	}
	if err := s.reuse.recycle(destination); err != nil {
		return err
	}
	if err := redirect(destination, s.snapshot.Aliases); err != nil {
		return err
	}
	if err := s.reuse.link(destination); err != nil {
		return err
	}
	return complete(destination, pages)
}
