package store

import (
	"context"
	"maps"
	"slices"

	"flashdex/api/submission"
	"flashdex/result"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype/zeronull"
)

// A new contributor is on probation: their results are shown and don't count (counting.go). A fold confirms a
// contributor once their accepted results do (submission.Confirmation), or once an operator has. They stay confirmed:
// if a rule holds back one result, or its contributor deletes it, the other results still count. Only if an operator
// rejects one of their results, the remaining results must confirm them again.

// probation begins or ends the probation of the contributors in c, depending on their results. If it does, it adds all
// their shares to c, because all their results now count or no longer do.
func probation(ctx context.Context, tx pgx.Tx, c *changes) error {
	senders := map[contributorID]bool{}
	for _, s := range c.shares {
		senders[s.contributor] = true
	}
	rows, _ := tx.Query(ctx, `
		select secret_sha256, confirmed_by, confirmed_at is not null from contributor
		where secret_sha256 = any($1) and (confirmed_at is null or secret_sha256 = any($2) and confirmed_by = any($3))`,
		slices.Collect(maps.Keys(senders)), c.rejected, []string{submission.SecondDay, submission.SecondUnit})
	var id contributorID
	var by string
	var confirmed bool
	was, is := map[contributorID]bool{}, map[contributorID]string{}
	if _, err := pgx.ForEachRow(rows, []any{&id, &by, &confirmed}, func() error {
		was[id] = confirmed
		if is[id] = by; confirmed {
			is[id] = ""
		}
		return nil
	}); err != nil || len(was) == 0 {
		return err
	}
	received, err := receivedFrom(ctx, tx, slices.Collect(maps.Keys(was)), nil)
	if err != nil {
		return err
	}
	var changed []contributorID
	var batch pgx.Batch
	for id := range was {
		if is[id] == "" { // no operator confirmed them
			is[id] = submission.Confirmation(received[id])
		}
		if was[id] != (is[id] != "") {
			changed = append(changed, id)
			batch.Queue(`update contributor set confirmed_by = $2, confirmed_at = case $2 when '' then null else now() end
				where secret_sha256 = $1`, id, is[id])
		}
	}
	if err := tx.SendBatch(ctx, &batch).Close(); err != nil || len(changed) == 0 {
		return err
	}
	return c.addAllOf(ctx, tx, changed)
}

// receivedFrom sums up the accepted results of contributors by their units. most limits the results; nil: no limit. It
// leaves out results that confirm nobody: ones whose run token has a fault, because they don't count, and figures that
// another tool printed, because typing them takes no time.
func receivedFrom(ctx context.Context, q querier, contributors []contributorID, most *int) (
	map[contributorID][]submission.UnitReceived, error) {
	rows, _ := q.Query(ctx, `
		select contributor, coalesce(unit_tag, ''), min(received_at), max(received_at),
			min(received_at) filter (where token = $2 and not_ranked = '{}'),
			max(begun_at) filter (where token = $2 and not_ranked = '{}')
		from (select * from submission where contributor = any($1) and state = 'accepted' and token in ('', $2)
			and method not like $4 limit $3) s group by 1, 2`,
		contributors, submission.TokenValid, most, result.MethodImported+"%")
	of := map[contributorID][]submission.UnitReceived{}
	var id contributorID
	var u submission.UnitReceived
	_, err := pgx.ForEachRow(rows, []any{&id, &u.Tag, &u.First, &u.Last, (*zeronull.Timestamptz)(&u.ReceivedFirst),
		(*zeronull.Timestamptz)(&u.BegunLast)}, func() error {
		of[id] = append(of[id], u)
		return nil
	})
	return of, err
}

// addAllOf adds all shares of contributors to the changes.
func (c *changes) addAllOf(ctx context.Context, tx pgx.Tx, contributors []contributorID) error {
	c.senders = append(c.senders, contributors...)
	rows, _ := tx.Query(ctx, "select distinct "+currentSlug+", s.contributor from submission s "+joinAlias+
		" where s.contributor = any($1) and s.state <> 'deleted'", contributors)
	var of share
	_, err := pgx.ForEachRow(rows, []any{&of.module, &of.contributor}, func() error {
		c.add(of)
		return nil
	})
	return err
}

// add adds a share to the changes, unless it is one of them.
func (c *changes) add(of share) {
	if !c.has[of] {
		c.has[of] = true
		c.shares = append(c.shares, of)
		if at, found := slices.BinarySearch(c.modules, of.module); !found {
			c.modules = slices.Insert(c.modules, at, of.module)
		}
	}
}
