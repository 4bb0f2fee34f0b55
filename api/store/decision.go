package store

import (
	"cmp"
	"context"
	"errors"

	"flashdex/api/problem"
	"flashdex/api/submission"
	"flashdex/result"

	"github.com/jackc/pgx/v5"
)

// Moderate puts a submission into the state that an operator decided on, submission.Accepted or submission.Rejected,
// and adds it to the outbox. If it is in that state already, nothing changes. An unknown id is problem.NotFound, a
// deleted result problem.Deleted.
func (s *Store) Moderate(ctx context.Context, id string, verdict submission.Decision, by submission.Authority) error {
	ctx, cancel := changing(ctx)
	defer cancel()
	decision := cmp.Or(verdict.ID, result.NewID())
	return s.WithTx(ctx, pgx.TxOptions{}, func(tx pgx.Tx) error {
		who, value := as(by)
		decide := "select decide(" + who + ", decision => $2, result => $3, verdict => $4, why => $5)"
		var outcome string
		err := tx.QueryRow(ctx, decide, value, decision, id, verdict.State, verdict.Reason).Scan(&outcome)
		switch {
		case sqlState(err) == "23514": // check_violation
			return problem.Wrap(problem.BadRequest, err, "The decision %s was another one, or was undone. Nothing more was "+
				"changed: decide anew.", decision)
		case err != nil:
			return err
		case outcome == "no operator":
			return notOperator()
		case outcome == "unknown":
			return unknownResult(id, "decide")
		case outcome == "deleted":
			return problem.New(problem.Deleted, "The result %s was deleted. There is nothing left to decide.", id)
		}
		return nil
	})
}

// DecideAll puts all results that which picks into the state of a verdict, in batches. It calls each with every result
// as it was before. All of it is one decision. With dryRun it changes nothing. If ctx ends, the results decided so far
// stay decided, and another call with the same verdict.ID continues. If which names a result that doesn't exist, the
// error is problem.NotFound.
func (s *Store) DecideAll(ctx context.Context, which submission.Selection, verdict submission.Decision,
	by submission.Authority, dryRun bool, each func(submission.Submission) error) error {
	condition, args, err := s.picked(ctx, which, verdict.State)
	if err != nil {
		return wrap(err)
	}
	verdict.ID = cmp.Or(verdict.ID, result.NewID())
	for after := ""; ; {
		found, err := s.page(ctx, condition, after, deletionBatch, args...)
		if err != nil {
			return err
		}
		for _, sub := range found {
			if !dryRun {
				err := s.Moderate(ctx, sub.ID, verdict, by)
				if p := new(problem.Problem); errors.As(err, &p) && p.Kind == problem.Deleted {
					continue // decided meanwhile
				} else if err != nil {
					return err
				}
			}
			if err := each(sub); err != nil {
				return err
			}
		}
		if len(found) < deletionBatch {
			return settle(ctx, s.pool)
		}
		after = found[len(found)-1].ID
	}
}

// selectDecisions counts the results of each decision. On Citus, the coordinator has both tables.
const selectDecisions = `select id, at, actor, verdict, reason, undone_at,
	(select count(*) from decision_result r where r.decision_id = d.id) from decision d `

// Decisions lists at most limit decisions, the last first, beginning after the one with the id after.
func (s *Store) Decisions(ctx context.Context, after string, limit int) ([]submission.Decided, error) {
	rows, _ := s.pool.Query(ctx, selectDecisions+`
		where $1 = '' or (at, id) < (select b.at, b.id from decision b where b.id::text = $1)
		order by at desc, id desc limit $2`, after, limit)
	list, err := pgx.CollectRows(rows, pgx.RowToStructByPos[submission.Decided])
	return list, wrap(err)
}

// Decision returns a decision and at most limit of the results that it changed, by id, beginning after the id after. An
// unknown decision is problem.NotFound.
func (s *Store) Decision(ctx context.Context, id, after string, limit int) (
	decided submission.Decided, changes []submission.Change, err error) {
	rows, _ := s.pool.Query(ctx, selectDecisions+"where id = $1", id)
	decided, err = pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[submission.Decided])
	if errors.Is(err, pgx.ErrNoRows) {
		err = unknownDecision(id)
	}
	if err != nil {
		return decided, nil, wrap(err)
	}
	rows, _ = s.pool.Query(ctx, `
		select submission_id::text, event_id::text, was from decision_result
		where decision_id = $1 and submission_id > $2 order by submission_id limit $3`, id, cmp.Or(after, lowestID), limit)
	var ids, events []string
	var change submission.Change
	var event string
	if _, err = pgx.ForEachRow(rows, []any{&change.Result, &event, &change.Was}, func() error {
		ids, events, changes = append(ids, change.Result), append(events, event), append(changes, change)
		return nil
	}); err != nil {
		return decided, nil, wrap(err)
	}
	type last struct{ event, state string }
	is := map[string]last{}
	rows, _ = s.pool.Query(ctx, `
		select distinct on (submission_id) submission_id::text, id::text, to_state from submission_event
		where submission_id = any($1::uuid[]) and from_state <> to_state order by submission_id, at desc`, ids)
	var of string
	var l last
	_, err = pgx.ForEachRow(rows, []any{&of, &l.event, &l.state}, func() error {
		is[of] = l
		return nil
	})
	for i, c := range changes {
		changes[i].Now, changes[i].Undoable = is[c.Result].state, is[c.Result].event == events[i]
	}
	return decided, changes, wrap(err)
}

func unknownDecision(id string) error {
	return problem.New(problem.NotFound, "There is no decision %s, so there is nothing to undo. "+
		"What was decided before decisions could be undone has none.", id)
}

// Undo gives results back the state that they had before a decision, in batches. It leaves results that somebody has
// decided on since, and deleted ones. It returns how many results it undid and left. If ctx ends, the results undone so
// far stay undone, and another call continues. An unknown decision is problem.NotFound.
func (s *Store) Undo(ctx context.Context, decision, reason string, by submission.Authority) (
	undone, left int, err error) {
	for after := ""; ; {
		_, changes, err := s.Decision(ctx, decision, after, deletionBatch)
		if err != nil {
			return undone, left, err
		}
		for _, c := range changes {
			outcome, err := s.undoOne(ctx, decision, c.Result, reason, by)
			if err != nil {
				return undone, left, err
			}
			if outcome == "undone" {
				undone++
			} else {
				left++
			}
			after = c.Result
		}
		if len(changes) < deletionBatch {
			return undone, left, settle(ctx, s.pool)
		}
	}
}

func (s *Store) undoOne(ctx context.Context, decision, id, reason string, by submission.Authority) (
	outcome string, err error) {
	ctx, cancel := context.WithTimeout(ctx, changeTimeout)
	defer cancel()
	err = s.WithTx(ctx, pgx.TxOptions{}, func(tx pgx.Tx) error {
		who, value := as(by)
		undo := "select undo(" + who + ", decision => $2, result => $3, why => $4)"
		err := tx.QueryRow(ctx, undo, value, decision, id, reason).Scan(&outcome)
		if err == nil && outcome == "no operator" {
			return notOperator()
		}
		return err
	})
	return outcome, err
}
