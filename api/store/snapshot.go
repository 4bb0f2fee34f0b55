package store

import (
	"context"
	"time"

	"flashdex/api/figure"
	"flashdex/api/submission"

	"github.com/jackc/pgx/v5"
)

// Snapshot calls do with everything that a publication shows, all of it as of one moment: the modules, and the results,
// which can be read while do runs.
func (s *Store) Snapshot(ctx context.Context, do func(*figure.Overview, submission.Results) error) error {
	return repeated(ctx, func() error {
		return s.readLarge(ctx, longTimeouts, func(tx pgx.Tx) error {
			snapshot, err := overview(ctx, tx, withoutVariantFigures, "")
			if err != nil {
				return err
			}
			if snapshot.Touched, err = touched(ctx, tx); err != nil {
				return err
			}
			return do(snapshot, results{tx})
		})
	})
}

// touched returns when each module last changed: its results, or the figures made of them.
func touched(ctx context.Context, tx pgx.Tx) (map[string]time.Time, error) {
	rows, _ := tx.Query(ctx, "select module_slug, at from module_touched")
	of := map[string]time.Time{}
	var slug string
	var at time.Time
	_, err := pgx.ForEachRow(rows, []any{&slug, &at}, func() error {
		of[slug] = at
		return nil
	})
	return of, err
}

// wholeModules picks the summaries of all units of a module by one method.
const wholeModules = "where host_class = '' and variant = ''"

// Overview reads all modules, with one summary for each method that they were measured by. Its time and memory do not
// grow with the number of results.
func (s *Store) Overview(ctx context.Context) (snapshot *figure.Overview, err error) {
	err = s.WithTx(ctx, readOnly, func(tx pgx.Tx) error {
		snapshot, err = overview(ctx, tx, wholeSummary, wholeModules)
		return err
	})
	return snapshot, err
}

// Summaries reads all summaries of one module, named by its current slug.
func (s *Store) Summaries(ctx context.Context, slug string) (of []figure.Summary, err error) {
	err = s.WithTx(ctx, readOnly, func(tx pgx.Tx) (err error) {
		of, err = summaries(ctx, tx, wholeSummary, "where module_slug = $1", slug)
		return err
	})
	return of, err
}

// Generation returns the generation that Overview would read now.
func (s *Store) Generation(ctx context.Context) (generation int64, err error) {
	err = s.pool.QueryRow(ctx, selectGeneration).Scan(&generation)
	return generation, wrap(err)
}

const selectGeneration = "select folded from publication where name = 'site'"

// readOnly is a transaction that reads everything as of one moment.
var readOnly = pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}

// overview reads all modules, with the summaries that the condition which picks.
func overview(ctx context.Context, tx pgx.Tx, what, which string) (*figure.Overview, error) {
	snapshot := &figure.Overview{Aliases: map[string]string{}}
	if err := tx.QueryRow(ctx, selectGeneration).Scan(&snapshot.Generation); err != nil {
		return nil, err
	}
	var err error
	if snapshot.Modules, err = modules(ctx, tx, withPage); err != nil {
		return nil, err
	}
	if snapshot.Published, err = published(ctx, tx, "coalesce(a.into_slug, p.module_slug)"); err != nil {
		return nil, err
	}
	if snapshot.Summaries, err = summaries(ctx, tx, what, which); err != nil {
		return nil, err
	}
	if err := addReasons(ctx, tx, snapshot.Summaries); err != nil {
		return nil, err
	}
	rows, _ := tx.Query(ctx, "select slug, module_slug from module_name where slug <> module_slug")
	var from, into string
	_, err = pgx.ForEachRow(rows, []any{&from, &into}, func() error {
		snapshot.Aliases[from] = into
		return nil
	})
	return snapshot, err
}

// addReasons says in summaries without figures why the newest result doesn't count.
func addReasons(ctx context.Context, tx pgx.Tx, all []figure.Summary) error {
	var ids []string
	at := map[string]int{}
	for i, s := range all {
		if s.Whole() && len(s.Figures) == 0 {
			ids, at[s.Newest] = append(ids, s.Newest), i
		}
	}
	if len(ids) == 0 {
		return nil
	}
	rows, _ := tx.Query(ctx, "select id::text, not_ranked from submission where id = any($1)", ids)
	var id string
	var notRanked []string
	_, err := pgx.ForEachRow(rows, []any{&id, &notRanked}, func() error {
		all[at[id]].NotRanked = notRanked
		return nil
	})
	return err
}
