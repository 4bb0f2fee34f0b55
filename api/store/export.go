package store

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"flashdex/api/figure"

	"github.com/jackc/pgx/v5"
)

// exportSettings are for statements that may look at every result to find a few.
const exportSettings = `set local statement_timeout = '5min'; set local work_mem = '64MB'; set local jit = off`

// Pick returns the accepted results that pick selects, as of the same moment as the overview that pick gets. A limit
// above 0 keeps only the first results.
func (s *Store) Pick(ctx context.Context, pick func(*figure.Overview) (which figure.Filter, limit int, err error)) (
	picked figure.Picked, err error) {
	err = s.readLarge(ctx, exportSettings, 0, func(tx pgx.Tx) (err error) {
		at := new(figure.Overview)
		const generation = "select folded, not exists (select 1 from outbox) from publication where name = 'site'"
		if err := tx.QueryRow(ctx, generation).Scan(&at.Generation, &picked.Settled); err != nil {
			return err
		}
		if at.Modules, err = modules(ctx, tx, shown); err != nil {
			return err
		}
		if at.Aliases, err = aliases(ctx, tx); err != nil {
			return err
		}
		which, limit, err := pick(at)
		if err != nil {
			return err
		}
		for slug, now := range at.Aliases {
			if slices.Contains(which.Modules, now) {
				which.Modules = append(which.Modules, slug)
			}
		}
		picked.Filter, picked.Generation = which, at.Generation
		if limit == 0 {
			return nil
		}
		condition, args := where(which)
		err = tx.QueryRow(ctx, fmt.Sprintf(`
			select m.submission_id::text from submission s join measurement m on m.submission_id = s.id
			where %s group by m.submission_id order by m.submission_id offset %d limit 1`, condition, limit), args...).
			Scan(&picked.Before)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		return err
	})
	return picked, wrap(err)
}

// TestsFrom returns at most rows tests, from the first picked results, and the id of the result that follows; empty:
// none does. rows must be more than the tests of one result, so that no result is split. Each call sees the database as
// it is at that time.
func (s *Store) TestsFrom(ctx context.Context, picked figure.Picked, rows int) (
	tests []figure.Test, next string, err error) {
	err = s.readLarge(ctx, exportSettings, picked.Generation, func(tx pgx.Tx) error {
		err := stream{tx: tx}.tests(ctx, picked.Filter, fmt.Sprintf(" limit %d", rows), func(t *figure.Test) error {
			tests = append(tests, *t)
			return nil
		})
		if err != nil {
			return err
		}
		if len(tests) == rows { // the last result may have more of them
			next = tests[rows-1].Result
			tests = tests[:slices.IndexFunc(tests, func(t figure.Test) bool { return t.Result == next })]
			if len(tests) == 0 {
				return fmt.Errorf("the result %s has more than %d tests", next, rows-1)
			}
		}
		names := map[string]string{}
		for _, t := range tests {
			names[t.Module] = ""
		}
		found, _ := tx.Query(ctx, selectModules+" where slug = any($1)", slices.Collect(maps.Keys(names)))
		of, err := pgx.CollectRows(found, shownModule.scan)
		for _, m := range of {
			names[m.Slug] = m.Name()
		}
		for i := range tests {
			tests[i].ModuleName = names[tests[i].Module]
		}
		return err
	})
	return tests, next, wrap(err)
}
