package store

import (
	"context"
	"fmt"

	"flashdex/api/index"

	"github.com/jackc/pgx/v5"
)

// rebuildBatch is how many submissions, units and summaries a rebuild holds at a time, besides the units of one module.
const rebuildBatch = 10_000

// selectStale tells whether units and summaries are of another generation than the one that was folded last, as a server of
// the version before leaves them, or were made by older rules.
const selectStale = "select summed <> folded or summary_version < $1 from publication where name = 'site'"

// rebuild makes all units and summaries anew if they are stale, and reports whether there were any before or after.
func rebuild(ctx context.Context, tx pgx.Tx) (rebuilt bool, err error) {
	var stale bool
	if err := tx.QueryRow(ctx, selectStale, index.SummaryVersion).Scan(&stale); err != nil || !stale {
		return false, err
	}
	for _, statement := range []string{
		"set local statement_timeout = 0", // it may take minutes where there are ten million results
		"set local work_mem = '256MB'",
		"delete from unit",
		"declare runs no scroll cursor for " + runsOfAll,
	} {
		if _, err := tx.Exec(ctx, statement); err != nil {
			return false, err
		}
	}
	gone, err := tx.Exec(ctx, "delete from module_summary")
	if err != nil {
		return false, err
	}
	rebuilt = gone.RowsAffected() > 0
	var modules moduleBuilder
	var units [][]any
	var runs []index.Run
	var at share
	sum := func() error {
		made := index.UnitsOf(runs)
		runs = runs[:0]
		for _, u := range made {
			units = append(units, unitRow(at, u))
		}
		if len(made) == 0 {
			return nil
		}
		return modules.add(at, made)
	}
	for {
		taken := 0
		rows, err := tx.Query(ctx, fmt.Sprintf("fetch %d from runs", rebuildBatch))
		if err != nil {
			return false, err
		}
		for ; rows.Next(); taken++ {
			next, r, err := scanRun(rows)
			if err != nil {
				rows.Close()
				return false, err
			}
			if next != at {
				if err := sum(); err != nil {
					rows.Close()
					return false, err
				}
				at = next
			}
			runs = append(runs, r)
		}
		if err := rows.Err(); err != nil {
			return false, err
		}
		rebuilt = rebuilt || taken > 0
		if taken == 0 {
			if err := sum(); err != nil {
				return false, err
			}
		}
		if _, err := tx.CopyFrom(ctx, pgx.Identifier{"unit"}, unitColumns, pgx.CopyFromRows(units)); err != nil {
			return false, err
		}
		units = nil
		if taken == 0 {
			if err := modules.sum(); err != nil {
				return false, err
			}
		}
		if err := modules.copyTo(ctx, tx); err != nil {
			return false, err
		}
		if taken == 0 {
			break
		}
	}
	_, err = tx.Exec(ctx, fmt.Sprintf("close runs; update publication set summed = folded, summary_version = %d where name = 'site'", index.SummaryVersion))
	return rebuilt, err
}
