package store

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
)

// folderLease is the row that names the data folder. It never expires.
const folderLease = "data folder"

// KeepIn makes folder the data folder: the one that holds this database's publications and data set. If there is a data
// folder already, KeepIn changes it only if anyway is true. It returns the current data folder. From then on, this
// store acquires no lease while the data folder is another one.
func (s *Store) KeepIn(ctx context.Context, folder string, anyway bool) (kept string, err error) {
	err = s.pool.QueryRow(ctx, `
		insert into lease as l (name, holder, fence, expires_at) values ($1, $2, 1, 'infinity')
		on conflict (name) do update set holder = case when $3 then excluded.holder else l.holder end
		returning holder`, folderLease, folder, anyway).Scan(&kept)
	s.folder = folder
	return kept, wrap(err)
}

// KeptIn returns the folder that holds this database's publications and data set. It is empty before the first
// publication.
func (s *Store) KeptIn(ctx context.Context) (folder string, err error) {
	err = s.pool.QueryRow(ctx, `select coalesce(max(holder), '') from lease where name = $1`, folderLease).Scan(&folder)
	return folder, wrap(err)
}

// Acquire takes the lease called name for ttl, or renews it if holder has it. held is false while somebody else has it.
// The fence rises with each change of holder, so an older one proves that the lease was lost. All times are the
// database's; the holders' clocks need not agree.
//
// A lease that ends later than twice ttl from now is free, too. Nobody takes a lease for that long, so the clock was
// set back. Once ttl isn't enough, because another holder may take the lease while this statement waits for the row.
func (s *Store) Acquire(ctx context.Context, name, holder string, ttl time.Duration) (
	fence int64, held bool, err error) {
	err = s.pool.QueryRow(ctx, `
		insert into lease as l (name, holder, fence, expires_at)
		select $1::text, $2::text, 1, now() + $3::interval
		where $4::text = '' or not exists (select 1 from lease f where f.name = $5 and f.holder <> $4)
		on conflict (name) do update set
			holder = excluded.holder,
			fence = case when l.holder = excluded.holder then l.fence else l.fence + 1 end,
			expires_at = excluded.expires_at
		where l.holder = excluded.holder or l.expires_at not between now() and now() + 2 * $3::interval
		returning fence`, name, holder, ttl, s.folder, folderLease).Scan(&fence)
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, false, nil
	}
	return fence, err == nil, wrap(err)
}

// Release gives the lease back, so that the next holder need not wait until it expires. If holder doesn't have the
// lease, nothing changes.
func (s *Store) Release(ctx context.Context, name, holder string) error {
	_, err := s.pool.Exec(ctx, "update lease set expires_at = '-infinity' where name = $1 and holder = $2",
		name, holder)
	return wrap(err)
}
