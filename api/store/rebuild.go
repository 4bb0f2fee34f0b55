package store

import (
	"context"
	"fmt"

	"flashdex/api/index"

	"github.com/jackc/pgx/v5"
)

// rebuildBatch is how many submissions' units and summaries a rebuild stores at a time. Besides it holds the units of one module.
const rebuildBatch = 10_000

// selectStale tells whether the units, and whether the summaries, are of another generation than the one that was folded last, as
// a server of the version before leaves them, or were made by older rules.
const selectStale = "select summed <> folded or unit_version < $1 as units, summary_version < $2 as summaries from publication where name = 'site'"

// rebuild makes all summaries anew if they are stale, and all units before them if these are. It reports whether there was
// anything before or after.
func (s *Store) rebuild(ctx context.Context, tx pgx.Tx) (rebuilt bool, err error) {
	var units, summaries bool
	if err := tx.QueryRow(ctx, selectStale, index.UnitVersion, index.SummaryVersion).Scan(&units, &summaries); err != nil || !units && !summaries {
		return false, err
	}
	if _, err := tx.Exec(ctx, touch+touchAgain); err != nil {
		return false, err
	}
	gone, err := tx.Exec(ctx, "delete from module_summary")
	if err != nil {
		return false, err
	}
	// It may take minutes where there are ten million results, one of which this transaction waits for the first row of the
	// other. Only folds read units, so that nobody waits for the truncated table.
	if _, err := tx.Exec(ctx, "set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0; "+map[bool]string{true: "truncate unit"}[units]); err != nil {
		return false, err
	}
	b := builder{tx: tx}
	// Read beside the transaction that writes, so that both can be at work, and not by a cursor, for which Postgres sorts with
	// one processor. What changes meanwhile is in the outbox.
	err = pgx.BeginTxFunc(ctx, s.pool, moment, func(reading pgx.Tx) error {
		if _, err := reading.Exec(ctx, "set local statement_timeout = 0; set local work_mem = '256MB'"); err != nil {
			return err
		}
		if units {
			return b.buildUnits(ctx, reading)
		}
		return b.buildSummaries(ctx, reading)
	})
	if err != nil {
		return false, err
	}
	// Without it Postgres takes the tables for what they were before, empty perhaps, and a fold reads them from end to end.
	if _, err := tx.Exec(ctx, "analyze unit, module_summary"); err != nil {
		return false, err
	}
	_, err = tx.Exec(ctx, fmt.Sprintf("update publication set summed = folded, unit_version = %d, summary_version = %d where name = 'site'", index.UnitVersion, index.SummaryVersion))
	return gone.RowsAffected() > 0 || b.stored > 0, err
}

// builder makes units and summaries of runs that come by shares, and stores them in tx.
type builder struct {
	tx      pgx.Tx
	at      share
	runs    []index.Run
	rows    [][]any // of unit, to be stored
	modules moduleBuilder
	stored  int
}

// buildSummaries makes the summaries of the units that there are.
func (b *builder) buildSummaries(ctx context.Context, reading pgx.Tx) error {
	rows, err := reading.Query(ctx, selectUnits+unitsByOwner)
	if err != nil {
		return err
	}
	if err := b.modules.addRows(rows, func() error { return b.store(ctx) }); err != nil {
		return err
	}
	return b.store(ctx)
}

// buildUnits makes the units of all runs, and the summaries of these.
func (b *builder) buildUnits(ctx context.Context, reading pgx.Tx) error {
	rows, err := reading.Query(ctx, runsOfAll)
	if err != nil {
		return err
	}
	defer rows.Close()
	for n := 1; rows.Next(); n++ {
		next, r, err := scanRun(rows)
		if err != nil {
			return err
		}
		if next != b.at {
			if err := b.sum(); err != nil {
				return err
			}
			b.at = next
		}
		b.runs = append(b.runs, r)
		if n%rebuildBatch == 0 {
			if err := b.store(ctx); err != nil {
				return err
			}
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	if err := b.sum(); err != nil {
		return err
	}
	if err := b.modules.sum(); err != nil {
		return err
	}
	return b.store(ctx)
}

// sum makes the units of one share.
func (b *builder) sum() error {
	units := index.UnitsOf(b.runs)
	b.runs = b.runs[:0]
	if len(units) == 0 {
		return nil
	}
	for _, u := range units {
		b.rows = append(b.rows, unitRow(b.at, u))
	}
	return b.modules.add(b.at, units...)
}

// store stores what is ready.
func (b *builder) store(ctx context.Context) error {
	b.stored += len(b.rows) + len(b.modules.rows)
	if _, err := b.tx.CopyFrom(ctx, pgx.Identifier{"unit"}, unitColumns, pgx.CopyFromRows(b.rows)); err != nil {
		return err
	}
	b.rows = b.rows[:0]
	return b.modules.copyTo(ctx, b.tx)
}
