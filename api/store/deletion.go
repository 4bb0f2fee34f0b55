package store

import (
	"context"
	"crypto/sha256"
	"errors"
	"time"

	"flashdex/api/problem"
	"flashdex/api/submission"
	"flashdex/result"

	"github.com/jackc/pgx/v5"
)

// DeleteSubmission deletes a result for its contributor. It erases the document and everything derived from it and
// adds the submission to the outbox. Only the id stays, so that it can't be used again. Deleting twice is no error. An
// unknown id is problem.NotFound, another contributor's result problem.NotYours.
func (s *Store) DeleteSubmission(ctx context.Context, secret [sha256.Size]byte, id string) error {
	ctx, cancel := changing(ctx)
	defer cancel()
	return s.WithTx(ctx, pgx.TxOptions{}, func(tx pgx.Tx) error {
		contributor, err := contributorOf(ctx, tx, secret)
		if err != nil {
			return err
		}
		state, owner, err := lock(ctx, tx, id, "delete")
		if err != nil || state == submission.Deleted { // whose it was is erased too
			return err
		} else if owner != contributor {
			return problem.New(problem.NotYours, "The result %s was uploaded with another secret, "+
				"and only that one can delete it. Nothing was changed.", id)
		}
		var batch pgx.Batch
		erase(&batch, id, state, takenBack, byContributor)
		return tx.SendBatch(ctx, &batch).Close()
	})
}

// deletionBatch limits how many results one transaction of DeleteContributor erases.
const deletionBatch = 100

// DeleteContributor deletes all results of a contributor, some at a time, and returns how many. If ctx ends, the
// results deleted so far stay deleted, and another call goes on from there. The secret stays the contributor's.
func (s *Store) DeleteContributor(ctx context.Context, secret [sha256.Size]byte) (deleted int, err error) {
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
func (s *Store) deleteSome(ctx context.Context, secret [sha256.Size]byte) (found, erased int, err error) {
	ctx, cancel := context.WithTimeout(ctx, changeTimeout)
	defer cancel()
	err = s.WithTx(ctx, pgx.TxOptions{}, func(tx pgx.Tx) error {
		contributor, _, err := knownContributor(ctx, tx, secret, "")
		if err != nil {
			return err
		}
		rows, _ := tx.Query(ctx, `
			select id::text from submission where contributor = $1 and state <> 'deleted' order by id limit $2`,
			contributor, deletionBatch)
		ids, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			return err
		}
		found, erased = len(ids), 0
		var locks, erasures pgx.Batch
		for _, id := range ids {
			locks.Queue(lockState, id).QueryRow(func(row pgx.Row) error {
				var state string
				// Somebody else may have deleted it meanwhile.
				if err := row.Scan(&state, nil); err != nil || state == submission.Deleted {
					return err
				}
				erase(&erasures, id, state, takenBack, byContributor)
				erased++
				return nil
			})
		}
		if err := tx.SendBatch(ctx, &locks).Close(); err != nil {
			return err
		}
		return tx.SendBatch(ctx, &erasures).Close()
	})
	return found, erased, err
}

const (
	takenBack     = "taken back by its contributor"
	byContributor = "contributor"
	// lockState selects the state and the contributor of the submission $1 and locks it.
	lockState = "select state, contributor from submission where id = $1 for update"
)

// lock locks a submission until the transaction ends. An unknown id is problem.NotFound, which says what can't be done.
func lock(ctx context.Context, tx pgx.Tx, id, todo string) (state string, owner contributorID, err error) {
	err = tx.QueryRow(ctx, lockState, id).Scan(&state, &owner)
	if errors.Is(err, pgx.ErrNoRows) {
		err = problem.New(problem.NotFound, "There is no result %s, so there is nothing to %s.", id, todo)
	}
	return state, owner, err
}

// Erase lets an operator delete a result, for contributors who lost their secret and for others with a right to it.
// Erasing twice is no error. An unknown id is problem.NotFound.
func (s *Store) Erase(ctx context.Context, id, operator, reason string) error {
	return s.WithTx(ctx, pgx.TxOptions{}, func(tx pgx.Tx) error {
		state, _, err := lock(ctx, tx, id, "erase")
		if err != nil || state == submission.Deleted {
			return err
		}
		var batch pgx.Batch
		erase(&batch, id, state, reason, "operator "+operator)
		return tx.SendBatch(ctx, &batch).Close()
	})
}

// erase queues the statements that empty a submission. Only its module and contributor stay, until Fold has taken the
// result out of the module's figures.
func erase(batch *pgx.Batch, id, state, reason, actor string) {
	now := time.Now().UTC()
	batch.Queue(`update submission set state = $2, state_reason = $4, state_rule = '',
		received_at = $3, body_sha256 = '', method = '', profile = '', client = '', host_board = '', bus_mode = '',
		unit_tag = null, not_ranked = '{}', document = '', figures = null, host_class = '', bus_mb_per_s = 0,
		confirms = false, variant = '', evidence = '{}', price_amount = 0, price_currency = '', price_on = '' where id = $1`,
		id, submission.Deleted, now.Truncate(24*time.Hour), reason)
	batch.Queue("delete from measurement where submission_id = $1", id)
	batch.Queue("delete from submission_network where submission_id = $1", id)
	queueEvent(batch, id, submission.Event{At: now, From: state, To: submission.Deleted, Reason: reason, Actor: actor})
}

// queueEvent appends to the log of a submission's states, whose rows nothing ever changes or removes. It adds the
// submission to the outbox, from which Fold takes it.
func queueEvent(batch *pgx.Batch, id string, e submission.Event) {
	batch.Queue(insertEvent, id, result.NewID(), e.At, e.From, e.To, e.Reason, e.Actor)
	batch.Queue(insertOutbox, id, result.NewID(), e.At)
}

// DeletedSince returns the ids of results that were deleted on that day, UTC, or later. The data set's older snapshots
// are searched for them. A deleted submission keeps the day of its deletion as received_at.
func (s *Store) DeletedSince(ctx context.Context, day time.Time) ([]string, error) {
	rows, _ := s.pool.Query(ctx, `
		select id::text from submission where state = 'deleted' and received_at >= $1`, day)
	ids, err := pgx.CollectRows(rows, pgx.RowTo[string])
	return ids, wrap(err)
}
