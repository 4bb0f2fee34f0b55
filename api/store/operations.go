package store

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5/pgtype/zeronull"
)

// SchemaVersion returns the number of the newest migration that the database has; 0: it has none.
func (s *Store) SchemaVersion(ctx context.Context) (version int64, err error) {
	err = s.pool.QueryRow(ctx, "select max(version_id) from goose_db_version where is_applied").Scan(&version)
	if sqlState(err) == "42P01" { // undefined_table
		return 0, nil
	}
	return version, wrap(err)
}

// Waiting returns how many submissions the outbox holds, and since when the first of them waits (zero: none does).
func (s *Store) Waiting(ctx context.Context) (submissions int, since time.Time, err error) {
	const waiting = "select count(*), min(created_at) from outbox"
	err = s.pool.QueryRow(ctx, waiting).Scan(&submissions, (*zeronull.Timestamptz)(&since))
	return submissions, since, wrap(err)
}

// Connections returns how many connections of the pool are busy, idle and allowed at most, and how often and how long
// requests have waited for one since the start.
func (s *Store) Connections() (busy, idle, most int, waits int64, waited time.Duration) {
	stat := s.pool.Stat()
	return int(stat.AcquiredConns()), int(stat.IdleConns()), int(stat.MaxConns()),
		stat.EmptyAcquireCount(), stat.EmptyAcquireWaitTime()
}
