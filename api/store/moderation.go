package store

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"regexp"
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
	ctx, cancel := changing(ctx)
	defer cancel()
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

// reOperator is the form of an operator's name, which the log of a result's states shows.
var reOperator = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,63}$`)

// ValidOperator reports whether an operator can have this name.
func ValidOperator(name string) bool { return reOperator.MatchString(name) }

// AddOperator allows the holder of the token with this hash to moderate. Several tokens may have the same name.
func (s *Store) AddOperator(ctx context.Context, name string, token [sha256.Size]byte) error {
	if !ValidOperator(name) {
		return fmt.Errorf("an operator's name has 1 to 64 characters of a-z, 0-9, dot, hyphen and underscore; "+
			"%q does not, and nothing was changed", name)
	}
	_, err := s.pool.Exec(ctx, "insert into operator (token_sha256, name, since) values ($1, $2, now())", token[:], name)
	return wrap(err)
}

// Operators lists all present and former operators by name.
func (s *Store) Operators(ctx context.Context) ([]submission.Operator, error) {
	rows, _ := s.pool.Query(ctx, "select name, since, revoked_at from operator order by name, since")
	operators, err := pgx.CollectRows(rows, pgx.RowToStructByPos[submission.Operator])
	return operators, wrap(err)
}

// RevokeOperator revokes all tokens of a name and returns how many.
func (s *Store) RevokeOperator(ctx context.Context, name string) (revoked int, err error) {
	tag, err := s.pool.Exec(ctx, "update operator set revoked_at = now() where name = $1 and revoked_at is null", name)
	if err != nil {
		return 0, wrap(err)
	}
	return int(tag.RowsAffected()), settle(ctx, s.pool)
}

// Operator returns the name of the operator whose token has this hash. Any other token is problem.NotOperator.
func (s *Store) Operator(ctx context.Context, token [sha256.Size]byte) (name string, err error) {
	err = s.pool.QueryRow(ctx, "select name from operator where token_sha256 = $1 and revoked_at is null",
		token[:]).Scan(&name)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", problem.New(problem.NotOperator, "This token belongs to no operator or was revoked. "+
			"Nothing was changed. \"api operator add NAME\" on the server makes one.")
	}
	return name, wrap(err)
}
