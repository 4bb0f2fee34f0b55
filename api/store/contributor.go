package store

import (
	"cmp"
	"context"
	"time"

	"flashdex/api/problem"
	"flashdex/api/submission"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype/zeronull"
)

// querier is a transaction or a pool.
type querier interface {
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}

// The database gets the secret itself (contributor_of in package migrations) and keeps only its hash. A contributor's
// id is the hash of their first secret.

// contributorOf returns the id of the contributor with a secret, who need not have uploaded anything. A retired secret
// is problem.SecretRetired.
func contributorOf(ctx context.Context, q querier, secret [secretBytes]byte) (id contributorID, err error) {
	var retired bool
	err = q.QueryRow(ctx, "select id, retired from contributor_of($1)", secret[:]).Scan(&id, &retired)
	if err == nil && retired {
		err = secretRetired()
	}
	return id, err
}

// secretBytes is the length of a contributor's secret and of an operator's token.
const secretBytes = 32

func secretRetired() error {
	return problem.New(problem.SecretRetired,
		"This secret was replaced by a newer one. Nothing was changed. Use the newer secret.")
}

func unknownContributor() error {
	return problem.New(problem.UnknownContributor,
		"Nothing was ever uploaded here with this secret. Nothing was changed.")
}

// Contributor counts a contributor's results by state. Deleted results belong to nobody and are not counted.
//
// A client whose change of the secret was interrupted asks this way which secret is in force, and forgets the other
// one. That is why this locks the contributor: it waits for a change under way and, because a lock is a write, for the
// standby.
func (s *Store) Contributor(ctx context.Context, secret [secretBytes]byte) (submission.Contributor, error) {
	var id contributorID
	var retired bool
	var since zeronull.Timestamptz
	const lockKnown = "select id, retired, since from known_contributor($1)"
	err := s.pool.QueryRow(ctx, lockKnown, secret[:]).Scan(&id, &retired, &since)
	switch {
	case err != nil:
	case retired:
		err = secretRetired()
	case time.Time(since).IsZero():
		err = unknownContributor()
	}
	if err != nil {
		return submission.Contributor{}, wrap(err)
	}
	known := submission.Contributor{Since: time.Time(since)}
	known.ByState, err = mapOf[string, int](ctx, s.pool, `
		select state, count(*) from submission where contributor = $1 and state <> 'deleted' group by state`, id)
	for _, count := range known.ByState {
		known.Results += count
	}
	return known, wrap(err)
}

// ContributorSubmissions lists at most limit of a contributor's results that are not deleted, in the order of their
// ids, beginning after the id after.
func (s *Store) ContributorSubmissions(ctx context.Context, secret [secretBytes]byte, after string, limit int) (
	[]submission.Submission, error) {
	id, err := contributorOf(ctx, s.pool, secret)
	if err != nil {
		return nil, wrap(err)
	}
	var known bool
	const isKnown = "select exists (select 1 from contributor where secret_sha256 = $1)"
	if err := s.pool.QueryRow(ctx, isKnown, id).Scan(&known); err != nil {
		return nil, wrap(err)
	} else if !known {
		return nil, unknownContributor()
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

// RotateSecret replaces a contributor's secret by a fresh one. Calling it again with the same two secrets changes
// nothing and is no error. A fresh secret that somebody already has is problem.SecretInUse.
func (s *Store) RotateSecret(ctx context.Context, old, fresh [secretBytes]byte) error {
	ctx, cancel := changing(ctx)
	defer cancel()
	return s.WithTx(ctx, pgx.TxOptions{}, func(tx pgx.Tx) error {
		var outcome string
		if err := tx.QueryRow(ctx, "select rotate_secret($1, $2)", old[:], fresh[:]).Scan(&outcome); err != nil {
			return err
		}
		switch outcome {
		case "unknown":
			return unknownContributor()
		case "retired":
			return secretRetired()
		case "taken":
			return problem.New(problem.SecretInUse,
				"The new secret is in use already. The old one stays in force; make another new one at random.")
		}
		return nil
	})
}
