// Package migrations holds the schema of the database as numbered SQL files, and applies them.
//
// The rules that keep the road to more than one database server open: ids are made in Go, and uniqueness includes the
// column that rows are distributed by (the submission's id); there are no triggers, no NOTIFY, no sequences, no foreign
// keys across distributed tables and no advisory locks.
package migrations

import (
	"context"
	"embed"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
)

//go:embed *.sql
var files embed.FS

// Up brings the database at databaseURL to the newest schema. Any number of servers may call it at once: one does the
// work, the others wait for it.
func Up(ctx context.Context, databaseURL string) (err error) {
	config, err := pgx.ParseConfig(databaseURL)
	if err != nil {
		return fmt.Errorf("migrations: %w", err)
	}
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
	if _, err := provider.Up(ctx); err != nil {
		return fmt.Errorf("the database could not be brought to the newest schema; it is as it was before the step that failed: %w", err)
	}
	return nil
}
