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
// contributor once their accepted results do (submission.Confirmation), or an operator has. That stays, so that a
// result which a rule holds back, or its contributor deletes, changes nothing about others. Only when an operator
// rejects one of their results, or takes back another's word for them, the rest must confirm them anew.

// probation begins or ends the probation of the contributors in c, depending on their results. If it does, it adds all
// their shares to c, because all their results now count or no longer do.
func probation(ctx context.Context, tx pgx.Tx, c *changes) error {
	senders := map[contributorID]bool{}
	for _, s := range c.shares {
		senders[s.contributor] = true
	}
	rows, _ := tx.Query(ctx, `
		select secret_sha256, confirmed_by, confirmed_at is not null from contributor
		where secret_sha256 = any($1)
			and (confirmed_at is null or confirmed_by = '' or secret_sha256 = any($2) and confirmed_by = any($3))`,
		slices.Collect(maps.Keys(senders)), c.rejected, []string{submission.SecondDay, submission.SecondUnit})
	type standing struct {
		by        string // who or what confirmed them
		confirmed bool   // by an earlier fold
	}
	var id contributorID
	var of standing
	was := map[contributorID]standing{}
	if _, err := pgx.ForEachRow(rows, []any{&id, &of.by, &of.confirmed}, func() error {
		was[id] = of
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
	for id, of := range was {
		by := of.by
		if of.confirmed || by == "" { // no operator has said so since
			by = submission.Confirmation(received[id])
		}
		if of == (standing{by, by != ""}) {
			continue
		}
		batch.Queue(`update contributor set confirmed_by = $2, confirmed_at = case $2 when '' then null else now() end
			where secret_sha256 = $1`, id, by)
		if of.confirmed != (by != "") {
			changed = append(changed, id)
		}
	}
	if err := tx.SendBatch(ctx, &batch).Close(); err != nil || len(changed) == 0 {
		return err
	}
	return c.addAllOf(ctx, tx, changed)
}

// receivedFrom sums up the accepted results of contributors by their units, so many of them; nil: all. One whose run
// token has a fault confirms nobody, as it doesn't count, nor does what another tool printed or a check of the capacity:
// they have no samples and take no time to type.
func receivedFrom(ctx context.Context, q querier, contributors []contributorID, most *int) (
	map[contributorID][]submission.UnitReceived, error) {
	rows, _ := q.Query(ctx, `
		select contributor, coalesce(unit_tag, ''), min(received_at), max(received_at),
			min(received_at) filter (where token = $2 and not_ranked = '{}'),
			max(begun_at) filter (where token = $2 and not_ranked = '{}')
		from (select * from submission where contributor = any($1) and state = 'accepted' and token in ('', $2)
			and method not like $4 and method <> $5 limit $3) s group by 1, 2`,
		contributors, submission.TokenValid, most, result.MethodImported+"%", result.MethodVerify1)
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
