package store

import (
	"context"
	"sync"

	"flashdex/api/figure"

	"github.com/jackc/pgx/v5"
)

// A rebuild stores units and summaries in batches of these sizes. Besides a batch, it holds the units of three modules
// in memory.
const (
	unitBatch    = 10_000
	summaryBatch = 1_000
)

// selectStale selects whether the units and the summaries must be rebuilt. Both must be if an older server folded last,
// because it leaves fitted behind folded. Each must be if an older version of the rules made it.
const selectStale = `
	select fitted <> folded or unit_version < $1 as units, summary_version < $2 as summaries
	from publication where name = 'site'`

// rebuild recomputes all units if they are stale, then all summaries if they are. It reports whether the tables held
// anything before or after.
func (s *Store) rebuild(ctx context.Context, tx pgx.Tx) (rebuilt bool, err error) {
	var units, summaries bool
	err = tx.QueryRow(ctx, selectStale, figure.UnitVersion, figure.SummaryVersion).Scan(&units, &summaries)
	if err != nil || !units && !summaries {
		return false, err
	}
	// With ten million results, the writing transaction waits for minutes until the reading one returns its first row.
	begin := "set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0; "
	if units {
		if err := s.compareAllNetworks(ctx); err != nil {
			return false, err
		}
		begin = "truncate unit; " + begin // nobody waits for the table: only folds read it
	}
	const clear = "delete from module_summary"
	gone, err := tx.Exec(ctx, begin+touch+touchAgain+"; "+clear)
	if err != nil {
		return false, err
	}
	by, err := s.fitter(ctx, tx, nil)
	if err != nil {
		return false, err
	}
	stored, err := s.rebuildTables(ctx, tx, units, by)
	if err != nil {
		return false, err
	}
	// Without statistics of the new rows, Postgres may plan for empty tables, and each fold would read them whole.
	if _, err := tx.Exec(ctx, "select analyze_figures()"); err != nil {
		return false, err
	}
	_, err = tx.Exec(ctx, `
		update publication set fitted = folded, unit_version = $1, summary_version = $2,
			calibrated_at = case unit_version when $1 then calibrated_at end where name = 'site'`,
		figure.UnitVersion, figure.SummaryVersion)
	return stored || gone.RowsAffected() > 0, err
}

// rebuildTables stores all summaries, and all units too if asked for, in tx. It reports whether there were any.
// Reading, summing up and storing run at the same time; the first of them that fails stops the others.
func (s *Store) rebuildTables(ctx context.Context, tx pgx.Tx, units bool, by fitter) (stored bool, err error) {
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
	type summed struct {
		units     []unit // of one module
		summaries []figure.Summary
	}
	read, made := make(chan []unit), make(chan summed)
	run(func() error {
		defer close(read)
		return s.readUnits(ctx, units, func(_ string, of []unit) error { return send(ctx, read, of) })
	})
	run(func() error {
		defer close(made)
		for of := range read {
			if err := send(ctx, made, summed{of, by.summariesOf(of)}); err != nil {
				return err
			}
		}
		return nil
	})
	run(func() error {
		var next summed
		store := func() error {
			if units {
				if err := unitColumns.copyTo(ctx, tx, "unit", next.units); err != nil {
					return err
				}
			}
			err := summaryColumns.copyTo(ctx, tx, "module_summary", next.summaries)
			next = summed{next.units[:0], next.summaries[:0]}
			return err
		}
		for m := range made {
			stored = true
			next.summaries = append(next.summaries, m.summaries...)
			if units {
				next.units = append(next.units, m.units...)
			}
			if len(next.units) < unitBatch && len(next.summaries) < summaryBatch {
				continue
			}
			if err := store(); err != nil {
				return err
			}
		}
		return store()
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

// readUnits calls do with all units of each module in turn. It reads them from table unit or, with fromRuns, computes
// them from all runs.
//
// It reads in a transaction of its own, separate from the writing one. So it needs no cursor, for which Postgres would
// sort with a single processor. Submissions that change meanwhile are in the outbox.
func (s *Store) readUnits(ctx context.Context, fromRuns bool, do func(module string, of []unit) error) error {
	return pgx.BeginTxFunc(ctx, s.pool, readOnly, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "set local statement_timeout = 0; set local work_mem = '256MB'"); err != nil {
			return err
		}
		if !fromRuns {
			return unitsByModule(ctx, tx, do, "")
		}
		rows, _ := tx.Query(ctx, runsOfAll)
		byModule := groups[string, unit]{done: do}
		return byModule.finish(eachShare(rows, func(of share, runs []figure.Run) error {
			for _, u := range figure.UnitsOf(runs) {
				if err := byModule.add(of.module, unit{of, u}); err != nil {
					return err
				}
			}
			return nil
		}))
	})
}
