package store

import (
	"context"
	"fmt"
	"iter"
	"sync"

	"flashdex/api/figure"

	"github.com/jackc/pgx/v5"
)

// A rebuild stores the units and the summaries of modules that have together so many at a time. Besides it holds the units of three modules.
const (
	unitBatch    = 10_000
	summaryBatch = 1_000
)

// selectStale tells whether the units, and whether the summaries, are of another generation than the one that was folded last, as
// a server of the version before leaves them, or were made by older rules.
const selectStale = "select summed <> folded or unit_version < $1 as units, summary_version < $2 as summaries from publication where name = 'site'"

// rebuild makes all summaries anew if they are stale, and all units before them if these are. It reports whether there was
// anything before or after.
func (s *Store) rebuild(ctx context.Context, tx pgx.Tx) (rebuilt bool, err error) {
	var units, summaries bool
	if err := tx.QueryRow(ctx, selectStale, figure.UnitVersion, figure.SummaryVersion).Scan(&units, &summaries); err != nil || !units && !summaries {
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
	stored, err := s.build(ctx, tx, units)
	if err != nil {
		return false, err
	}
	// Without it Postgres takes the tables for what they were before, empty perhaps, and a fold reads them from end to end.
	if _, err := tx.Exec(ctx, "analyze unit, module_summary"); err != nil {
		return false, err
	}
	_, err = tx.Exec(ctx, fmt.Sprintf("update publication set summed = folded, unit_version = %d, summary_version = %d where name = 'site'", figure.UnitVersion, figure.SummaryVersion))
	return gone.RowsAffected() > 0 || stored > 0, err
}

// summed are the units of a module and the rows of its summaries.
type summed struct {
	moduleUnits
	summaries [][]any
}

// build makes all summaries, and all units before them if these are asked for, and stores them in tx. It returns how many rows it stored.
// Reading, summing up and storing go on beside each other.
func (s *Store) build(ctx context.Context, tx pgx.Tx, units bool) (stored int, err error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var steps sync.WaitGroup
	run := func(step func() error) {
		steps.Go(func() {
			if err := step(); err != nil {
				stop(err)
			}
		})
	}
	read, made := make(chan moduleUnits), make(chan summed)
	run(func() error {
		defer close(read)
		// Beside the transaction that writes, and not by a cursor, for which Postgres sorts with one processor. What changes meanwhile
		// is in the outbox.
		return pgx.BeginTxFunc(ctx, s.pool, moment, func(reading pgx.Tx) error {
			if _, err := reading.Exec(ctx, "set local statement_timeout = 0; set local work_mem = '256MB'"); err != nil {
				return err
			}
			g := gatherer{whole: func(m moduleUnits) error { return send(ctx, read, m) }}
			if units {
				return g.addUnitsOfAll(ctx, reading)
			}
			rows, err := reading.Query(ctx, selectUnits+unitsByOwner)
			if err != nil {
				return err
			}
			return g.addRows(rows)
		})
	})
	run(func() error {
		defer close(made)
		for m := range read {
			rows, err := m.summaryRows()
			if err != nil {
				return err
			}
			if err := send(ctx, made, summed{m, rows}); err != nil {
				return err
			}
		}
		return nil
	})
	run(func() error {
		b := batch{tx: tx, withUnits: units}
		for m := range made {
			if err := b.add(ctx, m); err != nil {
				return err
			}
		}
		err := b.store(ctx)
		stored = b.stored
		return err
	})
	steps.Wait()
	return stored, context.Cause(ctx)
}

// send sends v unless ctx ends before.
func send[T any](ctx context.Context, to chan<- T, v T) error {
	select {
	case to <- v:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// addUnitsOfAll makes the units of all runs and adds them.
func (g *gatherer) addUnitsOfAll(ctx context.Context, reading pgx.Tx) error {
	rows, err := reading.Query(ctx, runsOfAll)
	if err != nil {
		return err
	}
	defer rows.Close()
	var at share
	var runs []figure.Run
	sum := func() error {
		units := figure.UnitsOf(runs)
		runs = runs[:0]
		if len(units) == 0 {
			return nil
		}
		return g.add(at, units...)
	}
	for rows.Next() {
		next, r, err := scanRun(rows)
		if err != nil {
			return err
		}
		if next != at {
			if err := sum(); err != nil {
				return err
			}
			at = next
		}
		runs = append(runs, r)
	}
	if err := rows.Err(); err != nil {
		return err
	}
	if err := sum(); err != nil {
		return err
	}
	return g.end()
}

// batch gathers what a rebuild stores at a time.
type batch struct {
	tx        pgx.Tx
	withUnits bool
	modules   []moduleUnits // whose units are to be stored
	units     int           // of modules
	summaries [][]any
	stored    int
}

func (b *batch) add(ctx context.Context, m summed) error {
	b.summaries = append(b.summaries, m.summaries...)
	if b.withUnits {
		b.modules = append(b.modules, m.moduleUnits)
		b.units += m.n
	}
	if b.units < unitBatch && len(b.summaries) < summaryBatch {
		return nil
	}
	return b.store(ctx)
}

func (b *batch) store(ctx context.Context) error {
	if b.withUnits {
		next, stop := iter.Pull(b.unitRows())
		defer stop()
		if _, err := b.tx.CopyFrom(ctx, pgx.Identifier{"unit"}, unitColumns, pgx.CopyFromFunc(func() ([]any, error) {
			row, _ := next()
			return row, nil // the last is nil
		})); err != nil {
			return err
		}
	}
	if _, err := b.tx.CopyFrom(ctx, pgx.Identifier{"module_summary"}, summaryColumns, pgx.CopyFromRows(b.summaries)); err != nil {
		return err
	}
	b.stored += b.units + len(b.summaries)
	b.modules, b.units, b.summaries = b.modules[:0], 0, b.summaries[:0]
	return nil
}

// unitRows are the rows of the units to be stored, one at a time: a module may have a hundred thousand.
func (b *batch) unitRows() iter.Seq[[]any] {
	return func(yield func([]any) bool) {
		for _, m := range b.modules {
			for i, s := range m.shares {
				for _, u := range s.Units {
					if !yield(unitRow(m.of[i], u)) {
						return
					}
				}
			}
		}
	}
}
