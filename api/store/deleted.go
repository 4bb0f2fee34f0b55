package store

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
)

// DeletedSince gives the ids of results that were deleted on that day or later, for which the data set's older snapshots are
// searched. The day of a tombstone is that of the deletion.
func (s *Store) DeletedSince(ctx context.Context, day time.Time) ([]string, error) {
	rows, err := s.pool.Query(ctx, "select id::text from submission where state = 'deleted' and received_at >= $1", day)
	if err != nil {
		return nil, wrap(err)
	}
	ids, err := pgx.CollectRows(rows, pgx.RowTo[string])
	return ids, wrap(err)
}
