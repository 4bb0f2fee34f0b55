package store

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"sync"

	"flashdex/api/figure"

	"github.com/jackc/pgx/v5"
)

// A rebuild stores units and summaries when it has so many. Besides, it holds the units of three modules in memory.
const (
	unitBatch    = 10_000
	summaryBatch = 1_000
)

// selectStale selects whether the units and the summaries must be rebuilt. Both must if the last fold was by a server
// of the version before, which leaves summed behind folded, and each must if an older version of the rules made it.
const selectStale = `
	select summed <> folded or unit_version < $1 as units, summary_version < $2 as summaries
	from publication where name = 'site'`

// rebuild recomputes all summaries if they are stale, and before them all units if these are. It reports whether there
// was or is anything in the tables.
func (s *Store) rebuild(ctx context.Context, tx pgx.Tx) (rebuilt bool, err error) {
	var units, summaries bool
	err = tx.QueryRow(ctx, selectStale, figure.UnitVersion, figure.SummaryVersion).Scan(&units, &summaries)
	if err != nil || !units && !summaries {
		return false, err
	}
	if _, err := tx.Exec(ctx, touch+touchAgain); err != nil {
		return false, err
	}
	gone, err := tx.Exec(ctx, "delete from module_summary")
	if err != nil {
		return false, err
	}
	// With ten million results, minutes pass while this transaction waits for the first row that the reading one gives.
	settings := "set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0"
	if units {
		settings = "truncate unit; " + settings // nobody waits for the table: only folds read it
	}
	if _, err := tx.Exec(ctx, settings); err != nil {
		return false, err
	}
	stored, err := s.rebuildTables(ctx, tx, units)
	if err != nil {
		return false, err
	}
	// Without statistics of the new rows, Postgres may plan for empty tables, and each fold would read them whole.
	if _, err := tx.Exec(ctx, "analyze unit, module_summary"); err != nil {
		return false, err
	}
	_, err = tx.Exec(ctx, fmt.Sprintf(`
		update publication set summed = folded, unit_version = %d, summary_version = %d where name = 'site'`,
		figure.UnitVersion, figure.SummaryVersion))
	return gone.RowsAffected() > 0 || stored > 0, err
}

// summed is a module's units with its summaries.
type summed struct {
	moduleUnits
	summaries []figure.Summary
}

// rebuildTables stores all summaries, and all units too if asked for, in tx. It returns how many rows it stored.
// Reading, summing up and storing run at the same time; the first of them that fails stops the others.
func (s *Store) rebuildTables(ctx context.Context, tx pgx.Tx, units bool) (stored int, err error) {
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
		g := gatherer{done: func(m moduleUnits) error { return send(ctx, read, m) }}
		return s.readUnits(ctx, &g, units)
	})
	run(func() error {
		defer close(made)
		for m := range read {
			if err := send(ctx, made, summed{m, m.summaries()}); err != nil {
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

// send sends v unless ctx ends first.
func send[T any](ctx context.Context, to chan<- T, v T) error {
	select {
	case to <- v:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// readUnits gives g all units: those in the table, or, to make these anew, those that follow from all runs.
//
// It reads in a transaction of its own, beside the one that writes. There it needs no cursor, for which Postgres would
// sort with a single processor. Submissions that change meanwhile are in the outbox.
func (s *Store) readUnits(ctx context.Context, g *gatherer, fromRuns bool) error {
	return pgx.BeginTxFunc(ctx, s.pool, readOnly, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, "set local statement_timeout = 0; set local work_mem = '256MB'")
		if err != nil {
			return err
		}
		statement := selectUnits + unitsInOrder
		if fromRuns {
			statement = runsOfAll
		}
		rows, _ := tx.Query(ctx, statement)
		if !fromRuns {
			return g.addRows(rows)
		}
		if err := eachShare(rows, func(of share, runs []figure.Run) error {
			return g.add(of, figure.UnitsOf(runs)...)
		}); err != nil {
			return err
		}
		return g.finish()
	})
}

// batch gathers what a rebuild stores at a time.
type batch struct {
	tx        pgx.Tx
	withUnits bool
	modules   []moduleUnits // whose units are to be stored
	units     int           // in modules
	summaries []figure.Summary
	stored    int // rows so far
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
		if err := unitColumns.copyTo(ctx, b.tx, "unit", b.unitRows()); err != nil {
			return err
		}
	}
	if err := summaryColumns.copyTo(ctx, b.tx, "module_summary", slices.Values(b.summaries)); err != nil {
		return err
	}
	b.stored += b.units + len(b.summaries)
	b.modules, b.units, b.summaries = b.modules[:0], 0, b.summaries[:0]
	return nil
}

// unitRows yields the rows of the units one at a time: a module may have a hundred thousand.
func (b *batch) unitRows() iter.Seq[unit] {
	return func(yield func(unit) bool) {
		for _, m := range b.modules {
			for i, s := range m.shares {
				for _, u := range s.Units {
					if !yield(unit{m.of[i], u}) {
						return
					}
				}
			}
		}
	}
}
