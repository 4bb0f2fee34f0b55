package store

import (
	"context"
	"crypto/sha256"
	"errors"
	"time"

	"flashdex/api/index"
	"flashdex/api/problem"
	"flashdex/result"

	"github.com/jackc/pgx/v5"
)

// DeleteSubmission takes a result back for its contributor: the document and everything derived from it are erased, the
// publisher is told, and only the id stays, so that it can't be used again. Deleting it twice is no error. A result that
// isn't there is problem.NotFound, another contributor's problem.NotYours.
func (s *Store) DeleteSubmission(ctx context.Context, contributor [sha256.Size]byte, id string) error {
	return s.WithTx(ctx, pgx.TxOptions{}, func(tx pgx.Tx) error {
		var own bool
		var state string
		err := tx.QueryRow(ctx, "select contributor = $2, state from submission where id = $1 for update", id, contributor[:]).Scan(&own, &state)
		switch {
		case errors.Is(err, pgx.ErrNoRows):
			return problem.New(problem.NotFound, "There is no result %s, so there is nothing to delete.", id)
		case err != nil:
			return err
		case !own:
			return problem.New(problem.NotYours, "The result %s was uploaded with another secret, and only that one can delete it. Nothing was changed.", id)
		case state == index.Deleted:
			return nil
		}
		now := time.Now().UTC()
		var batch pgx.Batch
		batch.Queue(`update submission set state = $2, state_reason = 'taken back by its contributor', body_sha256 = '', client = '',
			host_board = '', bus_mode = '', unit_tag = null, not_ranked = '{}', document = '' where id = $1`, id, index.Deleted)
		batch.Queue("delete from measurement where submission_id = $1", id)
		batch.Queue(`insert into submission_event (submission_id, id, at, from_state, to_state, reason, actor)
			values ($1, $2, $3, $4, $5, 'taken back by its contributor', 'contributor')`, id, result.NewID(), now, state, index.Deleted)
		batch.Queue("insert into outbox (submission_id, id, created_at) values ($1, $2, $3)", id, result.NewID(), now)
		return tx.SendBatch(ctx, &batch).Close()
	})
}

// Standing compares a value with the medians of all modules that were measured by one method: how many are above it, and
// how many modules there are. Published figures don't count.
func (s *Store) Standing(ctx context.Context, method, key string, value float64) (above, modules int, err error) {
	err = s.pool.QueryRow(ctx, "select count(*) filter (where median > $3), count(*) from module_figure where method = $1 and figure = $2",
		method, key, value).Scan(&above, &modules)
	return above, modules, wrap(err)
}
