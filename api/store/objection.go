package store

import (
	"cmp"
	"context"
	"time"

	"flashdex/api/problem"
	"flashdex/api/submission"
	"flashdex/result"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype/zeronull"
)

// Limits of objections.
const (
	maxOpenObjections = 10  // to one result or module
	objectionDays     = 180 // days for which a closed one is kept
)

// Object stores an objection. If so many are open that an operator will look anyway, it returns problem.TooMany. An
// unknown result or module is problem.NotFound.
func (s *Store) Object(ctx context.Context, o submission.Objection) error {
	ctx, cancel := changing(ctx)
	defer cancel()
	return s.WithTx(ctx, pgx.TxOptions{}, func(tx pgx.Tx) error {
		var outcome string
		err := tx.QueryRow(ctx, "select object($1, $2, $3, $4, $5, $6, $7)", result.NewID(), zeronull.Text(o.Result),
			zeronull.Text(o.Module), o.Kind, o.ShouldBe, o.Words, maxOpenObjections).Scan(&outcome)
		switch {
		case err != nil:
			return err
		case outcome == "unknown":
			return problem.New(problem.NotFound, "What you object to is not here, or no longer. Nothing was stored.")
		case outcome == "full":
			return &problem.Problem{Kind: problem.TooMany, RetryAfter: time.Hour, Detail: "Others have objected already, " +
				"and an operator is going to look at it. Yours was not stored; try again in some days if nothing has changed."}
		}
		return nil
	})
}

const selectObjections = `select id, coalesce(submission_id::text, ''), coalesce(module_slug, ''), at, kind, should_be,
	words, closed_at, closed_by, reason from objection `

// Objections lists at most limit open objections, the oldest first, beginning after the id after.
func (s *Store) Objections(ctx context.Context, after string, limit int) ([]submission.Objection, error) {
	return s.objections(ctx, "where closed_at is null and id > $1 order by id limit $2", cmp.Or(after, lowestID), limit)
}

// OpenObjections counts the open objections.
func (s *Store) OpenObjections(ctx context.Context) (open int, err error) {
	err = s.pool.QueryRow(ctx, "select count(*) from objection where closed_at is null").Scan(&open)
	return open, wrap(err)
}

// ObjectionsTo lists the objections to a result, open and closed, the oldest first.
func (s *Store) ObjectionsTo(ctx context.Context, id string) ([]submission.Objection, error) {
	return s.objections(ctx, "where submission_id = $1 order by id", id)
}

func (s *Store) objections(ctx context.Context, which string, args ...any) ([]submission.Objection, error) {
	rows, _ := s.pool.Query(ctx, selectObjections+which, args...)
	list, err := pgx.CollectRows(rows, pgx.RowToStructByPos[submission.Objection])
	return list, wrap(err)
}

// CloseObjection closes an objection with a reason that operators see. Closing it twice is no error and keeps the first
// reason. An unknown id is problem.NotFound.
func (s *Store) CloseObjection(ctx context.Context, id, reason string, by submission.Authority) error {
	ctx, cancel := changing(ctx)
	defer cancel()
	return s.WithTx(ctx, pgx.TxOptions{}, func(tx pgx.Tx) error {
		who, value := as(by)
		var outcome string
		closing := "select close_objection(" + who + ", objection => $2, why => $3)"
		err := tx.QueryRow(ctx, closing, value, id, reason).Scan(&outcome)
		switch {
		case err != nil:
			return err
		case outcome == "no operator":
			return notOperator()
		case outcome == "unknown":
			return problem.New(problem.NotFound, "There is no objection %s, or no longer. Nothing was changed.", id)
		}
		return nil
	})
}

// forgetObjections deletes objections that were closed too long ago, and objections to deleted modules, whose names may
// be somebody's typing mistake.
func (s *Store) forgetObjections(ctx context.Context) error {
	_, err := s.pool.Exec(ctx, `
		delete from objection where closed_at < $1
			or module_slug is not null and not exists (select 1 from module m where m.slug = module_slug)`,
		time.Now().UTC().AddDate(0, 0, -objectionDays))
	return wrap(err)
}
