package store

import (
	"context"
	"fmt"
	"regexp"

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

// as is the first argument of the functions of the database that decide: an operator's token, or, for the owner of the
// tables, the name of an operator. Placeholder $1 stands for it.
func as(by submission.Authority) (argument string, value any) {
	if by.Name != "" {
		return "actor => $1", "operator " + by.Name
	}
	return "token => $1", by.Token[:]
}

func notOperator() error {
	return problem.New(problem.NotOperator, "This token belongs to no operator or was revoked. "+
		"Nothing was changed. \"api operator add NAME\" on the server makes one.")
}

// Moderate puts a submission into the state that an operator decided on, submission.Accepted or submission.Rejected,
// and adds it to the outbox. If it is in that state already, nothing changes. An unknown id is problem.NotFound, a
// deleted result problem.Deleted.
func (s *Store) Moderate(ctx context.Context, id string, verdict submission.Decision, by submission.Authority) error {
	ctx, cancel := changing(ctx)
	defer cancel()
	return s.WithTx(ctx, pgx.TxOptions{}, func(tx pgx.Tx) error {
		who, value := as(by)
		decide := "select moderate(" + who + ", result => $2, verdict => $3, why => $4, rule => $5)"
		var outcome string
		err := tx.QueryRow(ctx, decide, value, id, verdict.State, verdict.Reason, verdict.Rule).Scan(&outcome)
		if err != nil {
			return err
		}
		switch outcome {
		case "no operator":
			return notOperator()
		case "unknown":
			return unknownResult(id, "decide")
		case "deleted":
			return problem.New(problem.Deleted, "The result %s was deleted. There is nothing left to decide.", id)
		}
		return nil
	})
}

// reOperator is the form of an operator's name, which the log of a result's states shows.
var reOperator = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,63}$`)

// ValidOperator reports whether an operator can have this name.
func ValidOperator(name string) bool { return reOperator.MatchString(name) }

// AddOperator allows the holder of a token to moderate. Several tokens may have the same name.
func (s *Store) AddOperator(ctx context.Context, name string, token [secretBytes]byte) error {
	if !ValidOperator(name) {
		return fmt.Errorf("an operator's name has 1 to 64 characters of a-z, 0-9, dot, hyphen and underscore; "+
			"%q does not, and nothing was changed", name)
	}
	const allow = "insert into operator (token_sha256, name, since) values (sha256($1), $2, now())"
	_, err := s.pool.Exec(ctx, allow, token[:], name)
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

// Operator returns the name of the operator whose token this is. Any other token is problem.NotOperator.
func (s *Store) Operator(ctx context.Context, token [secretBytes]byte) (name string, err error) {
	err = s.pool.QueryRow(ctx, "select coalesce(operator_of($1), '')", token[:]).Scan(&name)
	if err == nil && name == "" {
		err = notOperator()
	}
	return name, wrap(err)
}
