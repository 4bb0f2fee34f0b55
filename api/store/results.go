package store

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"flashdex/api/figure"
	"flashdex/api/submission"

	"github.com/jackc/pgx/v5"
)

// results reads the accepted submissions that its transaction sees, for a few modules at a time, so that memory
// doesn't grow with their number. It implements submission.Results.
type results struct{ tx pgx.Tx }

const modulesBatch = 100

// Variants returns the summaries of the modules' variants.
func (r results) Variants(ctx context.Context, slugs []string) ([]figure.Summary, error) {
	return summaries(ctx, r.tx, wholeSummary, "where variant <> '' and module_slug = any($1)", slugs)
}

// Newest calls do for each of these modules, named by current slugs, with at most limit of its results, newest first.
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
