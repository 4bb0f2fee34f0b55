// Package migrations holds the database schema as numbered SQL files and applies them.
//
// Some rules keep it possible to distribute the database over several servers. Ids are random. Unique indexes include
// the column that distributes the rows. There are no triggers, NOTIFY, sequences, foreign keys or advisory locks.
//
// The previous version of the server must work with the new schema. So a migration adds columns and tables, and removes
// them only when no version in use knows them.
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

const (
	lockTimeout = "3s" // longest wait of a step for a table in use; all other statements on the table queue behind it
	lockTries   = 20
)

// Up migrates the database at databaseURL to the newest schema, and grants the roles their rights anew. Any number of
// servers may call it at once: one does the work, and the others wait for it. A server that uses the database waits at
// most a few seconds.
func Up(ctx context.Context, databaseURL string) (err error) {
	config, err := pgx.ParseConfig(databaseURL)
	if err != nil {
		return fmt.Errorf("migrations: %w", err)
	}
	config.RuntimeParams["lock_timeout"] = lockTimeout
	config.RuntimeParams["statement_timeout"] = "0" // an index on many rows takes long
	db := stdlib.OpenDB(*config)
	defer db.Close()
	// Unlike an advisory lock, a lock in a table works behind a connection pooler.
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
		var has int64
		if err == nil {
			has, err = provider.GetDBVersion(ctx)
		}
		if err == nil && has == Newest() { // else a newer program has granted what is right
			err = grant(ctx, config)
		}
		if err == nil {
			return nil
		}
		if !tableInUse(err) || try == lockTries {
			return fmt.Errorf("the migration to the newest schema failed; "+
				"the database is as it was before the step that failed: %w", err)
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("migrations: %w", ctx.Err())
		case <-time.After(time.Second):
		}
	}
}

// tableInUse recognizes lock_not_available: the step did nothing and can be repeated.
func tableInUse(err error) bool { return sqlState(err) == "55P03" }

// sqlState returns the code of an error of Postgres; empty: it is another error.
func sqlState(err error) string {
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		return e.Code
	}
	return ""
}

// Newest returns the number of this program's newest migration.
func Newest() int64 {
	names, _ := fs.Glob(files, "*.sql") // sorted
	number, err := goose.NumericComponent(names[len(names)-1])
	if err != nil {
		panic(err)
	}
	return number
}
