package store

import (
	"context"
	"crypto/rand"
	"fmt"
	"regexp"
	"time"

	"flashdex/api/problem"
	"flashdex/api/submission"
	"flashdex/result"

	"github.com/jackc/pgx/v5"
)

// Queue lists at most limit submissions in the state submission.Quarantined or submission.Rejected, in the order of
// their ids, beginning after the id after.
func (s *Store) Queue(ctx context.Context, state, after string, limit int) ([]submission.Submission, error) {
	// The planner needs the list of states to see that the index fits.
	return s.page(ctx, "state in ('quarantined', 'rejected') and state = $3", after, limit, state)
}

// as returns the first argument for the database's functions that decide: an operator's token or, for the owner of the
// tables, an operator's name. Placeholder $1 stands for it.
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

// DividedModules lists at most limit modules whose contributors measured two groups of figures, by slug, beginning
// after the slug after.
func (s *Store) DividedModules(ctx context.Context, after string, limit int) ([]submission.DividedModule, error) {
	rows, _ := s.pool.Query(ctx, `
		select module_slug, method, summary -> 'groups' from module_summary
		where summary ? 'groups' and module_slug > $1 order by module_slug, method limit $2`, after, limit)
	divided, err := pgx.CollectRows(rows, pgx.RowToStructByPos[submission.DividedModule])
	return divided, wrap(err)
}

// ConfirmContributor has an operator vouch for the contributor of a result. From the next fold on, all of their results
// count unless something else speaks against them. Confirming a confirmed contributor changes nothing. An unknown id is
// problem.NotFound, a deleted result problem.Deleted.
func (s *Store) ConfirmContributor(ctx context.Context, id, reason string, by submission.Authority) error {
	return s.vouchContributor(ctx, "confirm_contributor", id, reason, by)
}

// UnconfirmContributor takes an operator's word for whoever uploaded a result back. The next fold looks at what their
// results say, and they are on probation if that doesn't end it. Doing it again changes nothing, nor does it where no
// operator vouched. Errors are those of ConfirmContributor.
func (s *Store) UnconfirmContributor(ctx context.Context, id, reason string, by submission.Authority) error {
	return s.vouchContributor(ctx, "unconfirm_contributor", id, reason, by)
}

func (s *Store) vouchContributor(ctx context.Context, function, id, reason string, by submission.Authority) error {
	ctx, cancel := changing(ctx)
	defer cancel()
	return s.WithTx(ctx, pgx.TxOptions{}, func(tx pgx.Tx) error {
		who, value := as(by)
		var outcome string
		vouch := "select " + function + "(" + who + ", result => $2, why => $3)"
		if err := tx.QueryRow(ctx, vouch, value, id, reason).Scan(&outcome); err != nil {
			return err
		}
		switch outcome {
		case "no operator":
			return notOperator()
		case "unknown":
			return unknownResult(id, "confirm")
		case "deleted":
			return problem.New(problem.Deleted, "The result %s was deleted, and whose it was. Nothing was changed.", id)
		}
		return nil
	})
}

// reOperator matches an operator's name, which a result's event log shows.
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

// SignIn begins a session of an operator and returns its token, which is valid for two hours. A session's token can't
// begin another session: it is problem.NotOperator.
func (s *Store) SignIn(ctx context.Context, token [secretBytes]byte) (session [secretBytes]byte, err error) {
	ctx, cancel := changing(ctx)
	defer cancel()
	_, _ = rand.Read(session[:]) // never fails
	var name string
	const signIn = "select coalesce(sign_in($1, $2), '')"
	err = s.pool.QueryRow(ctx, signIn, token[:], session[:]).Scan(&name)
	if err == nil && name == "" {
		err = notOperator()
	}
	return session, wrap(err)
}

// SignOut ends a session. One that has ended is no error.
func (s *Store) SignOut(ctx context.Context, session [secretBytes]byte) error {
	ctx, cancel := changing(ctx)
	defer cancel()
	if _, err := s.pool.Exec(ctx, "select sign_out($1)", session[:]); err != nil {
		return wrap(err)
	}
	return settle(ctx, s.pool)
}

// queueRuling has a rule hold back an accepted submission, or release one that the rule held back. It changes nothing
// if an operator has decided on the submission meanwhile, or if the submission was deleted.
func queueRuling(batch *pgx.Batch, id, rule string, holdBack bool, reason string) *pgx.QueuedQuery {
	from, to, fromRule, toRule, stateReason := submission.Accepted, submission.Quarantined, "", rule, reason
	if !holdBack {
		from, to, fromRule, toRule, stateReason = to, from, rule, "", ""
	}
	return batch.Queue(`
		with ruled as (
			update submission s set state = $4, state_reason = $6, state_rule = $5
			where s.id = $1 and s.state = $2 and s.state_rule = $3 and not exists (
				select 1 from submission_event e
				where e.submission_id = s.id and e.actor like 'operator %' and e.from_state <> e.to_state)
			returning id)
		insert into submission_event (submission_id, id, at, from_state, to_state, reason, actor)
		select r.id, $7, greatest($8, max(e.at) + interval '1 microsecond'), $2, $4, $9, $10
		from ruled r join submission_event e on e.submission_id = r.id group by r.id`,
		id, from, fromRule, to, toRule, stateReason, result.NewID(), time.Now().UTC(), reason, "rule "+rule)
}
