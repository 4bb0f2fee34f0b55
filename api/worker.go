package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"time"

	"flashdex/api/publish"
	"flashdex/api/publish/deliver"
	"flashdex/migrations"
	"flashdex/result"
)

// workerCmd publishes for servers that don't publish.
type workerCmd struct {
	database
	publicationFlags
	metricsFlag
}

func (c workerCmd) Run(ctx context.Context) error {
	scrapes, err := c.metricsFlag.listen()
	if err != nil {
		return err
	}
	return c.prepare(ctx, c.database, func(p *process) error {
		defer showMetrics(scrapes, p.registry(), p.log)()
		p.publish(ctx)
		return nil
	})
}

// publishCmd publishes once: on a schedule, or to see why publishing fails.
type publishCmd struct {
	database
	publicationFlags
	To string `env:"FLASHDEX_PUBLISH_TO" placeholder:"PLACE" help:"Then send it to s3://BUCKET/PREFIX, HOST:DIR or DIR."`
}

func (c publishCmd) Run(ctx context.Context) error {
	return c.prepare(ctx, c.database, func(p *process) error {
		// The data set comes first: a page of the site lists its files.
		if err := p.files.Once(ctx); err != nil {
			return err
		}
		if err := p.publisher.Once(ctx); err != nil && (c.To == "" || !errors.Is(err, publish.ErrElsewhere)) {
			return err
		}
		return c.deliver(ctx, p.log)
	})
}

// deliver sends the current publication, if there is a place to send it to. It waits until another such command ends.
func (c publishCmd) deliver(ctx context.Context, log *slog.Logger) error {
	if c.To == "" {
		return nil
	}
	lock, err := deliver.Lock(filepath.Join(c.DataDir, "deliver.lock"), func() {
		log.Info("waits until another delivery has ended")
	})
	if err != nil {
		return err
	}
	defer lock.Close()
	place, err := deliver.Open(c.To, lock)
	if err != nil {
		return err
	}
	current := publish.Current(c.publications())
	if current == "" {
		return errors.New("there is no publication in the data folder to send: the worker publishes into another folder")
	}
	report, err := deliver.Deliver(ctx, place, current, time.Now())
	if err != nil {
		return err
	}
	log.Info("delivered", "to", c.To, "publication", filepath.Base(current),
		"sent", report.Sent, "same", report.Same, "removed", report.Removed)
	return nil
}

// prepare prepares a process that publishes and doesn't serve. It doesn't migrate: with several processes, migrating is
// a separate step.
func (f publicationFlags) prepare(ctx context.Context, d database, do func(*process) error) error {
	if err := f.check(true); err != nil {
		return err
	}
	log, err := f.logger()
	if err != nil {
		return err
	}
	return f.with(ctx, d, log, func(p *process) error {
		if has, err := p.db.SchemaVersion(ctx); err != nil {
			return err
		} else if need := migrations.Newest(); has < need {
			return fmt.Errorf("the database has migration %d, this program needs %d: run api migrate first", has, need)
		}
		// By default, users reach a server at this address.
		address := cmp.Or(strings.TrimSuffix(f.PublicURL, "/"), "http://localhost:8080")
		if err := p.preparePublishing(ctx, result.NewID(), address, false); err != nil {
			return err
		}
		return do(p)
	})
}
