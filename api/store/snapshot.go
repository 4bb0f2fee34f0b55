package store

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"flashdex/api/figure"
	"flashdex/api/submission"

	"github.com/jackc/pgx/v5"
)

// Snapshot calls do with everything that a publication shows: the modules, and the results, which do can read while it
// runs. All of it is as of one moment.
func (s *Store) Snapshot(ctx context.Context, do func(*figure.Overview, submission.Results) error) error {
	return repeated(ctx, func() error {
		return s.readLarge(ctx, longTimeouts, 0, func(tx pgx.Tx) error {
			snapshot, err := s.overview(ctx, tx, withoutVariantFigures, everySummary)
			if err != nil {
				return err
			}
			// Touched says when each module's results, or the figures computed from them, last changed.
			snapshot.Touched, err = mapOf[string, time.Time](ctx, tx, "select module_slug, at from module_touched")
			if err != nil {
				return err
			}
			if snapshot.Checks, err = checks(ctx, tx); err != nil {
				return err
			}
			return do(snapshot, results{tx})
		})
	})
}

// wholeModules picks the summaries of all units of a module by one method.
const (
	wholeModules = "where host_class = '' and variant = ''"
	everySummary = "where true"
)

// Overview reads all modules, with one summary for each method that they were measured by. Its time and memory do not
// grow with the number of results.
func (s *Store) Overview(ctx context.Context) (snapshot *figure.Overview, err error) {
	err = s.WithTx(ctx, readOnly, func(tx pgx.Tx) error {
		snapshot, err = s.overview(ctx, tx, wholeSummary, wholeModules)
		return err
	})
	return snapshot, err
}

// Summaries reads all summaries of one module, named by its current slug.
func (s *Store) Summaries(ctx context.Context, slug string) ([]figure.Summary, error) {
	of, err := summaries(ctx, s.pool, wholeSummary, "where module_slug = $1", slug)
	return of, wrap(err)
}

// Generation returns the generation that Overview would read now.
func (s *Store) Generation(ctx context.Context) (generation int64, err error) {
	err = s.pool.QueryRow(ctx, selectGeneration).Scan(&generation)
	return generation, wrap(err)
}

const selectGeneration = "select folded from publication where name = 'site'"

// readOnly is a transaction that reads everything as of one moment.
var readOnly = pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}

// overview reads all listed modules, with the summaries that condition which picks.
func (s *Store) overview(ctx context.Context, tx pgx.Tx, what, which string) (*figure.Overview, error) {
	snapshot := new(figure.Overview)
	if err := tx.QueryRow(ctx, selectGeneration).Scan(&snapshot.Generation); err != nil {
		return nil, err
	}
	var err error
	if snapshot.Modules, err = modules(ctx, tx, withPage); err != nil {
		return nil, err
	}
	if snapshot.Published, err = published(ctx, tx, currentPublished, ""); err != nil {
		return nil, err
	}
	const listed = " and module_slug in (select slug from module where not (" + unlisted + "))"
	if snapshot.Summaries, err = summaries(ctx, tx, what, which+listed); err != nil {
		return nil, err
	}
	if snapshot.Calibrations, err = s.inForce(ctx, tx); err != nil {
		return nil, err
	}
	if err := addReasons(ctx, tx, snapshot.Summaries); err != nil {
		return nil, err
	}
	snapshot.Aliases, err = aliases(ctx, tx)
	return snapshot, err
}

// aliases returns the current slugs of modules that have other slugs too, by each other slug.
func aliases(ctx context.Context, tx pgx.Tx) (map[string]string, error) {
	return mapOf[string, string](ctx, tx, "select slug, module_slug from module_name where slug <> module_slug")
}

// addReasons adds to summaries without figures why the newest result doesn't count.
func addReasons(ctx context.Context, tx pgx.Tx, all []figure.Summary) error {
	at := map[string]int{} // by the id of the newest result
	for i, s := range all {
		if s.Whole() && s.Figures.Len() == 0 {
			at[s.Newest] = i
		}
	}
	if len(at) == 0 {
		return nil
	}
	reasons := "select id::text, " + whyNot("s") + " from submission s where id = any($1)"
	of, err := mapOf[string, []string](ctx, tx, reasons, slices.Collect(maps.Keys(at)))
	for id, notRanked := range of {
		all[at[id]].NotRanked = notRanked
	}
	return err
}

// results reads the accepted submissions that its transaction sees. It reads a few modules at a time, so memory doesn't
// grow with the number of results. It implements submission.Results.
type results struct{ tx pgx.Tx }

const modulesBatch = 100

func (r results) Variants(ctx context.Context, slugs []string) ([]figure.Summary, error) {
	return summaries(ctx, r.tx, wholeSummary, "where variant <> '' and module_slug = any($1)", slugs)
}

func (r results) Newest(ctx context.Context, slugs []string, limit int,
	do func(slug string, newest []submission.Submission) error) error {
	for some := range slices.Chunk(slugs, modulesBatch) {
		// A module that others were merged into has results under several names.
		rows, _ := r.tx.Query(ctx, "select slug from module_name where module_slug = any($1)", some)
		names, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			return err
		}
		var batch pgx.Batch
		var newest []submission.Submission
		for _, name := range names {
			batch.Queue(selectSubmissions+` where module_slug = $1 and state = 'accepted'
				order by received_at desc, id desc limit $2`, name, limit).Query(func(rows pgx.Rows) (err error) {
				newest, err = pgx.AppendRows(newest, rows, storedColumns.scan)
				return err
			})
		}
		if err := r.tx.SendBatch(ctx, &batch).Close(); err != nil {
			return err
		}
		slices.SortFunc(newest, func(a, b submission.Submission) int {
			return cmp.Or(b.ReceivedAt.Compare(a.ReceivedAt), strings.Compare(b.ID, a.ID))
		})
		of := map[string][]submission.Submission{}
		var ids []string
		for _, sub := range newest {
			if len(of[sub.ModuleSlug]) < limit {
				of[sub.ModuleSlug], ids = append(of[sub.ModuleSlug], sub), append(ids, sub.ID)
			}
		}
		tests, err := measurements(ctx, r.tx, "where submission_id = any($1)", ids)
		if err != nil {
			return err
		}
		for _, slug := range some {
			for i := range of[slug] {
				of[slug][i].Tests = tests[of[slug][i].ID]
			}
			if err := do(slug, of[slug]); err != nil {
				return err
			}
		}
	}
	return nil
}
