package store

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"time"

	"flashdex/api/problem"
	"flashdex/api/submission"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// querier is a transaction or a pool.
type querier interface {
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}

// ofSecret selects the contributor with the secret @secret, and whether that secret was retired. A contributor's id is
// their first secret.
const ofSecret = `
	select coalesce(s.contributor, @secret) as contributor, s.retired_at is not null as retired
	from (values (1)) as one left join contributor_secret s on s.secret_sha256 = @secret`

var selectSecret = prepare(ofSecret)

// contributorOf returns the id of the contributor with a secret, who need not have uploaded anything. A retired secret
// is problem.SecretRetired.
func contributorOf(ctx context.Context, q querier, secret [sha256.Size]byte) (id contributorID, err error) {
	var retired bool
	if err = q.QueryRow(ctx, selectSecret.sql, secret[:]).Scan(&id, &retired); err == nil && retired {
		err = secretRetired()
	}
	return id, err
}

func secretRetired() error {
	return problem.New(problem.SecretRetired,
		"This secret was replaced by a newer one. Nothing was changed. Use the newer secret.")
}

// knownContributor returns a contributor's id and the time of their first upload. Without any upload the error is
// problem.UnknownContributor.
func knownContributor(ctx context.Context, q querier, secret [sha256.Size]byte, lock string) (
	id contributorID, since time.Time, err error) {
	if id, err = contributorOf(ctx, q, secret); err != nil {
		return "", since, err
	}
	err = q.QueryRow(ctx, "select first_seen from contributor where secret_sha256 = $1 "+lock, id).Scan(&since)
	if errors.Is(err, pgx.ErrNoRows) {
		err = problem.New(problem.UnknownContributor,
			"Nothing was ever uploaded here with this secret. Nothing was changed.")
	}
	return id, since, err
}

// Contributor counts a contributor's results by state. Deleted results belong to nobody and are not counted.
//
// A client whose change of the secret broke off asks this way which secret is in force, and forgets the other. So this
// locks the contributor: it waits for a change under way and, because a lock is a write, for the standby.
func (s *Store) Contributor(ctx context.Context, secret [sha256.Size]byte) (submission.Contributor, error) {
	id, since, err := knownContributor(ctx, s.pool, secret, "for share")
	if err == nil {
		_, err = contributorOf(ctx, s.pool, secret) // the change may have retired it
	}
	if err != nil {
		return submission.Contributor{}, wrap(err)
	}
	known := submission.Contributor{Since: since}
	known.ByState, err = mapOf[string, int](ctx, s.pool, `
		select state, count(*) from submission where contributor = $1 and state <> 'deleted' group by state`, id)
	for _, count := range known.ByState {
		known.Results += count
	}
	return known, wrap(err)
}

// ContributorSubmissions lists at most limit of a contributor's results that are not deleted, in the order of their
// ids, beginning after the id after.
func (s *Store) ContributorSubmissions(ctx context.Context, secret [sha256.Size]byte, after string, limit int) (
	[]submission.Submission, error) {
	id, _, err := knownContributor(ctx, s.pool, secret, "")
	if err != nil {
		return nil, wrap(err)
	}
	return s.page(ctx, "contributor = $3 and state <> 'deleted'", after, limit, id)
}

// page lists submissions in the order of their ids. Further arguments of the condition are $3 and so on.
func (s *Store) page(ctx context.Context, condition, after string, limit int, args ...any) (
	[]submission.Submission, error) {
	rows, _ := s.pool.Query(ctx, selectSubmissions+" where id > $1 and "+condition+" order by id limit $2",
		append([]any{cmp.Or(after, lowestID), limit}, args...)...)
	list, err := pgx.CollectRows(rows, storedColumns.scan)
	return list, wrap(err)
}

// lowestID is below every id that a client makes.
const lowestID = "00000000-0000-0000-0000-000000000000"

// RotateSecret replaces a contributor's secret by a fresh one. Doing it again with the same two changes nothing and is
// no error. A fresh secret that somebody already has is problem.SecretInUse.
func (s *Store) RotateSecret(ctx context.Context, old, fresh [sha256.Size]byte) error {
	ctx, cancel := changing(ctx)
	defer cancel()
	return s.WithTx(ctx, pgx.TxOptions{}, func(tx pgx.Tx) error {
		var repeated bool
		err := tx.QueryRow(ctx, `select exists (
			select from contributor_secret o join contributor_secret n using (contributor)
			where o.secret_sha256 = $1 and o.retired_at is not null and n.secret_sha256 = $2 and n.retired_at is null)`,
			old[:], fresh[:]).Scan(&repeated)
		if err != nil || repeated {
			return err
		}
		// Two changes at once take turns at this lock. The second looks again and finds its secret retired.
		id, since, err := knownContributor(ctx, tx, old, "for update")
		if err != nil {
			return err
		}
		if _, err := contributorOf(ctx, tx, old); err != nil {
			return err
		}
		taken := problem.New(problem.SecretInUse,
			"The new secret is in use already. The old one stays in force; make another new one at random.")
		var used bool
		const isKnown = "select exists (select 1 from contributor where secret_sha256 = $1)"
		if err := tx.QueryRow(ctx, isKnown, fresh[:]).Scan(&used); err != nil {
			return err
		} else if used {
			return taken
		}
		now := time.Now().UTC()
		tag, err := tx.Exec(ctx, `
			insert into contributor_secret (secret_sha256, contributor, since) values ($1, $2, $3)
			on conflict do nothing`, fresh[:], id, now)
		if err != nil {
			return err
		} else if tag.RowsAffected() == 0 {
			return taken
		}
		_, err = tx.Exec(ctx, `
			insert into contributor_secret (secret_sha256, contributor, since, retired_at) values ($1, $2, $3, $4)
			on conflict (secret_sha256) do update set retired_at = excluded.retired_at`, old[:], id, since, now)
		return err
	})
}
