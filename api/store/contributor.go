package store

import (
	"context"
	"crypto/sha256"
	"errors"
	"time"

	"flashdex/api/problem"
	"flashdex/api/submission"

	"github.com/jackc/pgx/v5"
)

// querier is a transaction or a pool.
type querier interface {
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}

// selectSecret gives the contributor that the secret $1 belongs to, and whether it was retired. A secret that was never
// changed is its contributor's id.
const selectSecret = `
	select coalesce(s.contributor, $1), s.retired_at is not null
	from (values (1)) as one left join contributor_secret s on s.secret_sha256 = $1`

// contributorOf returns the id of the contributor that a secret belongs to, whether or not they uploaded anything. A
// retired secret is problem.SecretRetired.
func contributorOf(row pgx.Row) (id []byte, err error) {
	var retired bool
	if err := row.Scan(&id, &retired); err != nil {
		return nil, err
	}
	if retired {
		return nil, secretRetired()
	}
	return id, nil
}

func secretRetired() error {
	return problem.New(problem.SecretRetired, "This secret was changed for another one, which is in force instead. Nothing was changed. Use the newer secret.")
}

// knownContributor is contributorOf for whoever has uploaded something: else it is problem.UnknownContributor.
func knownContributor(ctx context.Context, q querier, secret [sha256.Size]byte, lock string) (id []byte, since time.Time, err error) {
	if id, err = contributorOf(q.QueryRow(ctx, selectSecret, secret[:])); err != nil {
		return nil, since, err
	}
	err = q.QueryRow(ctx, "select first_seen from contributor where secret_sha256 = $1 "+lock, id).Scan(&since)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, since, problem.New(problem.UnknownContributor, "Nothing was ever uploaded here with this secret. Nothing was changed.")
	}
	return id, since.UTC(), err
}

// Contributor tells how many results a contributor has, by state. What was deleted is nobody's, and not counted.
func (s *Store) Contributor(ctx context.Context, secret [sha256.Size]byte) (submission.Contributor, error) {
	id, since, err := knownContributor(ctx, s.pool, secret, "")
	if err != nil {
		return submission.Contributor{}, wrap(err)
	}
	known := submission.Contributor{Since: since, ByState: map[string]int{}}
	rows, err := s.pool.Query(ctx, "select state, count(*) from submission where contributor = $1 and state <> 'deleted' group by state", id)
	if err != nil {
		return submission.Contributor{}, wrap(err)
	}
	var state string
	var count int
	_, err = pgx.ForEachRow(rows, []any{&state, &count}, func() error {
		known.ByState[state] = count
		known.Results += count
		return nil
	})
	return known, wrap(err)
}

// ContributorSubmissions lists at most limit of a contributor's own results, but for deleted ones, by their ids, from the one after the id after.
func (s *Store) ContributorSubmissions(ctx context.Context, secret [sha256.Size]byte, after string, limit int) ([]submission.Submission, error) {
	id, _, err := knownContributor(ctx, s.pool, secret, "")
	if err != nil {
		return nil, wrap(err)
	}
	rows, err := s.pool.Query(ctx, selectSubmissions+" where contributor = $1 and id > coalesce(nullif($2, '')::uuid, $3) and state <> 'deleted' order by id limit $4", id, after, lowestID, limit)
	if err != nil {
		return nil, wrap(err)
	}
	list, err := pgx.CollectRows(rows, scanSubmission)
	return list, wrap(err)
}

// lowestID is below every id that a client makes.
const lowestID = "00000000-0000-0000-0000-000000000000"

// RotateSecret retires a contributor's secret and puts another in its place. Done again with the same two it changes
// nothing and is no error. A new secret that somebody has already is problem.SecretInUse.
func (s *Store) RotateSecret(ctx context.Context, old, fresh [sha256.Size]byte) error {
	return s.WithTx(ctx, pgx.TxOptions{}, func(tx pgx.Tx) error {
		var repeated bool
		err := tx.QueryRow(ctx, `select exists (
			select from contributor_secret o join contributor_secret n using (contributor)
			where o.secret_sha256 = $1 and o.retired_at is not null and n.secret_sha256 = $2 and n.retired_at is null)`, old[:], fresh[:]).Scan(&repeated)
		if err != nil || repeated {
			return err
		}
		// The lock has two changes at once take turns: the second, when it looks again, finds its secret retired.
		if _, _, err := knownContributor(ctx, tx, old, "for update"); err != nil {
			return err
		}
		id, since, err := knownContributor(ctx, tx, old, "")
		if err != nil {
			return err
		}
		taken := problem.New(problem.SecretInUse, "The new secret is in use already. The old one stays in force; make another new one at random.")
		var used bool
		err = tx.QueryRow(ctx, "select exists (select 1 from contributor where secret_sha256 = $1)", fresh[:]).Scan(&used)
		if err != nil {
			return err
		} else if used {
			return taken
		}
		now := time.Now().UTC()
		tag, err := tx.Exec(ctx, "insert into contributor_secret (secret_sha256, contributor, since) values ($1, $2, $3) on conflict do nothing", fresh[:], id, now)
		if err != nil {
			return err
		} else if tag.RowsAffected() == 0 {
			return taken
		}
		_, err = tx.Exec(ctx, `insert into contributor_secret (secret_sha256, contributor, since, retired_at) values ($1, $2, $3, $4)
			on conflict (secret_sha256) do update set retired_at = excluded.retired_at`, old[:], id, since, now)
		return err
	})
}
