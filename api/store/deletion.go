package store

import (
	"context"
	"time"

	"flashdex/api/problem"

	"github.com/jackc/pgx/v5"
)

// DeleteSubmission deletes a result for its contributor. It erases the document and everything derived from it and adds
// the submission to the outbox. Only the id stays, so that nobody can use it again. Deleting twice is no error. An
// unknown id is problem.NotFound, another contributor's result problem.NotYours.
func (s *Store) DeleteSubmission(ctx context.Context, secret [secretBytes]byte, id string) error {
	ctx, cancel := changing(ctx)
	defer cancel()
	return s.WithTx(ctx, pgx.TxOptions{}, func(tx pgx.Tx) error {
		var outcome string
		if err := tx.QueryRow(ctx, "select take_back($1, $2)", secret[:], id).Scan(&outcome); err != nil {
			return err
		}
		switch outcome {
		case "retired":
			return secretRetired()
		case "unknown":
			return unknownResult(id, "delete")
		case "not yours":
			return problem.New(problem.NotYours, "The result %s was uploaded with another secret, "+
				"and only that one can delete it. Nothing was changed.", id)
		}
		return nil
	})
}

// unknownResult is the error for a result that doesn't exist: it says what can't be done with it.
func unknownResult(id, todo string) error {
	return problem.New(problem.NotFound, "There is no result %s, so there is nothing to %s.", id, todo)
}

// deletionBatch limits how many results one transaction of DeleteContributor erases.
const deletionBatch = 100

// DeleteContributor deletes all results of a contributor in batches and returns how many. If ctx ends, the results
// deleted so far stay deleted, and another call continues. The contributor keeps the secret.
func (s *Store) DeleteContributor(ctx context.Context, secret [secretBytes]byte) (deleted int, err error) {
	for {
		found, erased, err := s.deleteSome(ctx, secret)
		if err != nil {
			return deleted, err
		}
		deleted += erased
		if found < deletionBatch {
			return deleted, nil
		}
	}
}

// deleteSome finds at most deletionBatch results of a contributor and erases them.
func (s *Store) deleteSome(ctx context.Context, secret [secretBytes]byte) (found, erased int, err error) {
	ctx, cancel := context.WithTimeout(ctx, changeTimeout)
	defer cancel()
	err = s.WithTx(ctx, pgx.TxOptions{}, func(tx pgx.Tx) error {
		var retired bool
		var results, deleted *int // nil: nothing was ever uploaded
		const some = "select retired, results, deleted from take_back_some($1, $2)"
		err := tx.QueryRow(ctx, some, secret[:], deletionBatch).Scan(&retired, &results, &deleted)
		switch {
		case err != nil:
			return err
		case retired:
			return secretRetired()
		case results == nil:
			return unknownContributor()
		}
		found, erased = *results, *deleted
		return nil
	})
	return found, erased, err
}

// Erase lets an operator delete a result, for contributors who lost their secret and for others with a right to
// deletion. Erasing twice is no error. An unknown id is problem.NotFound. Only the owner of the tables may call it.
func (s *Store) Erase(ctx context.Context, id, operator, reason string) error {
	return s.WithTx(ctx, pgx.TxOptions{}, func(tx pgx.Tx) error {
		var outcome string
		err := tx.QueryRow(ctx, "select erase($1, $2, $3)", "operator "+operator, id, reason).Scan(&outcome)
		if err == nil && outcome == "unknown" {
			err = unknownResult(id, "erase")
		}
		return err
	})
}

// DeletedSince returns the ids of results deleted on a day (UTC) or later, to search the data set's older snapshots
// for. A deleted submission keeps the day of its deletion as received_at.
func (s *Store) DeletedSince(ctx context.Context, day time.Time) ([]string, error) {
	rows, _ := s.pool.Query(ctx, `
		select id::text from submission where state = 'deleted' and received_at >= $1`, day)
	ids, err := pgx.CollectRows(rows, pgx.RowTo[string])
	return ids, wrap(err)
}
