// Package publish turns the database into the site. It drains the outbox, writes the input of the Hugo project from
// one snapshot, has Hugo render it into a new folder, checks that folder, and switches to it atomically. A failed
// publication leaves the last one in place.
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

	"flashdex/api/catalogue"
	"flashdex/api/dataset"
	"flashdex/api/figure"
	"flashdex/api/figure/question"
	"flashdex/api/publish/lease"
	"flashdex/api/ranking"
	"flashdex/api/submission"
)

// Store is the part of the database that the publisher uses.
type Store interface {
	lease.Store
	// Fold updates the figures of the modules with results in the outbox. It returns how many results it took and the
	// generation, which rises with every change.
	Fold(ctx context.Context) (taken int, generation int64, err error)
	// Snapshot calls do with everything that a publication shows, as of one moment.
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
	Holder    string // name of this publisher; two that run at the same time must not share one
	SiteURL   string // where the site is served, without a slash at the end
	Version   string
	Log       *slog.Logger
	Data      func() dataset.Index // returns the files of the data set that exist
}

// Publisher publishes. One at a time does so, elected by a lease.
type Publisher struct {
	Config
	lease     lease.Lease
	fence     int64     // under which it holds the lease
	shown     string    // folder of the last publication that it made under this fence
	published int64     // its generation; -1: it made none
	dataAsOf  time.Time // time of the data set that this publication describes
	outdated  int       // how many pages of this publication show an outdated standing
	followAt  time.Time // when outdated pages may follow
	// clientsToCome is whether this publication's page of downloads announces clients that are still being built.
	clientsToCome bool
	programs      func() (string, error)

	mu     sync.Mutex
	status Status
}

// Status sums up a process's attempts to publish.
type Status struct {
	Leader            bool // whether it held the lease when it last asked for it
	Succeeded, Failed int
	FailedAt          time.Time // zero: never
}

// Status returns the status so far.
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
		Config: c, lease: lease.Lease{Store: c.Store, Name: "publisher", Holder: c.Holder, TTL: leaseTTL, Log: c.Log},
		published: -1, programs: programs(c.Hugo),
	}
}

const (
	leaseTTL  = 30 * time.Second
	pollEvery = time.Second
	// retryEvery is the wait after a failure, so that a broken template doesn't keep a processor busy.
	retryEvery = 15 * time.Second
)

// Run publishes whenever there is something new, until ctx ends. A process always publishes once at its start, because
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
var ErrElsewhere = errors.New(
	"another process publishes from this database, and goes on to do so; nothing was done here")

// Once publishes once and releases the lease. It returns ErrElsewhere if another process publishes.
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
	if fence != p.fence { // another process may have published meanwhile
		p.fence, p.published = fence, -1
	}
	ctx, stop := p.lease.Keep(ctx)
	defer stop()
	err = p.publishIfNew(ctx, fence)
	if errors.Is(err, lease.ErrTaken) || errors.Is(context.Cause(ctx), lease.ErrTaken) {
		p.note(func(s *Status) { s.Leader = false })
		p.Log.Info("another process has taken over; it publishes", "fence", fence)
		return nil
	}
	return err
}

// publishIfNew does the work of PublishIfNew while this process holds the lease with that fence.
func (p *Publisher) publishIfNew(ctx context.Context, fence int64) error {
	if err := p.mend(ctx, fence); err != nil {
		return err
	}
	_, generation, err := p.Store.Fold(ctx)
	if err != nil {
		return err
	}
	data := p.Data()
	follow := p.outdated > 0 && time.Now().After(p.followAt)
	if generation == p.published && !follow && data.AsOf().Equal(p.dataAsOf) && !p.clientsCame() {
		return nil
	}
	return p.publish(ctx, data, fence)
}

// clientsCame reports whether the clients that the last publication announced have been built.
func (p *Publisher) clientsCame() bool {
	if !p.clientsToCome {
		return false
	}
	_, toCome, err := readClients(p.Clients)
	return err == nil && !toCome
}

// building is the folder in which publications are made, each in a folder of its own.
const building = "building"

// publish makes one publication. fence is the number of the lease's holder.
func (p *Publisher) publish(ctx context.Context, data dataset.Index, fence int64) error {
	// The figures of all modules are in memory. Room for as much garbage would cost more than collecting more often.
	defer debug.SetGCPercent(debug.SetGCPercent(50))
	start := time.Now()
	at := start.UTC().Format(nameTime)
	work := filepath.Join(p.Dir, building, fmt.Sprintf("%d-%s", fence, at))
	if err := p.tidy(ctx, fence); err != nil {
		return err
	}
	var s *site
	var destination string
	err := p.Store.Snapshot(ctx, func(snapshot *figure.Overview, results submission.Results) error {
		if err := os.RemoveAll(work); err != nil { // after a lost connection all of this is done again
			return fmt.Errorf("publish: %w", err)
		}
		s = newSite(work, snapshot, results, p.Catalogue, p.Presets)
		destination = filepath.Join(p.Dir, fmt.Sprintf("%d-%d-%s", fence, snapshot.Generation, at))
		return p.write(ctx, s, data)
	})
	if s == nil {
		return err
	}
	if err == nil {
		err = p.render(ctx, s, work, destination)
	}
	if err == nil {
		err = s.reuse.manifest.write(destination)
	}
	if err == nil {
		err = syncAll(p.Dir) // before the switch, so that current never points to incomplete files after a power cut
	}
	if err == nil {
		err = p.switchTo(ctx, filepath.Base(destination), fence)
	}
	if err != nil {
		p.published = -1 // the reason to publish remains, whatever it was
		return errors.Join(err, os.RemoveAll(manifestOf(destination)), os.RemoveAll(destination))
	}
	p.shown, p.published, p.dataAsOf, p.outdated = destination, s.meta.Generation, data.AsOf(), s.reuse.outdated
	p.followAt = time.Now().Add(4 * time.Since(start)) // outdated pages take at most a fifth of the time
	p.note(func(s *Status) { s.Succeeded++ })
	p.Log.Info("published", "generation", s.meta.Generation, "fence", fence, "modules", s.meta.Modules,
		"results", s.meta.Results, "pages", len(s.pages), "kept", len(s.reuse.kept), "outdated", s.reuse.outdated,
		"seconds", time.Since(start).Seconds())
	if err := syncFolder(p.Dir); err != nil {
		return fmt.Errorf("publish: the new publication is shown, but after a power cut the last one may be: %w", err)
	}
	return nil
}

// write writes the input of the Hugo project, from one snapshot of the database.
func (p *Publisher) write(ctx context.Context, s *site, data dataset.Index) (err error) {
	if s.reuse, err = p.reuse(s.snapshot); err != nil {
		return err
	}
	clients, clientsToCome, err := readClients(p.Clients)
	if err != nil {
		return err
	}
	p.clientsToCome = clientsToCome
	meta := metaJSON{BuiltAt: time.Now().UTC().Truncate(time.Second), Version: p.Version, SiteURL: p.SiteURL}
	return s.write(ctx, meta, data, clients)
}

// reuse prepares to reuse pages of the current publication.
func (p *Publisher) reuse(snapshot *figure.Overview) (*reuse, error) {
	programs, err := p.programs()
	if err != nil {
		return nil, err
	}
	project, err := hashOfFiles(p.Project)
	if err != nil {
		return nil, err
	}
	common, err := json.Marshal([]any{programs, project, p.Version, p.SiteURL, maxPageRows, ranking.HostClasses(snapshot)})
	if err != nil {
		return nil, fmt.Errorf("publish: %w", err)
	}
	current := Current(p.Dir)
	r := newReuse(current, readManifest(current), hashOf(common), time.Now().UnixMilli())
	if snapshot.Generation == p.published {
		r.moved = idleFactor
	}
	return r, nil
}

// render has Hugo render the pages that changed, and takes all others from the previous publication.
func (p *Publisher) render(ctx context.Context, s *site, work, destination string) error {
	*s = site{ // Hugo needs the memory now, so the rest of the site is dropped
		input: s.input, destination: s.destination, pages: s.pages, index: s.index, reuse: s.reuse, meta: s.meta,
		sliceBytes: s.sliceBytes, snapshot: &figure.Overview{Aliases: s.snapshot.Aliases},
	}
	debug.FreeOSMemory()
	segment := ""
	for pages := range s.slices() {
		if err := s.writePagesFile(pages); err != nil {
			return err
		}
		h := hugo{p.Hugo, p.Project}
		if err := h.build(ctx, s.input, filepath.Join(work, "hugo"), s.destination, segment); err != nil {
			return err
		}
		segment = dataSegment // the first run has rendered the pages that aren't made from data
	}
	if err := s.reuse.assemble(s.destination, destination, s.snapshot.Aliases); err != nil {
		return err
	}
	return complete(destination, s.pages)
}
