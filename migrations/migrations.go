// Package migrations holds the schema of the database as numbered SQL files, and applies them.
//
// The rules that keep the road to more than one database server open: ids are made in Go, and uniqueness includes the
// column that rows are distributed by (the submission's id); there are no triggers, no NOTIFY, no sequences, no foreign
// keys across distributed tables and no advisory locks. A server of the version before works on the new schema: columns
// and tables are added, and go only when no version in use knows them.
package migrations

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
)

//go:embed *.sql
var files embed.FS

// lockTimeout is how long a step waits for others to be done with a table. While it waits, everybody else waits behind it.
const (
	lockTimeout = "3s"
	lockTries   = 20
)

// Up brings the database at databaseURL to the newest schema. Any number of servers may call it at once: one does the
// work, the others wait for it. Servers that are at work on the database wait no longer than a few seconds for it.
func Up(ctx context.Context, databaseURL string) (err error) {
	config, err := pgx.ParseConfig(databaseURL)
	if err != nil {
		return fmt.Errorf("migrations: %w", err)
	}
	config.RuntimeParams["lock_timeout"] = lockTimeout
	config.RuntimeParams["statement_timeout"] = "0" // an index on many rows takes its time
	db := stdlib.OpenDB(*config)
	defer db.Close()
	// A lock in a table works behind a connection pooler too, which an advisory lock does not.
	locker, err := lock.NewPostgresTableLocker(lock.WithTableLockTimeout(time.Second, 300))
	if err != nil {
		return fmt.Errorf("migrations: %w", err)
	}
	provider, err := goose.NewProvider(goose.DialectPostgres, db, files, goose.WithLocker(locker))
	if err != nil {
		return fmt.Errorf("migrations: %w", err)
	}
	for try := 1; ; try++ {
		_, err := provider.Up(ctx)
		if err == nil {
			return nil
		}
		if !tableInUse(err) || try == lockTries {
			return fmt.Errorf("the database could not be brought to the newest schema; it is as it was before the step that failed: %w", err)
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("migrations: %w", ctx.Err())
		case <-time.After(time.Second):
		}
	}
}

// tableInUse recognizes lock_not_available: the step was not done, and can be later.
func tableInUse(err error) bool {
	var e *pgconn.PgError
	return errors.As(err, &e) && e.Code == "55P03"
}

// Newest is the number of the newest migration that this program has.
func Newest() int64 {
	names, err := fs.Glob(files, "*.sql")
	if err != nil || len(names) == 0 {
		panic("migrations: none are built in")
	}
	number, err := goose.NumericComponent(names[len(names)-1]) // Glob sorts
	if err != nil {
		panic(err)
	}
	return number
}
