package store

import (
	"context"
	"time"

	"flashdex/api/problem"
	"flashdex/api/submission"

	"github.com/jackc/pgx/v5"
)

// Queue lists at most limit submissions in the state submission.Quarantined or submission.Rejected, in the order of
// their ids, beginning after the id after.
func (s *Store) Queue(ctx context.Context, state, after string, limit int) ([]submission.Submission, error) {
	// The planner needs the list of states to see that the index fits.
	return s.page(ctx, "state in ('quarantined', 'rejected') and state = $3", after, limit, state)
}

// Moderate puts a submission into the state that an operator decided on, submission.Accepted or submission.Rejected,
// and adds it to the outbox. If it is in that state already, nothing changes. An unknown id is problem.NotFound, a
// deleted result problem.Deleted.
func (s *Store) Moderate(ctx context.Context, id string, verdict submission.Decision, operator string) error {
	return s.WithTx(ctx, pgx.TxOptions{}, func(tx pgx.Tx) error {
		state, _, err := lock(ctx, tx, id, "decide")
		if err != nil || state == verdict.State {
			return err
		} else if state == submission.Deleted {
			return problem.New(problem.Deleted, "The result %s was deleted. There is nothing left to decide.", id)
		}
		var batch pgx.Batch
		batch.Queue("update submission set state = $2, state_reason = $3, state_rule = $4 where id = $1",
			id, verdict.State, verdict.Reason, verdict.Rule)
		queueEvent(&batch, id, submission.Event{
			At: time.Now().UTC(), From: state, To: verdict.State, Reason: verdict.Reason, Actor: "operator " + operator,
		})
		return tx.SendBatch(ctx, &batch).Close()
	})
}
