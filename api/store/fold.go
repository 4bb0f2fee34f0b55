package store

import (
	"context"

	"flashdex/api/catalogue"
	"flashdex/api/figure"

	"github.com/jackc/pgx/v5"
)

// foldBatch is how many submissions one transaction of Fold takes.
const foldBatch = 10_000

// Fold works the outbox into units and module summaries: it makes those anew that a waiting submission belongs to. It
// returns how many submissions it took and the generation, which rises by one for each transaction that changed something.
//
// The rows of the outbox go in the transaction that recomputes, so a crash in between loses and doubles nothing; two
// folds at once take turns.
func (s *Store) Fold(ctx context.Context) (taken int, generation int64, err error) {
	if err := s.deriveSome(ctx); err != nil {
		return 0, 0, err
	}
	for {
		var waiting bool
		err := s.pool.QueryRow(ctx, "select exists (select 1 from outbox) or units or summaries, folded from publication, ("+selectStale+") as stale where name = 'site'",
			figure.UnitVersion, figure.SummaryVersion).Scan(&waiting, &generation)
		if err != nil || !waiting {
			return taken, generation, wrap(err)
		}
		var batch int
		err = s.withLongTx(ctx, pgx.TxOptions{}, func(tx pgx.Tx) (err error) {
			batch, generation, err = s.foldOnce(ctx, tx)
			return err
		})
		taken += batch
		if err != nil || batch < foldBatch {
			return taken, generation, err
		}
	}
}

// waiting is what one transaction folds.
type waiting struct {
	ids     []string
	deleted []string // those of ids that were deleted when they were taken: one that is deleted later waits again
	slugs   []string // of their modules, as they were stored
	modules []string // that these mean
	share   shares
}

// shares are pairs of a module and one of its contributors, each once.
type shares struct {
	modules      []string
	contributors [][]byte
}

func (s *Store) foldOnce(ctx context.Context, tx pgx.Tx) (taken int, generation int64, err error) {
	if generation, err = lockGeneration(ctx, tx); err != nil {
		return 0, 0, err
	}
	rebuilt, err := s.rebuild(ctx, tx)
	if err != nil {
		return 0, 0, err
	}
	w, err := take(ctx, tx)
	if err != nil || len(w.ids) == 0 && !rebuilt {
		return 0, generation, err
	}
	if err := deriveAnew(ctx, tx, w.ids); err != nil { // what a server of the version before took in
		return 0, 0, err
	}
	if err := quarantineDeviating(ctx, tx, w); err != nil {
		return 0, 0, err
	}
	if err := resum(ctx, tx, w.share, w.modules); err != nil {
		return 0, 0, err
	}
	generation++
	if err := bury(ctx, tx, w); err != nil {
		return 0, 0, err
	}
	_, err = tx.Exec(ctx, setGeneration, generation)
	return len(w.ids), generation, err
}

// take takes the oldest submissions out of the outbox.
func take(ctx context.Context, tx pgx.Tx) (w waiting, err error) {
	rows, err := tx.Query(ctx, "select submission_id::text, id::text from outbox order by created_at limit $1", foldBatch)
	if err != nil {
		return w, err
	}
	var rowIDs []string
	var submission, row string
	if _, err = pgx.ForEachRow(rows, []any{&submission, &row}, func() error {
		w.ids, rowIDs = append(w.ids, submission), append(rowIDs, row)
		return nil
	}); err != nil || len(w.ids) == 0 {
		return w, err
	}
	// A row that came since, of the same submission, waits for the next fold.
	if _, err := tx.Exec(ctx, "delete from outbox where submission_id = any($1) and id = any($2)", w.ids, rowIDs); err != nil {
		return w, err
	}
	rows, err = tx.Query(ctx, `
		select s.id::text, s.state = 'deleted', s.module_slug, coalesce(a.into_slug, s.module_slug), s.contributor
		from submission s left join module_alias a on a.from_slug = s.module_slug where s.id = any($1)`, w.ids)
	if err != nil {
		return w, err
	}
	var id, slug, module string
	var deleted bool
	var contributor []byte
	seen, seenModules, seenSlugs := map[string]bool{}, map[string]bool{}, map[string]bool{}
	_, err = pgx.ForEachRow(rows, []any{&id, &deleted, &slug, &module, &contributor}, func() error {
		if deleted {
			w.deleted = append(w.deleted, id)
		}
		if !seenSlugs[slug] {
			seenSlugs[slug] = true
			w.slugs = append(w.slugs, slug)
		}
		if key := module + "\x00" + string(contributor); !seen[key] {
			seen[key] = true
			w.share.modules, w.share.contributors = append(w.share.modules, module), append(w.share.contributors, contributor)
		}
		if !seenModules[module] {
			seenModules[module] = true
			w.modules = append(w.modules, module)
		}
		contributor = nil // the next row's must not overwrite it
		return nil
	})
	return w, err
}

// bury takes out of deleted submissions what was needed to fold them: their module and whose they were. A module that only
// contributors knew of, and that has no result left, is no longer shown; its name, which somebody typed, goes a minute
// later, when no upload under way can mean it.
func bury(ctx context.Context, tx pgx.Tx, w waiting) error {
	// A server of the version before leaves the time too.
	if _, err := tx.Exec(ctx, `
		update submission set module_slug = '', contributor = '', received_at = date_trunc('day', received_at at time zone 'UTC') at time zone 'UTC'
		where id = any($1)`, w.deleted); err != nil {
		return err
	}
	unused, used, err := tellUsed(ctx, tx, "slug = any($1) and known_from in ('"+catalogue.KnownFromTyped+"', '"+catalogue.KnownFromKernel+"')", w.slugs)
	if err != nil {
		return err
	}
	var batch pgx.Batch
	batch.Queue("update module set orphaned_at = null where slug = any($1) and orphaned_at is not null", used)
	batch.Queue("update module set orphaned_at = now() where slug = any($1) and orphaned_at is null", unused)
	const longOrphaned = "orphaned_at < now() - interval '1 minute'"
	gone, _, err := tellUsed(ctx, tx, longOrphaned+" and not exists (select 1 from module_alias a where a.into_slug = module.slug)")
	if err != nil {
		return err
	}
	batch.Queue("delete from module where slug = any($1) and "+longOrphaned, gone)
	batch.Queue("delete from module_touched t where module_slug = any($1) and not exists (select 1 from module m where m.slug = t.module_slug)", gone)
	return tx.SendBatch(ctx, &batch).Close()
}

// tellUsed tells the modules that the condition picks apart: those that a submission is of, by any of their names, and the others.
func tellUsed(ctx context.Context, tx pgx.Tx, which string, args ...any) (unused, used []string, err error) {
	rows, err := tx.Query(ctx, "select slug, array(select a.from_slug from module_alias a where a.into_slug = module.slug) from module where "+which, args...)
	if err != nil {
		return nil, nil, err
	}
	var slug string
	var aliases []string
	var batch pgx.Batch
	_, err = pgx.ForEachRow(rows, []any{&slug, &aliases}, func() error {
		module := slug
		batch.Queue(isUsed, append([]string{slug}, aliases...)).QueryRow(func(row pgx.Row) error {
			var is bool
			if err := row.Scan(&is); err != nil {
				return err
			}
			if is {
				used = append(used, module)
			} else {
				unused = append(unused, module)
			}
			return nil
		})
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	return unused, used, tx.SendBatch(ctx, &batch).Close()
}

// isUsed tells whether a submission is of a module by one of the names $1.
const isUsed = "select exists (select 1 from submission where module_slug = any($1))"

// lockGeneration reads the generation and keeps others from changing what it counts until the transaction ends.
func lockGeneration(ctx context.Context, tx pgx.Tx) (generation int64, err error) {
	err = tx.QueryRow(ctx, selectGeneration+" for update").Scan(&generation)
	return generation, err
}

// setGeneration leaves it to be seen if units and summaries are of another one.
const setGeneration = "update publication set summed = case summed when folded then $1 else summed end, folded = $1 where name = 'site'"

// resum makes the units of shares, and then the summaries of modules, anew.
func resum(ctx context.Context, tx pgx.Tx, of shares, modules []string) error {
	changes, err := sumShares(ctx, tx, of)
	if err != nil {
		return err
	}
	return sumModules(ctx, tx, modules, changes)
}
