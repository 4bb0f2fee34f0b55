package store

import (
	"context"
	"errors"
	"time"

	"flashdex/api/problem"
	"flashdex/api/submission"

	"github.com/jackc/pgx/v5"
)

// Queue lists at most limit submissions in a state that moderation looks at, index.Quarantined or index.Rejected, by
// their ids, from the one after the id after.
func (s *Store) Queue(ctx context.Context, state, after string, limit int) ([]submission.Submission, error) {
	// The list of states is repeated so that the planner sees that the index fits.
	rows, err := s.pool.Query(ctx, selectSubmissions+` where state in ('quarantined', 'rejected') and state = $1 and id > coalesce(nullif($2, '')::uuid, $3)
		order by id limit $4`, state, after, lowestID, limit)
	if err != nil {
		return nil, wrap(err)
	}
	list, err := pgx.CollectRows(rows, scanSubmission)
	return list, wrap(err)
}

// Moderate puts a submission into the state that an operator decided on, index.Accepted or index.Rejected, and tells the
// publisher. What is in that state already stays as it is. One that isn't there is problem.NotFound, one that was taken
// back problem.Deleted.
func (s *Store) Moderate(ctx context.Context, id string, verdict submission.Decision, operator string) error {
	return s.WithTx(ctx, pgx.TxOptions{}, func(tx pgx.Tx) error {
		var state string
		err := tx.QueryRow(ctx, "select state from submission where id = $1 for update", id).Scan(&state)
		switch {
		case errors.Is(err, pgx.ErrNoRows):
			return problem.New(problem.NotFound, "There is no result %s, so there is nothing to decide.", id)
		case err != nil:
			return err
		case state == submission.Deleted:
			return problem.New(problem.Deleted, "The result %s was deleted. There is nothing left to decide.", id)
		case state == verdict.State:
			return nil
		}
		now := time.Now().UTC()
		var batch pgx.Batch
		batch.Queue("update submission set state = $2, state_reason = $3, state_rule = $4 where id = $1", id, verdict.State, verdict.Reason, verdict.Rule)
		queueEvent(&batch, id, submission.Event{At: now, From: state, To: verdict.State, Reason: verdict.Reason, Actor: "operator " + operator})
		queueOutbox(&batch, id, now)
		return tx.SendBatch(ctx, &batch).Close()
	})
}
